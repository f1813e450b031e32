package plans

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sinew-robotics/sinew/console/robots"
	"github.com/sinew-robotics/sinew/console/turns"
	"github.com/sinew-robotics/sinew/robot/planning"
	"github.com/sinew-robotics/sinew/robot/planning/space"
	"github.com/sinew-robotics/sinew/robot/scene/spheres"
	"github.com/sinew-robotics/sinew/robot/trajectory"
)

// Robots knows the robots that pages may plan for.
type Robots interface {
	// World returns the world of a robot, the same value until its system is restarted, and the address of its description.
	World(ctx context.Context, system, robot string) (*robots.World, string, error)
	// Alone returns the names of the robots that belong to no system.
	Alone() []string
	// List returns the robots of a system.
	List(ctx context.Context, system string) (*robots.List, error)
	// Programs returns the programs of a robot.
	Programs(ctx context.Context, system, robot string) ([]robots.Program, error)
	// PathArm returns what the block that runs paths of a robot moves.
	PathArm(ctx context.Context, system, robot string) (*robots.Arm, error)
}

// Plans plans for pages.
type Plans struct {
	robots Robots
	turns  *turns.Turns // of requests that compute

	mu    sync.Mutex
	pages map[string]map[string]*Planner // by page and pane
}

// New returns plans for pages. At most half of the processors compute at the same time, and for one user one less; where more is asked for, users take
// turns.
func New(r Robots) *Plans {
	most := max(1, runtime.GOMAXPROCS(0)/2)
	return &Plans{robots: r, turns: turns.New(most, most-1), pages: map[string]map[string]*Planner{}}
}

// Entry names a robot that pages may plan for.
type Entry struct {
	System string `json:"system"`
	Robot  string `json:"robot"`
}

// ListRequest asks for robots.
type ListRequest struct {
	System string `json:"system"` // whose robots are listed after those without a system; "": none
}

// List returns the robots that belong to no system, then those of a system that can be drawn.
func (p *Plans) List(ctx context.Context, q ListRequest) ([]Entry, error) {
	list := []Entry{}
	for _, name := range p.robots.Alone() {
		list = append(list, Entry{robots.NoSystem, name})
	}
	if q.System == "" {
		return list, nil
	}
	all, err := p.robots.List(ctx, q.System)
	if err != nil {
		return nil, err
	}
	for _, r := range all.Robots {
		if r.Problem == "" {
			list = append(list, Entry{q.System, r.Name})
		}
	}
	return list, nil
}

// Choice is a planner by its name.
type Choice struct {
	Name string `json:"name"`
	Doc  string `json:"doc"`
}

// Setting describes a robot and its world to a page.
type Setting struct {
	URDF     string    `json:"urdf"`   // path of its description on this server
	Joints   []string  `json:"joints"` // the values of a point: joints, and .px, .py, .pz, .x, .y, .z, .w of joints that float
	Lower    []float64 `json:"lower"`  // of each value, as Upper: rad or m
	Upper    []float64 `json:"upper"`
	Axes     []int     `json:"axes"` // the values that are one joint each
	Links    []string  `json:"links"`
	Held     []string  `json:"held"` // joints that stay as at the start, at first
	Start    []float64 `json:"start"`
	Goal     []float64 `json:"goal"`
	Objects  []Object  `json:"objects"`
	Planners []Choice  `json:"planners"`
	Planner  string    `json:"planner"` // that the scenario asks for, or the recommended one
	Seconds  float64   `json:"seconds"` // that a plan may take, as the scenario states, or 1
	Engines  []string  `json:"engines"` // the default first
	Notes    []string  `json:"notes"`

	// StartNote explains why Start is not where all joints are at rest; "": it is, or a start was given. It does not concern another start.
	StartNote string `json:"start_note"`

	// Unlimited are joints whose description has no limit of velocity: the motion of a page is planned with 1 rad/s or m/s. A robot moves them only by a block
	// that has a limit of its own.
	Unlimited []string `json:"unlimited"`
}

// Open describes a robot and its world. It fails for an unknown robot, one without shapes, and for joints that slide without limits.
func (p *Plans) Open(ctx context.Context, q Entry) (*Setting, error) {
	w, urdf, err := p.robots.World(ctx, q.System, q.Robot)
	if err != nil {
		return nil, fmt.Errorf("plan for robot %q: %w", q.Robot, err)
	}
	all, err := w.Joints()
	if err != nil {
		return nil, fmt.Errorf("plan for robot %q: %w", q.Robot, err)
	}
	m := w.Scene.Models()[0].Model
	s := &Setting{
		URDF: urdf, Joints: []string{}, Axes: []int{}, Links: m.Links(), Held: append([]string{}, w.Held...), Start: w.Start, Goal: w.Goal,
		Unlimited: []string{}, Objects: []Object{}, Planners: []Choice{}, Planner: w.Planner, Seconds: 1, Engines: []string{"exact"}, Notes: append([]string{}, w.Notes...),
	}
	for i := range all.Dim() {
		name, lower, upper := all.Limits(i)
		s.Joints, s.Lower, s.Upper = append(s.Joints, name), append(s.Lower, lower), append(s.Upper, upper)
		if j, err := m.Joint(name); err == nil && j.Type.NQ() == 1 {
			s.Axes = append(s.Axes, i)
		}
	}
	if moving, ok := all.(*space.Joints); ok {
		if _, unlimited := limitsOf(w, moving.Names, 1, 1); len(unlimited) > 0 {
			s.Unlimited = unlimited
			s.Notes = append(s.Notes, fmt.Sprintf("the description has no greatest velocity of %s: the times here are those of 1 rad/s or m/s; a block moves them by limits of its own", strings.Join(s.Unlimited, ", ")))
		}
	}
	if s.Start == nil {
		start, note, err := freeStart(w.Scene, all)
		if err != nil {
			return nil, err
		}
		if s.Start = start; note != "" && q.System == robots.NoSystem {
			note += "; --start gives another one"
		}
		s.StartNote = note
	}
	if s.Goal == nil {
		s.Goal = s.Start
	}
	for i, b := range w.Scene.Bodies() {
		if b.Object {
			s.Objects = append(s.Objects, objectOf(&b, func(part int) string { return robots.ShapeAddress(q.System, q.Robot, i, part, b.Parts[part].Shape) }))
		}
	}
	for _, k := range planning.Kinds() {
		s.Planners = append(s.Planners, Choice{k.Name, k.Doc})
	}
	if !slices.Contains(plannerNames(), s.Planner) {
		if s.Planner != "" {
			s.Notes = append(s.Notes, fmt.Sprintf("the scenario asks for the planner %s, which does not exist: %s is chosen", s.Planner, s.Planners[0].Name))
		}
		s.Planner = s.Planners[0].Name
	}
	if w.Duration > 0 {
		s.Seconds = min(w.Duration.Seconds(), longestPlan)
	}
	if _, err := spheres.New(w.Scene); err == nil {
		s.Engines = []string{"spheres", "exact"}
	}
	return s, nil
}

// limitsOf returns the limits of the joints: velocities of the description, and the same acceleration and jerk for all. Joints without a limit of velocity, which
// [Setting] names, get 1 rad/s or m/s.
func limitsOf(w *robots.World, names []string, acceleration, jerk float64) (limits []trajectory.Limits, unlimited []string) {
	m := w.Scene.Models()[0].Model
	for _, name := range names {
		l, err := trajectory.LimitsOf(m, []string{name}, trajectory.Limits{Acceleration: acceleration, Jerk: jerk})
		if err != nil {
			l[0].Velocity, unlimited = unknownSpeed, append(unlimited, name)
		}
		limits = append(limits, l[0])
	}
	return limits, unlimited
}

// ErrReplaced means that the pane asked for another plan before this one was made.
var ErrReplaced = errors.New("plan a motion: a newer request of this pane has replaced it")

// Make plans a motion for a pane of a page. It ends the plan that the pane asked for before; that one fails with [ErrReplaced]. A problem without a plan is
// no error: see [Reply].
func (p *Plans) Make(ctx context.Context, page string, q *Problem) (*Reply, error) {
	w, _, err := p.robots.World(ctx, q.System, q.Robot)
	if err != nil {
		return nil, fmt.Errorf("plan for robot %q: %w", q.Robot, err)
	}
	planner, err := p.of(page, q.Pane)
	if err != nil {
		return nil, err
	}
	asked := time.Now()
	mine := planner.newest.Add(1)
	ended := func() bool { return planner.newest.Load() != mine || ctx.Err() != nil }
	planner.mu.Lock()
	defer planner.mu.Unlock()
	if ended() {
		return nil, ErrReplaced
	}
	turn, err := p.take(ctx)
	if err != nil {
		return nil, fmt.Errorf("plan a motion: %w", err)
	}
	defer turn.end()
	waited := since(asked)
	r, err := planner.plan(w, q, func() bool {
		turn.pass()
		return ended()
	})
	if planner.newest.Load() != mine {
		return nil, ErrReplaced
	}
	if r != nil {
		r.WaitUS = waited
	}
	return r, err
}

// Cancel ends the plan that a pane asked for.
func (p *Plans) Cancel(page string, q PaneRequest) error {
	x, err := p.of(page, q.Pane)
	if err != nil {
		return err
	}
	x.newest.Add(1)
	return nil
}

// Close ends the plan of a pane and frees what was kept for it.
func (p *Plans) Close(page string, q PaneRequest) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if x := p.pages[page][q.Pane]; x != nil {
		x.newest.Add(1)
		delete(p.pages[page], q.Pane)
	}
}

// EndOf ends the plans of all panes of a page and frees what was kept for them.
func (p *Plans) EndOf(page string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, x := range p.pages[page] {
		x.newest.Add(1)
	}
	delete(p.pages, page)
}

// of returns the planner of a pane.
func (p *Plans) of(page, pane string) (*Planner, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(pane) > longestName {
		return nil, fmt.Errorf("plan for a pane: its name has %d bytes; at most %d", len(pane), longestName)
	}
	x := p.pages[page][pane]
	if x == nil {
		if len(p.pages[page]) >= mostPanes {
			return nil, fmt.Errorf("plan for a pane: this page has %d panes with plans, the most that one may have; close one", mostPanes)
		}
		if p.pages[page] == nil {
			p.pages[page] = map[string]*Planner{}
		}
		x = &Planner{}
		p.pages[page][pane] = x
	}
	return x, nil
}
