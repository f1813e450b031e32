package program

import (
	"math"
	"sort"

	"github.com/sinew-robotics/sinew/robot/curve"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
	"github.com/sinew-robotics/sinew/robot/trajectory"
)

// leg is a part of the path of the joints with a law of its own for its coordinate: a straight line of the joints, or a path of the tool.
type leg struct {
	path   curve.Vector
	length float64
	spans  []span // of moves, ascending
	tool   tool
	line   bool    // straight in the joints
	smooth bool    // of the tool, with continuous third derivatives
	blend  float64 // radius at its end
	shrink bool    // the blends at its ends may be smaller than asked for, and left out where they would leave the limits of the joints
}

// span is where a move ends within a leg, and what the blends of the tool's path within the leg take of its start and its end.
type span struct {
	move       int
	end        float64
	head, tail float64
}

// tool is a frame fixed to a link.
type tool struct {
	link int
	pose spatial.Pose
}

// section is a path between two stops: segments of legs, joined by blends.
type section struct {
	segments []segment
	smooth   bool // the jerk is continuous too
	robot    *Robot
	moves    []Move
	scale    []float64 // share of the speeds that is used, in bins along the path
	data     *multibody.Data
	q, dq    []float64
	ddq      []float64
	J, dJ    []float64
}

// segment is a part of a section.
type segment struct {
	path        curve.Vector
	from, to    float64 // of the coordinate of path
	start       float64 // of the coordinate of the section
	moves       []span  // ends in the coordinate of the section
	toolOf      []tool  // of each of moves
	limitedTool []bool
}

// order returns the order of the derivatives in which blends join their neighbours.
func (s *section) order() int {
	if s.smooth {
		return 3
	}
	return 2
}

func (s *section) length() float64 {
	x := &s.segments[len(s.segments)-1]
	return x.start + x.to - x.from
}

// Domain returns 0 and the length of the section.
func (s *section) Domain() (lower, upper float64) { return 0, s.length() }

func (s *section) segment(sigma float64) (*segment, float64) {
	k := sort.Search(len(s.segments), func(i int) bool { return s.segments[i].start > sigma }) - 1
	x := &s.segments[min(max(k, 0), len(s.segments)-1)]
	return x, min(max(x.from+sigma-x.start, x.from), x.to)
}

// At implements [trajectory.Path]; it has the third derivative too.
func (s *section) At(out []float64, sigma float64, order int) {
	x, own := s.segment(sigma)
	x.path.At(out, own, order)
}

// move returns the index of the move at a place, and its place in the segment's list.
func (x *segment) move(sigma float64) int {
	for k := range x.moves {
		if sigma < x.moves[k].end {
			return k
		}
	}
	return len(x.moves) - 1
}

// Derivative implements [trajectory.ToolCurve] by the Jacobian:
//
//	d1 = J q′,   d2 = J q″ + J̇(q, q′) q′
func (s *section) Derivative(sigma float64, order int) spatial.Motion {
	x, own := s.segment(sigma)
	t := x.toolOf[x.move(sigma)]
	x.path.At(s.q, own, 0)
	x.path.At(s.dq, own, 1)
	if order == 2 {
		x.path.At(s.ddq, own, 2)
	}
	d1, d2 := s.derivatives(t)
	if order == 1 {
		return d1
	}
	return d2
}

// derivatives returns those of a tool where q, dq and ddq stand in s.
func (s *section) derivatives(t tool) (d1, d2 spatial.Motion) {
	n := len(s.q)
	pose := multibody.Jacobian(s.data, s.q, t.link, multibody.Mixed, s.J)
	multibody.JacobianDot(s.data, s.q, s.dq, t.link, multibody.Mixed, s.dJ)
	var v, a [6]float64
	for r := range v {
		for i := range n {
			v[r] += s.J[r*n+i] * s.dq[i]
			a[r] += s.J[r*n+i]*s.ddq[i] + s.dJ[r*n+i]*s.dq[i]
		}
	}
	d1, d2 = spatial.MotionOf(v), spatial.MotionOf(a)
	arm := pose.R.MulVec(t.pose.P)
	w, dw := d1.Angular, d2.Angular
	d1.Linear = d1.Linear.Add(w.Cross(arm))
	d2.Linear = d2.Linear.Add(dw.Cross(arm)).Add(w.Cross(w.Cross(arm)))
	return d1, d2
}

// bins is the number of bins of the scale.
const bins = 256

func (s *section) bin(sigma float64) int {
	return min(max(int(bins*sigma/s.length()), 0), bins-1)
}

// limits returns the limits of the joints that a move states, unscaled.
func (s *section) limits(m *Move) []trajectory.Limits {
	l := append([]trajectory.Limits(nil), s.robot.Limits...)
	if m.Kind == MoveJ || m.Kind == MovePath {
		for i := range l {
			l[i].Velocity *= m.Speed
			l[i].Acceleration *= m.Acceleration
			l[i].Jerk *= m.Jerk
		}
	}
	return l
}

// along returns the limits at a place of the path. Where the path bends quickly, the jerk limits the speed too:
// |q‴| ṡ³ ≤ J.
func (s *section) along(sigma float64) trajectory.PathLimits {
	x, own := s.segment(sigma)
	k := x.move(sigma)
	m := &s.moves[x.moves[k].move]
	scale := s.scale[s.bin(sigma)]
	axes := s.limits(m)
	x.path.At(s.dq, own, 1)
	x.path.At(s.ddq, own, 3)
	for i := range axes {
		v := axes[i].Velocity
		if third, first := math.Abs(s.ddq[i]), math.Abs(s.dq[i]); third > 0 && first > 1e-9 {
			v = min(v, first*math.Cbrt(0.8*axes[i].Jerk/third))
		}
		axes[i].Velocity = v * scale
		axes[i].Acceleration *= scale * scale
	}
	l := trajectory.PathLimits{Axes: axes}
	if x.limitedTool[k] {
		l.Tool = &trajectory.ToolLimits{
			Path: s, Speed: m.Speed * scale, Acceleration: m.Acceleration * scale * scale,
			AngularSpeed: m.AngularSpeed * scale, AngularAcceleration: m.AngularAcceleration * scale * scale,
		}
	}
	return l
}
