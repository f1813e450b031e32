package description

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// WriteURDF writes a robot as URDF. A robot that was read from URDF and written reads back equal, to the last bit of
// each number. A bound that does not exist is written as the largest number, which [ReadURDF] takes for infinity.
//
// URDF has no word for gravity, the home position, couplings and pairs without collision check; they are left out. A joint that
// URDF does not know (helical, cylindrical, universal, spherical) is an error; all of them are listed, as [Problems].
func WriteURDF(w io.Writer, robot *Robot) error {
	var r report
	for i := range robot.Joints {
		j := &robot.Joints[i]
		if urdfJointTypes[j.Type.String()] != j.Type || len(j.Limits) > 1 {
			r.Addf(j.Position, "joint %q: URDF has no %s joint with limits for %d coordinates", j.Name, j.Type, len(j.Limits))
		}
	}
	if err := r.Err(); err != nil {
		return err
	}
	u := urdfWriter{out: bufio.NewWriter(w)}
	u.robot(robot)
	if err := u.out.Flush(); err != nil {
		return fmt.Errorf("write robot %q as URDF: %w", robot.Name, err)
	}
	return nil
}

// urdfWriter prints elements line by line.
type urdfWriter struct {
	out   *bufio.Writer
	depth int
}

// open prints a start tag; attributes are pairs of name and value.
func (u *urdfWriter) open(name string, attributes ...string) {
	u.tag(name, attributes, ">\n")
	u.depth++
}

// empty prints an element without content.
func (u *urdfWriter) empty(name string, attributes ...string) { u.tag(name, attributes, "/>\n") }

// leaf prints an element that holds text.
func (u *urdfWriter) leaf(name, text string) {
	u.tag(name, nil, ">")
	xml.EscapeText(u.out, []byte(text))
	u.out.WriteString("</" + name + ">\n")
}

func (u *urdfWriter) close(name string) {
	u.depth--
	u.out.WriteString(strings.Repeat("  ", u.depth) + "</" + name + ">\n")
}

func (u *urdfWriter) tag(name string, attributes []string, end string) {
	u.out.WriteString(strings.Repeat("  ", u.depth) + "<" + name)
	for i := 0; i < len(attributes); i += 2 {
		u.out.WriteString(" " + attributes[i] + `="`)
		xml.EscapeText(u.out, []byte(attributes[i+1]))
		u.out.WriteString(`"`)
	}
	u.out.WriteString(end)
}

func (u *urdfWriter) robot(robot *Robot) {
	u.out.WriteString("<?xml version=\"1.0\"?>\n")
	u.open("robot", "name", robot.Name)
	for i := range robot.Materials {
		u.material(&robot.Materials[i])
	}
	for i := range robot.Links {
		u.link(&robot.Links[i])
	}
	for i := range robot.Joints {
		u.joint(&robot.Joints[i])
	}
	for i := range robot.Transmissions {
		u.transmission(&robot.Transmissions[i])
	}
	u.close("robot")
}

func (u *urdfWriter) link(l *Link) {
	u.open("link", "name", l.Name)
	if i := l.Inertial; i != nil {
		u.open("inertial")
		u.origin(i.Origin)
		u.empty("mass", "value", decimal(i.Mass))
		u.empty("inertia", "ixx", decimal(i.Inertia.XX), "ixy", decimal(i.Inertia.XY), "ixz", decimal(i.Inertia.XZ),
			"iyy", decimal(i.Inertia.YY), "iyz", decimal(i.Inertia.YZ), "izz", decimal(i.Inertia.ZZ))
		u.close("inertial")
	}
	for i := range l.Visuals {
		v := &l.Visuals[i]
		u.open("visual", named(v.Name)...)
		u.origin(v.Origin)
		u.geometry(v.Geometry)
		if v.Material != nil {
			u.material(v.Material)
		}
		u.close("visual")
	}
	for i := range l.Collisions {
		c := &l.Collisions[i]
		u.open("collision", named(c.Name)...)
		u.origin(c.Origin)
		u.geometry(c.Geometry)
		u.close("collision")
	}
	u.close("link")
}

func (u *urdfWriter) geometry(g Geometry) {
	u.open("geometry")
	switch g := g.(type) {
	case Box:
		u.empty("box", "size", decimals(g.Size))
	case Cylinder:
		u.empty("cylinder", "radius", decimal(g.Radius), "length", decimal(g.Length))
	case Sphere:
		u.empty("sphere", "radius", decimal(g.Radius))
	case Capsule:
		u.empty("capsule", "radius", decimal(g.Radius), "length", decimal(g.Length))
	case Mesh:
		u.empty("mesh", "filename", g.URI, "scale", decimals(g.Scale))
	}
	u.close("geometry")
}

func (u *urdfWriter) origin(o Origin) {
	if o != (Origin{}) {
		u.empty("origin", "xyz", decimals(o.XYZ), "rpy", decimals(o.RPY))
	}
}

func (u *urdfWriter) material(m *Material) {
	if m.Color == nil && m.Texture == "" {
		u.empty("material", "name", m.Name)
		return
	}
	u.open("material", "name", m.Name)
	if c := m.Color; c != nil {
		u.empty("color", "rgba", decimal(c[0])+" "+decimal(c[1])+" "+decimal(c[2])+" "+decimal(c[3]))
	}
	if m.Texture != "" {
		u.empty("texture", "filename", m.Texture)
	}
	u.close("material")
}

func (u *urdfWriter) joint(j *Joint) {
	u.open("joint", "name", j.Name, "type", j.Type.String())
	u.origin(j.Origin)
	u.empty("parent", "link", j.Parent)
	u.empty("child", "link", j.Child)
	if j.Axis != urdfAxisDefault {
		u.empty("axis", "xyz", decimals(j.Axis))
	}
	u.limit(j)
	if d := j.Dynamics; d != (Dynamics{}) {
		u.empty("dynamics", "damping", decimal(d.Damping), "friction", decimal(d.Friction))
	}
	if m := j.Mimic; m != nil {
		u.empty("mimic", "joint", m.Joint, "multiplier", decimal(m.Multiplier), "offset", decimal(m.Offset))
	}
	if s := j.Safety; s != nil {
		u.empty("safety_controller", "soft_lower_limit", decimal(s.SoftLower), "soft_upper_limit", decimal(s.SoftUpper),
			"k_position", decimal(s.KPosition), "k_velocity", decimal(s.KVelocity))
	}
	if c := j.Calibration; c != nil {
		var edges []string
		if c.Rising != nil {
			edges = append(edges, "rising", decimal(*c.Rising))
		}
		if c.Falling != nil {
			edges = append(edges, "falling", decimal(*c.Falling))
		}
		u.empty("calibration", edges...)
	}
	u.close("joint")
}

func (u *urdfWriter) limit(j *Joint) {
	bounded := j.Type == multibody.Revolute || j.Type == multibody.Prismatic
	l := multibody.Unlimited()
	if len(j.Limits) > 0 {
		l = j.Limits[0]
	} else if !bounded {
		return
	}
	var attributes []string
	if bounded {
		attributes = append(attributes, "lower", bound(l.Lower), "upper", bound(l.Upper))
	}
	u.empty("limit", append(attributes, "velocity", bound(l.Velocity), "effort", bound(l.Effort))...)
}

func (u *urdfWriter) transmission(t *Transmission) {
	u.open("transmission", named(t.Name)...)
	if t.Type != "" {
		u.leaf("type", t.Type)
	}
	for _, j := range t.Joints {
		u.open("joint", "name", j.Name)
		u.interfaces(j.Interfaces)
		u.close("joint")
	}
	for _, a := range t.Actuators {
		u.open("actuator", "name", a.Name)
		u.interfaces(a.Interfaces)
		u.leaf("mechanicalReduction", decimal(a.MechanicalReduction))
		u.close("actuator")
	}
	u.close("transmission")
}

func (u *urdfWriter) interfaces(names []string) {
	for _, n := range names {
		u.leaf("hardwareInterface", n)
	}
}

func named(name string) []string {
	if name == "" {
		return nil
	}
	return []string{"name", name}
}

// decimal prints a number so that it reads back equal.
func decimal(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

func decimals(v spatial.Vec3) string { return decimal(v.X) + " " + decimal(v.Y) + " " + decimal(v.Z) }

// bound prints a bound, one that does not exist as the largest number.
func bound(x float64) string {
	if math.IsInf(x, 0) {
		x = math.Copysign(math.MaxFloat64, x)
	}
	return decimal(x)
}
