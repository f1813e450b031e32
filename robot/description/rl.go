package description

import (
	"io/fs"
	"maps"
	"math"
	"slices"

	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// ReadRL reads a model (rlmdl) or a kinematics (rlkin) of the Robotics Library (Rickert & Gaschler 2017). The error is
// [Problems].
//
// The world is the root link, bodies, frames and links are the others; the placement of the world goes into the
// joints that hang on it. Angles, which the files give in degrees, become radians. A joint with wraparound is
// continuous. Gravity is the acceleration of free fall, the opposite of the file's g, which is what a resting body
// feels. A kinematics gives each joint as a row of Denavit–Hartenberg parameters in the distal convention,
//
//	T = Rz(theta + q) Tz(d) Tx(a) Rx(alpha)      (d + q for a prismatic joint)
//
// of which the moving part becomes the joint to a frame JOINT_moved and the constant part a fixed joint JOINT_dh.
func ReadRL(fsys fs.FS, path string) (*Robot, error) {
	r := &report{}
	root, resources := readDocument(fsys, path, Options{}, r)
	if root == nil {
		return nil, r.err()
	}
	return rlRobot(root, resources, r)
}

// rlReader reads one model or kinematics.
type rlReader struct {
	*report
	robot *Robot
	world Origin
	root  string // name of the world
}

// rlRobot interprets the root element of a Robotics Library document.
func rlRobot(root *element, resources Resources, r *report) (*Robot, error) {
	model := r.rlModel(root, resources)
	if model == nil {
		return nil, r.err()
	}
	x := &rlReader{report: r, robot: &Robot{Resources: resources, Position: model.pos}}
	if n := model.child("name"); n != nil {
		x.robot.Name = n.text()
	}
	world := x.only(model, "world")
	if world == nil {
		r.addf(model.pos, "<%s> has no <world>", model.name)
		return nil, r.err()
	}
	x.root = x.text(world, "id")
	x.world = x.origin(world)
	if g := x.only(world, "g"); g != nil {
		up := x.vector(g)
		x.robot.Gravity = &spatial.Vec3{X: 0 - up.X, Y: 0 - up.Y, Z: 0 - up.Z}
	}
	x.robot.Links = append(x.robot.Links, Link{Name: x.root, Position: world.pos})
	for _, e := range model.children("") {
		x.part(e)
	}
	x.checkIgnored()
	x.dropUnattached()
	x.robot.Suspects = r.suspects
	x.robot.check(r)
	if err := r.err(); err != nil {
		return nil, err
	}
	return x.robot, nil
}

// rlModel finds the element that holds the robot. Documents of several parts include the one that has it.
func (r *report) rlModel(root *element, resources Resources) *element {
	holder := root
	switch root.name {
	case "rl":
		if holder = root.child("mdl"); holder == nil {
			holder = root.child("kin")
		}
		if holder == nil {
			r.addf(root.pos, "<rl> has neither <mdl> nor <kin>: there is no robot in this file")
			return nil
		}
		if include := holder.child("xi:include"); include != nil {
			return r.rlInclude(include, resources)
		}
	case "rlmdl", "rlkin":
	case "xsl:stylesheet":
		r.addf(root.pos, "the file is a stylesheet that makes a model: apply it and read the result")
		return nil
	default:
		r.addf(root.pos, "the root element of a Robotics Library file is <rlmdl>, <rlkin> or <rl>, here it is <%s>", root.name)
		return nil
	}
	for _, name := range []string{"model", "kinematics", "puma", "rhino"} {
		if e := holder.child(name); e != nil {
			return e
		}
	}
	r.addf(holder.pos, "<%s> has no <model> or <kinematics>", holder.name)
	return nil
}

// rlInclude reads the file that an XInclude names.
func (r *report) rlInclude(e *element, resources Resources) *element {
	fsys, path, err := resources.Find(r.text(e, "href"))
	if err != nil {
		r.addf(e.pos, "%v", err)
		return nil
	}
	root := readXML(fsys, path, path, r)
	if root == nil {
		r.addf(e.pos, "%s is included here", path)
		return nil
	}
	if root.name == "rl" {
		r.addf(e.pos, "%s, which is included here, is a document of several parts itself", path)
		return nil
	}
	return r.rlModel(root, resources)
}

var (
	rlParts = []string{
		"manufacturer", "name", "world", "body", "frame", "link", "fixed", "transform", "revolute", "prismatic", "helical",
		"cylindrical", "spherical", "sixDof", "home", "gamma", "gammaPosition", "gammaVelocity",
	}
	rlJointTypes = map[string]multibody.JointType{
		"fixed": multibody.Fixed, "transform": multibody.Fixed, "revolute": multibody.Revolute, "prismatic": multibody.Prismatic,
		"helical": multibody.Helical, "cylindrical": multibody.Cylindrical, "spherical": multibody.Spherical, "sixDof": multibody.Floating,
	}
)

// part reads one child of the model.
func (x *rlReader) part(e *element) {
	if kind, isJoint := rlJointTypes[e.name]; isJoint {
		x.joint(e, kind)
		return
	}
	switch e.name {
	case "manufacturer", "name", "world":
	case "body", "frame", "link":
		x.link(e)
	case "home":
		for _, q := range e.children("q") {
			x.robot.Home = append(x.robot.Home, x.content(q)*unit(q))
		}
	case "gamma", "gammaPosition", "gammaVelocity":
		x.doubtf(e.pos, "<%s>, the coupling of motors and joints, is not read", e.name)
	default:
		x.addf(e.pos, "<%s> is no part of a model%s", e.name, x.didYouMean(e.name, slices.Values(rlParts)))
	}
}

func unit(q *element) float64 {
	if q.optional("unit") == "deg" {
		return math.Pi / 180
	}
	return 1
}

// link reads a body with its mass, or a frame.
func (x *rlReader) link(e *element) {
	l := Link{Name: x.text(e, "id"), Position: e.pos}
	for _, i := range e.children("ignore") {
		x.robot.Disabled = append(x.robot.Disabled, LinkPair{Link1: l.Name, Link2: i.optional("idref"), Position: i.pos})
	}
	m, i := x.only(e, "m"), x.only(e, "i")
	if m != nil || i != nil {
		l.Inertial = &Inertial{Position: e.pos}
	}
	if m != nil {
		if l.Inertial.Mass = x.content(m); l.Inertial.Mass < 0 {
			x.addf(m.pos, "the mass of body %q is negative: %g kg", l.Name, l.Inertial.Mass)
		}
	}
	if i != nil {
		l.Inertial.Inertia = spatial.Sym3{
			XX: x.component(i, "xx"), YY: x.component(i, "yy"), ZZ: x.component(i, "zz"),
			YZ: x.component(i, "yz"), XZ: x.component(i, "xz"), XY: x.component(i, "xy"),
		}
	}
	if cm := x.only(e, "cm"); cm != nil && l.Inertial != nil {
		l.Inertial.Origin.XYZ = x.vector(cm)
	}
	x.robot.Links = append(x.robot.Links, l)
}

// dropUnattached leaves out frames that no joint has: some models of the library name one more than they use.
func (x *rlReader) dropUnattached() {
	attached := map[string]bool{x.root: true}
	for i := range x.robot.Joints {
		attached[x.robot.Joints[i].Parent], attached[x.robot.Joints[i].Child] = true, true
	}
	x.robot.Links = slices.DeleteFunc(x.robot.Links, func(l Link) bool {
		if !attached[l.Name] {
			x.doubtf(l.Position, "%q is no end of any joint and is left out", l.Name)
		}
		return !attached[l.Name]
	})
}

// checkIgnored reports ignored links that do not exist.
func (x *rlReader) checkIgnored() {
	names := make(map[string]bool, len(x.robot.Links))
	for i := range x.robot.Links {
		names[x.robot.Links[i].Name] = true
	}
	for _, d := range x.robot.Disabled {
		if d.Link2 != "" && !names[d.Link2] {
			x.addf(d.Position, "%q ignores %q, which is no part of the model%s", d.Link1, d.Link2, x.didYouMean(d.Link2, maps.Keys(names)))
		}
	}
}

// component returns the number in a child element, zero when there is none.
func (x *rlReader) component(e *element, name string) float64 {
	if c := x.only(e, name); c != nil {
		return x.content(c)
	}
	return 0
}

// vector returns the children x, y and z.
func (x *rlReader) vector(e *element) spatial.Vec3 {
	return spatial.Vec3{X: x.component(e, "x"), Y: x.component(e, "y"), Z: x.component(e, "z")}
}

// origin returns the rotation (degrees in the file) and translation in an element.
func (x *rlReader) origin(e *element) Origin {
	var o Origin
	if r := x.only(e, "rotation"); r != nil {
		o.RPY = x.vector(r).Scale(math.Pi / 180)
	}
	if t := x.only(e, "translation"); t != nil {
		o.XYZ = x.vector(t)
	}
	return o
}

// originOf returns the placement of a pose.
func originOf(p spatial.Pose) Origin {
	o := Origin{XYZ: p.P}
	o.RPY.X, o.RPY.Y, o.RPY.Z = p.R.RPY()
	return o
}
