package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/robot/ik"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

func modelIKCommand() *cobra.Command {
	var source sourceFlags
	var at configurationFlags
	var to targetFlags
	var frame string
	var redundancy float64
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "ik FILE --to x,y,z[,roll,pitch,yaw]",
		Short: "Inverse kinematics: configurations that bring a link to a pose",
		Long: `Inverse kinematics: configurations within the limits that bring a link to a pose of the world.

Arms whose geometry has a closed form (six axes with spherical wrist or of the UR type, seven of the iiwa or Panda type) get all
solutions, those nearest to --q first; with seven axes all of one redundancy: that of the solution nearest to --q, or of
--redundancy. For all others, and where --to gives a point without rotation, a search from --q finds one. Where there is no
solution it says why, shows the nearest configuration and ends with exit code 1.`,
		Example: "  sinew model ik ur5.urdf --frame tool0 --to 0.4,0.2,0.3,3.14,0,0\n" +
			"  sinew model ik panda.urdf --frame panda_hand --to 0.4,0,0.5 --quat 1,0,0,0 --json",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			target, turned, err := to.pose()
			if err != nil {
				return err
			}
			robot, m, err := source.model(args[0])
			if err != nil {
				return err
			}
			frame, link, err := frameOrEnd(robot, m, frame)
			if err != nil {
				return err
			}
			q, err := at.configuration(m)
			if err != nil {
				return err
			}
			w := &ikWork{model: m, link: link, target: target, turned: turned, start: q, seed: at.seed}
			if cmd.Flags().Changed("redundancy") {
				w.redundancy = &redundancy
			}
			r, err := w.solve()
			if err != nil {
				return err
			}
			r.modelHead, r.Frame = newModelHead(m, m.Joints()), frame
			if asJSON {
				err = json.NewEncoder(cmd.OutOrStdout()).Encode(r)
			} else {
				r.print(cmd.OutOrStdout(), m)
			}
			if err == nil && r.Failure != nil {
				if asJSON {
					return errSilent
				}
				return r.failure
			}
			return err
		},
	}
	source.register(cmd)
	source.registerMimic(cmd)
	at.register(cmd)
	to.register(cmd)
	cmd.Flags().StringVar(&frame, "frame", "", "`link`; without it: the link at the end, where the robot has only one")
	cmd.Flags().Float64Var(&redundancy, "redundancy", 0, "of seven axes, rad: swivel angle of the elbow (iiwa type), or joint 7 (Panda type)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// ikWork is one problem of inverse kinematics.
type ikWork struct {
	model      *multibody.Model
	link       int
	target     spatial.Pose
	turned     bool // whether the target says how the link is turned
	start      []float64
	seed       uint64
	redundancy *float64 // nil: that of the solution nearest to start
}

// ikResult is what `sinew model ik` tells.
type ikResult struct {
	modelHead
	Frame     string       `json:"frame"`
	Target    numbers      `json:"target"` // rows of R t
	Position  bool         `json:"position_only"`
	Method    string       `json:"method"`
	Note      string       `json:"note,omitempty"` // why a better method did not do
	Start     numbers      `json:"start"`
	Solutions []ikSolution `json:"solutions"`
	Failure   *ikFailure   `json:"failure,omitempty"`

	failure error
}

type ikSolution struct {
	Q          numbers `json:"q"`
	Singular   string  `json:"singular,omitempty"`
	Redundancy *number `json:"redundancy,omitempty"` // of seven axes
}

// ikFailure tells why there is no solution, and what comes nearest.
type ikFailure struct {
	Reason   string  `json:"reason"`
	Joint    string  `json:"joint,omitempty"`
	By       number  `json:"by"` // how far out of reach (m), or beyond the limit of the joint (rad or m)
	Nearest  numbers `json:"nearest"`
	Position number  `json:"position_error"` // of the nearest, m
	Rotation number  `json:"rotation_error"` // rad
	Message  string  `json:"message"`
}

// solve finds all solutions of an arm with a closed form, one of any other robot.
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

// search looks for one solution.
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

// fail notes why there is no solution.
func (w *ikWork) fail(r *ikResult, f ik.Failure, nearest []float64) {
	r.Failure = &ikFailure{
		Reason: f.Reason.String(), Joint: f.Joint, By: number(f.By), Nearest: nearest,
		Position: number(f.Linear), Rotation: number(f.Angular), Message: f.Error(),
	}
	r.failure = &f
}

// print writes the result for people.
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
