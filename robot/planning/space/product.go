package space

import (
	"errors"
	"fmt"
	"math"
)

// Product is the product of spaces. Its points are those of the factors in a row; its distance is the Euclidean norm of their weighted distances,
// and a way moves in all factors at once.
type Product struct {
	factors []Factor
	first   []int // value of each factor, and the number of values
}

// Factor is a space of a [Product].
type Factor struct {
	Space  Space
	Weight float64 // of distances, > 0
}

// NewProduct returns the product of one or more factors. It fails without a factor, and for weights that are not finite and above 0.
func NewProduct(factors ...Factor) (*Product, error) {
	if len(factors) == 0 {
		return nil, errors.New("make a product of spaces: there is no factor; give at least one")
	}
	s := &Product{factors: factors, first: []int{0}}
	for i, f := range factors {
		if !(f.Weight > 0) || math.IsInf(f.Weight, 1) {
			return nil, fmt.Errorf("make a product of spaces: factor %d has the weight %g, want a finite one above 0", i, f.Weight)
		}
		s.first = append(s.first, s.first[i]+f.Space.Dim())
	}
	return s, nil
}

// NewPoses returns SE(3) as R3 × RP3: points are position and quaternion (x, y, z, w), as those of a floating joint. The position is between
// lower and upper, m; a radian is as long as weight metres.
func NewPoses(name string, lower, upper [3]float64, weight float64) (*Product, error) {
	position, err := NewAxes(
		Axis{Name: name + ".px", Lower: lower[0], Upper: upper[0]},
		Axis{Name: name + ".py", Lower: lower[1], Upper: upper[1]},
		Axis{Name: name + ".pz", Lower: lower[2], Upper: upper[2]})
	if err != nil {
		return nil, err
	}
	return NewProduct(Factor{position, 1}, Factor{Rotations{name}, weight})
}

// Dim returns the number of values of all factors.
func (s *Product) Dim() int { return s.first[len(s.factors)] }

// part returns the values of factor i.
func (s *Product) part(p []float64, i int) []float64 { return p[s.first[i]:s.first[i+1]] }

// Distance returns the norm of the factors' weighted distances. a and b have Dim values: those of the factors in their order.
func (s *Product) Distance(a, b []float64) float64 {
	sum := 0.0
	for i, f := range s.factors {
		d := f.Weight * f.Space.Distance(s.part(a, i), s.part(b, i))
		sum += d * d
	}
	return math.Sqrt(sum)
}

// Symmetric reports whether all factors are symmetric.
func (s *Product) Symmetric() bool {
	for _, f := range s.factors {
		if !f.Space.Symmetric() {
			return false
		}
	}
	return true
}

// Interpolate writes to out the point at the fraction t of the ways in all factors. t goes from 0 to 1; a, b and out have Dim values.
func (s *Product) Interpolate(a, b []float64, t float64, out []float64) {
	for i, f := range s.factors {
		f.Space.Interpolate(s.part(a, i), s.part(b, i), t, s.part(out, i))
	}
}

// Move writes to out the point to which d leads from a, factor by factor. All have Dim values; out may be a.
func (s *Product) Move(a, d, out []float64) {
	for i, f := range s.factors {
		f.Space.Move(s.part(a, i), s.part(d, i), s.part(out, i))
	}
}

// Scale turns p, a point of the unit cube with Dim values, into a point of the space, factor by factor.
func (s *Product) Scale(p []float64) {
	for i, f := range s.factors {
		f.Space.Scale(s.part(p, i))
	}
}

// ScaleNear turns p, a point of the unit cube, into one near center, factor by factor: at most a distance away where the weight of the factor is 1. Both have
// Dim values.
func (s *Product) ScaleNear(center []float64, distance float64, p []float64) {
	for i, f := range s.factors {
		f.Space.ScaleNear(s.part(center, i), distance/f.Weight, s.part(p, i))
	}
}

// Limits returns the name and the limits of a value.
func (s *Product) Limits(i int) (name string, lower, upper float64) {
	k := 0
	for i >= s.first[k+1] {
		k++
	}
	return s.factors[k].Space.Limits(i - s.first[k])
}

// Outside returns the index of the first of the Dim values of p outside its limits, or -1.
func (s *Product) Outside(p []float64) int {
	for i, f := range s.factors {
		if k := f.Space.Outside(s.part(p, i)); k >= 0 {
			return s.first[i] + k
		}
	}
	return -1
}
