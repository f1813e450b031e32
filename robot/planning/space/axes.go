package space

import (
	"errors"
	"fmt"
	"math"
)

// Axes is the product of lines and circles, R^n × S1^m, with the Euclidean distance. The way round a circle is the shorter one. SE(2) with a
// radian as long as a metre is the Axes x, y and a circle.
type Axes struct {
	Names        []string  // of the values, for messages and files; as many as Lower
	Lower, Upper []float64 // limits, rad or m; a circle's are -π and π
	Circle       []bool    // values that turn without limits

	circles bool
}

// Axis is a value of [Axes].
type Axis struct {
	Name         string
	Lower, Upper float64 // limits; a circle has none
	Circle       bool
}

// NewAxes returns the space of one or more axes. It fails for limits that are not finite or in the wrong order.
func NewAxes(axes ...Axis) (*Axes, error) {
	if len(axes) == 0 {
		return nil, errors.New("make a space: it has no axis; give at least one")
	}
	s := &Axes{}
	for i, a := range axes {
		if a.Circle {
			a.Lower, a.Upper = -math.Pi, math.Pi
		}
		if math.IsInf(a.Lower, 0) || math.IsInf(a.Upper, 0) || !(a.Lower <= a.Upper) {
			return nil, fmt.Errorf("make a space: axis %d %q has the limits %g and %g, want finite ones in order", i, a.Name, a.Lower, a.Upper)
		}
		s.add(a)
	}
	return s, nil
}

// add appends an axis.
func (s *Axes) add(a Axis) {
	s.Names = append(s.Names, a.Name)
	s.Lower, s.Upper = append(s.Lower, a.Lower), append(s.Upper, a.Upper)
	s.Circle = append(s.Circle, a.Circle)
	s.circles = s.circles || a.Circle
}

// Flat returns the axes. Spaces that consist of axes have this method; k-d trees ask for it.
func (s *Axes) Flat() *Axes { return s }

// Dim returns the number of axes.
func (s *Axes) Dim() int { return len(s.Names) }

// Distance returns the length of the way from a to b. a and b have Dim values.
func (s *Axes) Distance(a, b []float64) float64 { return math.Sqrt(s.Distance2(a, b)) }

// Distance2 returns the square of the distance between points of Dim values.
func (s *Axes) Distance2(a, b []float64) (sum float64) {
	if s.circles {
		for i := range a {
			d := b[i] - a[i]
			if s.Circle[i] {
				d = shorter(d)
			}
			sum += d * d
		}
		return sum
	}
	b = b[:len(a)]
	for i, x := range a {
		d := x - b[i]
		sum += d * d
	}
	return sum
}

// shorter returns the difference of two angles the shorter way round: from -π to π. Most differences are so already, and dividing takes far longer than asking.
func shorter(d float64) float64 {
	if d >= -math.Pi && d <= math.Pi {
		return d
	}
	return math.Remainder(d, 2*math.Pi)
}

// Symmetric returns true.
func (s *Axes) Symmetric() bool { return true }

// Interpolate writes to out the point at the fraction t of the way from a to b. On a circle it may leave -π to π, so that paths do not jump.
// t goes from 0 to 1; a, b and out have Dim values.
func (s *Axes) Interpolate(a, b []float64, t float64, out []float64) {
	b, out = b[:len(a)], out[:len(a)]
	if !s.circles {
		for i, x := range a {
			out[i] = x + t*(b[i]-x)
		}
		return
	}
	for i, x := range a {
		d := b[i] - x
		if s.Circle[i] {
			d = shorter(d)
		}
		out[i] = x + t*d
	}
}

// Move writes a + d to out. All have Dim values; out may be a.
func (s *Axes) Move(a, d, out []float64) {
	for i := range out {
		out[i] = a[i] + d[i]
	}
}

// Difference writes to out the displacement from a to b, on a circle the shorter way. All have Dim values; out may be a or b.
func (s *Axes) Difference(a, b, out []float64) {
	for i := range out {
		out[i] = b[i] - a[i]
		if s.Circle[i] {
			out[i] = shorter(out[i])
		}
	}
}

// Scale turns a point of the unit cube into a point of the space. p has Dim values.
func (s *Axes) Scale(p []float64) {
	for i := range p {
		p[i] = s.Lower[i] + p[i]*(s.Upper[i]-s.Lower[i])
	}
}

// ScaleNear turns a point of the unit cube into one of which each value is at most a distance from that of center and within its limits; on a circle it may
// leave -π to π. p and center have Dim values.
func (s *Axes) ScaleNear(center []float64, distance float64, p []float64) {
	for i, x := range center {
		lower, upper := x-distance, x+distance
		if s.Circle[i] {
			lower, upper = max(lower, x-math.Pi), min(upper, x+math.Pi)
		} else {
			lower, upper = max(lower, s.Lower[i]), min(upper, s.Upper[i])
		}
		p[i] = lower + p[i]*(upper-lower)
	}
}

// Limits returns the name and the limits of value i, in its unit: rad of a joint that turns, m of one that slides. i is 0 to Dim minus 1.
func (s *Axes) Limits(i int) (name string, lower, upper float64) {
	return s.Names[i], s.Lower[i], s.Upper[i]
}

// Outside returns the index of the first of the Dim values of p that is not finite or outside its limits, or -1.
func (s *Axes) Outside(p []float64) int {
	for i, x := range p {
		if math.IsNaN(x) || math.IsInf(x, 0) || !s.Circle[i] && (x < s.Lower[i] || x > s.Upper[i]) {
			return i
		}
	}
	return -1
}
