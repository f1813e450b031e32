package space

import (
	"fmt"
	"slices"
	"strings"
)

// State returns the point of a named state, as SRDF files have them: values (rad or m) by the name of the joint, all others as in rest. It fails
// for joints that the space does not have, and names them.
func (s *Joints) State(values map[string]float64, rest []float64) ([]float64, error) {
	p := slices.Clone(rest)
	var unknown []string
	for name, x := range values {
		if i := slices.Index(s.Names, name); i >= 0 {
			p[i] = x
		} else {
			unknown = append(unknown, name)
		}
	}
	if len(unknown) > 0 {
		slices.Sort(unknown)
		return nil, fmt.Errorf("plan to a named state: it has values for %s; the plan moves %s", strings.Join(unknown, ", "), strings.Join(s.Names, ", "))
	}
	return p, nil
}
