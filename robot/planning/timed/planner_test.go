package timed_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/planning/planningtest"
	"github.com/sinew-robotics/sinew/robot/planning/proof"
	"github.com/sinew-robotics/sinew/robot/planning/taskspace"
	"github.com/sinew-robotics/sinew/robot/planning/timed"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/scene/exact"
	"github.com/sinew-robotics/sinew/robot/spatial"
	"github.com/sinew-robotics/sinew/robot/trajectory"
)

// pandaLimits are those of Franka's Panda (its published control parameters).
var pandaLimits = func() []trajectory.Limits {
	velocity := []float64{2.175, 2.175, 2.175, 2.175, 2.61, 2.61, 2.61}
	acceleration := []float64{15, 7.5, 10, 12.5, 15, 20, 20}
	list := make([]trajectory.Limits, 7)
	for i := range list {
		list[i] = trajectory.Limits{Velocity: velocity[i], Acceleration: acceleration[i], Jerk: 500 * acceleration[i]}
	}
	return list
}()

// motions returns a planner of motions for a problem of a bench.
func motions(t testing.TB, b *planningtest.Bench, s *scene.Scene) *timed.Planner {
	t.Helper()
	prover, err := proof.NewProver(s, b.Space, 1e-3)
	if err != nil {
		t.Fatal(err)
	}
	return timed.NewPlanner(b.Planner, prover, pandaLimits)
}

// touches returns the first time, in steps of a thousandth of the duration, at which a motion is not free.
func touches(t testing.TB, b *planningtest.Bench, s *scene.Scene, m trajectory.Motion) (at float64, pair scene.Pair, hit bool) {
	t.Helper()
	e := exact.New(s)
	states, q, point := make([]trajectory.State, m.Axes()), make([]float64, s.NQ()), make([]float64, m.Axes())
	for k := range 1001 {
		at = m.Duration() * float64(k) / 1000
		m.At(at, states)
		for i, x := range states {
			point[i] = x.Position
		}
		b.Space.Configuration(point, q)
		var err error
		if pair, hit, err = e.Collide(q); err != nil {
			t.Fatal(err)
		} else if hit {
			return at, pair, true
		}
	}
	return 0, pair, false
}

// TestMotionsAreFreeAtAllTimes plans motions for problems of MotionBenchMaker and samples them densely.
func TestMotionsAreFreeAtAllTimes(t *testing.T) {
	var shares []float64
	proved, sharpened, replanned := 0, 0, 0
	for _, set := range []string{"table_under_pick", "bookshelf_tall", "cage"} {
		b := planningtest.New(t, "panda", set, 100_000)
		for i := range 12 {
			p, s := b.Problem(t, i)
			planner := motions(t, b, s)
			m, report, err := planner.Plan(p.Start, p.Goal)
			if err != nil {
				t.Errorf("%s %d: %v", set, p.Index, err)
				continue
			}
			if at, pair, hit := touches(t, b, s, m); hit {
				t.Errorf("%s %d: %s, but %s touch at %g s", set, p.Index, report, pair, at)
			}
			end := make([]trajectory.State, 7)
			m.At(m.Duration(), end)
			for k := range end {
				if end[k].Position != p.Goal[k] || end[k].Velocity != 0 {
					t.Errorf("%s %d: joint %d ends as %+v, want to rest at %g", set, p.Index, k, end[k], p.Goal[k])
				}
			}
			if report.Proved {
				proved++
			}
			sharpened += report.Sharpened
			replanned += report.Replanned
			duration := m.Duration()
			planner.Deviation = 0
			if m, _, err = planner.Plan(p.Start, p.Goal); err == nil && m.Duration() > 0 {
				shares = append(shares, duration/m.Duration())
			}
		}
	}
	slices.Sort(shares)
	t.Logf("%d motions, %d proved; corners made sharper %d times, planned again %d times; duration p50 %.2f of stopping at each point", len(shares), proved, sharpened, replanned, shares[len(shares)/2])
	if proved < len(shares)*3/4 || sharpened == 0 {
		t.Error("want most motions proved, and some corners made sharper")
	}
}

// TestProverFindsWhatASampleMisses moves between two free samples through a contact, and close past it.
func TestProverFindsWhatASampleMisses(t *testing.T) {
	b := planningtest.New(t, "panda", "box", 20_000)
	p, s := b.Problem(t, 0)
	m := trajectory.NewRounded(7, 2)
	if err := m.Plan(slices.Concat(p.Start, p.Goal), pandaLimits, make([]float64, 2)); err != nil {
		t.Fatal(err)
	}
	_, _, hit := touches(t, b, s, m)
	prover := motions(t, b, s).Prover()
	v, err := prover.Motion(m, pandaLimits)
	if err != nil || v.Free == hit {
		t.Errorf("straight from start to goal: %s, %v; samples find a contact: %t", v, err, hit)
	}
	if !v.Free && (v.Pair == scene.Pair{} || v.Time <= 0 || v.Time >= m.Duration() || v.Proved) {
		t.Errorf("verdict %+v", v)
	}
}

// TestQuickestPathIsQuicker plans to the goals of a pose with and without other paths and moves, and samples the quicker motions densely.
func TestQuickestPathIsQuicker(t *testing.T) {
	b := planningtest.New(t, "panda", "bookshelf_tall", 100_000)
	goals, err := taskspace.NewGoals(b.Base, b.Space, "panda_hand", spatial.Pose{})
	if err != nil {
		t.Fatal(err)
	}
	sum := map[string]float64{}
	for i := range 20 {
		p, s := b.Problem(t, i)
		list, err := goals.In(taskspace.Region{Target: b.Pose(t, "panda_hand", p.Goal)}, p.Start)
		if err != nil {
			t.Fatal(err)
		}
		planner := motions(t, b, s)
		paths, moves := planner.Paths, planner.Moves
		for _, c := range []struct {
			name         string
			paths, moves int
		}{{"one path", 1, 0}, {"its points moved", 1, moves}, {"several paths", paths, 0}, {"both", paths, moves}} {
			planner.Paths, planner.Moves = c.paths, c.moves
			m, report, err := planner.Plan(p.Start, list...)
			if err != nil {
				t.Fatalf("problem %d, %s: %v", i, c.name, err)
			}
			if at, pair, hit := touches(t, b, s, m); hit {
				t.Errorf("problem %d, %s: %s, but %s touch at %g s", i, c.name, report, pair, at)
			}
			points, _ := planner.Polyline()
			if end := points[len(points)-7:]; !slices.ContainsFunc(list, func(goal []float64) bool { return slices.Equal(goal, end) }) {
				t.Errorf("problem %d, %s: it ends at %v, which is none of the goals", i, c.name, end)
			}
			sum[c.name] += m.Duration() / 20
		}
	}
	t.Logf("mean durations, s: %v", sum)
	if one := sum["one path"]; sum["its points moved"] > 0.98*one || sum["several paths"] > 0.97*one || sum["both"] > 0.95*one {
		t.Errorf("mean durations %v s: want shorter ones", sum)
	}
}

// TestRepairBeginsWithTheQuickestPath plans again after a motion, as when nothing has changed.
func TestRepairBeginsWithTheQuickestPath(t *testing.T) {
	b := planningtest.New(t, "panda", "bookshelf_tall", 100_000)
	p, s := b.Problem(t, 2)
	planner := motions(t, b, s)
	b.Planner.Repair = true
	first, _, err := planner.Plan(p.Start, p.Goal)
	if err != nil {
		t.Fatal(err)
	}
	duration := first.Duration()
	planner.Paths, planner.Moves = 1, 0
	again, _, err := planner.Plan(p.Start, p.Goal)
	if err != nil {
		t.Fatal(err)
	}
	if b.Planner.Samples > 0 || again.Duration() > 1.05*duration {
		t.Errorf("%d samples for a motion of %.3f s after one of %.3f s: want none", b.Planner.Samples, again.Duration(), duration)
	}
}

func TestMotionAllocatesNothing(t *testing.T) {
	b := planningtest.New(t, "panda", "bookshelf_small", 20_000)
	p, s := b.Problem(t, 0)
	planner := motions(t, b, s)
	testkit.NoAllocs(t, 10, func() {
		if _, _, err := planner.Plan(p.Start, p.Goal); err != nil {
			t.Fatal(err)
		}
	})
}

func TestMotionsOfTheSameSeedAreEqual(t *testing.T) {
	b := planningtest.New(t, "panda", "cage", 100_000)
	p, s := b.Problem(t, 3)
	planner := motions(t, b, s)
	var durations [3]float64
	for k := range durations {
		m, _, err := planner.Plan(p.Start, p.Goal)
		if err != nil {
			t.Fatal(err)
		}
		durations[k] = m.Duration()
	}
	if durations[0] != durations[1] || durations[0] != durations[2] {
		t.Errorf("durations %v", durations)
	}
}

func TestTimedPlannerRefusesBadLimits(t *testing.T) {
	b := planningtest.New(t, "panda", "box", 20_000)
	p, s := b.Problem(t, 0)
	prover, err := proof.NewProver(s, b.Space, 1e-3)
	if err != nil {
		t.Fatal(err)
	}
	limits := slices.Clone(pandaLimits)
	limits[2].Jerk = math.Inf(1)
	var axis *trajectory.AxisError
	if _, _, err := timed.NewPlanner(b.Planner, prover, limits).Plan(p.Start, p.Goal); !errors.As(err, &axis) || axis.Axis != 2 {
		t.Errorf("joint 3 without a limit of jerk: %v", err)
	}
	if _, err := proof.NewProver(s, b.Space, 0); err == nil {
		t.Error("resolution 0: no error")
	}
}
