package main

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sinew-robotics/sinew/robot/planning"
	"github.com/sinew-robotics/sinew/robot/planning/space"
	"github.com/sinew-robotics/sinew/robot/scenario"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/scene/spheres"
)

const (
	planningRounds = 5     // VAMP and sinew alternate this many times; the best time of each problem counts
	edgeBatches    = 200   // batches of a round; the best one counts
	edgePoints     = 16    // configurations that are checked along an edge: a block of sixteen, or two of eight
	edgeLength     = 0.5   // rad
	starSamples    = 10000 // of VAMP's RRT*
	planningData   = "../shared/data/planning"
)

// planningSets are the sets of MotionBenchMaker's problems for each robot.
var planningSets = []string{"bookshelf_small", "bookshelf_tall", "bookshelf_thin", "box", "cage", "table_pick", "table_under_pick"}

// arm is a robot with its problems whose ends are free, and a planner for them.
type arm struct {
	base     *scene.Scene
	joints   *space.Joints
	checks   float64 // per rad
	problems []scenario.Problem
	engines  []scene.Engine // of each problem
	edges    []edge
}

// edge is a way along which the time of a configuration is taken.
type edge struct {
	problem    int
	from, step []float64
}

// planned compares plans of robots that are spheres with those of VAMP, on problems of MotionBenchMaker.
func planned() error {
	vamp := os.Getenv("VAMP")
	if _, err := os.Stat(planningData); err != nil {
		fmt.Printf("SKIPPED: planning beside VAMP: the problems are not here: %v\n", err)
		return nil
	}
	if vamp == "" {
		fmt.Println("SKIPPED: VAMP's columns: VAMP=FOLDER names a checkout of github.com/KavrakiLab/vamp whose folder build was configured by CMake")
	}
	dir, err := os.MkdirTemp("", "sinew-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	fmt.Println("| p50 | solved: VAMP | sinew | plan: VAMP | sinew | of VAMP | with simplification: VAMP | sinew | of VAMP | p95 of VAMP's | length: VAMP | sinew |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|---|---|---|")
	var panda *arm
	var pandaPeer *peer
	edges := ""
	for _, robot := range []struct{ name, class, reach string }{{"panda", "Panda", "1.0F"}, {"ur5", "UR5", "1.5F"}, {"fetch", "Fetch", "1.0F"}} {
		a, err := newArm(robot.name)
		if err != nil {
			return err
		}
		p := vampPeer(dir, vamp, robot.class, robot.reach)
		if robot.name == "panda" {
			panda, pandaPeer = a, p
		}
		file := filepath.Join(dir, robot.name)
		if err := os.WriteFile(file, a.file(), 0o600); err != nil {
			return err
		}
		ours, theirs, err := a.beside(p, file)
		if err != nil {
			return err
		}
		fmt.Printf("| %s, of %d problems | %s |\n", robot.class, len(a.problems), planRow(ours, theirs))
		edges += fmt.Sprintf("| %s, a configuration along an edge | %s | %s | %s |\n", robot.class, nanos(theirs["edge"]), nanos(ours["edge"]), ratio(ours["edge"], theirs["edge"]))
	}
	fmt.Print("\n| | VAMP | sinew | of VAMP |\n|---|---|---|---|\n" + edges)
	if err := besideKD(pandaPeer); err != nil {
		return err
	}
	fmt.Println()
	return panda.anytime(pandaPeer, filepath.Join(dir, "panda"))
}

// vampPeer builds VAMP's planners for a robot; without a checkout it is a peer that is not there.
func vampPeer(dir, checkout, class, reach string) *peer {
	p := &peer{name: "vamp" + class, source: "vamp.cpp", flags: []string{
		"-std=c++17", "-w", "-march=native", "-mavx2", "-fno-math-errno", "-fno-signed-zeros", "-fno-trapping-math", "-fno-rounding-math", "-ffp-contract=fast", "-fassociative-math",
		"-DROBOT=" + class, "-DRANGE=" + reach, "-I" + filepath.Join(checkout, "src/impl"), "-I/usr/include/eigen3",
	}}
	for _, part := range []string{"nigh-src/src", "pdqsort-src", "simdxorshift-src/include"} {
		p.flags = append(p.flags, "-I"+filepath.Join(checkout, "build/_deps", part))
	}
	if checkout != "" {
		_ = p.build(dir) // an empty column shows it
	}
	return p
}

// newArm reads a robot and its problems.
func newArm(name string) (*arm, error) {
	text, err := os.ReadFile(filepath.Join(planningData, "robots", name+".json"))
	if err != nil {
		return nil, err
	}
	r, err := scenario.ReadRobot(text)
	if err != nil {
		return nil, err
	}
	base, err := scene.New(r.Scene)
	if err != nil {
		return nil, err
	}
	a := &arm{base: base, checks: r.Resolution}
	if a.joints, err = space.NewJoints(base, r.Joints, nil); err != nil {
		return nil, err
	}
	random := rand.New(rand.NewPCG(1, 0))
	for _, set := range planningSets {
		problems, err := readSet(name, set)
		if err != nil {
			return nil, err
		}
		for i, p := range problems {
			if i == 0 {
				a.addEdges(random, &p)
			}
			world, err := base.Add(p.Objects...)
			if err != nil {
				return nil, err
			}
			e, err := spheres.New(world)
			if err != nil {
				return nil, err
			}
			a.problems, a.engines = append(a.problems, p), append(a.engines, e)
		}
	}
	return a, nil
}

// readSet returns the problems of a set whose ends are free.
func readSet(robot, set string) ([]scenario.Problem, error) {
	text, err := os.ReadFile(filepath.Join(planningData, robot, set+".json"))
	if err != nil {
		return nil, err
	}
	s, err := scenario.ReadProblems(text)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(s.Problems, func(p scenario.Problem) bool { return p.Valid != nil && !*p.Valid }), nil
}

// addEdges adds edges near the ends of the next problem and anywhere.
func (a *arm) addEdges(random *rand.Rand, p *scenario.Problem) {
	for k := range 8 {
		e := edge{len(a.problems), make([]float64, a.base.NQ()), make([]float64, a.base.NQ())}
		switch {
		case k < 3:
			copy(e.from, p.Start)
		case k < 6:
			copy(e.from, p.Goal)
		default:
			a.base.Models()[0].Model.Random(random, e.from)
		}
		norm := 0.0
		for i := range e.step {
			e.step[i] = random.NormFloat64()
			norm += e.step[i] * e.step[i]
		}
		for i := range e.step {
			e.step[i] *= edgeLength / math.Sqrt(norm)
		}
		a.edges = append(a.edges, e)
	}
}

// beside plans all problems by VAMP and by sinew in turns.
func (a *arm) beside(p *peer, file string) (ours, theirs times, err error) {
	planner, err := planning.NewConnect(a.engines[0], a.joints, 1/a.checks, 0)
	if err != nil {
		return nil, nil, err
	}
	planner.Near = true // as the default planner of sinew plan
	simplify := planning.NewSimplifier(planner.Verifier()).Simplify
	ours, theirs = times{}, times{}
	for range planningRounds {
		for _, verb := range [][]string{{"plan", file}, {"along", file, strconv.Itoa(edgeBatches)}} {
			t, err := p.run(verb...)
			if err != nil {
				return nil, nil, err
			}
			theirs.keep(t)
		}
		t, err := timePlans(planner, simplify, a.joints, a.problems, a.engines, 0)
		if err != nil {
			return nil, nil, err
		}
		ours.keep(t)
		ours.keep(times{"edge": a.timeEdges()})
	}
	return ours, theirs, nil
}

// timePlans plans each problem once, with the names of bench/peers/vamp.cpp. A limit of 0 is none, so that no time goes into asking for it.
func timePlans(planner planning.Planner, simplify func(*planning.Path), joints *space.Joints, problems []scenario.Problem, engines []scene.Engine, limit time.Duration) (times, error) {
	t := times{}
	for i := range problems {
		if err := planner.Common().Verifier().Use(engines[i]); err != nil {
			return nil, err
		}
		begin := time.Now()
		if planner.Common().Stop = nil; limit > 0 {
			planner.Common().Stop = func() bool { return time.Since(begin) > limit }
		}
		path, err := planner.Plan(problems[i].Start, problems[i].Goal)
		plan := time.Since(begin)
		var collision *planning.CollisionError
		switch n := strconv.Itoa(i); {
		case errors.As(err, &collision):
			t["invalid."+n] = 1
		case errors.Is(err, planning.ErrNoPath), errors.Is(err, planning.ErrStopped):
		case err != nil:
			return nil, fmt.Errorf("problem %d: %w", i, err)
		default:
			simplify(path)
			t["plan."+n], t["total."+n], t["length."+n] = float64(plan.Nanoseconds()), float64(time.Since(begin).Nanoseconds()), path.Length(joints)
		}
	}
	return t, nil
}

// timeEdges returns the least time of one configuration of the edges.
func (a *arm) timeEdges() float64 {
	least, _ := best(edgeBatches, func() (time.Duration, error) {
		begin := time.Now()
		for _, e := range a.edges {
			if _, err := a.engines[e.problem].(scene.LineEngine).CollideAlong(e.from, e.step, edgePoints, edgePoints); err != nil {
				return 0, err
			}
		}
		return time.Since(begin), nil
	})
	return float64(least.Nanoseconds()) / float64(len(a.edges)*edgePoints)
}

// quantile returns a quantile of all values whose name begins with what, and how many there are; only counts those of problems that other has as well.
func (t times) quantile(what string, q float64, other times) (value float64, n int) {
	var all []float64
	for name, x := range t {
		if _, both := other[name]; strings.HasPrefix(name, what+".") && (both || len(other) == 0) {
			all = append(all, x)
		}
	}
	if len(all) == 0 {
		return 0, 0
	}
	slices.Sort(all)
	return all[min(int(q*float64(len(all))), len(all)-1)], len(all)
}

// planRow returns the cells of a row: numbers of problems, then quantiles over the problems that both solve.
func planRow(ours, theirs times) string {
	_, solved := ours.quantile("plan", 0, nil)
	_, theirSolved := theirs.quantile("plan", 0, nil)
	cells := []string{strconv.Itoa(theirSolved), strconv.Itoa(solved)}
	for _, what := range []string{"plan", "total"} {
		x, _ := theirs.quantile(what, 0.5, ours)
		y, _ := ours.quantile(what, 0.5, theirs)
		cells = append(cells, micros(x), micros(y), ratio(y, x))
	}
	x, _ := theirs.quantile("total", 0.95, ours)
	y, _ := ours.quantile("total", 0.95, theirs)
	cells = append(cells, ratio(y, x))
	x, _ = theirs.quantile("length", 0.5, ours)
	y, _ = ours.quantile("length", 0.5, theirs)
	return strings.Join(append(cells, length(x), length(y)), " | ")
}

func micros(ns float64) string {
	if ns == 0 {
		return ""
	}
	return fmt.Sprintf("%.0f µs", ns/1000)
}

func length(rad float64) string {
	if rad == 0 {
		return ""
	}
	return fmt.Sprintf("%.2f", rad)
}
