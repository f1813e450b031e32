package timed_test

import (
	"slices"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/robot/planning/planningtest"
	"github.com/sinew-robotics/sinew/robot/planning/taskspace"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// BenchmarkPoseToMotion takes the pose of the hand at the goal of each of 350 problems for Panda to a timed and verified motion: inverse kinematics to all
// goals, plan, simplification, timing and proof. It reports percentiles of the best of fifteen runs of each problem, and of the durations. Run it with -benchtime 1x.
func BenchmarkPoseToMotion(b *testing.B) {
	for b.Loop() {
		var times, shares, durations []float64
		proved, failed := 0, 0
		for _, set := range []string{"bookshelf_small", "bookshelf_tall", "bookshelf_thin", "box", "cage", "table_pick", "table_under_pick"} {
			bench := planningtest.New(b, "panda", set, 100_000)
			goals, err := taskspace.NewGoals(bench.Base, bench.Space, "panda_hand", spatial.Pose{})
			if err != nil {
				b.Fatal(err)
			}
			for i := range bench.Set.Problems {
				p, s := bench.Problem(b, i)
				if !*p.Valid {
					continue
				}
				planner := motions(b, bench, s)
				target := bench.Pose(b, "panda_hand", p.Goal)
				best, duration := time.Hour, 0.0
				for range 15 {
					begin := time.Now()
					list, err := goals.In(taskspace.Region{Target: target}, p.Start)
					if err != nil {
						b.Fatal(err)
					}
					m, report, err := planner.Plan(p.Start, list...)
					best = min(best, time.Since(begin))
					if err != nil {
						b.Logf("%s %d: %v", set, p.Index, err)
						failed++
						break
					}
					if duration == 0 && report.Proved {
						proved++
					}
					duration = m.Duration()
				}
				durations = append(durations, duration)
				times = append(times, float64(best.Microseconds()))
				planner.Deviation = 0
				list, _ := goals.In(taskspace.Region{Target: target}, p.Start)
				if m, _, err := planner.Plan(p.Start, list...); err == nil && duration > 0 {
					shares = append(shares, duration/m.Duration())
				}
			}
		}
		slices.Sort(times)
		slices.Sort(shares)
		slices.Sort(durations)
		b.ReportMetric(durations[len(durations)/2], "duration-p50")
		b.ReportMetric(times[len(times)/2], "p50-µs")
		b.ReportMetric(times[len(times)*95/100], "p95-µs")
		b.ReportMetric(shares[len(shares)/2], "of-stops-p50")
		b.ReportMetric(float64(proved), "proved")
		b.ReportMetric(float64(failed), "failed")
	}
}
