package multibody

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Option changes how [NewModel] reads a tree.
type Option func(*compiler)

// FloatingBase puts a floating joint "root_joint" between the world and the root link.
// Without it the root link's frame is the world frame.
func FloatingBase() Option { return func(c *compiler) { c.floating = true } }

// WithGravity sets the acceleration of free fall in the world frame, m/s², in place of that of the tree.
func WithGravity(g spatial.Vec3) Option { return func(c *compiler) { c.model.gravity = g } }

// IgnoreMimic makes every mimic joint an independent one.
func IgnoreMimic() Option { return func(c *compiler) { c.ignoreMimic = true } }

// rootJoint is the name of the joint that FloatingBase adds.
const rootJoint = "root_joint"

// NewModel checks and compiles a tree. The error joins everything that is wrong: loops, unknown parents, several
// roots, duplicate names, zero axes, negative masses, reversed limits, ….
func NewModel(t Tree, options ...Option) (*Model, error) {
	c := compiler{
		model: &Model{
			name:    t.Name,
			gravity: spatial.Vec3{Z: -9.81},
			byLink:  map[string]int{},
			byName:  map[string]int{},
			body:    []body{{parent: -1}},
			path:    [][]int32{nil},
		},
		tree:     &t,
		inertia:  []spatial.Inertia{{}},
		links:    map[string]*Link{},
		children: map[string][]*Joint{},
	}
	if t.Gravity != nil {
		c.model.gravity = *t.Gravity
	}
	for _, o := range options {
		o(&c)
	}
	if err := check(&t); err != nil {
		return nil, fmt.Errorf("multibody: robot %q: %w", t.Name, err)
	}
	if err := c.compile(); err != nil {
		return nil, fmt.Errorf("multibody: robot %q: %w", t.Name, err)
	}
	return c.model, nil
}

// compiler walks the tree and appends to the model.
type compiler struct {
	model       *Model
	tree        *Tree
	floating    bool
	ignoreMimic bool

	links    map[string]*Link
	children map[string][]*Joint // by parent link
	inertia  []spatial.Inertia   // of each body, in its frame before turning
	frames   []spatial.Pose      // of each body in its parent's, before turning, at q = 0
}

func (c *compiler) compile() error {
	root := c.tree.Links[0].Name
	carried := map[string]bool{}
	for i := range c.tree.Links {
		c.links[c.tree.Links[i].Name] = &c.tree.Links[i]
	}
	for i := range c.tree.Joints {
		j := &c.tree.Joints[i]
		c.children[j.Parent] = append(c.children[j.Parent], j)
		carried[j.Child] = true
		if c.floating && j.Name == rootJoint {
			return fmt.Errorf("joint %q: the name is taken by the floating base", j.Name)
		}
	}
	for name := range c.links {
		slices.SortFunc(c.children[name], func(a, b *Joint) int { return cmp.Compare(a.Name, b.Name) })
		if !carried[name] {
			root = name
		}
	}
	c.frames = []spatial.Pose{spatial.IdentityPose()}
	if c.floating {
		c.walkJoint(&Joint{Name: rootJoint, Type: Floating, Child: root}, 0, spatial.IdentityPose())
	} else {
		c.walkLink(root, 0, spatial.IdentityPose())
	}
	c.turn()
	c.finish()
	return nil
}

// walkLink adds the link, which is fixed to body b at place, and what hangs on it.
func (c *compiler) walkLink(name string, b int32, place spatial.Pose) {
	m := c.model
	m.byLink[name] = len(m.links)
	m.links = append(m.links, modelLink{name: name, body: b, place: place})
	c.inertia[b] = c.inertia[b].Add(place.Inertia(c.links[name].Inertia))
	for _, j := range c.children[name] {
		c.walkJoint(j, b, place.Mul(j.placement()))
	}
}

// walkJoint adds the joint, whose child frame stands at place in body b at q = 0, and what hangs on it.
func (c *compiler) walkJoint(j *Joint, b int32, place spatial.Pose) {
	if j.Type == Fixed {
		c.walkLink(j.Child, b, place)
		return
	}
	m := c.model
	mj := ModelJoint{Joint: *j, Q: m.nq, V: m.nv}
	mj.Placement = j.placement()
	if c.ignoreMimic {
		mj.Mimic = nil
	}
	m.byName[j.Name] = len(m.joints)
	m.joints = append(m.joints, mj)
	// each elementary joint stands in a frame whose z axis is its own
	back := spatial.Identity() // from the child link's axes to the last elementary frame
	for i, e := range elements(j) {
		p := spatial.Rotation(back.Mul(e.axes))
		if i == 0 {
			p = place.Mul(spatial.Rotation(e.axes))
		}
		b = c.addBody(b, e.kind, p, j)
		back = e.axes.T()
	}
	c.walkLink(j.Child, b, spatial.Rotation(back))
}

func (c *compiler) addBody(parent int32, k kind, place spatial.Pose, j *Joint) int32 {
	m := c.model
	i := int32(len(m.body))
	m.body = append(m.body, body{
		parent: parent, kind: k, iq: int32(m.nq), iv: int32(m.nv),
		pitch: j.Pitch, armature: j.Armature,
	})
	m.path = append(m.path, append(slices.Clone(m.path[parent]), i))
	c.inertia = append(c.inertia, spatial.Inertia{})
	c.frames = append(c.frames, place)
	m.nq += k.nq()
	m.nv += k.nv()
	return i
}

// element is an elementary joint: its motion and the frame whose z axis it moves about, in child link axes.
type element struct {
	kind kind
	axes spatial.Mat3
}

// elements takes a joint apart into elementary ones, from parent to child. The bodies between have no mass.
func elements(j *Joint) []element {
	switch j.Type {
	case Spherical:
		return []element{{spherical, spatial.Identity()}}
	case Floating:
		return []element{{floating, spatial.Identity()}}
	}
	a := toAxis(j.Axis)
	switch j.Type {
	case Prismatic:
		return []element{{prismatic, a}}
	case Helical:
		return []element{{helical, a}}
	case Cylindrical:
		return []element{{revolute, a}, {prismatic, a}}
	case Planar:
		x, y, z := a.Col(0), a.Col(1), a.Col(2)
		return []element{
			{prismatic, spatial.FromColumns(y, z, x)},
			{prismatic, spatial.FromColumns(z, x, y)},
			{revolute, a},
		}
	case Universal:
		return []element{{revolute, a}, {revolute, toAxis(j.Axis2)}}
	default:
		return []element{{revolute, a}}
	}
}

// PlaneAxes returns the axes x and y of the plane of a planar joint with that normal: those of the child frame
// turned by the shortest rotation that takes z to the normal.
func PlaneAxes(normal spatial.Vec3) (x, y spatial.Vec3) {
	a := toAxis(normal)
	return a.Col(0), a.Col(1)
}

// toAxis returns the shortest rotation that takes z to the axis a (a half turn about x for -z).
func toAxis(a spatial.Vec3) spatial.Mat3 {
	u := a.Unit()
	if u.Z < 0 && math.Hypot(u.X, u.Y) < 1e-8 {
		// close to the opposite direction: first the half turn, then the small rest
		rest := toAxis(spatial.Vec3{X: u.X, Y: -u.Y, Z: -u.Z})
		return spatial.Mat3{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}.Mul(rest)
	}
	k := 1 / (1 + u.Z)
	return spatial.Mat3{
		{1 - k*u.X*u.X, -k * u.X * u.Y, u.X},
		{-k * u.X * u.Y, 1 - k*u.Y*u.Y, u.Y},
		{-u.X, -u.Y, u.Z},
	}
}

// finish computes what depends on the whole tree.
func (c *compiler) finish() {
	m := c.model
	for i := 1; i < len(m.body); i++ {
		m.mass += m.body[i].mass
	}
	m.chain = true
	for i := 1; i < len(m.body); i++ {
		m.chain = m.chain && int(m.body[i].parent) == i-1 && m.body[i].kind < spherical
	}
	for i := range m.body {
		b := &m.body[i]
		m.own = append(m.own, composite{b.j.XX, b.j.XY, b.j.YY, b.j.XZ, b.j.YZ, b.j.ZZ, b.h.X, b.h.Y, b.h.Z, b.mass})
	}
	all := make([]int32, len(m.body))
	for i := range all {
		all[i] = int32(i)
	}
	m.turning = newAngles(m.body, all[1:])
	for _, path := range m.path {
		m.turns = append(m.turns, newAngles(m.body, path))
	}
	c.coupleMimics()
	m.order = m.elimination()
}
