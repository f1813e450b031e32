package ik

import (
	"fmt"
	"math"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Task asks that a tool, fixed to a link, come to a target.
type Task struct {
	Link   int          // of the model
	Tool   spatial.Pose // of the tool in the frame of the link
	Target spatial.Pose // of the tool in the world
	// Weight is the weight of each direction: three of position (per m), three of orientation (per rad), along and
	// about the axes of the target. A direction of weight 0 is free.
	Weight [6]float64
	// Priority orders the tasks: one of higher number is done as far as those of lower numbers leave freedom.
	Priority int
}

// Reach returns the task to bring the frame of a link to a pose.
func Reach(link int, target spatial.Pose) Task {
	return Task{Link: link, Tool: spatial.IdentityPose(), Target: target, Weight: [6]float64{1, 1, 1, 1, 1, 1}}
}

// ReachPoint returns the task to bring the origin of a link to a point, in any orientation.
func ReachPoint(link int, target spatial.Vec3) Task {
	t := Reach(link, spatial.Translation(target))
	t.Weight = [6]float64{1, 1, 1}
	return t
}

// error returns what is left to go, in the axes of the target, from the pose of the link.
func (t *Task) error(link spatial.Pose) (e [6]float64) {
	tool := link.Mul(t.Tool)
	p := t.Target.R.TMulVec(t.Target.P.Sub(tool.P))
	r := t.Target.R.TMulVec(t.Target.R.Mul(tool.R.T()).Log())
	return [6]float64{p.X, p.Y, p.Z, r.X, r.Y, r.Z}
}

// rows returns how many directions count.
func (t *Task) rows() (n int) {
	for _, w := range t.Weight {
		if w != 0 {
			n++
		}
	}
	return n
}

// check panics at what only a mistake in the program can cause, and returns an error for numbers that are none.
func (t *Task) check(links int) error {
	if t.Link < 0 || t.Link >= links {
		panic(fmt.Sprintf("ik: task for link %d of a model with %d links", t.Link, links))
	}
	for _, w := range t.Weight {
		if w < 0 || math.IsNaN(w) || math.IsInf(w, 0) {
			panic(fmt.Sprintf("ik: weight %v of a task: expected finite numbers from 0", t.Weight))
		}
	}
	for _, pose := range []*spatial.Pose{&t.Tool, &t.Target} {
		sum := pose.P.X + pose.P.Y + pose.P.Z
		for i := range pose.R {
			sum += pose.R[i][0] + pose.R[i][1] + pose.R[i][2]
		}
		if math.IsNaN(sum) || math.IsInf(sum, 0) {
			return ErrNotFinite
		}
		if !pose.R.IsRotation(1e-6) {
			panic("ik: the tool or target of a task is no pose: its R is no rotation (start from spatial.IdentityPose)")
		}
	}
	return nil
}
