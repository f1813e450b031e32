package description

import (
	"maps"
	"slices"
)

// LintSemantic reports which names of an SRDF file do not exist in the robot or in the file itself, and which values do
// not fit their joint.
func LintSemantic(s *Semantic, robot *Robot) []Finding {
	l := &linter{robot: robot}
	n := semanticNames{linter: l, links: map[string]bool{}, joints: map[string]*Joint{}, groups: map[string]bool{}}
	for i := range robot.Links {
		n.links[robot.Links[i].Name] = true
	}
	for i := range robot.Joints {
		n.joints[robot.Joints[i].Name] = &robot.Joints[i]
	}
	for _, v := range s.VirtualJoints {
		n.joints[v.Name] = &Joint{Name: v.Name, Type: v.Type}
		n.link(v.ChildLink, v.Position)
	}
	for _, g := range s.Groups {
		n.groups[g.Name] = true
	}
	if s.Name != robot.Name {
		l.suspicious("name", s.Position, "the file is for robot %q, this one is %q", s.Name, robot.Name)
	}
	n.check(s)
	l.suspects(s.Suspects)
	return l.sorted()
}

// semanticNames knows which names exist.
type semanticNames struct {
	*linter
	links  map[string]bool
	joints map[string]*Joint
	groups map[string]bool
}

func (n *semanticNames) check(s *Semantic) {
	for _, g := range s.Groups {
		for _, j := range g.Joints {
			n.joint(j, g.Position)
		}
		for _, link := range g.Links {
			n.link(link, g.Position)
		}
		for _, c := range g.Chains {
			n.link(c.Base, g.Position)
			n.link(c.Tip, g.Position)
		}
		for _, inner := range g.Groups {
			n.group(inner, g.Position)
		}
	}
	for _, state := range s.States {
		if state.Group != "" {
			n.group(state.Group, state.Position)
		} else {
			n.suspicious("state", state.Position, "state %q does not say of which group", state.Name)
		}
		for _, p := range state.Joints {
			if j := n.joint(p.Joint, state.Position); j != nil && len(p.Values) != j.Type.NQ() {
				n.suspicious("state", state.Position, "state %q gives %d values for joint %q, which has %d", state.Name, len(p.Values), p.Joint, j.Type.NQ())
			} else if j != nil && len(j.Limits) == 1 && len(p.Values) == 1 && (p.Values[0] < j.Limits[0].Lower || p.Values[0] > j.Limits[0].Upper) {
				n.suspicious("state", state.Position, "state %q puts joint %q at %g, outside its limits %g to %g",
					state.Name, p.Joint, p.Values[0], j.Limits[0].Lower, j.Limits[0].Upper)
			}
		}
	}
	for _, e := range s.EndEffectors {
		n.group(e.Group, e.Position)
		n.link(e.ParentLink, e.Position)
		if e.ParentGroup != "" {
			n.group(e.ParentGroup, e.Position)
		}
	}
	for _, p := range slices.Concat(s.Disabled, s.Enabled) {
		n.link(p.Link1, p.Position)
		n.link(p.Link2, p.Position)
	}
	for _, link := range s.DisabledDefault {
		n.link(link, s.Position)
	}
	for _, j := range s.PassiveJoints {
		n.joint(j, s.Position)
	}
	for _, rotor := range s.Rotors {
		n.joint(rotor.Joint, s.Position)
	}
}

func (n *semanticNames) link(name string, at Position) {
	if !n.links[name] {
		n.suspicious("name", at, "%q is no link of the robot%s", name, n.names.DidYouMean(name, maps.Keys(n.links)))
	}
}

// joint returns the joint of a name. The free base that some programs put under a robot is known by name alone.
func (n *semanticNames) joint(name string, at Position) *Joint {
	j := n.joints[name]
	if j == nil && name != "root_joint" {
		n.suspicious("name", at, "%q is no joint of the robot%s", name, n.names.DidYouMean(name, maps.Keys(n.joints)))
	}
	return j
}

func (n *semanticNames) group(name string, at Position) {
	if !n.groups[name] {
		n.suspicious("name", at, "%q is no group of the file%s", name, n.names.DidYouMean(name, maps.Keys(n.groups)))
	}
}
