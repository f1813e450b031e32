package plan

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/sinew-robotics/sinew/robot/planning"
	"github.com/sinew-robotics/sinew/robot/planning/taskspace"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/scene/exact"
	"github.com/sinew-robotics/sinew/robot/scene/spheres"
)

// method is how a task is solved.
type method struct {
	planner   string // "": that of the task, else the recommended one
	optimizer string
	engine    string // "": spheres if the robot consists of them, else exact
	seed      uint64
	limit     time.Duration // 0: that of the task
	timing    *timing       // --timed; nil: the path only
}

// attempts is after how many paths no motion in time is looked for any more.
const attempts = 5

// answer is the result of one plan.
type answer struct {
	File       string      `json:"file"`
	Robot      string      `json:"robot"`
	Planner    string      `json:"planner"`
	Engine     string      `json:"engine"`
	Resolution float64     `json:"resolution"`
	Joints     []string    `json:"joints"`
	Start      []float64   `json:"start"`
	Goal       []float64   `json:"goal"`
	Notes      []string    `json:"notes"`
	Solved     bool        `json:"solved"`
	Failure    string      `json:"failure,omitempty"`
	PlanUS     float64     `json:"plan_us"`
	SimplifyUS float64     `json:"simplify_us"`
	Samples    int         `json:"samples"`
	Checked    int         `json:"checked"` // configurations asked for collisions by planner and optimizer
	Length     float64     `json:"length"`
	Waypoints  int         `json:"waypoints"`
	Verified   bool        `json:"verified"` // by the exact engine, at the resolution
	Path       [][]float64 `json:"path"`
	Motion     *inTime     `json:"motion,omitempty"` // with --timed
}

// solve plans a task, optimizes the path and verifies it by the exact engine.
func (m *method) solve(t *task, progress io.Writer) (*answer, error) {
	name := m.planner
	if name == "" {
		name = t.planner
	}
	if name == "" {
		name = planning.Kinds()[0].Name
	}
	k, err := kind(name)
	if err != nil {
		if m.planner == "" {
			return nil, noKind(name)
		}
		return nil, err
	}
	o, err := optimizerKind(m.optimizer)
	if err != nil {
		return nil, err
	}
	a := &answer{
		Robot: t.robot, Planner: k.Name, Resolution: t.resolution, Start: t.start, Goal: append([]float64{}, t.goal...), Notes: append([]string{}, t.notes...), Path: [][]float64{},
	}
	for i := range t.space.Dim() {
		name, _, _ := t.space.Limits(i)
		a.Joints = append(a.Joints, name)
	}
	var engine scene.Engine = exact.New(t.scene)
	if other, err := otherEngine(m.engine, t.scene); err != nil {
		return nil, err
	} else if other != nil {
		engine = other
	} else if m.engine != "exact" {
		fast, err := spheres.New(t.scene)
		if err == nil {
			engine = fast
		} else if m.engine == "spheres" {
			return nil, err
		}
	}
	a.Engine = engine.Name()
	limit := m.limit
	if limit == 0 {
		limit = t.duration
	}
	clock := newStopwatch(progress, limit)
	defer clock.clear()
	timer, err := m.timer(t, a)
	if err != nil {
		return nil, err
	}
	f := &finder{method: m, task: t, kind: k, optimizer: o, engine: engine, clock: clock, answer: a}
	judge, err := planning.NewVerifier(exact.New(t.scene), f.space(), t.resolution)
	if err != nil {
		return nil, err
	}
	if err := f.prepare(); err != nil {
		return a, a.fail(err, limit)
	}
	// Where an edge of the path touches something between the points that were checked, another path is planned, checked at twice as many.
	for attempt := range uint64(attempts) {
		path, err := f.find(attempt)
		if err != nil {
			return a, a.fail(err, limit)
		}
		a.Solved, a.Verified, a.Goal = true, judge.Path(path), slices.Clone(path.At(path.Len()-1))
		if !a.list(t, path) && timer == nil {
			a.Resolution /= 2 // a curve leaps to another branch between the points that were checked
			continue
		}
		if timer == nil {
			break
		}
		if free, err := a.time(timer, path); err != nil || free || clock.stop() {
			return a, err
		}
		a.Resolution /= 2
	}
	return a, nil
}

// list notes the points of a path, and reports whether the tool keeps its constraint between them, if there is one: curves that do are traced.
func (a *answer) list(t *task, path *planning.Path) bool {
	if t.tool != nil && t.tool.kept != nil {
		traced := t.tool.kept.Trace(path)
		if traced == nil {
			a.Solved, a.Verified, a.Failure = false, false, "each path leaps between two postures that keep the constraint; choose another --seed"
			return false
		}
		path, a.Failure = traced, ""
	}
	a.Path, a.Length, a.Waypoints = a.Path[:0], path.Length(t.space), path.Len()
	for i := range path.Len() {
		a.Path = append(a.Path, slices.Clone(path.At(i)))
	}
	return true
}

// fail records why there is no path; other errors it returns.
func (a *answer) fail(err error, limit time.Duration) error {
	var collision *planning.CollisionError
	var beyond *planning.LimitError
	var off *planning.ConstraintError
	var line *taskspace.LineError
	var unreachable *unreachableError
	switch {
	case errors.Is(err, planning.ErrStopped):
		a.Failure = fmt.Sprintf("no path was found within %v; give more time by --time", limit)
	case errors.As(err, &collision), errors.As(err, &beyond), errors.As(err, &off), errors.As(err, &line), errors.As(err, &unreachable), errors.Is(err, planning.ErrNoPath):
		a.Failure = err.Error()
	default:
		return err
	}
	return nil
}

// stopwatch ends a plan after its time, and shows on a terminal how long it has run.
type stopwatch struct {
	w            io.Writer // nil: no terminal
	begin, shown time.Time
	limit        time.Duration // 0: none
}

func newStopwatch(w io.Writer, limit time.Duration) *stopwatch {
	s := &stopwatch{begin: time.Now(), limit: limit}
	s.shown = s.begin
	if isTerminal(w) {
		s.w = w
	}
	return s
}

// stop reports whether the time is over.
func (s *stopwatch) stop() bool {
	now := time.Now()
	if s.w != nil && now.Sub(s.shown) > 100*time.Millisecond {
		s.shown = now
		fmt.Fprintf(s.w, "\rplanning for %.1f s", now.Sub(s.begin).Seconds())
	}
	return s.limit > 0 && now.Sub(s.begin) > s.limit
}

func (s *stopwatch) clear() {
	if s.w != nil {
		fmt.Fprint(s.w, "\r\033[K")
	}
}

// isTerminal reports whether a writer is a terminal.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
