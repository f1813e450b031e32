package space

import (
	"fmt"
	"math"
)

// car is what [Dubins] and [ReedsShepp] have in common. It does not embed its axes: the distance of a car is not theirs.
type car struct {
	axes   *Axes
	radius float64 // of the tightest turn, m
}

func newCar(places *Axes, radius float64) (car, error) {
	if places.Dim() != 3 || places.Circle[0] || places.Circle[1] || !places.Circle[2] {
		return car{}, fmt.Errorf("make the space of a car: want the axes x, y and a circle for the heading, not %q", places.Names)
	}
	if !(radius > 0) || math.IsInf(radius, 1) {
		return car{}, fmt.Errorf("make the space of a car: its tightest turn has the radius %g m, want a finite one above 0", radius)
	}
	return car{places, radius}, nil
}

// Dim returns 3.
func (s car) Dim() int { return 3 }

// Move writes a + d to out.
func (s car) Move(a, d, out []float64) { s.axes.Move(a, d, out) }

// Scale turns a point of the unit cube into a point of the space.
func (s car) Scale(p []float64) { s.axes.Scale(p) }

// ScaleNear turns a point of the unit cube into one of which place and heading are at most a distance from those of center, m and rad.
func (s car) ScaleNear(center []float64, distance float64, p []float64) {
	s.axes.ScaleNear(center, distance, p)
}

// Limits returns the name and the limits of a value.
func (s car) Limits(i int) (name string, lower, upper float64) { return s.axes.Limits(i) }

// Outside returns the first value outside its limits, or -1.
func (s car) Outside(p []float64) int { return s.axes.Outside(p) }

// arc is a piece of a path, in radii: rad of a turn, or the length of a straight piece. A negative arc is driven backwards.
type arc struct {
	turn   float64 // 1 left, 0 straight, -1 right
	length float64
}

// drive writes to out where a car is that began at a and has driven a length along the arcs, both in radii.
func drive(a []float64, path []arc, length, radius float64, out []float64) {
	x, y, heading := a[0], a[1], a[2]
	for _, p := range path {
		s := math.Copysign(min(math.Abs(p.length), length), p.length)
		length -= math.Abs(s)
		sin, cos := math.Sincos(heading)
		if p.turn == 0 {
			x += radius * s * cos
			y += radius * s * sin
			continue
		}
		heading += p.turn * s
		sin2, cos2 := math.Sincos(heading)
		x += radius * p.turn * (sin2 - sin)
		y -= radius * p.turn * (cos2 - cos)
	}
	out[0], out[1], out[2] = x, y, heading
}
