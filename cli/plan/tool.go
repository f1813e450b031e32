package plan

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/planning"
	"github.com/sinew-robotics/sinew/robot/planning/space"
	"github.com/sinew-robotics/sinew/robot/planning/taskspace"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// toolFlags are what the flags state of the tool of a robot.
type toolFlags struct {
	tool string // LINK or LINK:x,y,z[,roll,pitch,yaw]
	pose string // --goal-pose
	size string // --goal-size
	line bool
	keep string

	carry string // object of the scene that the tool carries; "": none
}

// check refuses flags that contradict or lack each other.
func (f *toolFlags) check(goal string) error {
	switch {
	case f.pose != "" && goal != "":
		return fmt.Errorf("--goal-pose %s and --goal %s: want one of them", f.pose, goal)
	case f.size != "" && f.pose == "":
		return fmt.Errorf("--goal-size %s: want a --goal-pose around which the region is", f.size)
	case f.line && f.pose == "":
		return errors.New("--line: want a --goal-pose to which the tool goes straight")
	case f.line && f.size != "":
		return fmt.Errorf("--line leads to one pose: leave --goal-size %s out", f.size)
	case f.line && f.keep != "":
		return fmt.Errorf("--line is straight and turns about one axis: leave --keep %s out", f.keep)
	case f.tool != "" && f.pose == "" && f.keep == "" && f.carry == "":
		return fmt.Errorf("--tool %s: it is the tool of --goal-pose, --keep or --carry; give one of them", f.tool)
	}
	return nil
}

// tool is what a plan does with the tool of a robot.
type tool struct {
	link   string
	goals  *taskspace.Goals
	region *taskspace.Region // nil: the goal is a configuration
	turns  int               // headings of the region about the vertical, at least 1
	line   bool
	kept   *planning.ConstrainedSpace // nil: it is free on its way
}

// addTool adds the tool that the flags state to a task for a robot alone.
func (t *task) addTool(s *space.Joints, f toolFlags) error {
	if f.pose == "" && f.keep == "" {
		return nil
	}
	m := t.scene.Models()[0]
	link, at, err := toolOf(m.Model, f.tool)
	if err != nil {
		return err
	}
	now, err := poseAt(m, s, link, at, t.start)
	if err != nil {
		return err
	}
	t.tool = &tool{link: link, line: f.line, turns: 1}
	upright := false
	if f.keep != "" {
		c, err := constraint(f.keep, now)
		if err != nil {
			return err
		}
		c.Link, c.Tool = m.Prefix+link, at
		upright = math.IsInf(c.Rotation.Z, 1) && c.Rotation.X == 0
		if t.tool.kept, err = planning.NewKept(t.scene, s, c); err != nil {
			return fmt.Errorf("--keep %s: %w", f.keep, err)
		}
	}
	if f.pose == "" {
		return nil
	}
	if t.tool.goals, err = taskspace.NewGoals(t.scene, s, m.Prefix+link, at); err != nil {
		return err
	}
	r := taskspace.Region{}
	target, place, err := readPose("--goal-pose", f.pose)
	if err != nil {
		return err
	}
	if r.Target = target; place {
		r.Target.R = now.R
		switch {
		case upright:
			t.tool.turns = headings
		case !f.line && (t.tool.kept == nil || !strings.Contains(f.keep, "orientation")):
			r.Rotation = spatial.Vec3{X: math.Inf(1), Y: math.Inf(1), Z: math.Inf(1)}
			t.tool.goals.Poses = turns
			if f.size != "" {
				r.Target.R = spatial.Identity() // so that sizes are along the axes of the root link
			}
		}
	}
	if f.size != "" {
		if err := readSize(f.size, &r); err != nil {
			return err
		}
	}
	t.tool.region = &r
	return nil
}

// Orientations that are tried for a closed form.
const (
	headings = 16 // about the vertical, of a tool that is kept upright
	turns    = 32 // of a tool that may turn freely
)

// points returns the configurations at which the tool is at its goal, nearest to the start first.
func (t *tool) points(s space.Space, start []float64) (list [][]float64, err error) {
	var first error
	for k := range t.turns {
		r := *t.region
		r.Target.R = spatial.RotZ(2 * math.Pi * float64(k) / float64(t.turns)).Mul(r.Target.R)
		found, err := t.goals.In(r, start)
		if k == 0 {
			first = err
		}
		for _, p := range found {
			list = append(list, slices.Clone(p))
		}
	}
	if len(list) == 0 {
		return nil, first
	}
	slices.SortStableFunc(list, func(a, b []float64) int { return cmp.Compare(s.Distance(start, a), s.Distance(start, b)) })
	return list, nil
}

// toolOf returns the link that carries the tool, and the pose of the tool in its frame. Without a name it is the only link without a successor.
func toolOf(m *multibody.Model, text string) (link string, at spatial.Pose, err error) {
	name, offset, has := strings.Cut(text, ":")
	at = spatial.IdentityPose()
	if has {
		if at, _, err = readPose("--tool", offset); err != nil {
			return "", at, err
		}
	}
	if name != "" {
		if _, err := m.Link(name); err != nil {
			return "", at, fmt.Errorf("--tool %s: the robot has no link %q%s", text, name, nearest.Hint(name, m.Links()))
		}
		return name, at, nil
	}
	tips := m.Links()
	for _, j := range m.Joints() {
		tips = slices.DeleteFunc(tips, func(l string) bool { return l == j.Parent })
	}
	if len(tips) != 1 {
		return "", at, fmt.Errorf("the robot has %d links that carry no other one: choose the link of the tool by --tool: %s", len(tips), strings.Join(tips, ", "))
	}
	return tips[0], at, nil
}

// poseAt returns the pose of a tool at a point of the space.
func poseAt(m scene.Model, s *space.Joints, link string, at spatial.Pose, p []float64) (spatial.Pose, error) {
	k, err := m.Model.Link(link)
	if err != nil {
		return spatial.Pose{}, err
	}
	q, d := make([]float64, s.NQ()), multibody.NewData(m.Model)
	s.Configuration(p, q)
	multibody.FK(d, q)
	return m.Base.Mul(d.Pose(k)).Mul(at), nil
}

// readPose reads x,y,z,roll,pitch,yaw, or x,y,z alone: place is true then.
func readPose(flag, text string) (pose spatial.Pose, place bool, err error) {
	x, err := readNumbers(text)
	if err != nil || len(x) != 3 && len(x) != 6 {
		return pose, false, fmt.Errorf("%s %s: want x,y,z in m, or x,y,z,roll,pitch,yaw in m and rad", flag, text)
	}
	pose = spatial.Translation(spatial.Vec3{X: x[0], Y: x[1], Z: x[2]})
	if len(x) == 6 {
		pose.R = spatial.RPY(x[3], x[4], x[5])
	}
	return pose, len(x) == 3, nil
}

// readSize reads how far the tool may be from the target of a region.
func readSize(text string, r *taskspace.Region) error {
	x, err := readNumbers(text)
	if err != nil || len(x) != 3 && len(x) != 6 || slices.Min(x) < 0 {
		return fmt.Errorf("--goal-size %s: want how far the tool may be from the pose along each of its axes, m, and optionally how far it may be turned about them, rad: x,y,z or x,y,z,a,b,c, none below 0", text)
	}
	r.Position = spatial.Vec3{X: x[0], Y: x[1], Z: x[2]}
	if len(x) == 6 {
		r.Rotation = spatial.Vec3{X: x[3], Y: x[4], Z: x[5]}
	}
	return nil
}

func readNumbers(text string) (list []float64, err error) {
	for _, item := range strings.Split(text, ",") {
		x, err := strconv.ParseFloat(strings.TrimSpace(item), 64)
		if err != nil || x-x != 0 {
			return nil, errors.New("no number")
		}
		list = append(list, x)
	}
	return list, nil
}

// constraint reads --keep: what a tool at a pose keeps on its way.
func constraint(text string, now spatial.Pose) (c planning.Constraint, err error) {
	free := math.Inf(1)
	c = planning.Constraint{
		Frame: spatial.Translation(now.P), Orientation: now.R,
		Position: spatial.Vec3{X: free, Y: free, Z: free}, Rotation: spatial.Vec3{X: free, Y: free, Z: free},
	}
	turns, places := 0, 0
	for _, item := range strings.Split(text, ",") {
		name, axis, has := strings.Cut(strings.TrimSpace(item), ":")
		k := 2
		if has {
			k = strings.Index("xyz", axis)
		}
		bad := fmt.Errorf("--keep %s: %q: want upright, orientation, plane:x, plane:y, plane:z, line:x, line:y or line:z, or one of each kind with a comma between them", text, item)
		if k < 0 || len(axis) > 1 || has && len(axis) == 0 {
			return c, bad
		}
		sizes := [3]float64{free, free, free}
		switch {
		case name == "upright" && !has:
			turns++
			c.Rotation = spatial.Vec3{Z: free}
		case name == "orientation" && !has:
			turns++
			c.Rotation = spatial.Vec3{}
		case name == "plane" && has:
			places++
			sizes[k] = 0
			c.Position = spatial.Vec3{X: sizes[0], Y: sizes[1], Z: sizes[2]}
		case name == "line" && has:
			places++
			sizes = [3]float64{}
			sizes[k] = free
			c.Position = spatial.Vec3{X: sizes[0], Y: sizes[1], Z: sizes[2]}
		default:
			return c, bad
		}
	}
	if turns > 1 || places > 1 {
		return c, fmt.Errorf("--keep %s: want at most one of upright and orientation, and at most one plane or line", text)
	}
	return c, nil
}
