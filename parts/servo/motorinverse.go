package servo

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/sinew-robotics/sinew/device/sim"
	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/port"
)

// MotorInverse is the motors' model: the voltages for the torques and velocities of the planned motion.
//
//	load = tau + n² J q'' + friction · (Fv q' + Fc tanh(q'/vs))
//	u    = R/(k n) · load/(1 ± (1-η)) + k n q'
//
//	reference ─► ┌──────────────┐
//	      tau ─► │ MotorInverse ├─► voltage
//	             └──────────────┘
//
// with winding resistance R, torque constant k, gear ratio n, rotor inertia J, viscous and Coulomb friction Fv and Fc
// and the Stribeck velocity vs from the file of drives. The gear's losses 1-η make the motor work harder where it
// drives the load and less where the load drives it: the sign is that of -load·q', and there is none at rest. Voltages
// are in the direction of the joints and not limited.
//
// The parameter friction sets the share of friction that is fed forward: a model that compensates all of it pushes joints
// that rest. Setup fails for a file that cannot be read, a joint without a drive there, and an empty list of joints. Numbers
// that are not finite are passed on.
type MotorInverse struct {
	Drives     block.Const[string]   `doc:"file of the robot's drives"`
	Joints     block.Const[[]string] `doc:"names of the joints in the order of the elements"`
	Coordinate block.Const[string]   `default:"rad" doc:"unit of the positions"`
	Friction   block.Param[float64]  `default:"0" min:"0" max:"1" doc:"share of the friction that is fed forward"`

	Reference block.In[[]float64]  `required:"yes" doc:"planned positions, velocities and accelerations [{Coordinate}, {Coordinate}/s, {Coordinate}/s²]"`
	Tau       block.In[[]float64]  `required:"yes" trigger:"yes" unit:"{Coordinate.force}" doc:"torques at the joints"`
	Voltage   block.Out[[]float64] `unit:"V" safe:"0" doc:"voltages of the motors; a positive one moves the joint in its positive direction"`

	motors []sim.AxisDrive
}

var errNoJoints = errors.New("joints is empty: it names the joints whose drives are modelled")

// Setup reads the drives.
func (m *MotorInverse) Setup(s *block.Setup) error {
	file, err := sim.ReadDrives(s.Files(), m.Drives.Value())
	if err != nil {
		return err
	}
	for _, joint := range m.Joints.Value() {
		d, ok := file.Drives[joint]
		if !ok {
			known := slices.Sorted(maps.Keys(file.Drives))
			return &port.ParamError{Param: "joints", Err: fmt.Errorf("joints: %s has no drive of %q%s", m.Drives.Value(), joint, nearest.Hint(joint, known))}
		}
		m.motors = append(m.motors, d)
	}
	n := len(m.motors)
	if n == 0 {
		return errNoJoints
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
		d, v, a := &m.motors[i], ref[n+i], ref[2*n+i]
		u[i] = d.Voltage(tau[i]+d.Armature()*a+m.Friction.Value()*friction(d, v), v)
	}
	m.Voltage.Commit()
	return nil
}

// friction is the torque that friction opposes to the velocity v; smooth, so that nothing chatters about v = 0.
func friction(d *sim.AxisDrive, v float64) float64 {
	f := &d.Friction
	return f.Viscous*v + f.Coulomb*math.Tanh(v/max(f.StribeckVelocity, 1e-3))
}
