package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/sinew-robotics/sinew/cli/model"
	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/planning"
	"github.com/sinew-robotics/sinew/robot/planning/space"
	"github.com/sinew-robotics/sinew/robot/scenario"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/scene/exact"
)

const (
	meshRounds = 3               // OMPL and sinew alternate this many times
	meshEvery  = 7               // every seventh problem is planned
	meshLimit  = 5 * time.Second // of a plan; then the problem counts as not solved
	meshChecks = 32              // per rad
	meshOpen   = 0.04            // m, of the fingers
	meshRobot  = "../shared/data/models/example-robot-data/robots/panda_description"
)

// meshes compares plans for links that are meshes: RRT-Connect of OMPL with FCL, and of sinew with its exact engine.
func meshes() error {
	if _, err := os.Stat(meshRobot); err != nil {
		fmt.Printf("SKIPPED: planning on mesh links: the robot is not here: %v\n", err)
		return nil
	}
	dir, err := os.MkdirTemp("", "sinew-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	ompl := omplPeer(dir)
	a, hold, err := meshArm()
	if err != nil {
		return err
	}
	robot, file := filepath.Join(dir, "robot"), filepath.Join(dir, "problems")
	text, err := robotFile(a.base, a.joints, hold, a.checks)
	if err != nil {
		return err
	}
	if err := os.WriteFile(robot, text, 0o600); err != nil {
		return err
	}
	if err := os.WriteFile(file, a.file(), 0o600); err != nil {
		return err
	}
	planner, err := planning.NewConnect(a.engines[0], a.joints, 1/a.checks, 0)
	if err != nil {
		return err
	}
	simplify := planning.NewSimplifier(planner.Verifier()).Simplify
	ours, theirs := times{}, times{}
	for range meshRounds {
		t, err := ompl.run("plan", robot, file, strconv.FormatFloat(meshLimit.Seconds(), 'g', -1, 64))
		if err != nil {
			return err
		}
		theirs.keep(t)
		if t, err = timePlans(planner, simplify, a.joints, a.problems, a.engines, meshLimit); err != nil {
			return err
		}
		ours.keep(t)
	}
	_, ourInvalid := ours.quantile("invalid", 0, nil)
	_, theirInvalid := theirs.quantile("invalid", 0, nil)
	fmt.Println("| p50, Panda, links that are meshes | solved: OMPL + FCL | sinew | plan: OMPL + FCL | sinew | of OMPL | with simplification: OMPL + FCL | sinew | of OMPL | p95 of OMPL's | length: OMPL | sinew |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|---|---|---|")
	fmt.Printf("| of %d problems, invalid %d and %d | %s |\n\n", len(a.problems), theirInvalid, ourInvalid, planRow(ours, theirs))
	return besideGNAT(ompl)
}

// omplPeer builds the programs with OMPL.
func omplPeer(dir string) *peer {
	p := &peer{name: "ompl", source: "ompl.cpp", flags: []string{"-I/usr/include/eigen3", "-I/usr/include/ompl-1.5", "-lompl", "-lfcl", "-lccd", "-loctomap", "-loctomath"}}
	_ = p.build(dir) // an empty column shows it
	return p
}

// meshArm returns the Panda with the meshes of its links, some of its problems, and the configuration with open fingers.
func meshArm() (a *arm, hold []float64, err error) {
	d, err := model.Read(filepath.Join(meshRobot, "urdf/panda.urdf"))
	if err != nil {
		return nil, nil, err
	}
	semantic, err := description.ReadSRDF(os.DirFS(filepath.Join(meshRobot, "srdf")), "panda.srdf", description.Options{})
	if err != nil {
		return nil, nil, err
	}
	part := scene.Model{Allowed: semantic.Allowed(d)}
	if part.Model, err = d.Model(); err != nil {
		return nil, nil, err
	}
	if part.Shapes, err = d.Shapes(); err != nil {
		return nil, nil, err
	}
	a = &arm{checks: meshChecks}
	if a.base, err = scene.New(part); err != nil {
		return nil, nil, err
	}
	hold = part.Model.Neutral()
	finger, err := part.Model.Joint("panda_finger_joint1")
	if err != nil {
		return nil, nil, err
	}
	hold[finger.Q] = meshOpen
	var problems []scenario.Problem
	for _, set := range planningSets {
		all, err := readSet("panda", set)
		if err != nil {
			return nil, nil, err
		}
		problems = append(problems, all...)
	}
	for i := 0; i < len(problems); i += meshEvery {
		world, err := a.base.Add(problems[i].Objects...)
		if err != nil {
			return nil, nil, err
		}
		a.problems, a.engines = append(a.problems, problems[i]), append(a.engines, exact.New(world))
	}
	var names []string
	for i := range 7 {
		names = append(names, fmt.Sprintf("panda_joint%d", i+1))
	}
	a.joints, err = space.NewJoints(a.base, names, hold)
	return a, hold, err
}
