package figure

import (
	"math"
	"strconv"
	"strings"
)

// Ticks returns at most n multiples of 1, 2 or 5 times a power of ten from lo to hi, in order.
func Ticks(lo, hi float64, n int) []float64 {
	ticks, _ := ticksAndStep(lo, hi, n)
	return ticks
}

func ticksAndStep(lo, hi float64, n int) (ticks []float64, step float64) {
	if n = max(n, 2); !(hi > lo) || math.IsInf(lo, 0) || math.IsInf(hi, 0) {
		return nil, 1
	}
	least := hi/float64(n) - lo/float64(n) // minimum step; hi - lo may be infinite
	power := math.Pow(10, math.Floor(math.Log10(least)))
	for _, k := range []float64{1, 2, 5, 10} {
		step = k * power
		first, last := math.Ceil(lo/step-1e-9), math.Floor(hi/step+1e-9)
		if !(last-first < float64(n)) {
			continue
		}
		for i := 0.0; first+i <= last; i++ {
			ticks = append(ticks, (first+i)*step+0) // + 0 makes 0 of -0
		}
		break
	}
	return ticks, step
}

// labels formats numbers that are multiples of step with equal precision, divided by a power of ten if they are very
// large or very small.
func labels(ticks []float64, step float64) (texts []string, exponent int) {
	most := 0.0
	for _, v := range ticks {
		most = math.Max(most, math.Abs(v))
	}
	if most >= 1e5 || most > 0 && most < 1e-3 {
		exponent = 3 * int(math.Floor((math.Log10(most)+1e-9)/3))
	}
	unit := math.Pow(10, float64(exponent))
	digits := max(0, -int(math.Floor(math.Log10(step/unit)+1e-9)))
	for _, v := range ticks {
		text := strconv.FormatFloat(v/unit, 'f', min(digits, 15), 64)
		texts = append(texts, strings.Replace(text, "-", "−", 1))
	}
	return texts, exponent
}

// superscript writes a power of ten.
func superscript(exponent int) string {
	return "10" + strings.NewReplacer("-", "⁻", "0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹").Replace(strconv.Itoa(exponent))
}

// title returns the label of an axis with its unit and the power of ten of its numbers: time [10³ s].
func (a *Axis) title(exponent int) string {
	unit := a.Unit
	if exponent != 0 {
		unit = strings.TrimSpace(superscript(exponent) + " " + unit)
	}
	if unit != "" {
		unit = "[" + unit + "]"
	}
	return strings.TrimSpace(a.Label + " " + unit)
}
