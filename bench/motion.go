package main

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"github.com/sinew-robotics/sinew/robot/trajectory"
)

const (
	motionProblems = 4096
	motionAxes     = 7
	motionRounds   = 5
	motionBatches  = 3
)

// motion compares one update of the online generator, seven axes in any state to any state, with ruckig. Debian does
// not package ruckig: set the variable RUCKIG to a checkout of github.com/pantor/ruckig.
func motion() error {
	dir, err := os.MkdirTemp("", "sinew-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	ruckig := &peer{name: "ruckig", source: "ruckig.cpp"}
	if checkout := os.Getenv("RUCKIG"); checkout != "" {
		sources, _ := filepath.Glob(filepath.Join(checkout, "src/ruckig/[^c]*.cpp")) // not the client of its cloud service
		ruckig.flags = append([]string{"-std=c++20", "-march=native", "-I" + filepath.Join(checkout, "include")}, sources...)
		_ = ruckig.build(dir) // an empty column shows it
	}
	inputs := motionInputs()
	problems := filepath.Join(dir, "problems")
	if err := writeProblems(problems, inputs); err != nil {
		return err
	}
	ours, theirs := times{}, times{}
	planner, result := trajectory.NewPlanner(motionAxes), trajectory.NewTrajectory(motionAxes)
	for range motionRounds {
		t, err := ruckig.run(problems, fmt.Sprint(motionBatches))
		if err != nil {
			return err
		}
		theirs.keep(t)
		least, err := best(motionBatches, func() (time.Duration, error) {
			begin := time.Now()
			for i := range inputs {
				if err := planner.Plan(&inputs[i], result); err != nil {
					return 0, err
				}
			}
			return time.Since(begin), nil
		})
		if err != nil {
			return err
		}
		ours.keep(times{"plan": float64(least.Nanoseconds()) / motionProblems})
	}
	fmt.Println("| online jerk-limited motion, one update | sinew | ruckig | ratio |\n|---|---|---|---|")
	fmt.Printf("| 7 axes, any state to any state | %s | %s | %s |\n", nanos(ours["plan"]), nanos(theirs["plan"]), ratio(ours["plan"], theirs["plan"]))
	return nil
}

// motionInputs returns random solvable problems, drawn like those of ruckig's own tests.
func motionInputs() []trajectory.Input {
	random := rand.New(rand.NewPCG(1, 2))
	state := func() trajectory.State {
		return trajectory.State{Position: 4 * random.NormFloat64(), Velocity: 0.8 * random.NormFloat64(), Acceleration: 0.8 * random.NormFloat64()}
	}
	planner, result := trajectory.NewPlanner(motionAxes), trajectory.NewTrajectory(motionAxes)
	var inputs []trajectory.Input
	for len(inputs) < motionProblems {
		in := trajectory.Input{Axes: make([]trajectory.Axis, motionAxes)}
		for i := range in.Axes {
			limit := func() float64 { return 1 + 9*random.Float64() }
			in.Axes[i] = trajectory.Axis{Start: state(), Target: state(),
				Limits: trajectory.Limits{Velocity: limit(), Acceleration: limit(), Jerk: limit()}}
		}
		if planner.Plan(&in, result) == nil && viable(&in) {
			inputs = append(inputs, in)
		}
	}
	return inputs
}

// viable reports whether both ends of the motion can be reached within the limits of velocity, as ruckig requires.
func viable(in *trajectory.Input) bool {
	for _, a := range in.Axes {
		for _, s := range []trajectory.State{a.Start, a.Target} {
			overshoot := s.Acceleration * s.Acceleration / (2 * a.Limits.Jerk)
			if max(s.Velocity, -s.Velocity)+overshoot > a.Limits.Velocity {
				return false
			}
		}
	}
	return true
}

func writeProblems(path string, inputs []trajectory.Input) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(file)
	for _, in := range inputs {
		for _, a := range in.Axes {
			s, t, l := a.Start, a.Target, a.Limits
			fmt.Fprintln(w, s.Position, s.Velocity, s.Acceleration, t.Position, t.Velocity, t.Acceleration, l.Velocity, l.Acceleration, l.Jerk)
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return file.Close()
}
