package trajectory

// timeline is a motion as a sequence of phases with a constant control each: the jerk, or the acceleration where the
// jerk is not limited.
type timeline struct {
	n     int
	phase [7]phase
}

type phase struct{ time, control float64 }

func (l *timeline) add(time, control float64) {
	if time > 0 {
		l.phase[l.n] = phase{time, control}
		l.n++
	}
}

// weightOf returns the weight of most in the mean of least and most that gives x.
func weightOf(x, least, most float64) float64 {
	if !(most > least) {
		return 0.5
	}
	return min(max((x-least)/(most-least), 0), 1)
}

// blend appends the phases of the mean of two motions of equal duration: weight·upper + (1-weight)·lower, times scale.
// An extreme weight takes one of them as it is, and the other may be empty.
func (p *Profile) blend(weight float64, upper, lower *timeline, add func(p *Profile, time, control float64), scale float64) {
	if weight >= 1 || weight <= 0 {
		if weight <= 0 {
			upper = lower
		}
		for _, f := range upper.phase[:upper.n] {
			add(p, f.time, scale*f.control)
		}
		return
	}
	// Times are counted from the last change, not from the start: so a phase keeps its duration to the last digit, even
	// if a long rest precedes it, and the end state is not spoilt.
	var a, b phase // what is left of the current phases
	for i, j := 0, 0; ; {
		if a.time <= 0 && i < upper.n {
			a = upper.phase[i]
			i++
			continue
		}
		if b.time <= 0 && j < lower.n {
			b = lower.phase[j]
			j++
			continue
		}
		var step, control float64
		switch {
		case a.time > 0 && b.time > 0:
			step, control = min(a.time, b.time), weight*a.control+(1-weight)*b.control
		case a.time > 0:
			step, control = a.time, weight*a.control
		case b.time > 0:
			step, control = b.time, (1-weight)*b.control
		default:
			return
		}
		add(p, step, scale*control)
		a.time -= step
		b.time -= step
	}
}
