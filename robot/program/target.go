package program

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/robot/description/document"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// target reads where a move goes.
func (p *parser) target(v *Move, n *yaml.Node, frame spatial.Pose) {
	switch v.Kind {
	case MoveJ:
		if n.Kind == yaml.SequenceNode {
			for _, x := range n.Content {
				v.Joints = append(v.Joints, p.jointValue("", x))
			}
			if len(n.Content) == 0 {
				p.fail(n, "moveJ wants positions of all joints, positions of joints by name, a pose, or the name of a state of the robot")
			}
			return
		}
		if n.Kind == yaml.MappingNode && !has(n, "xyz") && !has(n, "rpy") {
			p.named(n, "moveJ", func(name string, x *yaml.Node) { v.Joints = append(v.Joints, p.jointValue(name, x)) })
			return
		}
		if n.Kind == yaml.ScalarNode {
			p.state(v, n)
			return
		}
		v.Pose = p.goal(n, p.keys(n, "moveJ", "xyz", "rpy"), frame)
	case MoveL:
		v.Pose = p.goal(n, p.keys(n, "moveL", "xyz", "rpy"), frame)
	case MoveC:
		m := p.keys(n, "moveC", "via", "xyz", "rpy")
		v.Pose = p.goal(n, m, frame)
		if m["via"] == nil {
			p.fail(n, "moveC wants via: [x, y, z], a point of the arc")
			return
		}
		v.Via = frame.Apply(p.vector(m["via"], "via", length))
	case MovePath:
		p.path(v, n)
	case Dwell:
		if v.Time = p.quantity(n, "dwell", duration); !(v.Time >= 0 && v.Time <= 1e6) {
			p.fail(n, "dwell is %q: wants a time from 0 to 1e6 s", document.Clip(n.Value))
		}
	case Attach, Detach:
		p.object(v, n)
	case Set:
		p.named(n, "set", func(name string, x *yaml.Node) {
			value := 0.0
			if x.ShortTag() != "!!bool" {
				value = p.quantity(x, name, number)
			} else if x.Value == "true" {
				value = 1
			}
			v.Output = append(v.Output, OutputValue{name, value, p.at(x)})
		})
		if len(v.Output) == 0 {
			p.fail(n, "set wants outputs with their values, as {gripper: 1}")
		}
	}
}

// state reads the name of a state.
func (p *parser) state(v *Move, n *yaml.Node) {
	const want = "wants positions of all joints as a list, positions of joints by name, a pose, or the name of a state of the robot"
	switch _, _, err := joint.parse(n.Value); {
	case n.ShortTag() == "!!null" || strings.TrimSpace(n.Value) == "":
		p.fail(n, "moveJ "+want)
	case err == nil:
		p.fail(n, "moveJ is %q: %s", document.Clip(n.Value), want)
	}
	v.State = n.Value
}

// object reads the name of an object that the tool takes or leaves.
func (p *parser) object(v *Move, n *yaml.Node) {
	if v.Object = n.Value; n.Kind != yaml.ScalarNode || n.ShortTag() == "!!null" || n.Value == "" {
		p.fail(n, "%s wants the name of an object of the scene, as %s: box", v.Kind, v.Kind)
		return
	}
	switch carried := slices.Contains(p.carried, v.Object); {
	case v.Kind == Attach && carried:
		p.fail(n, "%q is attached already: detach it first", document.Clip(v.Object))
	case v.Kind == Attach:
		p.carried = append(p.carried, v.Object)
	case !carried && len(p.carried) == 1:
		p.fail(n, "%q is not attached here, but %q is: give attach and detach the same name of an object of the scene", document.Clip(v.Object), document.Clip(p.carried[0]))
	case !carried:
		p.fail(n, "%q is not attached here%s", document.Clip(v.Object), nearest.Hint(v.Object, p.carried))
	default:
		p.carried = slices.DeleteFunc(p.carried, func(x string) bool { return x == v.Object })
	}
}

func has(n *yaml.Node, key string) bool {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return true
		}
	}
	return false
}

func (p *parser) jointValue(name string, n *yaml.Node) JointValue {
	what := "the position of a joint"
	if name != "" {
		what = fmt.Sprintf("the position of joint %q", document.Clip(name))
	}
	x, unit := p.withUnit(n, what, joint)
	return JointValue{name, x, unit, p.at(n)}
}

// goal reads a target pose.
func (p *parser) goal(n *yaml.Node, m map[string]*yaml.Node, frame spatial.Pose) *Pose {
	return &Pose{p.pose(n, m, frame), m["rpy"] == nil}
}
