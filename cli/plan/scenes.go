package plan

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sinew-robotics/sinew/cli/model"
	"github.com/sinew-robotics/sinew/console"
	"github.com/sinew-robotics/sinew/console/robots"
	"github.com/sinew-robotics/sinew/robot/planning/space"
	"github.com/sinew-robotics/sinew/robot/scenario"
	"github.com/sinew-robotics/sinew/robot/scene"
)

// readScenes reads what --console shows: a robot with its obstacles, whose start and goal may be missing; a scenario; or the problems of a file, each
// as a scene.
func readScenes(file, of string, e ends, planner string) ([]console.Scene, error) {
	if planner != "" {
		if _, err := kind(planner); err != nil {
			return nil, err
		}
	}
	root, inside, err := model.OnDisk(file)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", file, err)
	}
	if e.xrdf != "" {
		return nil, fmt.Errorf("--xrdf %s: the page of --console plans with the collision geometry of the robot's file: write the spheres as URDF, by sinew model spheres -o FILE.urdf", e.xrdf)
	}
	if e.clearance != 0 {
		return nil, errors.New("--clearance is not for the page of --console: it shows the least distance of each plan")
	}
	var list []console.Scene
	switch extension := strings.ToLower(filepath.Ext(file)); {
	case of != "":
		list, err = problemScenes(file, of, e)
	case extension == ".xml" && isScenario(root, inside):
		list, err = scenarioScenes(file, e)
	case isScene(file):
		return nil, errors.New(sceneAlone(file))
	default:
		list, err = robotScenes(file, e)
	}
	for _, s := range list {
		if planner != "" {
			s.World.Planner = planner
		}
	}
	return list, err
}

// scenarioScenes reads a scenario of the Robotics Library. The page draws its robot as the shapes that it has there.
func scenarioScenes(file string, e ends) ([]console.Scene, error) {
	t, err := readTask(file, e)
	if err != nil {
		return nil, err
	}
	w := &robots.World{
		Scene: t.scene, Space: t.space, Start: t.start, Goal: t.goal, Resolution: t.resolution, Planner: t.planner, Duration: t.duration, Notes: t.notes,
	}
	return []console.Scene{{Name: t.robot, World: w}}, nil
}

// problemScenes reads the problems of a JSON file, and their robot from another one.
func problemScenes(file, of string, e ends) ([]console.Scene, error) {
	if e.scene != "" || e.start != "" || e.goal != "" {
		return nil, fmt.Errorf("%s has obstacles, starts and goals: leave --scene, --start and --goal out", file)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	set, err := scenario.ReadProblems(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	r, err := readRobot(of, e.srdf, "")
	if err != nil {
		return nil, err
	}
	joints, err := space.NewJoints(r.scene, set.Joints, nil)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	all, err := space.NewJoints(r.scene, nil, nil)
	if err != nil {
		return nil, err
	}
	full := make([]float64, r.scene.NQ())
	point := func(p []float64) []float64 {
		q := make([]float64, all.Dim())
		joints.Configuration(p, full)
		all.Point(full, q)
		return q
	}
	held := heldJoints(all.Names, set.Joints)
	var list []console.Scene
	for i := range set.Problems {
		x := &set.Problems[i]
		s, err := r.scene.Add(x.Objects...)
		if err != nil {
			return nil, fmt.Errorf("%s: problem %d: %w", file, x.Index, err)
		}
		w := &robots.World{Scene: s, Start: point(x.Start), Goal: point(x.Goal), Held: held, Resolution: r.resolution, Notes: slices.Clone(r.notes)}
		if x.Valid != nil && !*x.Valid {
			w.Notes = append(w.Notes, fmt.Sprintf("the file marks problem %d as invalid: an end is in collision", x.Index))
		}
		list = append(list, console.Scene{Name: fmt.Sprintf("%s %s %d", set.Robot, set.Name, x.Index), World: w})
	}
	return list, nil
}

// heldJoints returns the joints that do not move.
func heldJoints(all, moving []string) (held []string) {
	for _, name := range all {
		if !slices.Contains(moving, name) {
			held = append(held, name)
		}
	}
	return held
}

// robotScenes reads a robot and its obstacles.
func robotScenes(file string, e ends) ([]console.Scene, error) {
	s, r, err := readScene(file, e)
	if err != nil {
		return nil, err
	}
	w := s.World
	if e.scene != "" {
		notes, err := r.addObstacles(e)
		if err != nil {
			return nil, err
		}
		w.Scene, w.Notes = r.scene, append(w.Notes, notes...)
	}
	of, note, err := roomSpace(w.Scene)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if of != nil {
		if e.start != "" || e.goal != "" || e.joints != "" {
			return nil, fmt.Errorf("%s has a joint of several coordinates: leave --start, --goal and --joints out, and drag the ends on the page", file)
		}
		w.Space, w.Notes = of, append(w.Notes, note)
		return []console.Scene{*s}, nil
	}
	joints, err := space.NewJoints(w.Scene, nil, nil)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	for _, end := range []struct {
		flag, text string
		to         *[]float64
	}{{"--start", e.start, &w.Start}, {"--goal", e.goal, &w.Goal}} {
		if end.text == "" {
			continue
		}
		q, err := r.configuration(end.flag, end.text)
		if err != nil {
			return nil, err
		}
		*end.to = make([]float64, joints.Dim())
		joints.Point(q, *end.to)
	}
	if e.joints != "" {
		moving, err := r.moving(e.joints)
		if err != nil {
			return nil, err
		}
		if _, err := space.NewJoints(w.Scene, moving, nil); err != nil {
			return nil, fmt.Errorf("--joints %s: %w", e.joints, err)
		}
		w.Held = heldJoints(joints.Names, moving)
	}
	return []console.Scene{*s}, nil
}

// readScene reads a robot without obstacles: from a description, as the page then draws it, or from JSON.
func readScene(file string, e ends) (*console.Scene, *robot, error) {
	if strings.EqualFold(filepath.Ext(file), ".json") {
		r, err := readRobot(file, e.srdf, "")
		if err != nil {
			if text, err := os.ReadFile(file); err == nil {
				if _, err := scenario.ReadProblems(text); err == nil {
					return nil, nil, fmt.Errorf("%s has problems: name their robot by --robot FILE", file)
				}
			}
			return nil, nil, err
		}
		w := &robots.World{Scene: r.scene, Resolution: r.resolution, Notes: r.notes}
		return &console.Scene{Name: r.name, World: w}, r, nil
	}
	d, err := model.Read(file)
	if err != nil {
		return nil, nil, err
	}
	r := &robot{name: d.Name}
	var allowed []scene.Pair
	if e.srdf != "" {
		if err := r.readSRDF(d, e.srdf); err != nil {
			return nil, nil, err
		}
		allowed = append([]scene.Pair{}, r.semantic.Allowed(d)...)
	}
	w, err := robots.NewWorld(d, allowed)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", file, err)
	}
	r.scene = w.Scene
	return &console.Scene{Name: d.Name, Robot: d, World: w}, r, nil
}

// errWithoutPage means that a flag is of no use without the page.
var errWithoutPage = errors.New("--robot names the robot of a file with problems: add --console to see them, or run sinew plan bench to solve them all")
