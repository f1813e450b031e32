package program

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/robot/planning/space"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/scene/exact"
	"github.com/sinew-robotics/sinew/robot/trajectory"
)

// Carry is that a link carries an object of the scene during a part of a motion.
type Carry struct {
	Object string
	Link   string
	Touch  []string // links that it may touch while it is carried, beside Link
	Move   int      // index of the Attach in Program.Moves

	From, To float64 // s; To is the end of the motion if no Detach follows

	// From approach on and until retreat, the links may touch the object; until lift and from lower on, the object may touch what it stands on.
	approach, lift, lower, retreat float64
	detached                       bool
}

// Carrying returns how many objects the tool carries at a time of the motion (s). An object that is not detached counts to the end and after it.
func (m *Motion) Carrying(time float64) (n int) {
	for i := range m.Carries {
		if c := &m.Carries[i]; c.From <= time && (time < c.To || !c.detached) {
			n++
		}
	}
	return n
}

// near is how far from its supports an object may be when it is attached or detached, m.
const near = 1e-3

// carries collects the objects that the moves attach.
func (c *compiler) carries() (list []Carry) {
	p, m := c.program, c.motion
	open := map[string]int{}
	for k := range p.Moves {
		move := &p.Moves[k]
		if move.Kind != Attach && move.Kind != Detach {
			continue
		}
		at, before, after := 0.0, 0.0, m.Duration()
		for _, x := range m.Parts {
			moves := p.Moves[x.Move].Kind != Dwell && x.End > x.Start
			if x.Move < k {
				if at = x.End; moves {
					before = x.Start
				}
			} else if moves {
				after = x.End
				break
			}
		}
		if move.Kind == Attach {
			link := c.robot.Model.Links()[c.grips[k].link]
			open[move.Object] = len(list)
			end := m.Duration()
			list = append(list, Carry{Object: move.Object, Link: link, Touch: move.Tool.Touch, Move: k, From: at, To: end, approach: before, lift: after, lower: end, retreat: end})
		} else {
			x := &list[open[move.Object]]
			x.To, x.lower, x.retreat, x.detached = at, before, after, true
		}
	}
	return list
}

// stage is a part of a motion in which the scene is the same in the frames of its links.
type stage struct {
	*Motion
	from, to float64
}

func (s *stage) Duration() float64                          { return s.to - s.from }
func (s *stage) At(time float64, states []trajectory.State) { s.Motion.At(s.from+time, states) }

// stages are the scenes of the parts of a motion in which objects are carried.
type stages struct {
	program  *Program
	motion   *Motion
	joints   *space.Joints
	prefix   string
	world    *scene.Scene // with what is attached at the time that was reached
	carries  []Carry
	supports []([2][]scene.Pair) // of each carry: what the object touches where it is attached, and detached
	states   []trajectory.State
	point, q []float64
}

func newStages(p *Program, m *Motion, world *scene.Scene, joints *space.Joints) *stages {
	return &stages{program: p, motion: m, joints: joints, world: world, prefix: world.Models()[0].Prefix, carries: m.Carries, supports: make([][2][]scene.Pair, len(m.Carries)),
		states: make([]trajectory.State, m.axes), point: make([]float64, m.axes), q: make([]float64, world.NQ())}
}

// configuration returns where the robots are at a time.
func (s *stages) configuration(time float64) []float64 {
	s.motion.At(time, s.states)
	for i, x := range s.states {
		s.point[i] = x.Position
	}
	s.joints.Configuration(s.point, s.q)
	return s.q
}

// fail returns the error of the Attach of a carry.
func (s *stages) fail(c *Carry, format string, args ...any) error {
	m := &s.program.Moves[c.Move]
	return &Error{At: m.At, Kind: m.Kind, Number: c.Move + 1, S: -1, Reason: fmt.Sprintf(format, args...)}
}

// prepare leaves out objects that a scene without objects cannot have, and returns their names. It finds what objects stand on where they are taken and left.
func (s *stages) prepare() (absent []string, err error) {
	var objects []string
	for _, b := range s.world.Bodies() {
		if b.Object {
			objects = append(objects, b.Name)
		}
	}
	if len(objects) == 0 {
		for _, c := range s.carries {
			absent = append(absent, c.Object)
		}
		slices.Sort(absent)
		s.carries = nil
		return slices.Compact(absent), nil
	}
	first := s.world
	for _, t := range s.events() {
		if err := s.reach(t, objects); err != nil {
			return nil, err
		}
	}
	s.world = first
	return nil, nil
}

// events returns the times at which the scene changes, with start and end of the motion.
func (s *stages) events() []float64 {
	times := []float64{0, s.motion.Duration()}
	for _, c := range s.carries {
		times = append(times, c.approach, c.From, c.lift, c.lower, c.To, c.retreat)
	}
	slices.Sort(times)
	return slices.Compact(times)
}

// reach attaches and detaches what changes at a time. With the names of all objects it also finds their supports.
func (s *stages) reach(time float64, objects []string) (err error) {
	type event struct{ carry, move int }
	var due []event
	for i, c := range s.carries {
		if c.From == time {
			due = append(due, event{i, c.Move})
		}
		if c.detached && c.To == time {
			due = append(due, event{i, -1 - c.Move})
		}
	}
	slices.SortStableFunc(due, func(a, b event) int { return cmp.Compare(a.move, b.move) }) // an object is left before another one is taken
	for _, e := range due {
		c := &s.carries[e.carry]
		q := s.configuration(time)
		if e.move < 0 {
			if objects != nil {
				if s.supports[e.carry][1], err = s.touched(c, q); err != nil {
					return err
				}
			}
			if s.world, err = s.world.Detach(c.Object, q); err != nil {
				return s.fail(c, "%v", err)
			}
			continue
		}
		if objects != nil && !slices.Contains(objects, c.Object) {
			return s.fail(c, "the scene has no object %q%s: add it to the scene where the tool takes it", c.Object, nearest.Hint(c.Object, objects))
		}
		var touch []string
		for _, link := range c.Touch {
			touch = append(touch, s.prefix+link)
		}
		if s.world, err = s.world.Attach(c.Object, s.prefix+c.Link, q, touch...); err != nil {
			return s.fail(c, "%v", err)
		}
		if objects != nil {
			if err := s.world.CheckGrip(c.Object, s.program.Moves[c.Move].Tool.Pose.P); err != nil {
				return s.fail(c, "%v", err)
			}
			if s.supports[e.carry][0], err = s.touched(c, q); err != nil {
				return err
			}
		}
	}
	return nil
}

// touched returns the pairs of an object that is carried with resting objects that it touches.
func (s *stages) touched(c *Carry, q []float64) (pairs []scene.Pair, err error) {
	nearby, err := exact.New(s.world).Near(q, near, nil)
	for _, x := range nearby {
		if x.Distance < -near {
			continue // it is deep in the other one
		}
		other := x.Pair.A
		if other == c.Object {
			other = x.Pair.B
		} else if x.Pair.B != c.Object {
			continue
		}
		if i, err := s.world.Find(other); err == nil && s.world.Bodies()[i[0]].Model < 0 {
			pairs = append(pairs, x.Pair)
		}
	}
	return pairs, err
}

// scene returns the scene of a stage, whose time is within.
func (s *stages) scene(time float64) (*scene.Scene, error) {
	var allowed []scene.Pair
	for i, c := range s.carries {
		if c.approach <= time && time < c.From || c.To <= time && time < c.retreat {
			for _, link := range append([]string{c.Link}, c.Touch...) {
				if _, err := s.world.Find(s.prefix + link); err == nil { // it has a shape
					allowed = append(allowed, scene.Pair{A: s.prefix + link, B: c.Object})
				}
			}
		}
		if c.From <= time && time < c.lift {
			allowed = append(allowed, s.supports[i][0]...)
		}
		if c.lower <= time && time < c.To {
			allowed = append(allowed, s.supports[i][1]...)
		}
	}
	if len(allowed) == 0 {
		return s.world, nil
	}
	return s.world.Allow(allowed...)
}

// carrying returns the carry of an object at a time, nil if it rests.
func (s *stages) carrying(object string, time float64) *Carry {
	for i := range s.carries {
		if c := &s.carries[i]; c.Object == object && c.From <= time && time <= c.To {
			return c
		}
	}
	return nil
}
