package description

import (
	"fmt"
	"io/fs"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/sinew-robotics/sinew/robot/description/document"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// ReadRL reads a model (rlmdl) or a kinematics (rlkin) of the Robotics Library (Rickert & Gaschler 2017). The error is
// [Problems].
//
// The world is the root link, bodies, frames and links are the others; the placement of the world goes into the
// joints that hang on it. Angles, which the files give in degrees, become radians. A joint with wraparound is
// continuous. Limits and offsets of helical and cylindrical joints are in rad and m, and their second axis, along which they
// slide, must point as the first. Gravity is the acceleration of free fall, the opposite of the file's g, which is what a resting body
// feels, in the axes of the placed world.
//
// An element that a file leaves out or empty has the library's default: 1 kg and 1 kg m² for a body, the z axis, a pitch of 1 m/rad, no gravity for
// a model; speeds are unlimited. The matrices gammaPosition and gammaVelocity become the [Coupling], and the home position, which a
// file gives before that coupling, is that of the joints.
//
// A kinematics gives each joint as a row of Denavit–Hartenberg parameters in the distal convention,
//
//	T = Rz(theta + q) Tz(d) Tx(a) Rx(alpha)      (d + q for a prismatic joint)
//
// of which the moving part becomes the joint to a frame JOINT_moved and the constant part a fixed joint JOINT_dh.
func ReadRL(fsys fs.FS, path string) (*Robot, error) {
	r := &report{}
	root, resources := readDocument(fsys, path, Options{}, r)
	if root == nil {
		return nil, r.Err()
	}
	return rlRobot(root, resources, r)
}

// rlReader reads one model or kinematics.
type rlReader struct {
	*report
	robot *Robot
	world Origin
	root  string // name of the world

	bare     []string // bodies without a mass or an inertia of their own
	bareFrom Position // the first of them
}

// rlRobot interprets the root element of a Robotics Library document.
func rlRobot(root *document.Element, resources Resources, r *report) (*Robot, error) {
	model := r.rlModel(root, resources)
	if model == nil {
		return nil, r.Err()
	}
	x := &rlReader{report: r, robot: &Robot{Resources: resources, Position: model.Pos}}
	if n := model.Child("name"); n != nil {
		x.robot.Name = n.Text()
	}
	world := x.only(model, "world")
	if world == nil {
		r.Addf(model.Pos, "<%s> has no <world>", model.Name)
		return nil, r.Err()
	}
	x.root = x.Required(world, "id")
	x.world = x.origin(world)
	x.robot.World = x.world
	x.gravity(model, world)
	x.robot.Links = append(x.robot.Links, Link{Name: x.root, Position: world.Pos})
	for _, e := range model.Children("") {
		x.part(e)
	}
	x.checkIgnored()
	x.dropUnattached()
	x.couple(model)
	if n := len(x.bare); n > 0 {
		x.doubtf(x.bareFrom, "bodies without <m> or <i> have the library's defaults, 1 kg and 1 kg m²: %d, the first is %q", n, x.bare[0])
	}
	x.robot.Suspects = r.suspects
	x.robot.check(r)
	if err := r.Err(); err != nil {
		return nil, err
	}
	return x.robot, nil
}

// rlModel finds the element that holds the robot. Documents of several parts include the one that has it.
func (r *report) rlModel(root *document.Element, resources Resources) *document.Element {
	holder := root
	switch root.Name {
	case "rl":
		if holder = root.Child("mdl"); holder == nil {
			holder = root.Child("kin")
		}
		if holder == nil {
			r.Addf(root.Pos, "<rl> has neither <mdl> nor <kin>: there is no robot in this file")
			return nil
		}
		if include := holder.Child("xi:include"); include != nil {
			return r.rlInclude(include, resources)
		}
	case "rlmdl", "rlkin":
	case "xsl:stylesheet", "xsl:transform":
		r.Addf(root.Pos, "the file is a stylesheet that makes a model%s: apply it, xsltproc FILE.xml FILE.xml > MODEL.xml, and read MODEL.xml",
			stylesheetParameters(root))
		return nil
	default:
		r.Addf(root.Pos, "the root element of a Robotics Library file is <rlmdl>, <rlkin> or <rl>, here it is <%s>", root.Name)
		return nil
	}
	for _, name := range []string{"model", "kinematics", "puma", "rhino"} {
		if e := holder.Child(name); e != nil {
			return e
		}
	}
	r.Addf(holder.Pos, "<%s> has no <model> or <kinematics>", holder.Name)
	return nil
}

// stylesheetParameters lists the parameters of a stylesheet with their defaults.
func stylesheetParameters(root *document.Element) string {
	var list []string
	for _, p := range root.Children("xsl:param") {
		list = append(list, fmt.Sprintf("--param %s %s", document.Clip(p.Optional("name")), document.Clip(p.Optional("select"))))
	}
	if len(list) == 0 {
		return ""
	}
	return " (" + strings.Join(list, " ") + ")"
}

// rlInclude reads the file that an XInclude names.
func (r *report) rlInclude(e *document.Element, resources Resources) *document.Element {
	fsys, path, err := resources.Find(r.Required(e, "href"))
	if err != nil {
		r.Addf(e.Pos, "%v", err)
		return nil
	}
	root := document.Read(fsys, path, path, &r.Report)
	if root == nil {
		r.Addf(e.Pos, "%s is included here", path)
		return nil
	}
	if root.Name == "rl" {
		r.Addf(e.Pos, "%s, which is included here, is a document of several parts itself", path)
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
func (x *rlReader) part(e *document.Element) {
	if kind, isJoint := rlJointTypes[e.Name]; isJoint {
		x.joint(e, kind)
		return
	}
	switch e.Name {
	case "manufacturer", "name", "world", "gammaPosition", "gammaVelocity":
	case "body", "frame", "link":
		x.link(e)
	case "home":
		for _, q := range e.Children("q") {
			x.robot.Home = append(x.robot.Home, x.value(q, 0)*unit(q))
		}
	case "gamma":
		x.doubtf(e.Pos, "<gamma>, the coupling of motors and joints, is not read: the library reads <gammaPosition> and <gammaVelocity>")
	default:
		x.Addf(e.Pos, "<%s> is no part of a model%s", e.Name, x.DidYouMean(e.Name, slices.Values(rlParts)))
	}
}

func unit(q *document.Element) float64 {
	if q.Optional("unit") == "deg" {
		return math.Pi / 180
	}
	return 1
}

// link reads a body with its mass, or a frame.
func (x *rlReader) link(e *document.Element) {
	l := Link{Name: x.Required(e, "id"), Position: e.Pos}
	for _, i := range e.Children("ignore") {
		x.robot.Disabled = append(x.robot.Disabled, LinkPair{Link1: l.Name, Link2: i.Optional("idref"), Position: i.Pos})
	}
	if e.Name == "body" {
		l.Inertial = x.inertial(e, l.Name)
	}
	if e.Name != "frame" {
		x.robot.Bodies = append(x.robot.Bodies, l.Name)
	}
	x.robot.Links = append(x.robot.Links, l)
}

// inertial reads the mass of a body about its centre; a body without has the library's defaults.
func (x *rlReader) inertial(e *document.Element, name string) *Inertial {
	inertial := &Inertial{Mass: 1, Inertia: spatial.Sym3{XX: 1, YY: 1, ZZ: 1}, Position: e.Pos}
	m, i := x.only(e, "m"), x.only(e, "i")
	if m == nil || i == nil {
		if x.bare = append(x.bare, name); len(x.bare) == 1 {
			x.bareFrom = e.Pos
		}
	}
	if m != nil {
		if inertial.Mass = x.value(m, 1); inertial.Mass < 0 {
			x.Addf(m.Pos, "the mass of body %q is negative: %g kg", name, inertial.Mass)
		}
	}
	if i != nil {
		inertial.Inertia = spatial.Sym3{
			XX: x.component(i, "xx", 1), YY: x.component(i, "yy", 1), ZZ: x.component(i, "zz", 1),
			YZ: x.component(i, "yz", 0), XZ: x.component(i, "xz", 0), XY: x.component(i, "xy", 0),
		}
	}
	if cm := x.only(e, "cm"); cm != nil {
		inertial.Origin.XYZ = x.vector(cm)
	}
	return inertial
}

// gravity reads the acceleration that a resting body feels, in the axes of the placed world. A model without has none.
func (x *rlReader) gravity(model, world *document.Element) {
	g := x.only(world, "g")
	if model.Name != "model" && g == nil {
		return // a kinematics has no dynamics
	}
	fall := spatial.Vec3{}
	if g != nil {
		up := x.world.Pose().R.MulVec(x.vector(g))
		fall = spatial.Vec3{X: 0 - up.X, Y: 0 - up.Y, Z: 0 - up.Z}
	} else {
		x.doubtf(world.Pos, "<world> has no <g>: there is no gravity, as in the library")
	}
	x.robot.Gravity = &fall
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
	x.robot.Bodies = slices.DeleteFunc(x.robot.Bodies, func(name string) bool { return !attached[name] })
}

// checkIgnored reports ignored links that do not exist.
func (x *rlReader) checkIgnored() {
	names := make(map[string]bool, len(x.robot.Links))
	for i := range x.robot.Links {
		names[x.robot.Links[i].Name] = true
	}
	for _, d := range x.robot.Disabled {
		if d.Link2 != "" && !names[d.Link2] {
			x.Addf(d.Position, "%q ignores %q, which is no part of the model%s", d.Link1, d.Link2, x.DidYouMean(d.Link2, maps.Keys(names)))
		}
	}
}

// value returns the number in an element, fallback when it is empty.
func (x *rlReader) value(e *document.Element, fallback float64) float64 {
	if e.Text() == "" {
		return fallback
	}
	return x.content(e)
}

// component returns the number in a child element, fallback when there is none.
func (x *rlReader) component(e *document.Element, name string, fallback float64) float64 {
	if c := x.only(e, name); c != nil {
		return x.value(c, fallback)
	}
	return fallback
}

// vector returns the children x, y and z.
func (x *rlReader) vector(e *document.Element) spatial.Vec3 {
	return spatial.Vec3{X: x.component(e, "x", 0), Y: x.component(e, "y", 0), Z: x.component(e, "z", 0)}
}

// origin returns the rotation (degrees in the file) and translation in an element.
func (x *rlReader) origin(e *document.Element) Origin {
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
