package program

import (
	"math"

	"github.com/sinew-robotics/sinew/robot/trajectory"
)

// piece is a polynomial of time of one axis: coefficients of powers of the time since its start.
type piece [8]float64

func (c *piece) position(h float64) float64 {
	return c[0] + h*(c[1]+h*(c[2]+h*(c[3]+h*(c[4]+h*(c[5]+h*(c[6]+h*c[7]))))))
}

// derivatives returns velocity, acceleration and jerk.
func (c *piece) derivatives(h float64) (v, a, j float64) {
	v = c[1] + h*(2*c[2]+h*(3*c[3]+h*(4*c[4]+h*(5*c[5]+h*(6*c[6]+h*7*c[7])))))
	a = 2*c[2] + h*(6*c[3]+h*(12*c[4]+h*(20*c[5]+h*(30*c[6]+h*42*c[7]))))
	j = 6*c[3] + h*(24*c[4]+h*(60*c[5]+h*(120*c[6]+h*210*c[7])))
	return v, a, j
}

// extremes returns the greatest ratios to limits of velocity, acceleration and jerk within a piece of one axis. They are exact where it is cubic.
func extremes(c *piece, h float64, l *trajectory.Limits) (v, a, j float64) {
	measure := func(x float64) {
		d1, d2, d3 := c.derivatives(x)
		v, a, j = max(v, math.Abs(d1)/l.Velocity), max(a, math.Abs(d2)/l.Acceleration), max(j, math.Abs(d3)/l.Jerk)
	}
	measure(0)
	measure(h / 2)
	measure(h)
	if x := c.extreme(); x > 0 && x < h {
		measure(x)
	}
	if c[7] != 0 {
		measure(h / 4)
		measure(3 * h / 4)
	}
	return v, a, j
}

// extreme returns where a cubic has its greatest speed, and where a polynomial of higher degree may have its greatest jerk; it may lie outside of the piece.
func (c *piece) extreme() float64 {
	if c[4] == 0 && c[5] == 0 {
		return -c[2] / (3 * c[3])
	}
	return -c[4] / (5 * c[5])
}

// hermite returns the quintic between two states over the time h.
func hermite(a, b trajectory.State, h float64) piece {
	d := b.Position - a.Position - h*(a.Velocity+h*a.Acceleration/2)
	v := (b.Velocity - a.Velocity - h*a.Acceleration) * h
	w := (b.Acceleration - a.Acceleration) * h * h
	h3 := h * h * h
	return piece{
		a.Position, a.Velocity, a.Acceleration / 2,
		(10*d - 4*v + w/2) / h3, (-15*d + 7*v - w) / (h3 * h), (6*d - 3*v + w/2) / (h3 * h * h),
	}
}

// turn makes a quintic a polynomial of seventh degree with given jerks at its ends, and the same states there: it adds x³ (1-x)³ (p + q x) with x from 0 to 1.
func (c *piece) turn(start, end, h float64) {
	_, _, j0 := c.derivatives(0)
	_, _, j1 := c.derivatives(h)
	h3 := h * h * h
	p := (start - j0) * h3 / 6 // the third derivative is 6 p at 0, and -6 (p + q) at 1
	q := -(end-j1)*h3/6 - p
	for k, add := range [...]float64{3: p, 4: q - 3*p, 5: 3*p - 3*q, 6: 3*q - p, 7: -q} {
		c[k] += add / math.Pow(h, float64(k))
	}
}
