package plan

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/sinew-robotics/sinew/cli/model"
	"github.com/sinew-robotics/sinew/robot/planning/space"
	"github.com/sinew-robotics/sinew/robot/scenario"
	"github.com/sinew-robotics/sinew/robot/scene"
)

// suite is a set of problems of one robot, as a file states it.
type suite struct {
	file, robot, set string
	planner          string // that the file asks for; "": none
	scene            *scene.Scene
	space            space.Robots
	resolution       float64
	limit            time.Duration // of each plan; 0: none
	problems         []scenario.Problem
	notes            []string
}

// read reads all files: scenarios, and sets of problems of the robot.
func (b *bench) read(files []string) (list []*suite, err error) {
	sets := false
	for _, file := range files {
		var s *suite
		if strings.EqualFold(filepath.Ext(file), ".xml") {
			s, err = readScenario(file)
		} else {
			sets = true
			s, err = b.readSet(file)
		}
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	if b.robot != nil && !sets {
		return nil, errors.New("scenarios have robots of their own: leave --robot out")
	}
	return list, nil
}

// readScenario reads a scenario of the Robotics Library: one problem.
func readScenario(file string) (*suite, error) {
	root, inside, err := model.OnDisk(file)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", file, err)
	}
	if _, err := os.Stat(file); err == nil && !isScenario(root, inside) {
		return nil, fmt.Errorf("%s is no scenario: want <rlplan>, or <rl> with a <plan>", file)
	}
	t, err := readTask(file, ends{radius: pointRadius})
	if err != nil {
		return nil, err
	}
	return &suite{
		file: file, robot: t.robot, set: strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)), planner: t.planner, scene: t.scene, space: t.space,
		resolution: t.resolution, limit: t.duration, notes: t.notes, problems: []scenario.Problem{{Start: t.start, Goal: t.goal}},
	}, nil
}

// readSet reads problems of the robot that --robot names.
func (b *bench) readSet(file string) (*suite, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	set, err := scenario.ReadProblems(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if b.robot == nil {
		return nil, fmt.Errorf("%s has problems of a robot: name it by --robot FILE", file)
	}
	joints, err := space.NewJoints(b.robot.scene, set.Joints, nil)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return &suite{
		file: file, robot: b.robot.name, set: set.Name, scene: b.robot.scene, space: joints, resolution: b.robot.resolution, problems: set.Problems, notes: b.robot.notes,
	}, nil
}
