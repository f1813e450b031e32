package plans

import (
	"errors"
	"fmt"
	"slices"

	"github.com/sinew-robotics/sinew/console/robots"
	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/robot/ik"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/planning/space"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// spaces are the space of all joints of a robot, whose points pages send, and the space of those that move.
type spaces struct {
	all    space.Robots
	moving space.Robots  // all, or without the joints that are held
	joints *space.Joints // moving, if each joint has one coordinate; else nil
	index  []int         // of the values of a moving point in one of all
	held   []string
	rest   []float64 // the point with the positions of held joints

	solver *ik.Solver
	model  *multibody.Model // of the solver: joints that are held are fixed in it
	base   spatial.Pose     // of this model in the scene
	places []int            // of the values of a point of all in a configuration of this model; -1: held
	q, qs  []float64        // configurations of this model
}

// newSpaces returns the spaces of a robot of which some joints stay where they are at start.
func newSpaces(w *robots.World, held []string, start []float64) (*spaces, error) {
	all, err := w.Joints()
	if err != nil {
		return nil, err
	}
	m := w.Scene.Models()[0]
	x := &spaces{all: all, moving: all, held: slices.Clone(held), rest: slices.Clone(start), model: m.Model, base: identity(m.Base)}
	x.joints, _ = all.(*space.Joints)
	var names, free []string
	for i := range all.Dim() {
		name, _, _ := all.Limits(i)
		names = append(names, name)
		if !slices.Contains(held, name) {
			free, x.index = append(free, name), append(x.index, i)
		}
	}
	if len(held) > 0 {
		for _, name := range held {
			if !slices.Contains(names, name) {
				return nil, fmt.Errorf("hold joint %q: the robot has no such joint%s", name, nearest.Hint(name, names))
			}
		}
		if x.joints == nil {
			return nil, errors.New("hold joints: the robot has a joint of several coordinates; free all joints")
		}
		if len(free) == 0 {
			return nil, errors.New("hold joints: all are held; free one of them")
		}
		hold := make([]float64, all.NQ())
		all.Configuration(start, hold)
		if x.joints, err = space.NewJoints(w.Scene, free, hold); err != nil {
			return nil, err
		}
		x.moving = x.joints
		fixed := map[string]float64{}
		for _, name := range held {
			fixed[name] = start[slices.Index(names, name)]
		}
		if x.model, err = w.Locked(fixed); err != nil {
			return nil, err
		}
		x.base = spatial.IdentityPose()
	}
	for _, j := range m.Model.Joints() {
		if j.Mimic != nil {
			continue
		}
		at, err := x.model.Joint(j.Name)
		for k := range j.Type.NQ() {
			if err != nil {
				x.places = append(x.places, -1)
			} else {
				x.places = append(x.places, at.Q+k)
			}
		}
	}
	x.solver = ik.NewSolver(x.model)
	x.solver.Attempts = 1 // a hand that is dragged must not leap
	x.q, x.qs = make([]float64, x.model.NQ()), make([]float64, x.model.NQ())
	return x, nil
}

// fits reports whether the spaces are those of joints that are held where start has them.
func (x *spaces) fits(held []string, start []float64) bool {
	if !slices.Equal(x.held, held) {
		return false
	}
	for i := range start {
		if len(held) > 0 && !slices.Contains(x.index, i) && start[i] != x.rest[i] {
			return false
		}
	}
	return true
}

// narrow returns the values of a point of all joints that move.
func (x *spaces) narrow(p []float64) []float64 {
	q := make([]float64, len(x.index))
	for i, k := range x.index {
		q[i] = p[k]
	}
	return q
}

// widen returns the point of all joints at a point of those that move.
func (x *spaces) widen(q []float64) []float64 {
	p := slices.Clone(x.rest)
	for i, k := range x.index {
		p[k] = q[i]
	}
	return p
}

// apart returns the first joint that is held and not at its place in p, "" if there is none.
func (x *spaces) apart(p []float64) string {
	for i := range p {
		if name, _, _ := x.all.Limits(i); slices.Contains(x.held, name) && abs(p[i]-x.rest[i]) > samePlace {
			return name
		}
	}
	return ""
}

func abs(x float64) float64 { return max(x, -x) }

// reach searches a point of all joints near one, at which a link is at a pose in the scene. It returns the nearest one that it found, and the [ik.Failure]
// if that does not reach the pose.
func (x *spaces) reach(link string, pose *robots.Target, near []float64) (p []float64, failure *ik.Failure, err error) {
	number, err := x.model.Link(link)
	if err != nil {
		return nil, nil, err
	}
	target := robots.Frame{P: pose.P, Q: [4]float64{0, 0, 0, 1}}
	if pose.Q != nil {
		target.Q = *pose.Q
	}
	at, err := poseOf(target.P, target.Q)
	if err != nil {
		return nil, nil, fmt.Errorf("the pose of %q: %w", link, err)
	}
	at = x.base.InvMul(at)
	task := ik.Reach(number, at)
	if pose.Q == nil {
		task = ik.ReachPoint(number, at.P)
	}
	for i, k := range x.places {
		if k >= 0 {
			x.q[k] = near[i]
		}
	}
	err = x.solver.Solve(x.q, []ik.Task{task}, x.qs)
	if err != nil && !errors.As(err, &failure) {
		return nil, nil, err
	}
	p = slices.Clone(near)
	for i, k := range x.places {
		if k >= 0 {
			p[i] = x.qs[k]
		} else {
			p[i] = x.rest[i]
		}
	}
	return p, failure, nil
}

func identity(p spatial.Pose) spatial.Pose {
	if p.R == (spatial.Mat3{}) {
		p.R = spatial.Identity()
	}
	return p
}
