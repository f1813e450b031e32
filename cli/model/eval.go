package model

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/cli/verb"
	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

func evalCommand() *cobra.Command {
	source := sourceFlags{ignoreMimic: true}
	var frame, in string
	var output outputFlags
	cmd := &cobra.Command{
		Use:   "eval FILE --in STATES.json",
		Short: "Kinematics and dynamics of a robot in many states",
		Long: `Kinematics and dynamics of a robot in many states.

STATES.json is {"joints": [names], "states": [{"q": [...], "v": [...], "a": [...], "tau": [...]}]}. The vectors are in the order
of joints, which is free; without "joints" it is the order of "sinew model show". Only q is required. Results that need a
missing vector are omitted: rnea needs v and a, aba needs v and tau, coriolis_v, kinetic and energy need v.

Mimic joints count as independent here. With --floating the first joint is root_joint, whether listed or not:
q is x y z qx qy qz qw, v the linear then the angular velocity in the axes of the root link.`,
		Example: "  sinew model eval panda.urdf --frame panda_hand --in states.json --json\n" +
			"  generate-states | sinew model eval quadruped.urdf --floating --in - --json",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			robot, m, err := source.model(args[0])
			if err != nil {
				return err
			}
			e, err := newEvaluator(robot, m, frame)
			if err != nil {
				return err
			}
			file, err := readStates(in, cmd.InOrStdin())
			if err != nil {
				return err
			}
			if err := e.order(file, in); err != nil {
				return err
			}
			out := bufio.NewWriter(cmd.OutOrStdout())
			if output.json {
				err = e.writeJSON(out, *file.States)
			} else {
				e.writeTables(out, *file.States)
			}
			if err := errors.Join(err, out.Flush()); err != nil {
				return err
			}
			if e.singular > 0 {
				fmt.Fprintf(cmd.ErrOrStderr(), "sinew: aba is omitted for %d states, because the mass matrix is singular%s\n", e.singular, whySingular(m))
			}
			return nil
		},
	}
	source.register(cmd)
	cmd.Flags().StringVar(&in, "in", "", "`file` of the states, - for the standard input")
	cmd.Flags().StringVar(&frame, "frame", "", "`link` whose Jacobian to compute; default: the end link, if the robot has only one")
	output.register(cmd, oneObject)
	_ = cmd.MarkFlagRequired("in")
	return cmd
}

// evaluator computes the results of `sinew model eval` for a state.
type evaluator struct {
	m        *multibody.Model
	d        *multibody.Data
	joints   *jointOrder
	frame    string // "": no Jacobian
	link     int    // of frame
	singular int    // states so far without forward dynamics
}

// newEvaluator prepares the evaluation of a model; frame is the link whose Jacobian is computed.
func newEvaluator(robot *description.Robot, m *multibody.Model, frame string) (*evaluator, error) {
	e := &evaluator{m: m, d: multibody.NewData(m), frame: frame}
	if frame == "" {
		e.frame = onlyEnd(robot)
	}
	var err error
	if e.frame != "" {
		e.link, err = findLink(m, e.frame)
	}
	return e, err
}

// order reads the order of the joints from a file of states and checks its states.
func (e *evaluator) order(file *stateFile, name string) (err error) {
	if name == "-" {
		name = "standard input"
	}
	if e.joints, err = newJointOrder(e.m, file.Joints); err == nil {
		err = e.joints.check(*file.States)
	}
	if err != nil {
		return fmt.Errorf("%s:\n%w", name, err)
	}
	return nil
}

// evaluation is the result of `sinew model eval` for one state; nil fields were not requested, or lack an input.
type evaluation struct {
	RNEA      numbers      `json:"rnea,omitempty"`
	ABA       numbers      `json:"aba,omitempty"`
	Gravity   numbers      `json:"gravity_vec"`
	Coriolis  numbers      `json:"coriolis_v,omitempty"`
	Kinetic   *verb.Number `json:"kinetic,omitempty"`
	Potential verb.Number  `json:"potential"`
	Energy    *verb.Number `json:"energy,omitempty"`
	COM       numbers      `json:"com"`
	MUpper    numbers      `json:"M_upper"`
	J         numbers      `json:"J,omitempty"`
	FK        linkPoses    `json:"fk"`
}

// evaluate computes one state.
func (e *evaluator) evaluate(s *state) evaluation {
	var out evaluation
	m, d, o := e.m, e.d, e.joints
	n := m.NV()
	q, v, a, x := make([]float64, m.NQ()), make([]float64, n), make([]float64, n), make([]float64, n)
	toModel(o.q, s.Q.values, q)

	multibody.Gravity(d, q, x)
	out.Gravity = fromModel(o.v, x)
	out.Potential = verb.Number(multibody.PotentialEnergy(d, q))
	c := multibody.COM(d, q)
	out.COM = numbers{c.X, c.Y, c.Z}
	out.MUpper = e.massMatrix(q)
	if e.frame != "" {
		out.J = e.jacobian(q)
	}
	multibody.FK(d, q)
	out.FK = linkPoses{e.m.Links(), make([]spatial.Pose, len(e.m.Links()))}
	for i := range out.FK.poses {
		out.FK.poses[i] = d.Pose(i)
	}
	if !s.V.given {
		return out
	}
	toModel(o.v, s.V.values, v)
	multibody.CoriolisForce(d, q, v, x)
	out.Coriolis = fromModel(o.v, x)
	kinetic := verb.Number(multibody.KineticEnergy(d, q, v))
	energy := kinetic + out.Potential
	out.Kinetic, out.Energy = &kinetic, &energy
	if s.A.given {
		toModel(o.v, s.A.values, a)
		multibody.RNEA(d, q, v, a, x)
		out.RNEA = fromModel(o.v, x)
	}
	if s.Tau.given {
		toModel(o.v, s.Tau.values, x)
		multibody.ABA(d, q, v, x, a)
		if allFinite(a) {
			out.ABA = fromModel(o.v, a)
		} else {
			e.singular++
		}
	}
	return out
}

func allFinite(list []float64) bool {
	for _, x := range list {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return false
		}
	}
	return true
}

// whySingular returns the end of a message about a singular mass matrix, with the responsible joints if they are
// known.
func whySingular(m *multibody.Model) string {
	if err := m.CheckInertia(); err != nil {
		return ": " + err.Error()
	}
	return ""
}

// massMatrix returns the upper triangle, row by row.
func (e *evaluator) massMatrix(q []float64) numbers {
	n := e.m.NV()
	M := make([]float64, n*n)
	multibody.CRBA(e.d, q, M)
	upper := make(numbers, 0, n*(n+1)/2)
	for i := range n {
		for j := i; j < n; j++ {
			upper = append(upper, M[e.joints.v[i]*n+e.joints.v[j]])
		}
	}
	return upper
}

// jacobian returns the Jacobian of the frame, row by row.
func (e *evaluator) jacobian(q []float64) numbers {
	n := e.m.NV()
	J := make([]float64, 6*n)
	multibody.Jacobian(e.d, q, e.link, multibody.Mixed, J)
	out := make(numbers, 0, 6*n)
	for row := range 6 {
		out = append(out, fromModel(e.joints.v, J[row*n:(row+1)*n])...)
	}
	return out
}

// writeJSON writes one object with one state per line; its memory does not grow with the number of states.
func (e *evaluator) writeJSON(w io.Writer, states []state) error {
	h := newHead(e.m, e.joints.joints)
	h.Frame = e.frame
	head, err := json.Marshal(h)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%s,\n\"states\":[", head[:len(head)-1])
	for i := range states {
		text, err := json.Marshal(e.evaluate(&states[i]))
		if err != nil {
			return fmt.Errorf("states[%d]: %w", i, err)
		}
		separator := ",\n"
		if i == 0 {
			separator = "\n"
		}
		fmt.Fprintf(w, "%s%s", separator, text)
	}
	_, err = fmt.Fprintln(w, "]}")
	return err
}

// writeTables writes the states as text.
func (e *evaluator) writeTables(w io.Writer, states []state) {
	coordinates := velocityCoordinates(e.joints.joints)
	for i := range states {
		r := e.evaluate(&states[i])
		fmt.Fprintf(w, "state %d\n", i)
		t := newTable("joint", "gravity", "coriolis", "rnea", "<", "aba", "<")
		for k, c := range coordinates {
			row := []string{c.name, entry(r.Gravity, k), entry(r.Coriolis, k), entry(r.RNEA, k), c.force(), entry(r.ABA, k), ""}
			if r.ABA != nil {
				row[6] = c.unit + "/s²"
			}
			t.row(row...)
		}
		t.print(w)
		fmt.Fprintf(w, "  centre of mass %s m, potential energy %s J", triple(r.COM), decimal(float64(r.Potential)))
		if r.Kinetic != nil {
			fmt.Fprintf(w, ", kinetic energy %s J", decimal(float64(*r.Kinetic)))
		}
		fmt.Fprint(w, "\n\n")
	}
	fmt.Fprintln(w, "The mass matrix, the Jacobian and the poses of all links are in --json.")
}
