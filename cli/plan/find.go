package plan

import (
	"fmt"
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
	goals     [][]float64 // configurations, the first one preferred
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
	if f.goals, err = f.tool.points(f.start); err != nil {
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
	f.answer.Samples += common.Samples
	if err == nil {
		begin := time.Now()
		optimizer.Simplify(path)
		f.answer.SimplifyUS += since(begin)
	}
	f.answer.Checked += common.Verifier().Checked
	return path, err
}

// plan plans to any goal where the planner has a tree from the goals, else to the first one that is free.
func (f *finder) plan(planner planning.Planner) (*planning.Path, error) {
	begin := time.Now()
	defer func() { f.answer.PlanUS += since(begin) }()
	if c, ok := planner.(*planning.Connect); ok {
		return c.PlanToAny(f.start, f.goals...)
	}
	goal := f.goals[0]
	for _, p := range f.goals {
		if planner.Common().Verifier().Free(p) {
			goal = p
			break
		}
	}
	if len(f.goals) > 1 {
		f.answer.Notes = append(f.answer.Notes, fmt.Sprintf("%s plans to the free one of them that is nearest to the start; rrt-connect to all at once", f.kind.Name))
	}
	return planner.Plan(f.start, goal)
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
