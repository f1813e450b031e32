package torque

import (
	"fmt"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/parts/robotfile"
	"github.com/sinew-robotics/sinew/robot/multibody"
)

// RobotModel computes two properties of the robot at its present position: the torques that hold it against gravity, and
// its inertia.
//
//	gravity = g(q),   inertia = M(q), row by row
//
//	position ─► ┌────────────┐
//	            │ RobotModel ├─► gravity, inertia
//	            └────────────┘
//
// joints selects those of the robot whose gravity and inertia are wanted, for a controller that commands them alone: position is that of all joints
// that are not locked, gravity and inertia have the joints selected, in the order of their names.
//
// Where several controllers share the joints, groups gives the number of joints of each, in order. Then inertia has the
// matrix of each group, one behind the other, with the other groups at rest: of groups of 3 and 7 joints those of the first are
// inertia[0:9], those of the second inertia[9:58]. Elements are in the order of the model: depth first, and by name where links
// branch. Rotors are those of the SRDF. Positions that are not finite are passed on.
type RobotModel struct {
	URDF       block.Const[string]   `required:"yes" doc:"file of the robot's links and joints: URDF, xacro, rlmdl or rlkin"`
	SRDF       block.Const[string]   `doc:"file of the rotors of its motors and of groups of joints; default: none"`
	Locked     block.Const[[]string] `doc:"joints that do not move, as name or name=position [rad or m]"`
	Joints     block.Const[[]string] `doc:"joints whose gravity and inertia are wanted, each by name or by a group of the SRDF file; default: all"`
	Coordinate block.Const[string]   `default:"rad" doc:"unit of the positions: rad, or m where all joints slide, with forces in N; with rad, elements of joints that slide are in m and N"`
	Groups     block.Const[[]int]    `min:"1" doc:"number of joints of each group; default: all in one"`

	Position block.In[[]float64]  `required:"yes" trigger:"yes" unit:"{Coordinate}" doc:"measured positions of the joints"`
	Gravity  block.Out[[]float64] `unit:"{Coordinate.force}" safe:"0" doc:"torques that hold the robot at rest"`
	Inertia  block.Out[[]float64] `unit:"{Coordinate.inertia}" doc:"inertia matrix of each group"`

	data    *multibody.Data
	wanted  commanded
	mass    []float64 // of the whole robot, n × n
	gravity []float64 // of the whole robot
	groups  []int
}

// Setup reads the files.
func (m *RobotModel) Setup(s *block.Setup) error {
	model, wanted, err := readModel(s, robotfile.Constants{URDF: m.URDF.Value(), SRDF: m.SRDF.Value(), Locked: m.Locked.Value(), Joints: m.Joints.Value(), Coordinate: m.Coordinate.Value()})
	if err != nil {
		return err
	}
	n, all, squares := len(wanted.at), 0, 0
	if m.groups = m.Groups.Value(); len(m.groups) == 0 {
		m.groups = []int{n}
	}
	for _, k := range m.groups {
		all += k
		squares += k * k
	}
	if all != n {
		return fmt.Errorf("groups have %d joints together: there are %d", all, n)
	}
	m.data, m.wanted = multibody.NewData(model), wanted
	m.mass, m.gravity = make([]float64, wanted.robot*wanted.robot), make([]float64, wanted.robot)
	s.Len(wanted.robot, &m.Position)
	s.Len(n, &m.Gravity)
	s.Len(squares, &m.Inertia)
	return nil
}

// Step evaluates the model.
func (m *RobotModel) Step(clock.Tick) error {
	q, status := m.Position.Read()
	if status == block.NoData {
		return nil
	}
	multibody.Gravity(m.data, q, m.gravity)
	m.wanted.pick(m.gravity, *m.Gravity.Slot())
	m.Gravity.Commit()
	multibody.CRBA(m.data, q, m.mass)
	inertia, first, n := *m.Inertia.Slot(), 0, len(q)
	for _, k := range m.groups {
		group := commanded{n, m.wanted.at[first : first+k]}
		for _, i := range group.at {
			group.pick(m.mass[i*n:(i+1)*n], inertia[:k])
			inertia = inertia[k:]
		}
		first += k
	}
	m.Inertia.Commit()
	return nil
}

// Restart implements [block.Restarter]: there is nothing to forget, because each step begins with what is measured.
func (m *RobotModel) Restart() {}
