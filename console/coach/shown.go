package coach

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/sinew-robotics/sinew/console/robots"
)

// maxPlaces is the number of links and shapes of one robot that programs may place.
const maxPlaces = 4096

// wholeLink is the shape of a place that is a link.
const wholeLink = -1

// place is what a frame places: a link, or one of its shapes.
type place struct {
	link  string
	shape int
}

// shown is what programs show of a robot. It holds until other lines replace it or a user discards it.
type shown struct {
	robot  robot
	q      []float64 // of the joints; nil: those of the system
	frames map[place]robots.Frame

	posed  bool           // q is not sent yet
	placed map[place]bool // frames that are not sent yet
}

// Pose is sent to pages on c.SESSION.coach: joint positions of a robot, which discard the frames of its links, or the frame of one of its
// links in the world, or of one shape in its link. One with none of them discards all that was shown of the robot.
type Pose struct {
	System string        `json:"system"`
	Robot  string        `json:"robot"`
	Q      []float64     `json:"q,omitempty"`     // rad or m
	Link   string        `json:"link,omitempty"`  // whose Frame it is, or that of its Shape
	Shape  *int          `json:"shape,omitempty"` // counted from 0
	Frame  *robots.Frame `json:"frame,omitempty"`
}

// of returns what is shown of a robot. The coach is locked.
func (c *Coach) of(r robot) *shown {
	s := c.shown[r.key()]
	if s == nil {
		s = &shown{robot: r, frames: map[place]robots.Frame{}, placed: map[place]bool{}}
		c.shown[r.key()] = s
	}
	return s
}

// pose shows a robot at positions of its joints. The links follow them, also those that had a frame of their own.
func (c *Coach) pose(r robot, q []float64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.of(r)
	s.q, s.posed = q, true
	isLink := func(p place) bool { return p.shape == wholeLink }
	maps.DeleteFunc(s.frames, func(p place, _ robots.Frame) bool { return isLink(p) })
	maps.DeleteFunc(s.placed, func(p place, _ bool) bool { return isLink(p) })
}

// posed returns the positions at which a robot is shown, at first 0.
func (c *Coach) posed(r robot) []float64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	if s := c.shown[r.key()]; s != nil && len(s.q) == len(r.Joints) {
		return slices.Clone(s.q)
	}
	return make([]float64, len(r.Joints))
}

var errPlaces = errors.New("programs show more than 4096 frames of this robot")

// place shows a link or shape in a frame.
func (c *Coach) place(r robot, at place, f robots.Frame) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.of(r)
	if _, known := s.frames[at]; !known && len(s.frames) >= maxPlaces {
		return errPlaces
	}
	s.frames[at], s.placed[at] = f, true
	return nil
}

// RobotName names a robot of a running system.
type RobotName struct {
	System string `json:"system"`
	Robot  string `json:"robot"`
}

// List holds the poses that show a robot as programs have set it, in order.
type List struct {
	Poses []Pose `json:"poses"`
}

// Poses returns what programs show of a robot, for a page that opens later.
func (c *Coach) Poses(of RobotName) *List {
	list := &List{Poses: []Pose{}}
	if c == nil {
		return list
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if s := c.shown[of.System+"\x00"+of.Robot]; s != nil {
		list.Poses = append(list.Poses, s.poses(s.q != nil, maps.Keys(s.frames))...)
	}
	return list
}

// Discard discards what programs show of a robot: pages follow its system again.
func (c *Coach) Discard(of RobotName) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if s := c.shown[of.System+"\x00"+of.Robot]; s != nil {
		s.q, s.posed = nil, true
		clear(s.frames)
		clear(s.placed)
	}
}

// forget drops what is shown of systems that do not run. The coach is locked.
func (c *Coach) forget(running []string) {
	maps.DeleteFunc(c.shown, func(_ string, s *shown) bool { return !slices.Contains(running, s.robot.system) })
}

// poses returns the positions, if wanted, and frames.
func (s *shown) poses(q bool, frames func(func(place) bool)) []Pose {
	var list []Pose
	empty := Pose{System: s.robot.system, Robot: s.robot.Name}
	if q {
		p := empty
		p.Q = s.q
		list = append(list, p)
	}
	for at := range frames {
		p, f := empty, s.frames[at]
		p.Link, p.Frame = at.link, &f
		if at.shape != wholeLink {
			p.Shape = &at.shape
		}
		list = append(list, p)
	}
	return list
}

// news returns what pages were not sent yet.
func (s *shown) news() []Pose {
	list := s.poses(s.posed, maps.Keys(s.placed))
	s.posed = false
	clear(s.placed)
	return list
}

// show sends the newest poses that programs have set, at most as often as a screen shows them.
func (c *Coach) show() {
	ticker := time.NewTicker(showPeriod)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
		case <-c.ctx.Done():
			return
		}
		var list []Pose
		c.mu.Lock()
		for _, s := range c.shown {
			list = append(list, s.news()...)
		}
		c.mu.Unlock()
		for _, p := range list {
			if data, err := json.Marshal(p); err == nil {
				c.options.Show(data)
			}
		}
	}
}
