package robots

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/planning/space"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/scene/exact"
)

// NoSystem stands for the name of a system in requests about robots of [Robots.Add], which belong to none. No system can have this name.
const NoSystem = "~"

// DefaultResolution is the distance between the points at which edges are checked where nothing else is known, rad or m.
const DefaultResolution = 1.0 / 32

// pairSamples is the number of configurations by which pairs of links are found that need no check.
const pairSamples = 10_000

// World is a robot with what stands around it.
type World struct {
	Scene       *scene.Scene  // one robot, and obstacles
	Space       space.Robots  // of all its moving joints; nil: each of them has one coordinate
	Start, Goal []float64     // points of the space, rad or m; nil: where the joints are at rest
	Held        []string      // joints that stay where they are at the start, unless a page frees them
	Resolution  float64       // at which edges are checked, rad or m
	Planner     string        // that a scenario asks for; "": none
	Duration    time.Duration // that a scenario gives it; 0: none
	Notes       []string      // what the user should know about it
	Programs    []Program     // of moves, that pages edit
}

// Add adds a robot that belongs to no system, in a world of its own. Without a description it is drawn as the shapes that it has in its world. Add fails for a
// description without a model, for joints that URDF does not know, for a world with another number of robots than one, and for a name in use.
func (r *Robots) Add(name string, d *description.Robot, w *World) error {
	if n := len(w.Scene.Models()); n != 1 {
		return fmt.Errorf("add robot %q to the console: its scene has %d robots; pages plan for one", name, n)
	}
	if d == nil {
		d = descriptionOfScene(name, w.Scene)
	}
	x, err := newRobot(NoSystem, name, d, nil)
	if err != nil {
		return err
	}
	x.world = func() (*World, error) { return w, nil }
	return r.addAlone(x)
}

// Alone returns the names of the robots that belong to no system.
func (r *Robots) Alone() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	names := []string{}
	for _, x := range r.alone {
		names = append(names, x.block)
	}
	return names
}

// findAlone returns a robot that belongs to no system.
func (r *Robots) findAlone(name string) (*robot, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var names []string
	for _, x := range r.alone {
		if x.block == name {
			return x, nil
		}
		names = append(names, x.block)
	}
	return nil, fmt.Errorf("no robot %q is planned for here%s", name, nearest.Hint(name, names))
}

// World returns the world of a robot, which is the same value until its system is restarted, and the address of its description on this server. A
// robot of a system stands alone in its world.
func (r *Robots) World(ctx context.Context, system, block string) (w *World, urdf string, err error) {
	x, err := r.find(ctx, system, block)
	if err != nil {
		return nil, "", err
	}
	w, err = x.world()
	return w, address(system, block, "robot.urdf"), err
}

// Joints returns the space of all moving joints.
func (w *World) Joints() (space.Robots, error) {
	if w.Space != nil {
		return w.Space, nil
	}
	return space.NewJoints(w.Scene, nil, nil)
}

// Locked returns the model of the robot with joints fixed at positions (rad or m, by the name of the joint), and the scene's frame for its root. It
// fails for a joint that the robot does not have or that cannot be fixed there.
func (w *World) Locked(joints map[string]float64) (*multibody.Model, error) {
	d := descriptionOfScene("robot", w.Scene)
	for _, name := range slices.Sorted(maps.Keys(joints)) {
		if err := d.Lock(name + "=" + strconv.FormatFloat(joints[name], 'g', -1, 64)); err != nil {
			return nil, fmt.Errorf("hold joint %q: %w", name, err)
		}
	}
	return d.Model()
}

// NewWorld returns the world in which a robot stands alone. Its visuals count for collisions where it has no collision geometry; the pairs of links in
// allowed need no check, and where the list is nil such pairs are found by 10,000 samples.
func NewWorld(d *description.Robot, allowed []scene.Pair) (*World, error) {
	m, err := d.Model()
	if err != nil {
		return nil, err
	}
	solid, note := d.Solid()
	return worldOf(m, solid, allowed, note)
}

// worldOf returns the world of a description that has collision geometry.
func worldOf(m *multibody.Model, d *description.Robot, allowed []scene.Pair, note string) (*World, error) {
	notes := []string{}
	if note != "" {
		notes = append(notes, note)
	}
	shapes, err := d.Shapes()
	if err != nil {
		return nil, err
	}
	s, err := scene.New(scene.Model{Model: m, Shapes: shapes, Allowed: allowed})
	if err != nil {
		return nil, err
	}
	if allowed == nil {
		found, err := scene.FindAllowed(exact.New(s), pairSamples, 0)
		if err != nil {
			return nil, err
		}
		var pairs []scene.Pair
		for _, p := range found {
			pairs = append(pairs, p.Pair)
		}
		if s, err = s.Allow(pairs...); err != nil {
			return nil, err
		}
		if len(pairs) > 0 {
			count := fmt.Sprintf("%d pairs of links are", len(pairs))
			if len(pairs) == 1 {
				count = "1 pair of links is"
			}
			notes = append(notes, count+" not checked: samples found that they never or always touch; an SRDF file gives a list")
		}
	}
	return &World{Scene: s, Resolution: DefaultResolution, Notes: notes}, nil
}
