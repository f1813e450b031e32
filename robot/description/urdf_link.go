package description

import (
	"slices"
	"strings"

	"github.com/sinew-robotics/sinew/robot/description/document"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

func (r *report) urdfLink(e *document.Element) Link {
	r.suspect(e, []string{"inertial", "visual", "collision"}, []string{"name", "type"})
	l := Link{Name: r.Required(e, "name"), Position: e.Pos}
	if i := r.only(e, "inertial"); i != nil {
		l.Inertial = r.urdfInertial(i, l.Name)
	}
	for _, v := range e.Children("visual") {
		r.suspect(v, []string{"origin", "geometry", "material"}, []string{"name"})
		visual := Visual{Name: v.Optional("name"), Origin: r.urdfOrigin(v), Geometry: r.urdfGeometry(v), Position: v.Pos}
		if m := r.only(v, "material"); m != nil {
			material := r.urdfMaterial(m)
			visual.Material = &material
		}
		l.Visuals = append(l.Visuals, visual)
	}
	for _, c := range e.Children("collision") {
		r.suspect(c, []string{"origin", "geometry"}, []string{"name"})
		l.Collisions = append(l.Collisions, Collision{
			Name: c.Optional("name"), Origin: r.urdfOrigin(c), Geometry: r.urdfGeometry(c), Position: c.Pos,
		})
	}
	return l
}

func (r *report) urdfInertial(e *document.Element, link string) *Inertial {
	r.suspect(e, []string{"origin", "mass", "inertia"}, nil)
	i := &Inertial{Origin: r.urdfOrigin(e), Position: e.Pos}
	if m := r.only(e, "mass"); m == nil {
		r.Addf(e.Pos, "the inertial of link %q has no <mass value=\"…\"/>", link)
	} else if i.Mass = r.requiredNumber(m, "value"); i.Mass < 0 {
		a, _ := m.Attr("value")
		r.Addf(a.Pos, "the mass of link %q is negative: %g kg", link, i.Mass)
	}
	m := r.only(e, "inertia")
	if m == nil {
		r.Addf(e.Pos, "the inertial of link %q has no <inertia ixx ixy ixz iyy iyz izz/>", link)
		return i
	}
	i.Inertia = spatial.Sym3{
		XX: r.requiredNumber(m, "ixx"), XY: r.requiredNumber(m, "ixy"), XZ: r.requiredNumber(m, "ixz"),
		YY: r.requiredNumber(m, "iyy"), YZ: r.requiredNumber(m, "iyz"), ZZ: r.requiredNumber(m, "izz"),
	}
	return i
}

// urdfOrigin returns the <origin> of an element, the identity when there is none.
func (r *report) urdfOrigin(e *document.Element) Origin {
	o := r.only(e, "origin")
	if o == nil {
		return Origin{}
	}
	r.suspect(o, nil, []string{"xyz", "rpy", "quat_xyzw"})
	origin := Origin{XYZ: r.vector(o, "xyz", spatial.Vec3{}), RPY: r.vector(o, "rpy", spatial.Vec3{})}
	q, given := o.Attr("quat_xyzw")
	if !given {
		return origin
	}
	if rpy, both := o.Attr("rpy"); both {
		r.Addf(rpy.Pos, "<origin> has both rpy and quat_xyzw: one of them is enough")
	}
	if x := r.numbers(o, "quat_xyzw", 4); x != nil {
		quat := spatial.Quat{X: x[0], Y: x[1], Z: x[2], W: x[3]}
		if quat.Norm() == 0 {
			r.Addf(q.Pos, "quat_xyzw of <origin> has length zero and is no rotation")
			return origin
		}
		origin.RPY.X, origin.RPY.Y, origin.RPY.Z = quat.Unit().Mat3().RPY()
	}
	return origin
}

var urdfShapes = []string{"box", "cylinder", "sphere", "capsule", "mesh"}

// urdfGeometry returns the shape in the <geometry> of a visual or collision, nil when it is wrong.
func (r *report) urdfGeometry(e *document.Element) Geometry {
	g := r.only(e, "geometry")
	if g == nil {
		r.Addf(e.Pos, "<%s> has no <geometry>", e.Name)
		return nil
	}
	children := g.Children("")
	if len(children) == 0 {
		r.Addf(g.Pos, "<geometry> is empty: it holds one of box, cylinder, sphere, capsule, mesh")
		return nil
	}
	s := children[0]
	if len(children) > 1 {
		r.doubtf(children[1].Pos, "<geometry> holds one shape, <%s> is not read: give each its own <%s>", children[1].Name, e.Name)
	}
	switch s.Name {
	case "box":
		return r.urdfBox(s)
	case "cylinder":
		return Cylinder{Radius: r.requiredNumber(s, "radius"), Length: r.requiredNumber(s, "length")}
	case "sphere":
		return Sphere{Radius: r.requiredNumber(s, "radius")}
	case "capsule":
		return Capsule{Radius: r.requiredNumber(s, "radius"), Length: r.requiredNumber(s, "length")}
	case "mesh":
		r.suspect(s, nil, []string{"filename", "scale"})
		return Mesh{URI: r.Required(s, "filename"), Scale: r.vector(s, "scale", spatial.Vec3{X: 1, Y: 1, Z: 1})}
	}
	hint := r.DidYouMean(s.Name, slices.Values(urdfShapes))
	if hint == "" {
		hint = ": URDF has box, cylinder, sphere, capsule, mesh"
	}
	r.Addf(s.Pos, "<%s> is no shape%s", s.Name, hint)
	return nil
}

func (r *report) urdfBox(e *document.Element) Geometry {
	if _, ok := e.Attr("size"); !ok {
		r.Required(e, "size")
		return Box{}
	}
	return Box{Size: r.vector(e, "size", spatial.Vec3{})}
}

func (r *report) urdfMaterial(e *document.Element) Material {
	r.suspect(e, []string{"color", "texture"}, []string{"name"})
	m := Material{Name: e.Optional("name"), Position: e.Pos}
	if c := r.only(e, "color"); c != nil {
		m.Color = r.urdfColor(c)
	}
	if t := r.only(e, "texture"); t != nil {
		m.Texture = t.Optional("filename")
	}
	return m
}

// urdfColor returns the colour of a material. A wrong one is not worth refusing a robot for.
func (r *report) urdfColor(e *document.Element) *Color {
	fields := strings.Fields(e.Optional("rgba"))
	var color Color
	for i := range color {
		problem := "a number is missing"
		if i < len(fields) {
			color[i], problem = parseNumber(fields[i])
		}
		if problem != "" {
			r.doubtf(e.Pos, "the colour needs rgba with four numbers from 0 to 1: %s", problem)
			return nil
		}
	}
	return &color
}

func (r *report) urdfTransmission(e *document.Element) Transmission {
	r.suspect(e, []string{"type", "joint", "actuator"}, []string{"name", "type"})
	t := Transmission{Name: e.Optional("name"), Type: strings.TrimSpace(e.Optional("type")), Position: e.Pos}
	if kind := e.Child("type"); kind != nil {
		t.Type = kind.Text()
	}
	for _, j := range e.Children("joint") {
		t.Joints = append(t.Joints, TransmissionJoint{Name: nameOf(j), Interfaces: urdfInterfaces(j)})
	}
	// The reduction stood beside the actuator in the first version of the format, it stands in it since.
	outside := e.Child("mechanicalReduction")
	for _, a := range e.Children("actuator") {
		inside := a.Child("mechanicalReduction")
		if inside == nil {
			inside = outside
		}
		t.Actuators = append(t.Actuators, Actuator{Name: nameOf(a), Interfaces: urdfInterfaces(a), MechanicalReduction: r.reduction(inside)})
	}
	return t
}

// nameOf returns the name of a part of a transmission: an attribute, in old files the text.
func nameOf(e *document.Element) string {
	if name := e.Optional("name"); name != "" {
		return name
	}
	return e.Text()
}

// reduction returns the number in an element, 1 when there is none. Transmissions differ between dialects and are not
// worth refusing a robot for.
func (r *report) reduction(e *document.Element) float64 {
	if e == nil {
		return 1
	}
	x, problem := parseNumber(e.Text())
	if problem != "" {
		r.doubtf(e.Pos, "<%s>: %s", e.Name, problem)
		return 1
	}
	return x
}

func urdfInterfaces(e *document.Element) []string {
	var names []string
	for _, h := range e.Children("hardwareInterface") {
		names = append(names, h.Text())
	}
	return names
}
