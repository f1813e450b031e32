package multibody

import (
	"fmt"
	"slices"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Model is a compiled robot: immutable, safe for use by many goroutines at once. Each of them needs a [Data] of its own.
//
// Vectors of the model hold the coordinates of the moving joints in the order depth first from the root, children of
// a link (fixed joints included in the walk) alphabetically by joint name. Map by name with [Model.Joint].
type Model struct {
	name   string
	joints []ModelJoint // moving joints in vector order
	links  []modelLink  // in the order of the tree: depth first, as the joints
	byLink map[string]int
	byName map[string]int

	nq, nv  int
	gravity spatial.Vec3

	body    []body    // elementary bodies, parents before children; body[0] is the world
	path    [][]int32 // path[i]: bodies from the root to body i, i included
	chain   bool      // each body carries the next and has one axis: matrices of coordinates have no zeros
	own     []composite
	turning angles   // of all bodies that move by one
	turns   []angles // turns[i]: those on path[i]
	mass    float64  // of all bodies but the world, kg

	order elimination // of the mass matrix
	mimic *coupling   // nil when every joint is independent
}

// ModelJoint is a moving joint with its place in the vectors.
type ModelJoint struct {
	Joint
	Q, V int // first index in q, and in v, a and tau; a mimic joint has those of its master
}

// modelLink is a link frame fixed to an elementary body.
type modelLink struct {
	name  string
	body  int32
	place spatial.Pose // of the link in the internal frame of the body
}

// Name returns the name of the robot.
func (m *Model) Name() string { return m.name }

// NQ returns the length of position vectors q.
func (m *Model) NQ() int { return m.nq }

// NV returns the length of velocity, acceleration and force vectors v, a, tau: the degrees of freedom.
func (m *Model) NV() int { return m.nv }

// Gravity returns the acceleration of free fall in the world frame, m/s².
func (m *Model) Gravity() spatial.Vec3 { return m.gravity }

// Mass returns the mass of everything that moves, kg. Links rigidly attached to the world do not count.
func (m *Model) Mass() float64 { return m.mass }

// Joints returns the moving joints, mimic joints included, in the order of the vectors.
func (m *Model) Joints() []ModelJoint { return slices.Clone(m.joints) }

// Joint returns the moving joint of that name. It fails if there is none.
func (m *Model) Joint(name string) (ModelJoint, error) {
	i, ok := m.byName[name]
	if !ok {
		return ModelJoint{}, fmt.Errorf("multibody: model %q has no moving joint %q", m.name, name)
	}
	return m.joints[i], nil
}

// Links returns the names of all links; the index in it is what functions take as link.
func (m *Model) Links() []string {
	names := make([]string, len(m.links))
	for i := range m.links {
		names[i] = m.links[i].name
	}
	return names
}

// Link returns the index of the link of that name. It fails if there is none.
func (m *Model) Link(name string) (int, error) {
	i, ok := m.byLink[name]
	if !ok {
		return 0, fmt.Errorf("multibody: model %q has no link %q%s", m.name, name, nearest.Hint(name, m.Links()))
	}
	return i, nil
}

// Neutral returns the configuration with all coordinates zero and unit quaternions. Its length is NQ.
func (m *Model) Neutral() []float64 {
	q := make([]float64, m.nq)
	for i := range m.joints {
		switch j := &m.joints[i]; j.Type {
		case Spherical:
			q[j.Q+3] = 1
		case Floating:
			q[j.Q+6] = 1
		}
	}
	return q
}
