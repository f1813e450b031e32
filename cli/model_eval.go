package cli

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

func modelEvalCommand() *cobra.Command {
	var source sourceFlags
	var frame, in string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "eval FILE --in STATES.json",
		Short: "Kinematics and dynamics of a robot in many states",
		Long: `Kinematics and dynamics of a robot in many states.

STATES.json is {"joints": [names], "states": [{"q": [...], "v": [...], "a": [...], "tau": [...]}]}: vectors in the order of
the joints, which may be any; without "joints" it is that of "sinew model show". Of a state only q is required. What needs a
vector that is not given is left out: rnea needs v and a, aba needs v and tau, coriolis_v, kinetic and energy need v.

Mimic joints count as independent here. With --floating the first joint is root_joint, whether listed or not:
q is x y z qx qy qz qw, v the linear then the angular velocity in the axes of the root link.`,
		Example: "  sinew model eval panda.urdf --frame panda_hand --in states.json --json\n" +
			"  generate-states | sinew model eval quadruped.urdf --floating --in - --json",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			robot, m, err := source.model(args[0], multibody.IgnoreMimic())
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
			if e.massless != nil {
				fmt.Fprintf(cmd.ErrOrStderr(), "sinew: aba is left out: %v\n", e.massless)
			}
			if asJSON {
				err = e.writeJSON(out, *file.States)
			} else {
				e.writeTables(out, *file.States)
			}
			if err != nil {
				return err
			}
			return out.Flush()
		},
	}
	source.register(cmd)
	cmd.Flags().StringVar(&in, "in", "", "`file` of the states, - for the standard input")
	cmd.Flags().StringVar(&frame, "frame", "", "`link` whose Jacobian is wanted; without it: the link at the end, where the robot has only one")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	_ = cmd.MarkFlagRequired("in")
	return cmd
}

// evaluator computes what `sinew model eval` tells of a state.
type evaluator struct {
	m        *multibody.Model
	d        *multibody.Data
	joints   *jointOrder
	frame    string // "": no Jacobian
	link     int    // of frame
	massless error  // why there is no forward dynamics, nil: there is
}

// newEvaluator prepares the evaluation of a model; frame is the link whose Jacobian is wanted.
func newEvaluator(robot *description.Robot, m *multibody.Model, frame string) (*evaluator, error) {
	e := &evaluator{m: m, d: multibody.NewData(m), frame: frame, massless: m.CheckInertia()}
	if frame == "" {
		e.frame = onlyEnd(robot)
	}
	if e.frame != "" {
		var err error
		if e.link, err = findLink(m, e.frame); err != nil {
			return nil, err
		}
	}
	return e, nil
}

// order takes the order of the joints from a file of states and checks its states.
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

// findLink returns the index of a link, or an error with the nearest name.
func findLink(m *multibody.Model, name string) (int, error) {
	link, err := m.Link(name)
	if err != nil {
		return 0, fmt.Errorf("%s has no link %q%s", m.Name(), name, nearest.Hint(name, m.Links()))
	}
	return link, nil
}

// evaluation is what `sinew model eval` tells of one state; what is nil was not asked for, or needs more than was given.
type evaluation struct {
	RNEA      numbers   `json:"rnea,omitempty"`
	ABA       numbers   `json:"aba,omitempty"`
	Gravity   numbers   `json:"gravity_vec"`
	Coriolis  numbers   `json:"coriolis_v,omitempty"`
	Kinetic   *float64  `json:"kinetic,omitempty"`
	Potential float64   `json:"potential"`
	Energy    *float64  `json:"energy,omitempty"`
	COM       numbers   `json:"com"`
	MUpper    numbers   `json:"M_upper"`
	J         numbers   `json:"J,omitempty"`
	FK        linkPoses `json:"fk"`
}

// evaluate computes one state.
func (e *evaluator) evaluate(s *modelState) evaluation {
	var out evaluation
	m, d, o := e.m, e.d, e.joints
	n := m.NV()
	q, v, a, x := make([]float64, m.NQ()), make([]float64, n), make([]float64, n), make([]float64, n)
	toModel(o.q, s.Q.values, q)

	multibody.Gravity(d, q, x)
	out.Gravity = fromModel(o.v, x)
	out.Potential = multibody.PotentialEnergy(d, q)
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
	kinetic := multibody.KineticEnergy(d, q, v)
	energy := kinetic + out.Potential
	out.Kinetic, out.Energy = &kinetic, &energy
	if s.A.given {
		toModel(o.v, s.A.values, a)
		multibody.RNEA(d, q, v, a, x)
		out.RNEA = fromModel(o.v, x)
	}
	if s.Tau.given && e.massless == nil {
		toModel(o.v, s.Tau.values, x)
		multibody.ABA(d, q, v, x, a)
		out.ABA = fromModel(o.v, a)
	}
	return out
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

// numbers writes itself as JSON with all digits; what is no number becomes null.
type numbers []float64

// MarshalJSON writes the list.
func (list numbers) MarshalJSON() ([]byte, error) {
	text := append(make([]byte, 0, 20*len(list)+2), '[')
	for i, x := range list {
		if i > 0 {
			text = append(text, ',')
		}
		if math.IsNaN(x) || math.IsInf(x, 0) {
			text = append(text, "null"...)
		} else {
			text = strconv.AppendFloat(text, x, 'g', -1, 64)
		}
	}
	return append(text, ']'), nil
}

// linkPoses is the pose of each link; as JSON {"name": [12 numbers, the rows of R t], …}.
type linkPoses struct {
	names []string
	poses []spatial.Pose
}

// MarshalJSON writes the poses in the order of the links.
func (l linkPoses) MarshalJSON() ([]byte, error) {
	text := []byte{'{'}
	for i, name := range l.names {
		if i > 0 {
			text = append(text, ',')
		}
		key, err := json.Marshal(name)
		if err != nil {
			return nil, err
		}
		value, err := poseNumbers(l.poses[i]).MarshalJSON()
		if err != nil {
			return nil, err
		}
		text = append(append(append(text, key...), ':'), value...)
	}
	return append(text, '}'), nil
}

// poseNumbers are the rows of R t.
func poseNumbers(p spatial.Pose) numbers {
	return numbers{
		p.R[0][0], p.R[0][1], p.R[0][2], p.P.X,
		p.R[1][0], p.R[1][1], p.R[1][2], p.P.Y,
		p.R[2][0], p.R[2][1], p.R[2][2], p.P.Z,
	}
}

// modelHead is what a result tells of the model that it is about.
type modelHead struct {
	Robot     string       `json:"robot"`
	Base      string       `json:"base"` // fixed or floating
	NQ        int          `json:"nq"`
	NV        int          `json:"nv"`
	Gravity   numbers      `json:"gravity"`
	TotalMass float64      `json:"total_mass"`
	Joints    []jointPlace `json:"joints"`
	Links     []string     `json:"links"`
	Frame     string       `json:"jacobian_link,omitempty"`
}

// jointPlace is a moving joint and its slices of the vectors.
type jointPlace struct {
	Name string `json:"name"`
	Type string `json:"type"`
	IQ   int    `json:"iq"`
	NQ   int    `json:"nq"`
	IV   int    `json:"iv"`
	NV   int    `json:"nv"`
}

func (e *evaluator) head() modelHead {
	m, g := e.m, e.m.Gravity()
	h := modelHead{
		Robot: m.Name(), Base: "fixed", NQ: m.NQ(), NV: m.NV(), Gravity: numbers{g.X, g.Y, g.Z}, TotalMass: m.Mass(),
		Joints: []jointPlace{}, Links: m.Links(), Frame: e.frame,
	}
	iq, iv := 0, 0
	for _, j := range e.joints.joints {
		if j.Name == rootJoint && j.Type == multibody.Floating {
			h.Base = "floating"
		}
		h.Joints = append(h.Joints, jointPlace{j.Name, j.Type.String(), iq, j.Type.NQ(), iv, j.Type.NV()})
		iq, iv = iq+j.Type.NQ(), iv+j.Type.NV()
	}
	return h
}

// writeJSON writes one object, a state a line: as many states as there are, memory stays that of one.
func (e *evaluator) writeJSON(w io.Writer, states []modelState) error {
	head, err := json.Marshal(e.head())
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

// writeTables writes the states for people.
func (e *evaluator) writeTables(w io.Writer, states []modelState) {
}

// onlyEnd returns the only link from which no joint leads on, "" where there are several.
func onlyEnd(robot *description.Robot) string {
	leadsOn := map[string]bool{}
	for _, j := range robot.Joints {
		leadsOn[j.Parent] = true
	}
	end := ""
	for _, l := range robot.Links {
		switch {
		case leadsOn[l.Name]:
		case end != "":
			return ""
		default:
			end = l.Name
		}
	}
	return end
}
