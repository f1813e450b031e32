package description

import (
	"fmt"
	"maps"
	"slices"

	"github.com/sinew-robotics/sinew/robot/description/document"
	"github.com/sinew-robotics/sinew/robot/scene"
)

// XRDF is what a file in NVIDIA's Extended Robot Description Format, version 1.0, adds to a URDF for motion planning: the spheres of the links, pairs
// of links that are not checked, and limits of the joints that move. Lists follow the order of the file.
type XRDF struct {
	File          string
	Frames        []Joint                 // links that it adds, each with the fixed joint that carries it
	Base          string                  // the link to which poses refer; "": the root of the URDF
	Joints        []string                // those that move
	Accelerations []float64               // their limits, rad/s² or m/s²
	Jerks         []float64               // rad/s³ or m/s³
	Positions     map[string]float64      // default positions, also of joints that are held, rad or m
	Tools         []string                // links that goals are given for
	Spheres       map[string][]scene.Ball // of the links, in their frames, with their margins
	Ignored       []LinkPair              // links that are not checked against each other
	Notes         []string                // what the file has that is not used
}

// Apply returns a copy of a robot with the frames and the spheres of the file, and what the user should know. The error is [Problems]: links and joints that the
// robot lacks.
func (x *XRDF) Apply(robot *Robot) (applied *Robot, notes []string, err error) {
	c := *robot
	c.Links, c.Joints = slices.Clone(robot.Links), slices.Clone(robot.Joints)
	links, joints := map[string]bool{}, map[string]bool{}
	children := map[string]bool{}
	for i := range c.Links {
		links[c.Links[i].Name] = true
	}
	for i := range c.Joints {
		joints[c.Joints[i].Name], children[c.Joints[i].Child] = true, true
	}
	var r document.Report
	for _, f := range x.Frames {
		switch {
		case !links[f.Parent]:
			r.Addf(f.Position, "the frame %q hangs on the link %q, which the robot does not have%s", f.Child, f.Parent, r.DidYouMean(f.Parent, maps.Keys(links)))
		case links[f.Child] || joints[f.Name]:
			r.Addf(f.Position, "the robot already has a link %q or a joint %q", f.Child, f.Name)
		}
		c.Links = append(c.Links, Link{Name: f.Child, Position: f.Position})
		c.Joints = append(c.Joints, f)
		links[f.Child], joints[f.Name], children[f.Child] = true, true, true
	}
	known := func(what, name string, of map[string]bool, kind string) {
		if !of[name] {
			r.Addf(Position{File: x.File}, "%s names the %s %q, which the robot does not have%s", what, kind, name, r.DidYouMean(name, maps.Keys(of)))
		}
	}
	for _, link := range slices.Sorted(maps.Keys(x.Spheres)) {
		known("geometry", link, links, "link")
	}
	for _, j := range x.Joints {
		known("cspace", j, joints, "joint")
	}
	for _, j := range slices.Sorted(maps.Keys(x.Positions)) {
		known("default_joint_positions", j, joints, "joint")
	}
	for _, p := range x.Ignored {
		known("self_collision", p.Link1, links, "link")
		known("self_collision", p.Link2, links, "link")
	}
	notes = slices.Clone(x.Notes)
	if x.Base != "" {
		known("set_base_frame", x.Base, links, "link")
		if children[x.Base] {
			notes = append(notes, fmt.Sprintf("set_base_frame %s is not applied: poses stay relative to the root link of the robot", x.Base))
		}
	}
	if err := r.Err(); err != nil {
		return nil, nil, err
	}
	return c.OfSpheres(x.Spheres), notes, nil
}

// Allowed returns the pairs of links that need no check.
func (x *XRDF) Allowed() (pairs []scene.Pair) {
	for _, p := range x.Ignored {
		pairs = append(pairs, scene.Pair{A: p.Link1, B: p.Link2})
	}
	return pairs
}
