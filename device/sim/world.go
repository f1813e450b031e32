package sim

import (
	"math"

	"github.com/sinew-robotics/sinew/robot/geometry"
	robotsim "github.com/sinew-robotics/sinew/robot/sim"
	"github.com/sinew-robotics/sinew/robot/spatial"
	yaml "go.yaml.in/yaml/v4"
)

// Surroundings are what a simulated robot touches.
type Surroundings struct {
	Friction float64 // coefficient of the robot's surfaces
	Bodies   []robotsim.Body
}

// around returns the world of a robot with these shapes of its links, in its present state. A link that does not move with a joint touches nothing: it is mounted.
func (s *Surroundings) around(robot *robotsim.Simulator, shapes map[string][]geometry.Part) (*robotsim.World, error) {
	moving := map[string][]geometry.Part{}
	for i, link := range robot.Model().Links() {
		if body, _ := robot.Model().LinkFrame(i); body != 0 && len(shapes[link]) > 0 {
			moving[link] = shapes[link]
		}
	}
	return robotsim.NewWorld(robotsim.WorldOptions{Substep: robotsim.Midpoint.DefaultSubstep()},
		[]robotsim.Robot{{Simulator: robot, Shapes: moving, Material: robotsim.Hard(s.Friction)}}, s.Bodies)
}

// usualFriction is the coefficient of friction of surfaces that state none.
const usualFriction = 0.5

// world reads the section world.
func (r *reader) world(n *yaml.Node) *Surroundings {
	s := &Surroundings{Friction: usualFriction}
	r.section(n, "world", []field{
		{key: "friction", read: r.number(&s.Friction, span{0, math.Inf(1), false})},
		{key: "bodies", read: func(n *yaml.Node) {
			r.each(n, "bodies", func(name string, key, value *yaml.Node) { s.Bodies = append(s.Bodies, r.body(name, key, value)) })
		}},
	})
	return s
}

// body reads a body: one shape, where it is, and its mass unless it is fixed.
func (r *reader) body(name string, key, n *yaml.Node) robotsim.Body {
	what := "body " + name
	before := len(r.problems)
	var at, rpy, sizes [3]float64
	var mass float64
	friction := usualFriction
	var shape *geometry.Shape
	shapes := 0
	made := func(s *geometry.Shape, err error) {
		if shape, shapes = s, shapes+1; err != nil {
			r.fail(n, "%s: %v", what, err)
		}
	}
	positive := span{0, math.Inf(1), true}
	r.section(n, what, []field{
		{key: "box", read: func(n *yaml.Node) {
			r.numbers(n, sizes[:], positive)
			made(geometry.NewBox(spatial.Vec3{X: sizes[0], Y: sizes[1], Z: sizes[2]}))
		}},
		{key: "cylinder", read: func(n *yaml.Node) {
			r.numbers(n, sizes[:2], positive)
			made(geometry.NewCylinder(sizes[0], sizes[1]))
		}},
		{key: "sphere", read: func(n *yaml.Node) {
			r.number(&sizes[0], positive)(n)
			made(geometry.NewSphere(sizes[0]))
		}},
		{key: "plane", read: func(n *yaml.Node) {
			r.number(&at[2], anywhere)(n)
			made(geometry.NewPlane(), nil)
		}},
		{key: "at", read: func(n *yaml.Node) { r.numbers(n, at[:], anywhere) }},
		{key: "rpy", read: func(n *yaml.Node) { r.numbers(n, rpy[:], anywhere) }},
		{key: "mass", read: r.number(&mass, positive)},
		{key: "friction", read: r.number(&friction, span{0, math.Inf(1), false})},
	})
	b := robotsim.Body{Name: name, Fixed: mass == 0, Material: robotsim.Hard(friction), Parts: []geometry.Part{{Shape: shape}},
		Pose: spatial.Pose{R: spatial.RPY(rpy[0], rpy[1], rpy[2]), P: spatial.Vec3{X: at[0], Y: at[1], Z: at[2]}}}
	if len(r.problems) > before {
		return b
	}
	if shapes != 1 {
		r.fail(key, "%s has %d shapes: expected one of box, cylinder, sphere and plane", what, shapes)
	} else if mass > 0 {
		i, err := shape.Inertia(mass)
		if err != nil {
			r.fail(key, "%s: %v", what, err)
		}
		b.Inertia = i
	}
	return b
}

// anywhere allows all numbers.
var anywhere = span{math.Inf(-1), math.Inf(1), false}

// numbers reads a list of this length.
func (r *reader) numbers(n *yaml.Node, to []float64, allowed span) {
	if n.Kind != yaml.SequenceNode || len(n.Content) != len(to) {
		r.fail(n, "expected a list of %d numbers, found %s", len(to), describe(n))
		return
	}
	for i := range to {
		r.number(&to[i], allowed)(target(n.Content[i]))
	}
}
