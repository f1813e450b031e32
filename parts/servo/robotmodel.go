package servo

import (
	"fmt"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/robot/multibody"
)

// RobotModel tells what a controller wants to know of the whole robot where it is now: the torques that hold it
// against gravity, and the inertia that each joint feels while the others rest.
//
//	gravity = g(q),   inertia[i] = M(q)[i,i]
//
//	position ─► ┌────────────┐
//	            │ RobotModel ├─► gravity, inertia
//	            └────────────┘
//
// Elements are in the order of the model: depth first, and by name where links branch. Rotors are those of the SRDF.
// Positions that are not finite pass.
type RobotModel struct {
	URDF block.Const[string] `doc:"file of the robot's links and joints"`
	SRDF block.Const[string] `doc:"file of the rotors of its motors; none where nothing is given"`

	Position block.In[[]float64]  `trigger:"yes" unit:"rad" doc:"measured positions of the joints"`
	Gravity  block.Out[[]float64] `unit:"N m" safe:"0" doc:"torques that hold the robot at rest"`
	Inertia  block.Out[[]float64] `unit:"kg m²" doc:"inertia about each joint"`

	data *multibody.Data
	mass []float64 // n × n
}

// Setup reads the files.
func (m *RobotModel) Setup(s *block.Setup) error {
	tree, err := readTree(s.Files(), m.URDF.Value(), m.SRDF.Value())
	if err != nil {
		return err
	}
	model, err := multibody.NewModel(tree)
	if err != nil {
		return fmt.Errorf("%s: %w", m.URDF.Value(), err)
	}
	n := model.NV()
	m.data, m.mass = multibody.NewData(model), make([]float64, n*n)
	s.Len(n, &m.Position, &m.Gravity, &m.Inertia)
	return nil
}

// Step evaluates the model.
func (m *RobotModel) Step(clock.Tick) error {
	q, status := m.Position.Read()
	if status == block.NoData {
		return nil
	}
	multibody.Gravity(m.data, q, *m.Gravity.Slot())
	m.Gravity.Commit()
	multibody.CRBA(m.data, q, m.mass)
	inertia := *m.Inertia.Slot()
	for i := range inertia {
		inertia[i] = m.mass[i*len(inertia)+i]
	}
	m.Inertia.Commit()
	return nil
}
