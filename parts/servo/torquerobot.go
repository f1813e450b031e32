package servo

import (
	"fmt"
	"math"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// TorqueRobot is a simulated robot whose joints are commanded torques, as lightweight arms with torque sensors are: the full
// dynamics of its links with the rotors of its motors, friction, stops, and somebody who may push it.
//
//	M(q) q'' + h(q, q') + D q' = torque + Jᵀ push
//
//	           ┌─────────────┐
//	torque ──► │ TorqueRobot ├─► position, velocity, braking
//	           └─────────────┘
//
// Each step lets it move for the time since the last one, and then tells where it is: whoever answers before the next
// step loses no time. While no torque comes, at the start and when the last one is older than patience, its brakes hold
// it where it is. Torques beyond the effort of a joint are cut, those that are no number count as 0.
//
// Elements are in the order of the model: depth first, and by name where links branch. Joints that follow others have
// none. Friction is the damping of the URDF; rotors are those of the SRDF (rotor_params).
type TorqueRobot struct {
	URDF    block.Const[string]    `doc:"file of the robot's links and joints"`
	SRDF    block.Const[string]    `doc:"file of the rotors of its motors; none where nothing is given"`
	Initial block.Const[[]float64] `unit:"rad" doc:"positions of the joints at first; all 0 where nothing is given"`
	Pushed  block.Const[string]    `doc:"link that push acts on; nobody pushes where nothing is given"`

	Patience block.Param[float64]    `unit:"s" default:"0.02" min:"0" doc:"age of the torques beyond which the brakes hold"`
	Push     block.Param[[3]float64] `unit:"N" doc:"force on the origin of the link pushed, in the axes of the world"`

	Torque   block.In[[]float64]  `unit:"N m" show:"joint_torque" doc:"torques of the motors at the joints"`
	Position block.Out[[]float64] `unit:"rad" show:"joint_position" doc:"positions of the joints"`
	Velocity block.Out[[]float64] `unit:"rad/s" doc:"velocities of the joints"`
	Braking  block.Out[bool]      `doc:"the brakes hold, for want of torques"`

	sim *torqueSimulation
}

// Setup reads the files.
func (r *TorqueRobot) Setup(s *block.Setup) error {
	tree, err := readTree(s.Files(), r.URDF.Value(), r.SRDF.Value())
	if err != nil {
		return err
	}
	if r.sim, err = newTorqueSimulation(tree); err != nil {
		return fmt.Errorf("%s: %w", r.URDF.Value(), err)
	}
	if link := r.Pushed.Value(); link != "" {
		if r.sim.push[0].Link, err = r.sim.model.Link(link); err != nil {
			return fmt.Errorf("pushed: %w", err)
		}
	}
	n := r.sim.model.NV()
	s.Len(n, &r.Torque, &r.Position, &r.Velocity)
	q := r.Initial.Value()
	if len(q) != 0 && len(q) != n {
		return fmt.Errorf("initial has %d elements: wants one for each of the robot's %d joints", len(q), n)
	}
	for _, x := range q {
		if math.IsInf(x, 0) {
			return fmt.Errorf("initial is %v: wants finite positions", q)
		}
	}
	copy(r.sim.q, q)
	return nil
}

// Step lets the robot move.
func (r *TorqueRobot) Step(t clock.Tick) error {
	torque, status := r.Torque.Read()
	braking := status == block.NoData || r.Torque.Age().Seconds() > r.Patience.Value()
	if braking {
		r.sim.brake()
	} else {
		if r.Pushed.Value() != "" {
			push := r.Push.Value()
			r.sim.push[0].Force.Linear = spatial.Vec3{X: push[0], Y: push[1], Z: push[2]}
		}
		r.sim.advance(torque, t.Seconds())
	}
	r.Position.Write(r.sim.q)
	r.Velocity.Write(r.sim.v)
	r.Braking.Write(braking)
	return nil
}
