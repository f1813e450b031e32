package plan

import (
	"fmt"
	"slices"
	"time"

	"github.com/sinew-robotics/sinew/cli/verb"
	"github.com/sinew-robotics/sinew/robot/planning"
	"github.com/sinew-robotics/sinew/robot/planning/space"
	"github.com/sinew-robotics/sinew/robot/planning/taskspace"
	"github.com/sinew-robotics/sinew/robot/scene"
)

// finder finds paths for a task.
type finder struct {
	*method
	*task
	kind      planning.Kind
	optimizer planning.OptimizerKind
	engine    scene.Engine
	clock     *stopwatch
	answer    *answer
	goals     [][]float64 // configurations, those nearest to the start first
}

// unreachableError means that no configuration has the tool at its goal.
type unreachableError struct{ error }

// lineDeviation is how far the joints may leave the points of a straight line of the tool where the motion rounds them, rad or m: less than 1 mm of the tool.
const lineDeviation = 2e-4

// space returns the space in which a path is planned.
func (f *finder) space() space.Robots {
	if f.tool != nil && f.tool.kept != nil {
		return f.tool.kept
	}
	return f.task.space
}

// prepare finds the configurations of the goal, and refuses flags that do not go together.
func (f *finder) prepare() error {
	f.goals = [][]float64{f.goal}
	if f.tool == nil {
		return nil
	}
	if f.tool.line && f.method.planner != "" {
		return fmt.Errorf("--planner %s: a line needs no planner; leave it or --line out", f.method.planner)
	}
	if f.tool.kept != nil && f.optimizer.Name != planning.Optimizers()[0].Name {
		return fmt.Errorf("--optimizer %s: with --keep only %s shortens paths", f.optimizer.Name, planning.Optimizers()[0].Name)
	}
	if f.tool.region == nil || f.tool.line {
		return nil
	}
	var err error
	if f.goals, err = f.tool.points(f.task.space, f.start); err != nil {
		return &unreachableError{err}
	}
	f.answer.Notes = append(f.answer.Notes, fmt.Sprintf("%s of the joints bring %s to its goal", verb.Count(len(f.goals), "configuration"), f.tool.link))
	return nil
}

// find returns an optimized path, and adds to the answer what it took.
func (f *finder) find(attempt uint64) (*planning.Path, error) {
	if f.tool != nil && f.tool.line {
		return f.straight()
	}
	planner, err := f.kind.New(f.engine, f.space(), f.answer.Resolution, 0)
	if err != nil && f.space() != f.task.space {
		return nil, fmt.Errorf("--planner %s: want one with two trees for --keep, such as %s", f.kind.Name, planning.Kinds()[0].Name)
	}
	if err != nil {
		return nil, err
	}
	common := planner.Common()
	common.Seed, common.Stop = f.seed+attempt, f.clock.stop
	optimizer := f.optimizer.New(common.Verifier(), common.Seed)
	optimizer.StopWith(f.clock.stop)
	path, err := f.plan(planner)
	if err == nil {
		begin := time.Now()
		optimizer.Simplify(path)
		f.answer.SimplifyUS += since(begin)
	}
	f.answer.Checked += common.Verifier().Checked
	return path, err
}

// plan plans to the nearest goal to which it finds a path where the planner has a tree from the goals, else to the nearest one that is free.
func (f *finder) plan(planner planning.Planner) (*planning.Path, error) {
	begin := time.Now()
	defer func() { f.answer.PlanUS += since(begin) }()
	if c, ok := planner.(*planning.Connect); ok {
		return f.toNearest(c)
	}
	defer func() { f.answer.Samples += planner.Common().Samples }()
	goal := f.goals[0]
	for _, p := range f.goals {
		if planner.Common().Verifier().Free(p) {
			goal = p
			break
		}
	}
	if len(f.goals) > 1 {
		f.answer.Notes = append(f.answer.Notes, fmt.Sprintf("%s plans to the free one of them that is nearest to the start; %s to the nearest one that it can reach", f.kind.Name, planning.Kinds()[0].Name))
	}
	return planner.Plan(f.start, goal)
}

// The samples of a search for a path to a nearer goal, at most.
const (
	persistence  = 4   // times those of the path that was found,
	leastSamples = 100 // counted as at least this number
)

// toNearest plans to any of the goals, then to those nearer to the start than the one reached, until none of them is found: an arm that keeps its posture can
// go on from the goal as it could from the start, where others may be at a limit.
func (f *finder) toNearest(c *planning.Connect) (*planning.Path, error) {
	best, goals := planning.NewPath(f.space().Dim()), f.goals
	for {
		path, err := c.PlanToAny(f.start, goals...)
		f.answer.Samples += c.Samples
		if err != nil {
			if best.Len() > 0 {
				return best, nil
			}
			return path, err
		}
		best.Reset()
		for i := range path.Len() {
			best.Add(path.At(i))
		}
		reached := slices.IndexFunc(goals, func(p []float64) bool { return slices.Equal(p, path.At(path.Len()-1)) })
		if goals = goals[:max(reached, 0)]; len(goals) == 0 {
			return best, nil
		}
		c.Iterations = persistence * max(c.Samples, leastSamples)
	}
}

// straight returns the path on which the tool goes straight to its goal.
func (f *finder) straight() (*planning.Path, error) {
	f.answer.Planner = "line"
	v, err := planning.NewVerifier(f.engine, f.task.space, f.answer.Resolution)
	if err != nil {
		return nil, err
	}
	begin := time.Now()
	path, err := taskspace.NewLine(f.tool.goals, v).Plan(f.start, f.tool.region.Target)
	f.answer.PlanUS += since(begin)
	f.answer.Checked += v.Checked
	return path, err
}
