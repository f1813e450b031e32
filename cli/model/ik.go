package model

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/cli/verb"
	"github.com/sinew-robotics/sinew/robot/ik"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

func ikCommand() *cobra.Command {
	var flags robotFlags
	var to targetFlags
	var redundancy float64
	cmd := &cobra.Command{
		Use:   "ik FILE --to x,y,z[,roll,pitch,yaw]",
		Short: "Inverse kinematics: configurations that bring a link to a pose",
		Long: `Inverse kinematics: configurations within the limits that bring a link to a pose of the world.

Arms with a closed form (six axes with spherical wrist or of the UR type, seven of the iiwa or Panda type) get all
solutions, those nearest to --q first; with seven axes all for one redundancy: that of the solution nearest to --q, or
--redundancy. For other robots, and if --to gives a point without rotation, a search from --q finds one. If there is no
solution, the command prints the reason and the nearest configuration and ends with exit code 1.`,
		Example: "  sinew model ik ur5.urdf --frame tool0 --to 0.4,0.2,0.3,3.14,0,0\n" +
			"  sinew model ik panda.urdf --frame panda_hand --to 0.4,0,0.5 --quat 1,0,0,0 --json",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			target, turned, err := to.pose()
			if err != nil {
				return err
			}
			c, frame, link, err := flags.readLink(args[0])
			if err != nil {
				return err
			}
			w := &ikWork{model: c.model, link: link, target: target, turned: turned, start: c.q, seed: flags.at.seed}
			if cmd.Flags().Changed("redundancy") {
				w.redundancy = &redundancy
			}
			r, err := w.solve()
			if err != nil {
				return err
			}
			r.head, r.Frame = newHead(c.model, c.model.Joints()), frame
			err = flags.output.write(cmd.OutOrStdout(), r, func(w io.Writer) { r.print(w, c.model) })
			switch {
			case err != nil || r.Failure == nil:
				return err
			case flags.output.json:
				return verb.ErrReported
			}
			return r.failure
		},
	}
	flags.register(cmd, endFrame, oneObject)
	to.register(cmd)
	cmd.Flags().Float64Var(&redundancy, "redundancy", 0, "of seven axes, rad: swivel angle of the elbow (iiwa type), or joint 7 (Panda type)")
	return cmd
}

// ikWork is one problem of inverse kinematics.
type ikWork struct {
	model      *multibody.Model
	link       int
	target     spatial.Pose
	turned     bool // the target includes a rotation
	start      []float64
	seed       uint64
	redundancy *float64 // nil: that of the solution nearest to start
}

// ikResult is the result of `sinew model ik`.
type ikResult struct {
	head
	Frame     string       `json:"frame"`
	Target    numbers      `json:"target"` // rows of R t
	Position  bool         `json:"position_only"`
	Method    string       `json:"method"`
	Note      string       `json:"note,omitempty"` // why a better method failed
	Start     numbers      `json:"start"`
	Solutions []ikSolution `json:"solutions"`
	Failure   *ikFailure   `json:"failure,omitempty"`

	failure error
}

type ikSolution struct {
	Q          numbers      `json:"q"`
	Singular   string       `json:"singular,omitempty"`
	Redundancy *verb.Number `json:"redundancy,omitempty"` // of seven axes
}

// ikFailure explains why there is no solution, and describes the nearest configuration.
type ikFailure struct {
	Reason   string      `json:"reason"`
	Joint    string      `json:"joint,omitempty"`
	By       verb.Number `json:"by"` // distance to the reachable space (m), or beyond the joint's limit (rad or m)
	Nearest  numbers     `json:"nearest"`
	Position verb.Number `json:"position_error"` // of the nearest, m
	Rotation verb.Number `json:"rotation_error"` // rad
	Message  string      `json:"message"`
}

// solve returns all solutions of an arm with a closed form, one of any other robot.
func (w *ikWork) solve() (*ikResult, error) {
	r := &ikResult{Target: poseNumbers(w.target), Position: !w.turned, Start: w.start, Solutions: []ikSolution{}}
	if w.turned {
		arm, err := ik.NewAnalytic(w.model, w.link)
		if err == nil {
			return r, w.closedForm(arm, r)
		}
		if w.redundancy != nil {
			return nil, fmt.Errorf("--redundancy is for arms of seven axes with a closed form: %w", err)
		}
	}
	return r, w.search(r)
}

// search searches for one solution.
func (w *ikWork) search(r *ikResult) error {
	s := ik.NewSolver(w.model)
	s.Seed = w.seed
	task := ik.Reach(w.link, w.target)
	if !w.turned {
		task = ik.ReachPoint(w.link, w.target.P)
	}
	r.Method = "search, " + s.Method.String()
	q := make([]float64, w.model.NQ())
	err := s.Solve(w.start, []ik.Task{task}, q)
	var failed *ik.Failure
	switch {
	case err == nil:
		r.Solutions = append(r.Solutions, ikSolution{Q: q})
	case errors.As(err, &failed):
		w.fail(r, *failed, q)
	default:
		return err
	}
	return nil
}

// fail records why there is no solution.
func (w *ikWork) fail(r *ikResult, f ik.Failure, nearest []float64) {
	r.Failure = &ikFailure{
		Reason: f.Reason.String(), Joint: f.Joint, By: verb.Number(f.By), Nearest: nearest,
		Position: verb.Number(f.Linear), Rotation: verb.Number(f.Angular), Message: f.Error(),
	}
	r.failure = &f
}

// print prints the result as text.
func (r *ikResult) print(w io.Writer, m *multibody.Model) {
	if r.Failure != nil {
		fmt.Fprintf(w, "no solution; the nearest configuration found\n\n")
		printConfiguration(w, m, r.Failure.Nearest)
		return
	}
	if r.Note != "" {
		fmt.Fprintln(w, r.Note)
	}
	many := "solutions"
	if len(r.Solutions) == 1 {
		many = "solution"
	}
	fmt.Fprintf(w, "%d %s by %s\n\n", len(r.Solutions), many, r.Method)
	titles := []string{"joint", "<"}
	for i := range r.Solutions {
		titles = append(titles, fmt.Sprintf("q%d", i+1))
	}
	t := newTable(titles...)
	for i, c := range positionCoordinates(m.Joints()) {
		row := []string{c.name, c.unit}
		for _, s := range r.Solutions {
			row = append(row, fixed(s.Q[i]))
		}
		t.row(row...)
	}
	t.print(w)
	for i, s := range r.Solutions {
		if s.Singular != "" {
			fmt.Fprintf(w, "\n  q%d is singular: %s", i+1, s.Singular)
		}
	}
	if r.Solutions[0].Redundancy != nil {
		fmt.Fprintf(w, "\n  redundancy %s rad: --redundancy chooses others", decimal(float64(*r.Solutions[0].Redundancy)))
	}
	fmt.Fprintln(w)
}
