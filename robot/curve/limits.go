package curve

import (
	"fmt"
	"math"
)

// Limit bounds the derivative of one order: the value itself (0), the velocity (1), the acceleration (2), and so on.
type Limit struct {
	Order    int     // of the derivative, from 0
	Min, Max float64 // both included; ±Inf: no bound
}

// Magnitude returns the limit -most … most.
func Magnitude(order int, most float64) Limit { return Limit{order, -most, most} }

// Violation is the worst breach of one side of a limit.
type Violation struct {
	Component int     // index in a Vector, 0 for a single function
	Order     int     // of the derivative
	At        float64 // where
	Value     float64 // what it is there
	Limit     float64 // what it may be
}

// By returns by how much the value exceeds the limit, > 0, in the unit of the derivative.
func (v Violation) By() float64 { return math.Abs(v.Value - v.Limit) }

// String describes the violation.
func (v Violation) String() string {
	side := "above"
	if v.Value < v.Limit {
		side = "below"
	}
	return fmt.Sprintf("component %d: derivative %d is %.6g at %.6g, %.3g %s its limit %.6g",
		v.Component, v.Order, v.Value, v.At, v.By(), side, v.Limit)
}

// Check compares a function with limits over its whole domain and returns the worst breach of each side of each limit,
// none if the function keeps them. A NaN counts as a breach.
func Check(f Function, limits ...Limit) []Violation { return check(0, f, limits) }

// Check compares each component with its limits; limits[i] are those of component i.
func (v Vector) Check(limits [][]Limit) []Violation {
	if len(limits) != len(v) {
		panic(fmt.Sprintf("curve: limits of %d components for a Vector of %d", len(limits), len(v)))
	}
	var all []Violation
	for i, f := range v {
		all = append(all, check(i, f, limits[i])...)
	}
	return all
}

func check(component int, f Function, limits []Limit) (found []Violation) {
	lower, upper := f.Domain()
	for _, l := range limits {
		found = append(found, breaches(component, l, f.Range(l.Order, lower, upper))...)
	}
	return found
}

// breaches compares a range with a limit.
func breaches(component int, l Limit, r Range) (found []Violation) {
	if !(r.Min >= l.Min) {
		found = append(found, Violation{component, l.Order, r.MinAt, r.Min, l.Min})
	}
	if !(r.Max <= l.Max) {
		found = append(found, Violation{component, l.Order, r.MaxAt, r.Max, l.Max})
	}
	return found
}
