package description

import (
	"slices"
	"strings"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

func (r *report) urdfLink(e *element) Link {
	r.suspect(e, []string{"inertial", "visual", "collision"}, []string{"name", "type"})
	l := Link{Name: r.text(e, "name"), Position: e.pos}
	if i := r.only(e, "inertial"); i != nil {
		l.Inertial = r.urdfInertial(i, l.Name)
	}
	for _, v := range e.children("visual") {
		r.suspect(v, []string{"origin", "geometry", "material"}, []string{"name"})
		visual := Visual{Name: v.optional("name"), Origin: r.urdfOrigin(v), Geometry: r.urdfGeometry(v), Position: v.pos}
		if m := r.only(v, "material"); m != nil {
			material := r.urdfMaterial(m)
			visual.Material = &material
		}
		l.Visuals = append(l.Visuals, visual)
	}
	for _, c := range e.children("collision") {
		r.suspect(c, []string{"origin", "geometry"}, []string{"name"})
		l.Collisions = append(l.Collisions, Collision{
			Name: c.optional("name"), Origin: r.urdfOrigin(c), Geometry: r.urdfGeometry(c), Position: c.pos,
		})
	}
	return l
}

func (r *report) urdfInertial(e *element, link string) *Inertial {
	r.suspect(e, []string{"origin", "mass", "inertia"}, nil)
	i := &Inertial{Origin: r.urdfOrigin(e), Position: e.pos}
	if m := r.only(e, "mass"); m == nil {
		r.addf(e.pos, "the inertial of link %q has no <mass value=\"…\"/>", link)
	} else if i.Mass = r.requiredNumber(m, "value"); i.Mass < 0 {
		a, _ := m.attr("value")
		r.addf(a.pos, "the mass of link %q is negative: %g kg", link, i.Mass)
	}
	m := r.only(e, "inertia")
	if m == nil {
		r.addf(e.pos, "the inertial of link %q has no <inertia ixx ixy ixz iyy iyz izz/>", link)
		return i
	}
	i.Inertia = spatial.Sym3{
		XX: r.requiredNumber(m, "ixx"), XY: r.requiredNumber(m, "ixy"), XZ: r.requiredNumber(m, "ixz"),
		YY: r.requiredNumber(m, "iyy"), YZ: r.requiredNumber(m, "iyz"), ZZ: r.requiredNumber(m, "izz"),
	}
	return i
}

// urdfOrigin returns the <origin> of an element, the identity when there is none.
func (r *report) urdfOrigin(e *element) Origin {
	o := r.only(e, "origin")
	if o == nil {
		return Origin{}
	}
	r.suspect(o, nil, []string{"xyz", "rpy", "quat_xyzw"})
	origin := Origin{XYZ: r.vector(o, "xyz", spatial.Vec3{}), RPY: r.vector(o, "rpy", spatial.Vec3{})}
	q, given := o.attr("quat_xyzw")
	if !given {
		return origin
	}
	if rpy, both := o.attr("rpy"); both {
		r.addf(rpy.pos, "<origin> has both rpy and quat_xyzw: one of them is enough")
	}
	if x := r.numbers(o, "quat_xyzw", 4); x != nil {
		quat := spatial.Quat{X: x[0], Y: x[1], Z: x[2], W: x[3]}
		if quat.Norm() == 0 {
			r.addf(q.pos, "quat_xyzw of <origin> has length zero and is no rotation")
			return origin
		}
		origin.RPY.X, origin.RPY.Y, origin.RPY.Z = quat.Unit().Mat3().RPY()
	}
	return origin
}

var urdfShapes = []string{"box", "cylinder", "sphere", "capsule", "mesh"}

// urdfGeometry returns the shape in the <geometry> of a visual or collision, nil when it is wrong.
func (r *report) urdfGeometry(e *element) Geometry {
	g := r.only(e, "geometry")
	if g == nil {
		r.addf(e.pos, "<%s> has no <geometry>", e.name)
		return nil
	}
	children := g.children("")
	if len(children) == 0 {
		r.addf(g.pos, "<geometry> is empty: it holds one of box, cylinder, sphere, capsule, mesh")
		return nil
	}
	s := children[0]
	if len(children) > 1 {
		r.addf(children[1].pos, "<geometry> holds one shape: give each its own <%s>", e.name)
	}
	switch s.name {
	case "box":
		return r.urdfBox(s)
	case "cylinder":
		return Cylinder{Radius: r.positive(s, "radius"), Length: r.positive(s, "length")}
	case "sphere":
		return Sphere{Radius: r.positive(s, "radius")}
	case "capsule":
		return Capsule{Radius: r.positive(s, "radius"), Length: r.positive(s, "length")}
	case "mesh":
		r.suspect(s, nil, []string{"filename", "scale"})
		return Mesh{URI: r.text(s, "filename"), Scale: r.vector(s, "scale", spatial.Vec3{X: 1, Y: 1, Z: 1})}
	}
	hint := r.didYouMean(s.name, slices.Values(urdfShapes))
	if hint == "" {
		hint = ": URDF has box, cylinder, sphere, capsule, mesh"
	}
	r.addf(s.pos, "<%s> is no shape%s", s.name, hint)
	return nil
}

func (r *report) urdfBox(e *element) Geometry {
	if _, ok := e.attr("size"); !ok {
		r.text(e, "size")
		return Box{}
	}
	b := Box{Size: r.vector(e, "size", spatial.Vec3{X: 1, Y: 1, Z: 1})}
	if b.Size.X < 0 || b.Size.Y < 0 || b.Size.Z < 0 {
		a, _ := e.attr("size")
		r.addf(a.pos, "the size of <box> has a negative edge: %s", clip(a.value))
	}
	return b
}

func (r *report) urdfMaterial(e *element) Material {
	r.suspect(e, []string{"color", "texture"}, []string{"name"})
	m := Material{Name: e.optional("name"), Position: e.pos}
	if c := r.only(e, "color"); c != nil {
		if _, ok := c.attr("rgba"); !ok {
			r.text(c, "rgba")
		} else if x := r.numbers(c, "rgba", 4); x != nil {
			m.Color = (*Color)(x)
		}
	}
	if t := r.only(e, "texture"); t != nil {
		m.Texture = r.text(t, "filename")
	}
	return m
}

func (r *report) urdfTransmission(e *element) Transmission {
	r.suspect(e, []string{"type", "joint", "actuator"}, []string{"name", "type"})
	t := Transmission{Name: e.optional("name"), Type: strings.TrimSpace(e.optional("type")), Position: e.pos}
	if kind := e.child("type"); kind != nil {
		t.Type = kind.text()
	}
	for _, j := range e.children("joint") {
		t.Joints = append(t.Joints, TransmissionJoint{Name: r.text(j, "name"), Interfaces: urdfInterfaces(j)})
	}
	// The reduction stood beside the actuator in the first version of the format, it stands in it since.
	outside := e.child("mechanicalReduction")
	for _, a := range e.children("actuator") {
		actuator := Actuator{Name: r.text(a, "name"), Interfaces: urdfInterfaces(a), MechanicalReduction: 1}
		if m := a.child("mechanicalReduction"); m != nil {
			actuator.MechanicalReduction = r.content(m)
		} else if outside != nil {
			actuator.MechanicalReduction = r.content(outside)
		}
		t.Actuators = append(t.Actuators, actuator)
	}
	return t
}

func urdfInterfaces(e *element) []string {
	var names []string
	for _, h := range e.children("hardwareInterface") {
		names = append(names, h.text())
	}
	return names
}
