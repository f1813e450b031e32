package planning

import (
	"errors"
	"fmt"
	"math"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/planning/space"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// hand is the link of a robot whose pose leads a planner, with the motions of it that the values of a space cause.
type hand struct {
	space    space.Robots
	straight differences // nil: the space is none of joints
	base     spatial.Pose
	data     *multibody.Data
	link     int
	first    int     // coordinate of its model in a configuration
	extent   float64 // of its shapes from its origin, m

	q           []float64
	moved, step []float64
	free        []float64
	jacobian    [][6]float64 // of each value of the space: linear motion, m, and turn, rad × turning
}

// differences is a space whose displacements are differences of values.
type differences interface {
	Difference(a, b, out []float64)
}

const (
	turning = 0.1  // m that count as much as a radian
	damping = 0.01 // of the pseudo-inverse, m/rad
	nudge   = 1e-6 // of differences, rad or m
)

// handOf returns the hand of this name, with the prefix of its model; "" is the link that the most values of the space move. Of several such links,
// which are fixed to one another, it is the one with shapes that is farthest from the joint that carries them: an empty frame, as the point between two
// fingers, may lie in an obstacle.
func handOf(s *scene.Scene, of space.Robots, name string) (*hand, error) {
	n := of.Dim()
	middle := make([]float64, n)
	for i := range middle {
		middle[i] = 0.5
	}
	of.Scale(middle)
	var best *hand
	var all []string
	most, farthest, first := 0, 0.0, 0
	for _, m := range s.Models() {
		data := multibody.NewData(m.Model)
		for link, l := range m.Model.Links() {
			h := &hand{
				space: of, base: m.Base, data: data, link: link, first: first, q: make([]float64, of.NQ()), moved: make([]float64, n), step: make([]float64, n),
				free: make([]float64, n), jacobian: make([][6]float64, n),
			}
			h.straight, _ = of.(differences)
			for i := range m.Shapes[l] {
				ball := scene.EnclosingBall(&m.Shapes[l][i])
				h.extent = max(h.extent, ball.Center.Norm()+ball.Radius)
			}
			all = append(all, m.Prefix+l)
			count := h.moves(middle)
			if m.Prefix+l == name {
				if count == 0 {
					return nil, fmt.Errorf("lead a tree by the link %q: no joint of the space moves it; choose another link", name)
				}
				return h, nil
			}
			_, frame := m.Model.LinkFrame(link)
			far := frame.P.Norm()
			if len(m.Shapes[l]) == 0 {
				far = -1
			}
			if count > most || count == most && far > farthest {
				best, most, farthest = h, count, far
			}
		}
		first += m.Model.NQ()
	}
	switch {
	case name != "":
		return nil, fmt.Errorf("lead a tree by the link %q: no robot of the scene has it%s", name, nearest.Hint(name, all))
	case most == 0:
		return nil, errors.New("make a planner: a tree that a hand leads needs a robot with a link that the space moves; use RRT-Connect")
	}
	return best, nil
}

// moves returns how many values of the space move the hand.
func (h *hand) moves(p []float64) (n int) {
	h.differentiate(p, h.pose(p))
	for _, c := range h.jacobian {
		if size(c) > 1e-6 {
			n++
		}
	}
	return n
}

// pose returns the pose of the hand in the scene at a point of the space.
func (h *hand) pose(p []float64) spatial.Pose {
	h.space.Configuration(p, h.q)
	multibody.FK(h.data, h.q[h.first:h.first+h.data.Model().NQ()])
	return h.base.Mul(h.data.Pose(h.link))
}

// differentiate computes the Jacobian at a point by differences: a space has any values, not only joints.
func (h *hand) differentiate(p []float64, at spatial.Pose) {
	clear(h.step)
	for i := range h.jacobian {
		h.step[i] = nudge
		h.space.Move(p, h.step, h.moved)
		h.step[i] = 0
		x := twist(at, h.pose(h.moved))
		for k := range x {
			x[k] /= nudge
		}
		h.jacobian[i] = x
	}
}

// twist returns the motion from one pose to another: a shift, m, and a turn, rad × turning, in the axes of the scene.
func twist(a, b spatial.Pose) [6]float64 {
	v, w := b.P.Sub(a.P), b.R.Mul(a.R.T()).Log().Scale(turning)
	return [6]float64{v.X, v.Y, v.Z, w.X, w.Y, w.Z}
}

// size returns the length of a motion, m.
func size(x [6]float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v * v
	}
	return math.Sqrt(sum)
}

// towards writes to out the displacement d of the point p that leads the hand to a pose, by the damped pseudo-inverse of the Jacobian at p. In a space of
// joints those that the hand leaves free move towards the goal, at most as far as the others:
//
//	J⁺ = Jᵀ (J Jᵀ + λ² 1)⁻¹
//	d  = J⁺ x + k (1 - J⁺ J) (goal - p)
func (h *hand) towards(p []float64, to spatial.Pose, goal, out []float64) {
	at := h.pose(p)
	h.differentiate(p, at)
	var a [6][6]float64
	for i := range a {
		a[i][i] = damping * damping
		for j := range a {
			for _, c := range h.jacobian {
				a[i][j] += c[i] * c[j]
			}
		}
	}
	factor(&a)
	h.inverse(&a, twist(at, to), out)
	if h.straight == nil {
		return
	}
	h.straight.Difference(p, goal, h.free)
	var x [6]float64
	for i, c := range h.jacobian {
		for k := range c {
			x[k] += c[k] * h.free[i]
		}
	}
	h.inverse(&a, x, h.moved)
	used, left := 0.0, 0.0
	for i := range out {
		h.free[i] -= h.moved[i]
		used, left = used+out[i]*out[i], left+h.free[i]*h.free[i]
	}
	k := 1.0
	if left > used {
		k = math.Sqrt(used / left)
	}
	for i := range out {
		out[i] += k * h.free[i]
	}
}

// inverse writes Jᵀ A⁻¹ x to out, with the factor of A.
func (h *hand) inverse(a *[6][6]float64, x [6]float64, out []float64) {
	solve(a, &x)
	for i, c := range h.jacobian {
		out[i] = 0
		for k := range c {
			out[i] += c[k] * x[k]
		}
	}
}

// factor replaces the lower half of a symmetric and positive definite matrix by its Cholesky factor.
func factor(a *[6][6]float64) {
	for i := range a {
		for j := range i + 1 {
			for k := range j {
				a[i][j] -= a[i][k] * a[j][k]
			}
			if i == j {
				a[i][i] = math.Sqrt(a[i][i])
			} else {
				a[i][j] /= a[j][j]
			}
		}
	}
}

// solve replaces x by A⁻¹ x, with the factor of A.
func solve(a *[6][6]float64, x *[6]float64) {
	for i := range a {
		for k := range i {
			x[i] -= a[i][k] * x[k]
		}
		x[i] /= a[i][i]
	}
	for i := len(a) - 1; i >= 0; i-- {
		for k := i + 1; k < len(a); k++ {
			x[i] -= a[k][i] * x[k]
		}
		x[i] /= a[i][i]
	}
}

// reach returns a box around the positions of the hand, by samples.
func (h *hand) reach() geometry.Bounds {
	var u space.Halton
	u.Reset(0)
	p := make([]float64, h.space.Dim())
	var b geometry.Bounds
	for i := range 1000 {
		u.Next(p)
		h.space.Scale(p)
		at := h.pose(p).P
		if i == 0 {
			b.Min, b.Max = at, at
		}
		b = b.Union(geometry.Bounds{Min: at, Max: at})
	}
	return b
}
