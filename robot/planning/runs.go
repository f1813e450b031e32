package planning

import "math"

// runPoints is how many points of an edge are checked together: as many as an engine for lines has lanes.
const runPoints = 8

// runs returns into how many runs the inner points of an edge of this length are divided. Run r of n has the points r/(8n), r/(8n) + 1/8 … of the
// way, so that each run covers all of it; that at the start is left out.
func (v *Verifier) runs(length float64) int {
	if v.kept != nil {
		return 1 // such a way is checked from one end to the other
	}
	n := int(math.Ceil(length / v.Resolution))
	if n <= 1 {
		return 0
	}
	return (n + runPoints - 1) / runPoints
}

// run reports whether the points of one run on the way from a to b are free.
func (v *Verifier) run(a, b []float64, r, runs int) bool {
	if v.kept != nil {
		return v.curve(a, b)
	}
	n := runPoints * runs
	if v.blocks() && r == 0 {
		return v.along(a, b, runPoints-1, runPoints)
	}
	if v.blocks() {
		v.Checked += runPoints
		v.straight.Line(a, b, v.q, v.step)
		back := float64(r)/float64(n) - 1./runPoints // the engine leaves out the point at which a line begins
		for i, d := range v.step {
			v.q[i] += back * d
		}
		hit, err := v.lines.CollideAlong(v.q, v.step, runPoints, runPoints)
		return !hit && err == nil
	}
	for k := range runPoints {
		if j := k*runs + r; j > 0 && !v.between(a, b, j, n) {
			return false
		}
	}
	return true
}

// spread returns number i of an order of n runs in which successive ones are far apart: multiples of a number near the golden section of n that has
// no factor in common with it.
func spread(i, n int) int {
	q := max(1, int(0.618*float64(n)))
	for gcd(q, n) != 1 {
		q++
	}
	return i * q % n
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
