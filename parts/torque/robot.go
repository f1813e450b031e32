package torque

import (
	"fmt"
	"slices"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/port"
	"github.com/sinew-robotics/sinew/parts/robotfile"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/sim"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Robot is a simulated robot whose joints are commanded torques, as lightweight arms with torque sensors are: the full
// dynamics of its links with the rotors of its motors, viscous friction, joint stops, and a force that pushes one link. Package
// robot/sim integrates them by its method Euler.
//
//	            ┌───────┐
//	torque ───► │ Robot ├─► position, velocity, cut, braking
//	push ─────► │       │
//	            └───────┘
//
// Each step lets the robot move for the time since the last one, and then writes where it is: a controller that answers
// before the next step loses no time. While no torque comes, at the start and when the last one is older than patience,
// its brakes hold it where it is. Torques beyond the effort of a joint are cut, and the output cut shows by how much; NaN counts
// as 0.
//
// The force is that of the input push: 0 while nothing is linked or fed to it, so that it ends when the console that pushes is
// lost. Numbers in it that are not finite count as 0.
//
// Elements are in the order of the model: depth first, and by name where links branch. Joints that follow others have
// none. Friction is the damping of the description, dry friction is left out; rotors are those of the SRDF (rotor_params).
type Robot struct {
	URDF       block.Const[string]    `required:"yes" doc:"file of the robot's links and joints: URDF, xacro, rlmdl or rlkin"`
	SRDF       block.Const[string]    `doc:"file of the rotors of its motors; default: none"`
	Locked     block.Const[[]string]  `doc:"joints that do not move, as name or name=position [rad or m]"`
	Coordinate block.Const[string]    `default:"rad" doc:"unit of the positions: rad, or m where all joints slide, with forces in N; with rad, elements of joints that slide are in m and N"`
	Initial    block.Const[[]float64] `unit:"{Coordinate}" doc:"positions of the joints at first, within their limits; default: 0, or the limit next to it"`
	Pushed     block.Const[string]    `doc:"link that push acts on; default: none"`

	Patience block.Param[float64] `unit:"s" default:"0.02" min:"0" doc:"age of the torques beyond which the brakes hold"`

	Torque   block.In[[]float64]  `required:"yes" unit:"{Coordinate.force}" show:"joint_torque" doc:"torques of the motors at the joints"`
	Push     block.In[[3]float64] `unit:"N" doc:"force on the origin of the link pushed, in the axes of the world; without a link 0"`
	Position block.Out[[]float64] `unit:"{Coordinate}" show:"joint_position" doc:"positions of the joints"`
	Velocity block.Out[[]float64] `unit:"{Coordinate}/s" doc:"velocities of the joints"`
	Cut      block.Out[[]float64] `unit:"{Coordinate.force}" watch:"yes" doc:"what was cut off the torques: commanded minus applied"`
	Braking  block.Out[bool]      `doc:"the brakes hold, because torques are missing or too old"`

	sim    *sim.Simulator
	effort []float64
	pushed int // link
}

// Setup reads the files.
func (r *Robot) Setup(s *block.Setup) error {
	tree, _, err := readTree(s, robotfile.Constants{URDF: r.URDF.Value(), SRDF: r.SRDF.Value(), Locked: r.Locked.Value(), Coordinate: r.Coordinate.Value()})
	if err != nil {
		return err
	}
	for i := range tree.Joints {
		tree.Joints[i].Friction = 0
	}
	if r.sim, err = sim.New(tree, sim.Options{Integrator: sim.Euler}); err != nil {
		return fmt.Errorf("%s: %w", r.URDF.Value(), err)
	}
	if link := r.Pushed.Value(); link != "" {
		if r.pushed, err = r.sim.Model().Link(link); err != nil {
			return &port.ParamError{Param: "pushed", Err: fmt.Errorf("pushed: %w", err)}
		}
	}
	n := r.sim.Model().NV()
	s.Len(n, &r.Torque, &r.Position, &r.Velocity, &r.Cut)
	r.effort = make([]float64, n)
	r.sim.Model().EffortLimits(r.effort)
	if n > 0 && !slices.ContainsFunc(r.effort, func(most float64) bool { return most > 0 }) {
		return fmt.Errorf("%s: the effort limits of all joints are 0: no torque moves them; write the greatest torques of the motors there, as effort=\"50\"", r.URDF.Value())
	}
	switch q := r.Initial.Value(); len(q) {
	case 0:
		r.sim.SetState(nearestToZero(r.sim.Model()), nil)
	case n:
		if err := r.sim.Model().CheckPositions(q); err != nil {
			return &port.ParamError{Param: "initial", Err: err}
		}
		r.sim.SetState(q, nil)
	default:
		return fmt.Errorf("initial has length %d: wants one element for each of the robot's joints (%d)", len(q), n)
	}
	return nil
}

// nearestToZero returns the position of each joint that is nearest to 0 within its limits.
func nearestToZero(m *multibody.Model) []float64 {
	q, upper := make([]float64, m.NQ()), make([]float64, m.NQ())
	m.PositionLimits(q, upper)
	for i, lower := range q {
		q[i] = min(max(0, lower), upper[i])
	}
	return q
}

// Step lets the robot move.
func (r *Robot) Step(t clock.Tick) error {
	torque, status := r.Torque.Read()
	braking := status == block.NoData || r.Torque.Age().Seconds() > r.Patience.Value()
	cut := *r.Cut.Slot()
	clear(cut)
	if braking {
		r.sim.SetState(r.sim.Q(), nil)
	} else {
		for i, x := range torque {
			r.sim.SetTorque(i, x)
			if x == x {
				cut[i] = x - min(max(x, -r.effort[i]), r.effort[i])
			}
		}
		if r.Pushed.Value() != "" {
			push, _ := r.Push.Read()
			r.sim.SetPush(r.pushed, spatial.Force{Linear: spatial.Vec3{X: finite(push[0]), Y: finite(push[1]), Z: finite(push[2])}})
		}
		r.sim.Step(t.Dt)
	}
	r.Position.Write(r.sim.Q())
	r.Velocity.Write(r.sim.V())
	r.Cut.Commit()
	r.Braking.Write(braking)
	return nil
}
