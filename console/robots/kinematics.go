package robots

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/sinew-robotics/sinew/robot/ik"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Frame is the frame of a link in the robot's base.
type Frame struct {
	Name string     `json:"name,omitempty"` // of the link
	P    [3]float64 `json:"p"`              // position in m
	Q    [4]float64 `json:"q"`              // orientation as a unit quaternion x, y, z, w
}

// NewFrame returns a pose as a named frame.
func NewFrame(name string, x spatial.Pose) Frame {
	q := x.R.Quat()
	return Frame{name, [3]float64{x.P.X, x.P.Y, x.P.Z}, [4]float64{q.X, q.Y, q.Z, q.W}}
}

// pose returns the pose of a frame whose quaternion may be of any length but 0.
func (f Frame) pose() (spatial.Pose, error) {
	q := spatial.Quat{X: f.Q[0], Y: f.Q[1], Z: f.Q[2], W: f.Q[3]}
	n := q.Norm()
	sum := f.P[0] + f.P[1] + f.P[2]
	if !(n > 1e-9) || math.IsInf(n, 0) || math.IsNaN(sum-sum) {
		return spatial.Pose{}, errors.New("the pose is not finite, or its quaternion is 0")
	}
	return spatial.Pose{R: q.Scale(1 / n).Mat3(), P: spatial.Vec3{X: f.P[0], Y: f.P[1], Z: f.P[2]}}, nil
}

// ForwardRequest asks where the links of a robot are.
type ForwardRequest struct {
	System string    `json:"system"`
	Robot  string    `json:"robot"` // the block that reads its description
	Q      []float64 `json:"q"`     // joint positions in rad or m
}

// ForwardReply holds where the links of a robot are.
type ForwardReply struct {
	Frames []Frame     `json:"frames"` // of all links
	COM    *[3]float64 `json:"com"`    // centre of mass in m, in the base; nil where nothing has a mass
}

// Forward returns the frames of all links and the centre of mass. It fails for an unknown robot and for a wrong number of joints.
func (r *Robots) Forward(ctx context.Context, q ForwardRequest) (*ForwardReply, error) {
	x, err := r.find(ctx, q.System, q.Robot)
	if err != nil {
		return nil, err
	}
	if err := x.checkQ(q.Q); err != nil {
		return nil, err
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	multibody.FK(x.data, q.Q)
	answer := &ForwardReply{Frames: []Frame{}}
	for i, name := range x.model.Links() {
		answer.Frames = append(answer.Frames, NewFrame(name, x.data.Pose(i)))
	}
	if x.model.Mass() > 0 {
		com := multibody.COM(x.data, q.Q)
		answer.COM = &[3]float64{com.X, com.Y, com.Z}
	}
	return answer, nil
}

func (r *robot) checkQ(q []float64) error {
	if len(q) != r.model.NQ() {
		return fmt.Errorf("q has length %d; the robot of block %q has %d", len(q), r.block, r.model.NQ())
	}
	return nil
}

// InverseRequest asks for joint positions with which a link is at a pose.
type InverseRequest struct {
	System string    `json:"system"`
	Robot  string    `json:"robot"` // the block that reads its description
	Link   string    `json:"link"`
	Pose   Target    `json:"pose"`
	Q      []float64 `json:"q"` // joint positions where the search begins, in rad or m
}

// Target is a pose in the robot's base.
type Target struct {
	P [3]float64  `json:"p"` // position in m
	Q *[4]float64 `json:"q"` // quaternion x, y, z, w of any length but 0; nil: any orientation
}

// InverseReply holds joint positions that reach a pose, or the nearest that were found.
type InverseReply struct {
	Q   []float64 `json:"q"`   // in rad or m
	OK  bool      `json:"ok"`  // they reach the pose
	Why string    `json:"why"` // why they do not
}

// Inverse searches joint positions for a pose of a link. A pose that is not reached is no error: see
// InverseReply. It fails for an unknown robot or link, and for a wrong number of positions.
func (r *Robots) Inverse(ctx context.Context, q InverseRequest) (*InverseReply, error) {
	x, err := r.find(ctx, q.System, q.Robot)
	if err != nil {
		return nil, err
	}
	if err := x.checkQ(q.Q); err != nil {
		return nil, err
	}
	link, err := x.model.Link(q.Link)
	if err != nil {
		return nil, err
	}
	task, err := q.Pose.task(link)
	if err != nil {
		return nil, err
	}
	found := make([]float64, len(q.Q))
	x.mu.Lock()
	defer x.mu.Unlock()
	err = x.solver.Solve(q.Q, []ik.Task{task}, found)
	var failure *ik.Failure
	switch {
	case err == nil:
		return &InverseReply{found, true, ""}, nil
	case errors.As(err, &failure):
		return &InverseReply{found, false, failure.Error()}, nil
	}
	return nil, err
}

func (p Target) task(link int) (ik.Task, error) {
	f := Frame{P: p.P, Q: [4]float64{0, 0, 0, 1}}
	if p.Q != nil {
		f.Q = *p.Q
	}
	pose, err := f.pose()
	if err != nil {
		return ik.Task{}, err
	}
	if p.Q == nil {
		return ik.ReachPoint(link, pose.P), nil
	}
	return ik.Reach(link, pose), nil
}
