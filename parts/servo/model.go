package servo

import (
	"fmt"
	"math"

	"github.com/sinew-robotics/sinew/device/sim"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/multibody"
)

// InverseDynamics is the robot's model: the torques at the joints that the planned motion needs, if nothing disturbs.
//
//	tau = D(q) q'' + H(q, q') + G(q)
//
//	reference ─► ┌─────────────────┐
//	             │ InverseDynamics ├─► tau
//	             └─────────────────┘
//
// The recursive Newton–Euler algorithm of package multibody calculates it.
type InverseDynamics struct {
	URDF block.Const[string] `doc:"file of the robot's links and joints"`

	Reference block.In[[]float64]  `trigger:"yes" doc:"planned positions, velocities and accelerations [rad, rad/s, rad/s²]"`
	Tau       block.Out[[]float64] `unit:"N m" safe:"0" doc:"torques at the joints"`

	data *multibody.Data
}

// Setup reads the model; the number of its joints is that of the ports' elements.
func (m *InverseDynamics) Setup(s *block.Setup) error {
	robot, err := description.ReadURDF(s.Files(), m.URDF.Value(), description.Options{})
	if err != nil {
		return err
	}
	model, err := robot.Model()
	if err != nil {
		return err
	}
	if model.NQ() != model.NV() {
		return fmt.Errorf("%s has joints of more than one coordinate: the reference of a servo system has one a joint", m.URDF.Value())
	}
	m.data = multibody.NewData(model)
	s.Len(3*model.NV(), &m.Reference)
	s.Len(model.NV(), &m.Tau)
	return nil
}

// Step calculates the torques.
func (m *InverseDynamics) Step(clock.Tick) error {
	ref, status := m.Reference.Read()
	if status == block.NoData {
		return nil
	}
	n := len(ref) / 3
	multibody.RNEA(m.data, ref[:n], ref[n:2*n], ref[2*n:], *m.Tau.Slot())
	m.Tau.Commit()
	return nil
}

// MotorInverse is the motors' model: the voltages for planned torques and velocities.
//
//	u = R/(Kt i η) (tau + Jr i² q'' + friction · (Fv q' + Fc tanh(q'/vs))) + Kt i q'
//
//	reference ─► ┌──────────────┐
//	      tau ─► │ MotorInverse ├─► voltage
//	             └──────────────┘
//
// with winding resistance R, torque constant Kt, gear ratio i and efficiency η, rotor inertia Jr, viscous and Coulomb
// friction Fv and Fc and the Stribeck velocity vs of the drives file.
type MotorInverse struct {
	Drives   block.Const[string]   `doc:"file of the robot's drives"`
	Joints   block.Const[[]string] `doc:"names of the joints in the order of the elements"`
	Friction block.Param[float64]  `default:"0" min:"0" max:"1" doc:"share of the friction that is compensated"`

	Reference block.In[[]float64]  `doc:"planned positions, velocities and accelerations [rad, rad/s, rad/s²]"`
	Tau       block.In[[]float64]  `trigger:"yes" unit:"N m" doc:"torques at the joints"`
	Voltage   block.Out[[]float64] `unit:"V" safe:"0" doc:"voltages of the motors, in the joints' sense"`

	motors []sim.Drive
}

// Setup reads the drives.
func (m *MotorInverse) Setup(s *block.Setup) error {
	file, err := sim.ReadDrives(s.Files(), m.Drives.Value())
	if err != nil {
		return err
	}
	for _, joint := range m.Joints.Value() {
		d, ok := file.Drives[joint]
		if !ok {
			return fmt.Errorf("%s has no drive of joint %q", m.Drives.Value(), joint)
		}
		m.motors = append(m.motors, d)
	}
	n := len(m.motors)
	if n == 0 {
		return fmt.Errorf("joints is empty: it names the joints whose drives are modelled")
	}
	s.Len(3*n, &m.Reference)
	s.Len(n, &m.Tau, &m.Voltage)
	return nil
}

// Step calculates the voltages.
func (m *MotorInverse) Step(clock.Tick) error {
	tau, _ := m.Tau.Read()
	ref, _ := m.Reference.Read()
	n := len(m.motors)
	u := *m.Voltage.Slot()
	for i := range m.motors {
		u[i] = voltage(&m.motors[i], tau[i], ref[n+i], ref[2*n+i], m.Friction.Value())
	}
	m.Voltage.Commit()
	return nil
}

func voltage(d *sim.Drive, tau, v, a, friction float64) float64 {
	gear := d.Motor.TorqueConstant * d.Gear.Ratio
	load := tau + d.Motor.RotorInertia*d.Gear.Ratio*d.Gear.Ratio*a +
		friction*(d.Friction.Viscous*v+d.Friction.Coulomb*math.Tanh(v/math.Max(d.Friction.StribeckVelocity, 1e-3)))
	return d.Motor.Resistance/(gear*d.Gear.Efficiency)*load + gear*v
}
