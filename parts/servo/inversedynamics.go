package servo

import (
	"fmt"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/parts/robotfile"
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
// branch. joints selects those whose torques are wanted: tau has them in the order of their names, reference all joints that are not
// locked. Setup fails for a file that cannot be read or is no model, and for joints with several coordinates. Values that are
// not finite are passed on.
type InverseDynamics struct {
	URDF       block.Const[string]   `required:"yes" doc:"file of the robot's links and joints: URDF, xacro, rlmdl or rlkin"`
	SRDF       block.Const[string]   `doc:"file of groups of its joints; default: none"`
	Locked     block.Const[[]string] `doc:"joints that do not move, as name or name=position [rad or m]"`
	Joints     block.Const[[]string] `doc:"joints whose torques are wanted, each by name or by a group of the SRDF file; default: all"`
	Coordinate block.Const[string]   `default:"rad" doc:"unit of the positions: rad, or m where all joints slide, with forces in N; with rad, elements of joints that slide are in m and N"`

	Reference block.In[[]float64]  `required:"yes" trigger:"yes" doc:"planned positions, velocities and accelerations [{Coordinate}, {Coordinate}/s, {Coordinate}/s²]"`
	Tau       block.Out[[]float64] `unit:"{Coordinate.force}" safe:"0" doc:"torques at the joints"`

	data *multibody.Data
	at   []int     // coordinates of the joints that are wanted
	tau  []float64 // of all joints
}

// Setup reads the model; the number of its joints is that of the ports' elements.
func (m *InverseDynamics) Setup(s *block.Setup) error {
	model, names, err := readModel(s, robotfile.Constants{URDF: m.URDF.Value(), SRDF: m.SRDF.Value(), Locked: m.Locked.Value(), Joints: m.Joints.Value(), Coordinate: m.Coordinate.Value()})
	if err != nil {
		return err
	}
	for _, name := range names {
		j, err := model.Joint(name)
		if err != nil {
			return fmt.Errorf("%s: %w", m.URDF.Value(), err)
		}
		m.at = append(m.at, j.V)
	}
	m.data, m.tau = multibody.NewData(model), make([]float64, model.NV())
	s.Len(3*model.NV(), &m.Reference)
	s.Len(len(m.at), &m.Tau)
	return nil
}

// Step calculates the torques.
func (m *InverseDynamics) Step(clock.Tick) error {
	ref, status := m.Reference.Read()
	if status == block.NoData {
		return nil
	}
	n := len(ref) / 3
	multibody.RNEA(m.data, ref[:n], ref[n:2*n], ref[2*n:], m.tau)
	tau := *m.Tau.Slot()
	for i, k := range m.at {
		tau[i] = m.tau[k]
	}
	m.Tau.Commit()
	return nil
}
