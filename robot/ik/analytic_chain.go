package ik

import (
	"fmt"
	"math"

	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// chain is an arm as its axes at zero: lines in space, in the world frame. The pose of the tool is
//
//	T(q) = exp(ξ1 q1) … exp(ξn qn) home,
//
// the product of exponentials (Brockett 1984), which knows no frames of links.
type chain struct {
	axes []axis
	home spatial.Pose // of the tool at zero
}

// axis is a joint of a chain.
type axis struct {
	name         string
	h, p         spatial.Vec3 // unit direction, and a point on the axis
	q            int          // index in the configuration of the model
	lower, upper float64
	middle       float64 // of the limits, 0 if there are none
}

// newChain finds the joints that move the tool.
func newChain(m *multibody.Model, tool int) (chain, error) {
	d := multibody.NewData(m)
	zero := m.Neutral()
	lower, upper := make([]float64, m.NQ()), make([]float64, m.NQ())
	m.PositionLimits(lower, upper)
	columns := make([]float64, 6*m.NV())
	c := chain{home: multibody.Jacobian(d, zero, tool, multibody.World, columns)}
	name := m.Links()[tool]
	column := func(v int) (linear, angular spatial.Vec3) {
		at := func(row int) float64 { return columns[row*m.NV()+v] }
		return spatial.Vec3{X: at(0), Y: at(1), Z: at(2)}, spatial.Vec3{X: at(3), Y: at(4), Z: at(5)}
	}
	for _, j := range m.Joints() {
		moves := false
		for v := j.V; v < j.V+j.Type.NV(); v++ {
			linear, angular := column(v)
			moves = moves || linear.Norm()+angular.Norm() > 0
		}
		if !moves {
			continue
		}
		linear, angular := column(j.V)
		switch {
		case j.Type != multibody.Revolute && j.Type != multibody.Continuous:
			return c, fmt.Errorf("ik: closed forms want revolute joints, but joint %q on the way to link %q is %v",
				j.Name, name, j.Type)
		case j.Mimic != nil || math.Abs(angular.Norm()-1) > closed:
			return c, fmt.Errorf("ik: closed forms want independent joints, but on the way to link %q joint %q follows another or is followed",
				name, j.Name)
		}
		x := axis{name: j.Name, h: angular, p: angular.Cross(linear), q: j.Q, lower: lower[j.Q], upper: upper[j.Q]}
		if middle := (x.lower + x.upper) / 2; !math.IsInf(middle, 0) && !math.IsNaN(middle) {
			x.middle = middle
		}
		c.axes = append(c.axes, x)
	}
	if n := len(c.axes); n != 6 && n != 7 {
		return c, fmt.Errorf("ik: closed forms want 6 or 7 joints, link %q is moved by %d", name, n)
	}
	return c, nil
}

// fk returns the pose of the tool.
func (c *chain) fk(q *[7]float64) spatial.Pose {
	x := c.home
	for i := len(c.axes) - 1; i >= 0; i-- {
		a := &c.axes[i]
		r := spatial.AngleAxis(q[i], a.h)
		x = spatial.Pose{R: r.Mul(x.R), P: r.MulVec(x.P.Sub(a.p)).Add(a.p)}
	}
	return x
}

// Checks of geometry. Each returns what its closed form needs, and an error that names the violated condition and the deviation.

// slack is how far axes may be from the ideal: the angles of URDF files are often rounded. Newton steps
// repair the errors that this causes in the solutions.
const slack = 1e-3 // rad, m

// meet returns the point that axes i to j have in common, and how far they miss it.
func (c *chain) meet(i, j int) (p spatial.Vec3, miss float64, err error) {
	var m spatial.Mat3
	var b spatial.Vec3
	for _, x := range c.axes[i : j+1] {
		n := spatial.Identity().Sub(x.h.Outer(x.h))
		m, b = m.Add(n), b.Add(n.MulVec(x.p))
	}
	if m.Det() < 1e-3 {
		return p, 0, fmt.Errorf("the axes of %s are parallel and do not meet in a point", c.names(i, j))
	}
	p = m.Inverse().MulVec(b)
	for _, x := range c.axes[i : j+1] {
		miss = math.Max(miss, p.Sub(x.p).Cross(x.h).Norm())
	}
	if miss > slack {
		return p, miss, fmt.Errorf("the axes of %s do not meet in a point, they miss it by %.4g m", c.names(i, j), miss)
	}
	return p, miss, nil
}

// parallel returns how far axes i and j are from parallel.
func (c *chain) parallel(i, j int) (miss float64, err error) {
	miss = c.axes[i].h.Cross(c.axes[j].h).Norm()
	if miss > slack {
		return miss, fmt.Errorf("the axes of %q and %q are not parallel, the angle between them is %.4g rad",
			c.axes[i].name, c.axes[j].name, math.Asin(math.Min(1, miss)))
	}
	return miss, nil
}

// crossing fails where axes i and i+1 are parallel, for each i given.
func (c *chain) crossing(first ...int) error {
	for _, i := range first {
		if angle := c.axes[i].h.Cross(c.axes[i+1].h).Norm(); angle < 0.05 {
			return fmt.Errorf("the axes of %q and %q are parallel within %.4g rad", c.axes[i].name, c.axes[i+1].name, angle)
		}
	}
	return nil
}

// off fails where the point p, described by what, lies on axis i.
func (c *chain) off(i int, p spatial.Vec3, what string) error {
	if r := p.Sub(c.axes[i].p).Cross(c.axes[i].h).Norm(); r < 1e-3 {
		return fmt.Errorf("%s lies on the axis of %q, within %.4g m", what, c.axes[i].name, r)
	}
	return nil
}

func (c *chain) names(i, j int) string {
	s := ""
	for k := i; k <= j; k++ {
		switch {
		case k == j:
			s += " and "
		case k > i:
			s += ", "
		}
		s += fmt.Sprintf("%q", c.axes[k].name)
	}
	return s
}
