package description

import (
	"io/fs"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/sinew-robotics/sinew/robot/description/document"
	"github.com/sinew-robotics/sinew/robot/description/xacro"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Options hold what a reader needs besides the file. The zero value is right for a file without references.
type Options struct {
	// Packages are the roots of the packages that package://NAME/… and $(find NAME) name. A package that is not
	// listed is searched by its name in the directories above the file.
	Packages map[string]fs.FS
	// Arguments are the values of xacro arguments; they stand above the defaults in the file.
	Arguments map[string]string
	// Notice is called with what [Lint] finds in a robot that was read without problems, and with each suspect of a semantic description, as file:line:column: message. It may be nil.
	Notice func(text string)
}

// ReadURDF reads a URDF file; one whose name ends in .xacro is expanded first. The error is [Problems]: everything
// that is wrong with the file.
//
// Required as by the ROS parser: links and joints have unique names; each joint one parent and one child that exist;
// the whole is one tree; revolute and prismatic joints have limits with velocity and effort. Refused beyond it: axes
// of length zero, negative masses, numbers that are not finite.
func ReadURDF(fsys fs.FS, path string, opts Options) (*Robot, error) {
	r := &report{}
	root, resources := readDocument(fsys, path, opts, r)
	if root == nil {
		return nil, r.Err()
	}
	return opts.read(urdfRobot(root, resources, r))
}

// read returns a robot after its notices.
func (o Options) read(robot *Robot, err error) (*Robot, error) {
	if err == nil && o.Notice != nil {
		for _, f := range Lint(robot) {
			o.Notice(f.String())
		}
	}
	return robot, err
}

// readDocument reads an XML file and expands it if its name ends in .xacro. The root is nil when there is nothing to
// go on with.
func readDocument(fsys fs.FS, path string, opts Options, r *report) (*document.Element, Resources) {
	resources := Resources{FS: fsys, Path: path, Packages: opts.Packages}
	root := document.Read(fsys, path, path, &r.Report)
	if root != nil && strings.HasSuffix(path, ".xacro") {
		root = xacro.Expand(root, resources, opts.Arguments, &r.Report)
	}
	return root, resources
}

// urdfRobot interprets the root element of a URDF document.
func urdfRobot(root *document.Element, resources Resources, r *report) (*Robot, error) {
	if root.Name != "robot" {
		r.Addf(root.Pos, "the root element of a URDF file is <robot>, here it is <%s>", root.Name)
		return nil, r.Err()
	}
	r.suspect(root, []string{"link", "joint", "material", "transmission", "gazebo"}, []string{"name", "version"})
	robot := &Robot{Name: r.Required(root, "name"), Resources: resources, Position: root.Pos}
	for _, e := range root.Children("") {
		switch e.Name {
		case "material":
			robot.Materials = append(robot.Materials, r.urdfMaterial(e))
		case "link":
			robot.Links = append(robot.Links, r.urdfLink(e))
		case "joint":
			robot.Joints = append(robot.Joints, r.urdfJoint(e))
		case "transmission":
			robot.Transmissions = append(robot.Transmissions, r.urdfTransmission(e))
		}
	}
	robot.Suspects = r.suspects
	robot.check(r)
	if err := r.Err(); err != nil {
		return nil, err
	}
	return robot, nil
}

// urdfJointTypes are the joints that URDF knows.
var urdfJointTypes = map[string]multibody.JointType{
	"fixed":      multibody.Fixed,
	"revolute":   multibody.Revolute,
	"continuous": multibody.Continuous,
	"prismatic":  multibody.Prismatic,
	"planar":     multibody.Planar,
	"floating":   multibody.Floating,
}

var (
	urdfJointChildren = []string{"origin", "parent", "child", "axis", "limit", "dynamics", "mimic", "safety_controller", "calibration"}
	urdfAxisDefault   = spatial.Vec3{X: 1}
)

func (r *report) urdfJoint(e *document.Element) Joint {
	r.suspect(e, urdfJointChildren, []string{"name", "type"})
	j := Joint{Name: r.Required(e, "name"), Axis: urdfAxisDefault, Position: e.Pos}
	kind, known := urdfJointTypes[r.Required(e, "type")]
	if a, ok := e.Attr("type"); ok && !known && a.Value != "" {
		hint := r.DidYouMean(a.Value, maps.Keys(urdfJointTypes))
		if hint == "" {
			hint = ": URDF has " + strings.Join(slices.Sorted(maps.Keys(urdfJointTypes)), ", ")
		}
		r.Addf(a.Pos, "joint %q is of the unknown type %q%s", j.Name, a.Value, hint)
	}
	j.Type = kind
	j.Parent = r.urdfEnd(e, "parent")
	j.Child = r.urdfEnd(e, "child")
	j.Origin = r.urdfOrigin(e)
	if axis := r.only(e, "axis"); axis != nil {
		r.suspect(axis, nil, []string{"xyz"})
		j.Axis = r.vector(axis, "xyz", urdfAxisDefault)
		if kind != multibody.Fixed && kind != multibody.Floating && j.Axis == (spatial.Vec3{}) {
			r.Addf(axis.Pos, "the axis of joint %q has length zero: it must point in the direction of motion", j.Name)
		}
	}
	r.urdfLimit(e, &j, known)
	r.urdfJointExtras(e, &j)
	return j
}

// urdfEnd returns the link named by the <parent> or <child> of a joint.
func (r *report) urdfEnd(joint *document.Element, end string) string {
	e := r.only(joint, end)
	if e == nil {
		r.Addf(joint.Pos, "joint %q has no <%s link=\"…\"/>", joint.Optional("name"), end)
		return ""
	}
	return r.Required(e, "link")
}

func (r *report) urdfLimit(e *document.Element, j *Joint, known bool) {
	limit := r.only(e, "limit")
	bounded := known && (j.Type == multibody.Revolute || j.Type == multibody.Prismatic)
	if limit == nil {
		if bounded {
			remedy := ""
			if j.Type == multibody.Revolute {
				remedy = ", or make the joint continuous"
			}
			r.Addf(e.Pos, "joint %q is %s and has no limits: add <limit lower upper velocity effort>%s", j.Name, j.Type, remedy)
		}
		return
	}
	r.suspect(limit, nil, []string{"lower", "upper", "velocity", "effort"})
	l := multibody.Unlimited()
	if bounded {
		l.Lower = r.number(limit, "lower", 0)
		l.Upper = r.number(limit, "upper", 0)
	}
	l.Velocity = r.magnitude(limit, "velocity")
	l.Effort = r.magnitude(limit, "effort")
	unbound(&l)
	j.Limits = []multibody.Limits{l}
}

// magnitude returns a number that must be there and must not be negative.
func (r *report) magnitude(e *document.Element, name string) float64 {
	x := r.requiredNumber(e, name)
	if x < 0 {
		a, _ := e.Attr(name)
		r.Addf(a.Pos, "%s of <%s> is %g: it is a magnitude and cannot be negative", name, e.Name, x)
	}
	return x
}

// unbound takes the largest number, which is how [WriteURDF] writes a bound that does not exist, for infinity.
func unbound(l *multibody.Limits) {
	for _, bound := range []*float64{&l.Lower, &l.Upper, &l.Velocity, &l.Effort} {
		if math.Abs(*bound) == math.MaxFloat64 {
			*bound = math.Copysign(math.Inf(1), *bound)
		}
	}
}

func (r *report) urdfJointExtras(e *document.Element, j *Joint) {
	if d := r.only(e, "dynamics"); d != nil {
		r.suspect(d, nil, []string{"damping", "friction"})
		j.Dynamics = Dynamics{Damping: r.number(d, "damping", 0), Friction: r.number(d, "friction", 0)}
	}
	if m := r.only(e, "mimic"); m != nil {
		r.suspect(m, nil, []string{"joint", "multiplier", "offset"})
		j.Mimic = &multibody.Mimic{Joint: r.Required(m, "joint"), Multiplier: r.number(m, "multiplier", 1), Offset: r.number(m, "offset", 0)}
	}
	if s := r.only(e, "safety_controller"); s != nil {
		r.suspect(s, nil, []string{"soft_lower_limit", "soft_upper_limit", "k_position", "k_velocity"})
		j.Safety = &Safety{
			SoftLower: r.number(s, "soft_lower_limit", 0),
			SoftUpper: r.number(s, "soft_upper_limit", 0),
			KPosition: r.number(s, "k_position", 0),
			KVelocity: r.requiredNumber(s, "k_velocity"),
		}
	}
	if c := r.only(e, "calibration"); c != nil {
		r.suspect(c, nil, []string{"rising", "falling"})
		j.Calibration = &Calibration{Rising: r.edge(c, "rising"), Falling: r.edge(c, "falling")}
	}
}

// edge returns an optional number of which "not given" differs from zero.
func (r *report) edge(e *document.Element, name string) *float64 {
	if _, ok := e.Attr(name); !ok {
		return nil
	}
	x := r.number(e, name, 0)
	return &x
}
