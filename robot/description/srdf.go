package description

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/sinew-robotics/sinew/robot/description/document"
	"github.com/sinew-robotics/sinew/robot/multibody"
)

// Semantic is what an SRDF file adds to a robot beyond its mechanics: names for parts and poses, and which links
// need no collision check.
type Semantic struct {
	Name            string // of the robot
	Groups          []Group
	States          []GroupState
	EndEffectors    []EndEffector
	VirtualJoints   []VirtualJoint
	PassiveJoints   []string      // joints without an actuator
	Disabled        []LinkPair    // pairs that need no collision check
	Enabled         []LinkPair    // pairs that need one although DisabledDefault has one of them
	DisabledDefault []string      // links that need no collision check with any other
	Rotors          []RotorParams // an extension of the format
	Suspects        []Problem     // as in [Robot]
	Position        Position      // of the robot's element in the file
}

// Group is a named set of joints, given by any of its four lists.
type Group struct {
	Name     string
	Joints   []string // names; joints of the group, as those that the other lists stand for
	Links    []string // each stands for the joint above it
	Chains   []Chain
	Groups   []string // groups within this one
	Position Position
}

// Chain is the joints between two links.
type Chain struct{ Base, Tip string } // names of links

// GroupState is a named pose of a group.
type GroupState struct {
	Name, Group string // Group may be "": not given
	Joints      []JointPosition
	Position    Position
}

// JointPosition is the position of one joint, rad or m; a value for each coordinate.
type JointPosition struct {
	Joint  string
	Values []float64 // rad or m
}

// EndEffector is a group that acts, and where it is attached.
type EndEffector struct {
	Name, Group, ParentLink string // ParentLink is the link that carries the group
	ParentGroup             string // "": not given
	Position                Position
}

// VirtualJoint describes how the robot is attached to the world.
type VirtualJoint struct {
	Name                   string
	Type                   multibody.JointType // fixed, planar or floating
	ParentFrame, ChildLink string              // a frame of the world, and the robot's root link
	Position               Position
}

// LinkPair is two links, and why they are listed.
type LinkPair struct {
	Link1, Link2 string // in a Robotics Library file Link2 may be "": everything else
	Reason       string // as written: "Adjacent", "Never"; "": none given
	Position     Position
}

// RotorParams is the drive of a joint as some SRDF files give it.
type RotorParams struct {
	Joint     string
	Inertia   float64 // of the rotor about its axis, kg m²; the attribute is named mass
	GearRatio float64 // turns of the rotor per turn of the joint
}

var virtualJointTypes = map[string]multibody.JointType{
	"fixed": multibody.Fixed, "planar": multibody.Planar, "floating": multibody.Floating,
}

// ReadSRDF reads an SRDF file; one whose name ends in .xacro is expanded first. The error is [Problems].
// [LintSemantic] reports names that do not exist in a robot.
func ReadSRDF(fsys fs.FS, path string, opts Options) (*Semantic, error) {
	r := &report{}
	root, _ := readDocument(fsys, path, opts, r)
	if root == nil {
		return nil, r.Err()
	}
	s := r.semantic(root)
	if err := r.Err(); err != nil {
		return nil, err
	}
	if opts.Notice != nil {
		for _, suspect := range s.Suspects {
			opts.Notice(suspect.Error())
		}
	}
	return s, nil
}

var srdfChildren = []string{
	"group", "group_state", "end_effector", "virtual_joint", "passive_joint", "disable_collisions", "enable_collisions",
	"disable_default_collisions", "rotor_params",
}

func (r *report) semantic(root *document.Element) *Semantic {
	if root.Name != "robot" {
		r.Addf(root.Pos, "the root element of an SRDF file is <robot>, here it is <%s>", root.Name)
		return nil
	}
	r.suspect(root, srdfChildren, []string{"name", "version"})
	s := &Semantic{Name: r.Required(root, "name"), Position: root.Pos}
	for _, e := range root.Children("") {
		switch e.Name {
		case "group":
			s.Groups = append(s.Groups, r.srdfGroup(e))
		case "group_state":
			s.States = append(s.States, r.srdfState(e))
		case "end_effector":
			s.EndEffectors = append(s.EndEffectors, EndEffector{
				Name: r.Required(e, "name"), Group: r.Required(e, "group"), ParentLink: r.Required(e, "parent_link"),
				ParentGroup: e.Optional("parent_group"), Position: e.Pos,
			})
		case "virtual_joint":
			s.VirtualJoints = append(s.VirtualJoints, r.srdfVirtual(e))
		case "passive_joint":
			s.PassiveJoints = append(s.PassiveJoints, r.Required(e, "name"))
		case "disable_collisions":
			s.Disabled = append(s.Disabled, r.srdfPair(e))
		case "enable_collisions":
			s.Enabled = append(s.Enabled, r.srdfPair(e))
		case "disable_default_collisions":
			s.DisabledDefault = append(s.DisabledDefault, r.Required(e, "link"))
		case "rotor_params":
			for _, j := range e.Children("joint") {
				s.Rotors = append(s.Rotors, RotorParams{r.Required(j, "name"), r.requiredNumber(j, "mass"), r.requiredNumber(j, "gear_ratio")})
			}
		}
	}
	s.Suspects = r.suspects
	return s
}

func (r *report) srdfGroup(e *document.Element) Group {
	r.suspect(e, []string{"joint", "link", "chain", "group"}, []string{"name"})
	g := Group{Name: r.Required(e, "name"), Position: e.Pos}
	for _, c := range e.Children("") {
		switch c.Name {
		case "joint":
			g.Joints = append(g.Joints, r.Required(c, "name"))
		case "link":
			g.Links = append(g.Links, r.Required(c, "name"))
		case "chain":
			g.Chains = append(g.Chains, Chain{r.Required(c, "base_link"), r.Required(c, "tip_link")})
		case "group":
			g.Groups = append(g.Groups, r.Required(c, "name"))
		}
	}
	return g
}

func (r *report) srdfState(e *document.Element) GroupState {
	r.suspect(e, []string{"joint"}, []string{"name", "group"})
	s := GroupState{Name: r.Required(e, "name"), Group: e.Optional("group"), Position: e.Pos}
	for _, j := range e.Children("joint") {
		p := JointPosition{Joint: r.Required(j, "name")}
		p.Values = r.numbers(j, "value", max(1, len(strings.Fields(r.Required(j, "value")))))
		s.Joints = append(s.Joints, p)
	}
	return s
}

func (r *report) srdfVirtual(e *document.Element) VirtualJoint {
	v := VirtualJoint{Name: r.Required(e, "name"), ParentFrame: r.Required(e, "parent_frame"), ChildLink: r.Required(e, "child_link"), Position: e.Pos}
	name := r.Required(e, "type")
	kind, known := virtualJointTypes[name]
	if a, ok := e.Attr("type"); ok && !known && name != "" {
		r.Addf(a.Pos, "virtual joint %q is of the unknown type %q: it is fixed, planar or floating", v.Name, name)
	}
	v.Type = kind
	return v
}

func (r *report) srdfPair(e *document.Element) LinkPair {
	return LinkPair{Link1: r.Required(e, "link1"), Link2: r.Required(e, "link2"), Reason: e.Optional("reason"), Position: e.Pos}
}

// Joints returns the joints of a group in the order of the file: those it lists, those above the links it lists, those of its
// chains from base to tip, those of its groups, each once. It fails for a group that does not exist and for chains that the
// robot does not have.
func (s *Semantic) Joints(robot *Robot, group string) ([]string, error) {
	above := map[string]*Joint{}
	for i := range robot.Joints {
		above[robot.Joints[i].Child] = &robot.Joints[i]
	}
	groups := map[string]*Group{}
	for i := range s.Groups {
		groups[s.Groups[i].Name] = &s.Groups[i]
	}
	g := groupJoints{groups: groups, above: above, entered: map[string]bool{}, listed: map[string]bool{}}
	if err := g.group(group); err != nil {
		return nil, fmt.Errorf("joints of group %q: %w", group, err)
	}
	return g.joints, nil
}

// groupJoints gathers the joints of a group.
type groupJoints struct {
	groups  map[string]*Group
	above   map[string]*Joint // by the link below
	entered map[string]bool   // groups, against circles
	listed  map[string]bool   // joints
	joints  []string
}

func (g *groupJoints) add(joint string) {
	if !g.listed[joint] {
		g.listed[joint] = true
		g.joints = append(g.joints, joint)
	}
}

func (g *groupJoints) group(name string) error {
	if g.entered[name] {
		return nil
	}
	g.entered[name] = true
	of := g.groups[name]
	if of == nil {
		return fmt.Errorf("there is no group %q", name)
	}
	for _, j := range of.Joints {
		g.add(j)
	}
	for _, l := range of.Links {
		if j := g.above[l]; j != nil {
			g.add(j.Name)
		}
	}
	for _, c := range of.Chains {
		if err := g.chain(c); err != nil {
			return err
		}
	}
	for _, inner := range of.Groups {
		if err := g.group(inner); err != nil {
			return err
		}
	}
	return nil
}

func (g *groupJoints) chain(c Chain) error {
	var path []string
	for link := c.Tip; link != c.Base; {
		j := g.above[link]
		if j == nil || len(path) > len(g.above) {
			return fmt.Errorf("chain: %q does not hang on %q", c.Tip, c.Base)
		}
		path = append(path, j.Name)
		link = j.Parent
	}
	slices.Reverse(path)
	for _, j := range path {
		g.add(j)
	}
	return nil
}
