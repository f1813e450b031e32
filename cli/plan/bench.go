package plan

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/robot/planning"
	"github.com/sinew-robotics/sinew/robot/planning/space"
	"github.com/sinew-robotics/sinew/robot/scenario"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/scene/exact"
	"github.com/sinew-robotics/sinew/robot/scene/spheres"
)

// bench is one run of the verb.
type bench struct {
	planner   planning.Kind
	optimizer planning.OptimizerKind
	engine    string // "": spheres if the robot consists of them, else exact
	limit     time.Duration
	seed      uint64
	repeat    int
	timing    *timing // --timed; nil: paths only
	robot     *robot
}

func benchCommand() *cobra.Command {
	var b bench
	var file, srdf, xrdf, planner, optimizer, timed string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "bench PROBLEMS.json… --robot FILE",
		Short: "Solve sets of planning problems, and report times and lengths",
		Long: `Solve sets of planning problems, and report times and lengths.

The problems are JSON as of MotionBenchMaker's sets in data/planning: starts, goals, and obstacles that are boxes, cylinders
and spheres. FILE is a robots/ROBOT.json of the same folder, or a URDF with collision geometry.

The planner finds a path, the optimizer simplifies it, and the exact engine verifies the result, all at 1/32 rad unless the robot's file names
another resolution. Times are those of plan and simplification; preparing scene and engine is reported apart. A problem with an end in
collision or beyond a limit is invalid and not counted as a failure.

With --timed each problem is planned once more, to a motion in time from rest to rest: corners rounded, velocity, acceleration and jerk of each joint
within the limits at all times, and the exact engine proves it free at all times or samples it at 1e-3 rad. The report counts both, and where a
corner was made sharper or the path planned again because of a contact.

Planners:
` + planners() + `

Optimizers:
` + optimizers(),
		Example: "  sinew plan bench panda/*.json --robot robots/panda.json\n  sinew plan bench panda/cage.json --robot robots/panda.json --repeat 5 --json\n  sinew plan bench panda/box.json --robot robots/panda.json --timed 2,10,500",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if b.repeat < 1 {
				return fmt.Errorf("--repeat %d: want at least 1", b.repeat)
			}
			if b.limit <= 0 {
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
			if b.planner, err = kind(planner); err != nil {
				return err
			}
			if b.optimizer, err = optimizerKind(optimizer); err != nil {
				return err
			}
			if b.robot, err = readRobot(file, srdf, xrdf); err != nil {
				return err
			}
			r, err := b.run(args, cmd.ErrOrStderr())
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
	cmd.Flags().StringVar(&file, "robot", "", "the robot: robots/ROBOT.json, or a URDF with collision geometry")
	cmd.Flags().StringVar(&srdf, "srdf", "", "`file` with the pairs of links that need no check; without it they are found by sampling")
	cmd.Flags().StringVar(&xrdf, "xrdf", "", "`file` with the spheres of the links and the pairs that need no check")
	cmd.Flags().StringVar(&planner, "planner", planning.Kinds()[0].Name, "the planner, by its name in the list above")
	cmd.Flags().StringVar(&optimizer, "optimizer", planning.Optimizers()[0].Name, "the optimizer, by its name in the list above")
	cmd.Flags().StringVar(&b.engine, "engine", "", "spheres or exact; by default spheres if all links consist of them")
	cmd.Flags().DurationVar(&b.limit, "limit", 10*time.Second, "of the time to plan each problem; planners that improve their path then return it")
	cmd.Flags().Uint64Var(&b.seed, "seed", 0, "of the samples; the same seed gives the same paths")
	cmd.Flags().IntVar(&b.repeat, "repeat", 1, "plan each problem this often; times are the best")
	cmd.Flags().StringVar(&timed, "timed", "", timedUsage)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object with all problems and paths")
	if err := cmd.MarkFlagRequired("robot"); err != nil {
		panic(err)
	}
	return cmd
}

// run solves the problems of all files.
func (b *bench) run(files []string, progress io.Writer) (*result, error) {
	var sets []*scenario.Set
	total := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		set, err := scenario.ReadProblems(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		sets = append(sets, set)
		total += len(set.Problems)
	}
	if b.engine == "" {
		b.engine = "spheres"
		if _, err := spheres.New(b.robot.scene); err != nil {
			b.engine = "exact"
		}
	}
	r := &result{Robot: b.robot.name, Planner: b.planner.Name, Engine: b.engine, Note: strings.Join(b.robot.notes, "; "), Problems: []problem{}}
	bar := newBar(progress, total)
	defer bar.clear()
	for i, set := range sets {
		if err := b.solveSet(set, r, bar); err != nil {
			return nil, fmt.Errorf("%s: %w", files[i], err)
		}
	}
	r.Summary = summarize(r.Problems)
	return r, nil
}

// solver plans the problems of one set, with one memory for all.
type solver struct {
	joints    *space.Joints
	planner   planning.Planner
	optimizer planning.Optimizer
	judge     *planning.Verifier
}

// solveSet appends the results of a set.
func (b *bench) solveSet(set *scenario.Set, r *result, bar *bar) error {
	empty, judge := exact.New(b.robot.scene), exact.New(b.robot.scene)
	joints, err := space.NewJoints(b.robot.scene, set.Joints, nil)
	if err != nil {
		return err
	}
	s := &solver{joints: joints}
	if s.planner, err = b.planner.New(empty, joints, b.robot.resolution, 0); err != nil {
		return err
	}
	s.planner.Common().Seed = b.seed
	s.optimizer = b.optimizer.New(s.planner.Common().Verifier(), b.seed)
	if s.judge, err = planning.NewVerifier(judge, joints, b.robot.resolution); err != nil {
		return err
	}
	for i := range set.Problems {
		p, err := b.solve(s, &set.Problems[i])
		if err != nil {
			return fmt.Errorf("problem %d: %w", set.Problems[i].Index, err)
		}
		p.Set = set.Name
		r.Problems = append(r.Problems, *p)
		bar.step()
	}
	return nil
}

// solve plans one problem as often as wanted and verifies the path.
func (b *bench) solve(s *solver, of *scenario.Problem) (*problem, error) {
	p := &problem{Index: of.Index, Path: [][]float64{}}
	begin := time.Now()
	world, err := b.robot.scene.Add(of.Objects...)
	if err != nil {
		return nil, err
	}
	var engine scene.Engine
	if b.engine == "exact" {
		engine = exact.New(world)
	} else if engine, err = spheres.New(world); err != nil {
		return nil, err
	}
	p.prepareUS = since(begin)
	if err := s.planner.Common().Verifier().Use(engine); err != nil {
		return nil, err
	}
	var path *planning.Path
	for i := range b.repeat {
		begin := time.Now()
		s.planner.Common().Stop = func() bool { return time.Since(begin) > b.limit }
		path, err = s.planner.Plan(of.Start, of.Goal)
		plan := since(begin)
		if err != nil {
			return p, p.fail(err)
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
		return nil, err
	}
	p.Solved, p.Verified = true, s.judge.Path(path)
	p.Length, p.Waypoints = path.Length(s.joints), path.Len()
	for i := range path.Len() {
		p.Path = append(p.Path, slices.Clone(path.At(i)))
	}
	if b.timing != nil {
		if p.Motion, err = b.timed(s, of, world); err != nil {
			return nil, err
		}
	}
	return p, nil
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
