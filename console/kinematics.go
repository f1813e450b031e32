package console

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/sinew-robotics/sinew/robot/ik"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// bodyFrame is the frame of a link in the robot's base: position (m), orientation as unit quaternion x, y, z, w.
type bodyFrame struct {
	Name string     `json:"name,omitempty"`
	P    [3]float64 `json:"p"`
	Q    [4]float64 `json:"q"`
}

func newFrame(name string, x spatial.Pose) bodyFrame {
	q := x.R.Quat()
	return bodyFrame{name, [3]float64{x.P.X, x.P.Y, x.P.Z}, [4]float64{q.X, q.Y, q.Z, q.W}}
}

// pose returns the pose of a frame whose quaternion may be of any length but 0.
func (f bodyFrame) pose() (spatial.Pose, error) {
	q := spatial.Quat{X: f.Q[0], Y: f.Q[1], Z: f.Q[2], W: f.Q[3]}
	n := q.Norm()
	sum := f.P[0] + f.P[1] + f.P[2]
	if !(n > 1e-9) || math.IsInf(n, 0) || math.IsNaN(sum-sum) {
		return spatial.Pose{}, errors.New("the pose is not finite, or its quaternion is 0")
	}
	return spatial.Pose{R: q.Scale(1 / n).Mat3(), P: spatial.Vec3{X: f.P[0], Y: f.P[1], Z: f.P[2]}}, nil
}

type forwardRequest struct {
	System string    `json:"system"`
	Robot  string    `json:"robot"`
	Q      []float64 `json:"q"`
}

// forwardReply holds the frames of all links and the centre of mass (m), null where nothing has a mass.
type forwardReply struct {
	Frames []bodyFrame `json:"frames"`
	COM    *[3]float64 `json:"com"`
}

// forward returns the frames of all links and the centre of mass.
func (s *Server) forward(ctx context.Context, _ *call, a forwardRequest) (any, error) {
	r, err := s.robotOf(ctx, a.System, a.Robot)
	if err != nil {
		return nil, err
	}
	if err := r.checkQ(a.Q); err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	multibody.FK(r.data, a.Q)
	frames := []bodyFrame{}
	for i, name := range r.model.Links() {
		frames = append(frames, newFrame(name, r.data.Pose(i)))
	}
	answer := forwardReply{Frames: frames}
	if r.model.Mass() > 0 {
		com := multibody.COM(r.data, a.Q)
		answer.COM = &[3]float64{com.X, com.Y, com.Z}
	}
	return answer, nil
}

func (r *robot) checkQ(q []float64) error {
	if len(q) != r.model.NQ() {
		return fmt.Errorf("q has %d elements, the robot of block %q wants %d", len(q), r.block, r.model.NQ())
	}
	return nil
}

type inverseRequest struct {
	System string    `json:"system"`
	Robot  string    `json:"robot"`
	Link   string    `json:"link"`
	Pose   poseWish  `json:"pose"`
	Q      []float64 `json:"q"`
}

// poseWish is where a link is to be: without a quaternion any orientation will do.
type poseWish struct {
	P [3]float64  `json:"p"`
	Q *[4]float64 `json:"q"`
}

// inverseReply holds joint positions that reach the pose, or the nearest ones found and why they do not.
type inverseReply struct {
	Q   []float64 `json:"q"`
	OK  bool      `json:"ok"`
	Why string    `json:"why"`
}

// inverse searches joint positions for a pose of a link, beginning at q.
func (s *Server) inverse(ctx context.Context, _ *call, a inverseRequest) (any, error) {
	r, err := s.robotOf(ctx, a.System, a.Robot)
	if err != nil {
		return nil, err
	}
	if err := r.checkQ(a.Q); err != nil {
		return nil, err
	}
	link, err := r.model.Link(a.Link)
	if err != nil {
		return nil, err
	}
	task, err := a.Pose.task(link)
	if err != nil {
		return nil, err
	}
	q := make([]float64, len(a.Q))
	r.mu.Lock()
	defer r.mu.Unlock()
	err = r.solver.Solve(a.Q, []ik.Task{task}, q)
	var failure *ik.Failure
	switch {
	case err == nil:
		return inverseReply{q, true, ""}, nil
	case errors.As(err, &failure):
		return inverseReply{q, false, failure.Error()}, nil
	}
	return nil, err
}

func (p poseWish) task(link int) (ik.Task, error) {
	f := bodyFrame{P: p.P, Q: [4]float64{0, 0, 0, 1}}
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
