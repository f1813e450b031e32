package scenario

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Robot is a robot whose links are spheres.
type Robot struct {
	Name         string
	Joints       []string  // that move, in the order of configurations
	Lower, Upper []float64 // between which they are sampled, rad or m
	Resolution   float64   // checks per unit of distance between configurations
	Scene        scene.Model
}

// robotFile is the JSON of a robot.
type robotFile struct {
	Robot      string       `json:"robot"`
	Active     []string     `json:"active_joints"`
	Bounds     [][2]float64 `json:"vamp_sampling_bounds"`
	Resolution float64      `json:"vamp_resolution_per_unit"`
	Links      []linkFile   `json:"links"`
	Pairs      [][2]string  `json:"self_collision_link_pairs"`
}

type linkFile struct {
	Name    string       `json:"name"`
	Joint   *jointFile   `json:"joint"`
	Spheres [][4]float64 `json:"spheres"`
}

type jointFile struct {
	Name   string     `json:"name"`
	Type   string     `json:"type"`
	Parent string     `json:"parent"`
	XYZ    [3]float64 `json:"origin_xyz"`
	Quat   [4]float64 `json:"origin_quat_xyzw"`
	Axis   [3]float64 `json:"axis"`
	Active bool       `json:"active"`
}

// rounding is what the bounds of a file may lack to starts and goals that lie on them, because they were kept in single precision.
const rounding = 1e-5

// ReadRobot reads a robot. Joints that are not active are fixed at zero, and pairs of links that the file does not list may touch. The error
// joins everything that is wrong.
func ReadRobot(text []byte) (*Robot, error) {
	var f robotFile
	if err := decode(text, &f); err != nil {
		return nil, fmt.Errorf("read a robot: %w", err)
	}
	r := &Robot{Name: f.Robot, Joints: f.Active, Resolution: f.Resolution}
	var wrong []error
	report := func(format string, args ...any) { wrong = append(wrong, fmt.Errorf("read a robot: "+format, args...)) }
	if len(f.Active) == 0 || len(f.Active) != len(f.Bounds) {
		report("%d active joints and %d bounds in vamp_sampling_bounds; want as many bounds as joints, at least one", len(f.Active), len(f.Bounds))
	}
	if !(f.Resolution > 0 && f.Resolution <= 1e6) {
		report("vamp_resolution_per_unit is %g: want a number from 0 to 1e6", f.Resolution)
	}
	bounds := map[string][2]float64{}
	for i := range min(len(f.Active), len(f.Bounds)) {
		b := f.Bounds[i]
		if !(b[0] <= b[1]) {
			report("bounds %g and %g of joint %q: the first must not be greater", b[0], b[1], f.Active[i])
		}
		b[0], b[1] = b[0]-rounding, b[1]+rounding
		bounds[f.Active[i]] = b
		r.Lower, r.Upper = append(r.Lower, b[0]), append(r.Upper, b[1])
	}
	tree, shapes, err := f.tree(bounds)
	if wrong = append(wrong, err); errors.Join(wrong...) != nil {
		return nil, errors.Join(wrong...)
	}
	m, err := multibody.NewModel(tree)
	if err != nil {
		return nil, fmt.Errorf("read a robot: %w", err)
	}
	if m.NQ() != len(f.Active) {
		return nil, fmt.Errorf("read a robot: %d joints are marked active, active_joints lists %d", m.NQ(), len(f.Active))
	}
	r.Scene = scene.Model{Model: m, Shapes: shapes, Allowed: f.allowed()}
	return r, nil
}

// tree returns the links and joints, and the spheres of the links.
func (f *robotFile) tree(bounds map[string][2]float64) (multibody.Tree, map[string][]geometry.Part, error) {
	tree := multibody.Tree{Name: f.Robot}
	shapes := map[string][]geometry.Part{}
	var wrong []error
	for _, l := range f.Links {
		tree.Links = append(tree.Links, multibody.Link{Name: l.Name})
		for i, s := range l.Spheres {
			ball, err := geometry.NewSphere(s[3])
			if err != nil {
				wrong = append(wrong, fmt.Errorf("read a robot: sphere %d of link %q: %w", i+1, l.Name, err))
				continue
			}
			shapes[l.Name] = append(shapes[l.Name], geometry.Part{Shape: ball, Pose: spatial.Translation(spatial.Vec3{X: s[0], Y: s[1], Z: s[2]})})
		}
		if l.Joint == nil {
			continue
		}
		j := multibody.Joint{
			Name: l.Joint.Name, Parent: l.Joint.Parent, Child: l.Name, Axis: spatial.Vec3{X: l.Joint.Axis[0], Y: l.Joint.Axis[1], Z: l.Joint.Axis[2]},
		}
		var err error
		if j.Placement, err = pose(l.Joint.XYZ, l.Joint.Quat); err != nil {
			wrong = append(wrong, fmt.Errorf("read a robot: joint %q: %w", j.Name, err))
		}
		if l.Joint.Active {
			switch l.Joint.Type {
			case "revolute", "continuous":
				j.Type = multibody.Revolute
			case "prismatic":
				j.Type = multibody.Prismatic
			default:
				wrong = append(wrong, fmt.Errorf("read a robot: joint %q is active and of type %q: want revolute, continuous or prismatic", j.Name, l.Joint.Type))
			}
			limits := multibody.Unlimited()
			if b, ok := bounds[j.Name]; ok {
				limits.Lower, limits.Upper = b[0], b[1]
			} else {
				wrong = append(wrong, fmt.Errorf("read a robot: joint %q is active, but active_joints does not list it", j.Name))
			}
			j.Limits = &limits
		}
		tree.Joints = append(tree.Joints, j)
	}
	return tree, shapes, errors.Join(wrong...)
}

// allowed returns the pairs of links that the file does not list.
func (f *robotFile) allowed() (pairs []scene.Pair) {
	checked := map[[2]string]bool{}
	for _, p := range f.Pairs {
		checked[p], checked[[2]string{p[1], p[0]}] = true, true
	}
	for i := range f.Links {
		for j := range i {
			if a, b := f.Links[j].Name, f.Links[i].Name; !checked[[2]string{a, b}] {
				pairs = append(pairs, scene.Pair{A: a, B: b})
			}
		}
	}
	return pairs
}

// pose returns the pose of a position and a quaternion (x, y, z, w) of length one.
func pose(p [3]float64, q [4]float64) (spatial.Pose, error) {
	quat := spatial.Quat{X: q[0], Y: q[1], Z: q[2], W: q[3]}
	if n := quat.Norm(); !(n > 0.999 && n < 1.001) {
		return spatial.Pose{}, fmt.Errorf("the quaternion %v has length %g: want (x, y, z, w) of length 1", q, n)
	}
	return spatial.Pose{R: quat.Unit().Mat3(), P: spatial.Vec3{X: p[0], Y: p[1], Z: p[2]}}, nil
}

// decode reads one JSON value and names the line of a mistake.
func decode(text []byte, into any) error {
	err := json.Unmarshal(text, into)
	offset := int64(0)
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &syntax):
		offset = syntax.Offset
	case errors.As(err, &kind):
		offset = kind.Offset
	}
	line := 1
	for _, c := range text[:min(int(offset), len(text))] {
		if c == '\n' {
			line++
		}
	}
	return fmt.Errorf("line %d: %w", line, err)
}
