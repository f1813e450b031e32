package generate

import (
	"fmt"
	"math"
	"strings"
)

// limits writes the limits of the joints as variables of the package.
func (w *writer) limits() string {
	lower, upper := make([]float64, w.model.NQ()), make([]float64, w.model.NQ())
	velocity, effort := make([]float64, w.model.NV()), make([]float64, w.model.NV())
	w.model.PositionLimits(lower, upper)
	w.model.VelocityLimits(velocity)
	w.model.EffortLimits(effort)
	return fmt.Sprintf(`// unlimited is the bound that does not exist.
var unlimited = math.Inf(1)

// Lower and Upper bound q, MaxVelocity and MaxEffort the magnitudes of v and tau. A bound that does not exist is infinite.
var (
	Lower = Configuration{%s}
	Upper = Configuration{%s}
	MaxVelocity = Vector{%s}
	MaxEffort = Vector{%s}
)

`, literals(lower), literals(upper), literals(velocity), literals(effort))
}

// literals prints numbers as Go.
func literals(numbers []float64) string {
	text := make([]string, len(numbers))
	for i, x := range numbers {
		switch {
		case math.IsInf(x, 1):
			text[i] = "unlimited"
		case math.IsInf(x, -1):
			text[i] = "-unlimited"
		default:
			text[i] = fmt.Sprint(x)
		}
	}
	return strings.Join(text, ", ")
}
