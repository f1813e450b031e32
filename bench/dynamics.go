package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/sinew-robotics/sinew/bench/robots"
)

const (
	dynamicsRounds  = 5  // peers and sinew alternate this many times
	dynamicsBatches = 20 // batches in a round; the best one counts
)

var algorithms = []string{"fk", "jacobian", "rnea", "aba", "crba", "rnea_derivatives", "aba_derivatives"}

// dynamics compares kinematics and dynamics of one state with KDL, MuJoCo and the Robotics Library. The peers are built here with -O3.
func dynamics() error {
	dir, err := os.MkdirTemp("", "sinew-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	kdl := &peer{name: "kdl", source: "kdl.cpp", flags: []string{"-I/usr/include/eigen3", "-lkdl_parser", "-lorocos-kdl"}}
	mujoco := &peer{name: "mujoco", source: "mujoco.cpp", flags: []string{"-lmujoco"}}
	for _, p := range []*peer{kdl, mujoco} {
		_ = p.build(dir) // an empty column shows it
	}
	library := libraryModel(dir)
	batches := strconv.Itoa(dynamicsBatches)
	header, ratios := "| of the Robotics Library's time |", map[string]string{}
	for _, r := range robots.All() {
		ours, theirs, pipeline, elements, lanes, written := times{}, times{}, times{}, times{}, times{}, times{}
		m, err := r.Model()
		if err != nil {
			return err
		}
		generated, err := r.Generate()
		if err != nil {
			return err
		}
		defer os.RemoveAll(generated)
		forMujoco, err := r.ForMuJoCo(dir)
		if err != nil {
			return err
		}
		whole, chain, err := r.ForLibrary(dir)
		if err != nil {
			return err
		}
		turns := []turn{
			{pipeline, func() (times, error) { return mujoco.run(forMujoco, r.Tool, batches) }},
			{elements, func() (times, error) { return library.run("dynamics", whole, batches) }},
			{elements, func() (times, error) { return library.run("jacobian", chain, batches) }},
			{ours, func() (times, error) { return r.TimeModel(dynamicsBatches) }},
			{lanes, func() (times, error) { return r.TimeBatch(dynamicsBatches) }},
			{written, func() (times, error) { return robots.TimeGenerated(generated) }},
		}
		if !r.Floating { // KDL has no joint of six degrees of freedom
			turns = append(turns, turn{theirs, func() (times, error) { return kdl.run(r.Path(), r.Tool, batches) }})
		}
		if err := inTurns(dynamicsRounds, turns); err != nil {
			return err
		}
		if library.binary != "" {
			if err := robots.Agrees(m, elements); err != nil {
				return fmt.Errorf("%s: %w", r.Name, err)
			}
		}
		fmt.Printf("| %s | KDL 1.5.1 | MuJoCo 2.2.2 | Robotics Library | any model, one state | of MuJoCo | generated, one state | of MuJoCo | any model, 8 states: each | generated, 8 states: each | of MuJoCo |\n", r.Name)
		fmt.Println("|---|---|---|---|---|---|---|---|---|---|---|")
		header += fmt.Sprintf(" %s: any model | generated |", r.Name)
		for _, name := range algorithms {
			best := pipeline[name]
			fmt.Printf("| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", name, nanos(theirs[name]), nanos(best), nanos(elements[name]),
				nanos(ours[name]), ratio(ours[name], best), nanos(written[name]), ratio(written[name], best),
				nanos(lanes[name]), nanos(written["batch_"+name]), ratio(written["batch_"+name], best))
			ratios[name] += fmt.Sprintf(" %s | %s |", ratio(ours[name], elements[name]), ratio(written[name], elements[name]))
		}
		fmt.Println()
	}
	if library.binary == "" {
		return nil
	}
	fmt.Println(header + "\n|---" + strings.Repeat("|---|---", len(robots.All())) + "|")
	for _, name := range algorithms[:5] { // the library has no derivatives
		fmt.Printf("| %s |%s\n", name, ratios[name])
	}
	return nil
}

// turn is the part of one program in a comparison, with the best of its times.
type turn struct {
	best    times
	measure func() (times, error)
}

// inTurns lets programs measure one after another, for a number of rounds.
func inTurns(rounds int, turns []turn) error {
	for range rounds {
		for _, c := range turns {
			t, err := c.measure()
			if err != nil {
				return err
			}
			c.best.keep(t)
		}
	}
	return nil
}

func nanos(ns float64) string {
	if ns == 0 {
		return ""
	}
	return fmt.Sprintf("%.0f ns", ns)
}
