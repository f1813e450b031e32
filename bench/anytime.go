package main

import (
	"fmt"
	"strconv"
	"time"

	"github.com/sinew-robotics/sinew/robot/planning"
)

// anytime compares lengths after a time: those of AORRTC that is stopped then, with VAMP's RRT-Connect with simplification and with its RRT*.
func (a *arm) anytime(p *peer, file string) error {
	planner, err := planning.NewAORRTC(a.engines[0], a.joints, 1/a.checks, 0)
	if err != nil {
		return err
	}
	planner.Improve = planning.DefaultIterations // the time ends it
	keep := func(*planning.Path) {}
	connect, star := times{}, times{}
	for range planningRounds {
		t, err := p.run("plan", file)
		if err != nil {
			return err
		}
		connect.keep(t)
	}
	t, err := p.run("star", file, strconv.Itoa(starSamples))
	if err != nil {
		return err
	}
	star.keep(t)
	first, _ := connect.quantile("total", 0.5, nil)
	firstLength, _ := connect.quantile("length", 0.5, nil)
	last, _ := star.quantile("total", 0.5, nil)
	lastLength, _ := star.quantile("length", 0.5, nil)
	fmt.Println("| Panda, p50 of lengths after a time | VAMP's planner | its time, p50 | its length | sinew stops after | sinew's length | target |")
	fmt.Println("|---|---|---|---|---|---|---|")
	for _, row := range []struct {
		name          string
		time, length  float64
		after, target float64
	}{
		{"RRT-Connect", first, firstLength, first, 4.70},
		{"RRT-Connect", first, firstLength, 0.7e6, 4.48},
		{"RRT*", last, lastLength, 0.6 * last, 4.40},
	} {
		if row.after == 0 {
			continue // VAMP is not there
		}
		t, err := timePlans(planner, keep, a.joints, a.problems, a.engines, time.Duration(row.after))
		if err != nil {
			return err
		}
		ours, n := t.quantile("length", 0.5, nil)
		fmt.Printf("| of %d problems, %d have a path by then | %s | %s | %s | %s | %s | %.2f |\n", len(a.problems), n, row.name, micros(row.time), length(row.length), micros(row.after), length(ours), row.target)
	}
	return nil
}
