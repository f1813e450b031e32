package control

import "math"

// finite reports whether x is neither NaN nor infinite.
func finite(x float64) bool { return x-x == 0 }

// mustBePositive panics unless x is a positive finite number.
func mustBePositive(law, what string, x float64) {
	if !(x > 0) || math.IsInf(x, 1) {
		panic("control: " + law + ": " + what + " must be positive and finite")
	}
}
