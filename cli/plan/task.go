package plan

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sinew-robotics/sinew/cli/model"
	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/description/document"
	"github.com/sinew-robotics/sinew/robot/planning/space"
	"github.com/sinew-robotics/sinew/robot/scenario"
	"github.com/sinew-robotics/sinew/robot/scene"
)

// task is one planning problem, ready to be solved.
type task struct {
	robot       string
	planner     string // that the file asks for; "": none
	scene       *scene.Scene
	space       space.Robots
	start, goal []float64 // points of the space
	tool        *tool     // that goals, lines and constraints are about; nil: none
	resolution  float64
	duration    time.Duration // 0: no limit
	notes       []string
}

// ends are what the flags state of a robot without a scenario.
type ends struct {
	srdf, xrdf, scene, joints, start, goal string
	radius                                 float64 // of the points of a cloud, m
	clearance                              float64 // from obstacles, m
	tool                                   toolFlags
}

// pointRadius is the radius of points, m, unless a flag gives it.
const pointRadius = 0.01

// readTask reads a scenario of the Robotics Library, or a robot whose ends the flags give.
func readTask(file string, e ends) (*task, error) {
	root, inside, err := model.OnDisk(file)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", file, err)
	}
	if strings.EqualFold(filepath.Ext(file), ".xml") && isScenario(root, inside) {
		if e != (ends{radius: pointRadius}) {
			return nil, fmt.Errorf("%s is a scenario and has its own robot, start and goal: leave --srdf, --xrdf, --scene, --joints, --start, --goal and the flags of its tool out", file)
		}
		s, err := scenario.ReadRL(root, inside)
		if err != nil {
			return nil, errors.New(model.AsNamed(file, err.Error()))
		}
		for i := range s.Notes {
			s.Notes[i] = model.AsNamed(file, s.Notes[i])
		}
		return scenarioTask(s)
	}
	return robotTask(file, e)
}

// isScenario reports whether an XML file is a scenario and not a robot. A file that is no XML is reported by the reader of robots.
func isScenario(fsys fs.FS, file string) bool {
	root := document.Read(fsys, file, file, &document.Report{})
	return root != nil && (root.Name == "rlplan" || root.Name == "rl" && root.Child("plan") != nil)
}

// scenarioTask makes a task of a scenario in which all joints move.
func scenarioTask(s *scenario.Scenario) (*task, error) {
	t := &task{
		robot: s.Robot, planner: s.Planner, scene: s.Scene, start: s.Start, goal: s.Goal, resolution: s.Resolution, duration: s.Duration, notes: s.Notes,
	}
	if t.resolution == 0 {
		t.resolution = resolution
	}
	var err error
	t.space, err = wholeSpace(s.Scene, s.Lower, s.Upper)
	return t, err
}

// robotTask makes a task of a robot alone.
func robotTask(file string, e ends) (*task, error) {
	if _, err := os.Stat(file); err != nil {
		hint := ""
		if errors.Is(err, fs.ErrNotExist) {
			hint = nearest.File(os.DirFS(filepath.Dir(file)), filepath.Base(file))
		}
		return nil, fmt.Errorf("read %s: %w%s", file, errors.Unwrap(err), hint)
	}
	if isScene(file) {
		return nil, errors.New(sceneAlone(file))
	}
	if e.start == "" || e.goal == "" && e.tool.pose == "" {
		return nil, fmt.Errorf("%s is a robot: give --start and --goal, as joint=value,… or as the name of a state in the file of --srdf; or --goal-pose instead of --goal", file)
	}
	if err := errors.Join(e.tool.check(e.goal), e.checkClearance()); err != nil {
		return nil, err
	}
	r, err := readRobot(file, e.srdf, e.xrdf)
	if err != nil {
		return nil, err
	}
	t := &task{robot: r.name, resolution: r.resolution}
	t.notes = append(t.notes, r.notes...)
	if e.scene != "" {
		notes, err := r.addObstacles(e)
		if err != nil {
			return nil, err
		}
		t.notes = append(t.notes, notes...)
	}
	from, err := r.configuration("--start", e.start)
	if err != nil {
		return nil, err
	}
	if e.tool.carry != "" {
		if err := r.carry(e.tool, from); err != nil {
			return nil, err
		}
	}
	t.scene = r.scene
	to := from
	if e.goal != "" {
		if to, err = r.configuration("--goal", e.goal); err != nil {
			return nil, err
		}
	}
	joints, err := r.moving(e.joints)
	if err != nil {
		return nil, err
	}
	s, err := space.NewJoints(r.scene, joints, from)
	if err != nil {
		return nil, err
	}
	t.space = s
	m := r.scene.Models()[0].Model
	for i := range s.Dim() {
		name, _, _ := s.Limits(i)
		j, err := m.Joint(name)
		if err != nil {
			return nil, err
		}
		t.start, t.goal = append(t.start, from[j.Q]), append(t.goal, to[j.Q])
	}
	if e.goal == "" {
		t.goal = nil // what brings the tool to its pose
	}
	return t, t.addTool(s, e.tool)
}

// isScene reports whether a file is a MoveIt scene, by its name.
func isScene(file string) bool {
	return slices.Contains([]string{".yaml", ".yml", ".scene"}, strings.ToLower(filepath.Ext(file)))
}

// sceneAlone explains what a scene lacks.
func sceneAlone(file string) string {
	return fmt.Sprintf("%s is a scene and names no robot: give it by --robot ROBOT.urdf", file)
}

// configuration returns the configuration of a robot that a flag gives: a state of the SRDF file, joint=value,… or the values of all joints. Joints
// that it does not name are at their default of an XRDF file, else at zero.
func (r *robot) configuration(flag, text string) ([]float64, error) {
	m := r.scene.Models()[0].Model
	q := m.Neutral()
	names := jointNames(m)
	for name, x := range r.defaults {
		if j, err := m.Joint(name); err == nil && slices.Contains(names, name) {
			q[j.Q] = x
		}
	}
	set := func(name string, x float64) error {
		j, err := m.Joint(name)
		if err != nil || !slices.Contains(names, name) {
			return fmt.Errorf("%s: there is no joint %q with one coordinate%s", flag, name, nearest.Hint(name, names))
		}
		q[j.Q] = x
		return nil
	}
	items := strings.Split(text, ",")
	switch {
	case strings.Contains(text, "="):
		for _, item := range items {
			name, value, _ := strings.Cut(item, "=")
			x, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
			if err != nil || x-x != 0 {
				return nil, fmt.Errorf("%s: %q: want joint=value, in rad or m", flag, item)
			}
			if err := set(strings.TrimSpace(name), x); err != nil {
				return nil, err
			}
		}
		return q, nil
	case len(items) == len(names) && isNumber(items[0]):
		for i, item := range items {
			x, err := strconv.ParseFloat(strings.TrimSpace(item), 64)
			if err != nil || x-x != 0 {
				return nil, fmt.Errorf("%s: %q is no value of joint %q", flag, item, names[i])
			}
			if err := set(names[i], x); err != nil {
				return nil, err
			}
		}
		return q, nil
	case isNumber(items[0]):
		return nil, fmt.Errorf("%s has %d values, the robot %d joints: %s", flag, len(items), len(names), strings.Join(names, ", "))
	}
	return q, r.state(flag, text, set)
}

func isNumber(text string) bool {
	_, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	return err == nil
}

// states returns those of the SRDF file.
func (r *robot) states() []description.GroupState {
	if r.semantic == nil {
		return nil
	}
	return r.semantic.States
}

// state sets the joints of a state of the SRDF file.
func (r *robot) state(flag, name string, set func(string, float64) error) error {
	var known []string
	for _, s := range r.states() {
		if s.Name != name {
			known = append(known, s.Name)
			continue
		}
		for _, j := range s.Joints {
			if len(j.Values) != 1 {
				return fmt.Errorf("%s %s: joint %q has %d values; only joints with one are supported", flag, name, j.Joint, len(j.Values))
			}
			if err := set(j.Joint, j.Values[0]); err != nil {
				return err
			}
		}
		return nil
	}
	if len(known) == 0 {
		return fmt.Errorf("%s %s: want joint=value,… or the values of all joints; names of states need --srdf", flag, name)
	}
	return fmt.Errorf("%s %s: the SRDF file has no state of that name%s; there are %s", flag, name, nearest.Hint(name, known), strings.Join(known, ", "))
}
