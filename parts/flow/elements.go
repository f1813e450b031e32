package flow

import (
	"fmt"

	"github.com/sinew-robotics/sinew/net/block"
)

// elements is a parameter that has one value for all elements of a vector, or one for each.
type elements struct {
	name   string
	values []float64
}

// fit fixes the length of ports where a parameter has several values. An empty parameter, and two with different numbers of
// several values, are errors.
func fit(s *block.Setup, ports []block.Sized, lists ...elements) error {
	n, from := 1, ""
	for _, l := range lists {
		switch m := len(l.values); {
		case m == 0:
			return fmt.Errorf("%s is empty: wants one number, or one for each element", l.name)
		case m > 1 && n > 1 && m != n:
			return fmt.Errorf("%s has length %d and %s %d: wants one element, or one for each of the vector", from, n, l.name, m)
		case m > 1:
			n, from = m, l.name
		}
	}
	if n > 1 {
		s.Len(n, ports...)
	}
	return nil
}

// element returns the value for element i.
func element(values []float64, i int) float64 {
	if len(values) == 1 {
		return values[0]
	}
	return values[i]
}

// ordered reports whether no lower bound is above the upper one.
func ordered(lower, upper []float64) bool {
	for i := range max(len(lower), len(upper)) {
		if element(lower, i) > element(upper, i) {
			return false
		}
	}
	return true
}
