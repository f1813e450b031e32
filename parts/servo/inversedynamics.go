package servo

import (
	"fmt"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/multibody"
)

// InverseDynamics is the robot's model: the torques at the joints that the planned motion needs without disturbances.
//
//	tau = D(q) q'' + H(q, q') + G(q)
//
//	reference ─► ┌─────────────────┐
//	             │ InverseDynamics ├─► tau
//	             └─────────────────┘
//
// The recursive Newton–Euler algorithm of package multibody calculates it. Rotors of motors are no links of the robot:
// [MotorInverse] adds their inertia. Elements are in the order of the model: depth first, and by name where links
// branch. Setup fails for a file that cannot be read or is no model, and for joints with several coordinates. Values that are
// not finite are passed on.
type InverseDynamics struct {
	URDF block.Const[string] `required:"yes" doc:"file of the robot's links and joints: URDF, xacro, rlmdl or rlkin"`

	Reference block.In[[]float64]  `required:"yes" trigger:"yes" doc:"planned positions, velocities and accelerations [rad, rad/s, rad/s²]"`
	Tau       block.Out[[]float64] `unit:"N m" safe:"0" doc:"torques at the joints"`

	data *multibody.Data
}

// Setup reads the model; the number of its joints is that of the ports' elements.
func (m *InverseDynamics) Setup(s *block.Setup) error {
	robot, err := description.Read(s.Files(), m.URDF.Value(), description.Options{Notice: s.Notice})
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
