package plan

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/robot/planning"
	"github.com/sinew-robotics/sinew/robot/scenario"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/scene/exact"
	"github.com/sinew-robotics/sinew/robot/scene/spheres"
)

// bench is one run of the verb.
type bench struct {
	planner   string // its name, allPlanners, or "": that of each scenario, else the recommended one
	optimizer planning.OptimizerKind
	engine    string        // "": spheres if the robot consists of them, else exact
	limit     time.Duration // 0: that of each scenario, else benchLimit
	seed      uint64
	repeat    int
	timing    *timing // --timed; nil: paths only
	robot     *robot  // of problem sets; nil: none is given
}

const (
	allPlanners = "all" // in turn
	benchLimit  = 10 * time.Second
)

func benchCommand() *cobra.Command {
	var b bench
	var file, srdf, xrdf, optimizer, timed string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "bench SCENARIO.xml…|PROBLEMS.json… [--robot FILE]",
		Short: "Solve sets of planning problems, and report times and lengths",
		Long: `Solve sets of planning problems, and report times and lengths.

SCENARIO.xml is a scenario of the Robotics Library (rlplan), which is one problem with its own robot, resolution, limit of time and planner. PROBLEMS.json are
problems as of MotionBenchMaker's sets in data/planning: starts, goals, and obstacles that are boxes, cylinders and spheres. FILE is their robot: a robots/ROBOT.json
of the same folder, or a URDF with collision geometry.

The planner finds a path, the optimizer simplifies it, and the exact engine verifies the result, all at 1/32 rad unless the robot's file names
another resolution. Times are those of plan and simplification; preparing scene and engine is reported apart. Vertices are the points of the trees or the
roadmap, checked are the configurations that the planner asked the engine for. A problem with an end in collision or beyond a limit is invalid and not counted as
a failure.

With --timed each problem is planned once more, to a motion in time from rest to rest: corners rounded, velocity, acceleration and jerk of each joint
within the limits at all times, and the exact engine proves it free at all times or samples it at 1e-3 rad. The report counts both, and where a
corner was made sharper or the path planned again because of a contact.

Planners:
` + planners() + `

Optimizers:
` + optimizers(),
		Example: "  sinew plan bench panda/*.json --robot robots/panda.json\n  sinew plan bench panda/cage.json --robot robots/panda.json --repeat 5 --json\n  sinew plan bench panda/box.json --robot robots/panda.json --timed 2,10,500\n  sinew plan bench rlplan/*.xml --planner all --limit 2s",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if b.repeat < 1 {
				return fmt.Errorf("--repeat %d: want at least 1", b.repeat)
			}
			if b.limit <= 0 && cmd.Flags().Changed("limit") {
				return fmt.Errorf("--limit %s: want a time above 0", b.limit)
			}
			if !slices.Contains([]string{"", "spheres", "exact"}, b.engine) {
				return fmt.Errorf("--engine %s: want spheres or exact", b.engine)
			}
			var err error
			if cmd.Flags().Changed("timed") {
				if b.timing, err = readTiming(timed); err != nil {
					return err
				}
			}
			if b.planner != "" && b.planner != allPlanners {
				if _, err = kind(b.planner); err != nil {
					return err
				}
			}
			if b.optimizer, err = optimizerKind(optimizer); err != nil {
				return err
			}
			if file == "" && srdf+xrdf != "" {
				return errors.New("--srdf and --xrdf add to the robot that --robot names, which is missing")
			}
			if file != "" {
				if b.robot, err = readRobot(file, srdf, xrdf); err != nil {
					return err
				}
			}
			suites, err := b.read(args)
			if err != nil {
				return err
			}
			r, err := b.run(suites, cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			if asJSON {
				return json.NewEncoder(cmd.OutOrStdout()).Encode(r)
			}
			r.print(cmd.OutOrStdout())
			return nil
		},
	}
	cmd.Flags().StringVar(&file, "robot", "", "the robot of problem sets: robots/ROBOT.json, or a URDF with collision geometry")
	cmd.Flags().StringVar(&srdf, "srdf", "", "`file` with the pairs of links that need no check; without it they are found by sampling")
	cmd.Flags().StringVar(&xrdf, "xrdf", "", "`file` with the spheres of the links and the pairs that need no check")
	cmd.Flags().StringVar(&b.planner, "planner", "", "the planner, by its `name` in the list above, or all of them in turn: all; by default that of the scenario, else "+planning.Kinds()[0].Name)
	cmd.Flags().StringVar(&optimizer, "optimizer", planning.Optimizers()[0].Name, "the optimizer, by its name in the list above")
	cmd.Flags().StringVar(&b.engine, "engine", "", "spheres or exact; by default spheres if all links consist of them")
	cmd.Flags().DurationVar(&b.limit, "limit", 0, fmt.Sprintf("of the time to plan each problem; planners that improve their path then return it; by default that of the scenario, else %s", benchLimit))
	cmd.Flags().Uint64Var(&b.seed, "seed", 0, "of the samples; the same seed gives the same paths")
	cmd.Flags().IntVar(&b.repeat, "repeat", 1, "plan each problem this often; times are the best")
	cmd.Flags().StringVar(&timed, "timed", "", timedUsage)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object with all problems and paths")
	return cmd
}

// run solves all problems by each planner that is asked for.
func (b *bench) run(suites []*suite, progress io.Writer) (*result, error) {
	r := &result{Planner: b.planner, Problems: []problem{}}
	total := 0
	for _, s := range suites {
		r.Robot, r.Note = join(r.Robot, s.robot, ", "), join(r.Note, strings.Join(s.notes, "; "), "; ")
		kinds, err := b.kinds(s)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.file, err)
		}
		total += len(kinds) * len(s.problems)
	}
	bar := newBar(progress, total)
	defer bar.clear()
	for _, s := range suites {
		kinds, err := b.kinds(s)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.file, err)
		}
		for _, k := range kinds {
			if b.planner == "" {
				r.Planner = join(r.Planner, k.Name, ", ")
			}
			if err := b.solveSet(s, k, r, bar); err != nil {
				return nil, fmt.Errorf("%s: %w", s.file, err)
			}
		}
	}
	r.Summary = summarize(r.Problems)
	return r, nil
}

// join appends an item to a list that does not have it yet.
func join(list, item, between string) string {
	if list == "" || item == "" {
		return list + item
	}
	if slices.Contains(strings.Split(list, between), item) {
		return list
	}
	return list + between + item
}

// kinds returns the planners of a set.
func (b *bench) kinds(s *suite) ([]planning.Kind, error) {
	name := b.planner
	switch {
	case name == allPlanners:
		return planning.Kinds(), nil
	case name == "" && s.planner != "":
		k, err := kind(s.planner)
		if err != nil {
			return nil, noKind(s.planner)
		}
		return []planning.Kind{k}, nil
	case name == "":
		return planning.Kinds()[:1], nil
	}
	k, err := kind(name)
	return []planning.Kind{k}, err
}

// solver plans the problems of one set by one planner, with one memory for all.
type solver struct {
	*suite
	kind      planning.Kind
	engine    string
	limit     time.Duration
	planner   planning.Planner
	optimizer planning.Optimizer
	judge     *planning.Verifier
}

// solveSet appends the results of a set.
func (b *bench) solveSet(of *suite, k planning.Kind, r *result, bar *bar) error {
	s := &solver{suite: of, kind: k, engine: b.engine, limit: b.limit}
	if s.engine == "" {
		s.engine = "spheres"
		if _, err := spheres.New(of.scene); err != nil {
			s.engine = "exact"
		}
	}
	r.Engine = join(r.Engine, s.engine, ", ")
	if s.limit == 0 {
		s.limit = cmp.Or(of.limit, benchLimit)
	}
	empty, judge := exact.New(of.scene), exact.New(of.scene)
	var refused error
	if s.planner, refused = k.New(empty, of.space, of.resolution, 0); refused != nil && b.planner != allPlanners {
		return refused
	}
	var err error
	if s.judge, err = planning.NewVerifier(judge, of.space, of.resolution); err != nil {
		return err
	}
	if refused == nil {
		s.planner.Common().Seed = b.seed
		s.optimizer = b.optimizer.New(s.planner.Common().Verifier(), b.seed)
	}
	for i := range of.problems {
		p := &problem{Index: of.problems[i].Index, Path: [][]float64{}}
		if refused != nil { // of all planners, one that does not plan in this space
			p.Failure = refused.Error()
		} else if err := b.solve(s, &of.problems[i], p); err != nil {
			return fmt.Errorf("problem %d: %w", of.problems[i].Index, err)
		}
		p.Set, p.Planner = of.set, k.Name
		r.Problems = append(r.Problems, *p)
		bar.step()
	}
	return nil
}

// solve plans one problem as often as wanted and verifies the path.
func (b *bench) solve(s *solver, of *scenario.Problem, p *problem) error {
	begin := time.Now()
	world, err := s.scene.Add(of.Objects...)
	if err != nil {
		return err
	}
	var engine scene.Engine
	if s.engine == "exact" {
		engine = exact.New(world)
	} else if engine, err = spheres.New(world); err != nil {
		return err
	}
	p.prepareUS = since(begin)
	common := s.planner.Common()
	if err := common.Verifier().Use(engine); err != nil {
		return err
	}
	var path *planning.Path
	for i := range b.repeat {
		before := common.Verifier().Checked
		begin := time.Now()
		common.Stop = func() bool { return time.Since(begin) > s.limit }
		path, err = s.planner.Plan(of.Start, of.Goal)
		plan := since(begin)
		p.grown(s.planner, before)
		if err != nil {
			return p.fail(err)
		}
		begin = time.Now()
		s.optimizer.Simplify(path)
		simplify := since(begin)
		if i == 0 || plan < p.PlanUS {
			p.PlanUS = plan
		}
		if i == 0 || simplify < p.SimplifyUS {
			p.SimplifyUS = simplify
		}
	}
	if err := s.judge.Use(exact.New(world)); err != nil {
		return err
	}
	p.Solved, p.Verified = true, s.judge.Path(path)
	p.Length, p.Waypoints = path.Length(s.space), path.Len()
	for i := range path.Len() {
		p.Path = append(p.Path, slices.Clone(path.At(i)))
	}
	if b.timing != nil {
		if p.Motion, err = b.timed(s, of, world); err != nil {
			return err
		}
	}
	return nil
}

// grown notes what the last plan searched, after this many configurations had been checked before.
func (p *problem) grown(planner planning.Planner, before int) {
	common := planner.Common()
	p.Samples, p.Checked, p.Vertices, p.Edges = common.Samples, common.Verifier().Checked-before, 0, 0
	if g, ok := planner.(planning.Grower); ok {
		p.Vertices = g.Vertices()
		g.Edges(func(_, _ []float64) bool {
			p.Edges++
			return true
		})
	}
}

// fail records why a problem has no path; other errors it returns.
func (p *problem) fail(err error) error {
	var collision *planning.CollisionError
	var limit *planning.LimitError
	switch {
	case errors.As(err, &collision), errors.As(err, &limit):
		p.Invalid = err.Error()
	case errors.Is(err, planning.ErrNoPath), errors.Is(err, planning.ErrStopped):
		p.Failure = err.Error()
	default:
		return err
	}
	return nil
}

// since returns the time from begin in µs.
func since(begin time.Time) float64 { return float64(time.Since(begin).Nanoseconds()) / 1000 }
