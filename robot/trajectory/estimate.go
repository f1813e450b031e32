package trajectory

import (
	"fmt"
	"math"
)

// Estimator estimates how long a [Rounded] motion through points lasts, at a hundredth of the cost of its plan: for comparisons of thousands of polylines. The
// deviations at the corners are taken as infinite.
//
// Edge k takes the time Tₖ at the greatest speed that the axes allow. The change of velocity from edge k to the next takes its slowest axis the time Rₖ, of which one half
// lies on either edge; R₀ and Rₙ are those from and to rest. Edges on which both halves are longer than T slow their corners down:
//
//	Σ Tₖ + Σ sₖ (1 - sₖ) Rₖ + (R₀ + Rₙ)/2,  sₖ = min(1, √(2 Tₖ/(Rₖ₋₁ + Rₖ)), √(2 Tₖ₊₁/(Rₖ + Rₖ₊₁)))
//
// with half of R₀ and Rₙ in the second sum.
// It is exact where all corners are passed at the greatest speed, s = 1. The memory of an estimator is that of one goroutine.
type Estimator struct {
	axes        []inverse
	before, now []float64 // velocities on the last two edges
	edges       []span
}

// inverse are the inverses of the limits of an axis, for positive and for negative changes.
type inverse struct {
	velocity, acceleration [2]float64
	jerk                   float64
}

// span is an edge: its time at the greatest speed, and those of half the changes of velocity at its ends.
type span struct{ time, start, end float64 }

// share returns the share of the greatest speed at which the corners of the edge may be passed.
func (s *span) share() float64 {
	if h := s.start + s.end; h > s.time {
		return math.Sqrt(s.time / h)
	}
	return 1
}

// NewEstimator returns an estimator for motions under limits, one for each axis, finite and positive as [Rounded.Plan] wants them.
func NewEstimator(limits []Limits) *Estimator {
	e := &Estimator{before: make([]float64, len(limits)), now: make([]float64, len(limits))}
	for i := range limits {
		b := limits[i].bounds()
		e.axes = append(e.axes, inverse{
			velocity:     [2]float64{1 / b.upperVelocity, -1 / b.lowerVelocity},
			acceleration: [2]float64{1 / b.upperAcceleration, -1 / b.lowerAcceleration},
			jerk:         1 / b.jerk,
		})
	}
	return e
}

// Duration estimates the duration of the motion through points, a value for each axis one after the other (s). It allocates nothing once it was called with as many
// points, and panics if the number of values is not a multiple of the number of axes.
func (e *Estimator) Duration(points []float64) float64 {
	n := len(e.axes)
	if n == 0 || len(points)%n != 0 {
		panic(fmt.Sprintf("trajectory: Estimator.Duration: %d values for %d axes", len(points), n))
	}
	e.measure(points)
	if len(e.edges) == 0 {
		return 0
	}
	share, before, duration := 1.0, 0.0, e.edges[0].start
	for k := range e.edges {
		x := &e.edges[k]
		next := x.share()
		passed := min(share, next)
		duration += x.time + passed*(1-passed)*(before+x.start)
		share, before = next, x.end
	}
	return duration + before + share*(1-share)*before
}

// measure finds the edges between points.
func (e *Estimator) measure(points []float64) {
	n := len(e.axes)
	e.edges = e.edges[:0]
	clear(e.before)
	for k := n; k < len(points); k += n {
		time := e.travel(points[k-n:k], points[k:k+n])
		if time == 0 {
			continue
		}
		half := e.turn() / 2
		if last := len(e.edges) - 1; last >= 0 {
			e.edges[last].end = half
		}
		e.edges = append(e.edges, span{time: time, start: half})
		e.before, e.now = e.now, e.before
	}
	if last := len(e.edges) - 1; last >= 0 {
		clear(e.now)
		e.edges[last].end = e.turn() / 2
	}
}

// travel returns the time of the way between two points at the greatest speed, and writes its velocity to now.
func (e *Estimator) travel(from, to []float64) (time float64) {
	now := e.now[:len(e.axes)]
	from, to = from[:len(now)], to[:len(now)]
	for i := range now {
		d := to[i] - from[i]
		now[i] = d
		if t := d * e.axes[i].velocity[sign(d)]; t > time {
			time = t
		}
	}
	if time == 0 {
		return 0
	}
	most := 1 / time
	for i := range now {
		now[i] *= most
	}
	return time
}

// turn returns the time of the change of velocity from before to now.
func (e *Estimator) turn() float64 {
	acceleration, jerk := 0.0, 0.0 // inverses of those of the whole change
	now := e.now[:len(e.axes)]
	before := e.before[:len(now)]
	for i := range now {
		d := now[i] - before[i]
		x := &e.axes[i]
		if a := d * x.acceleration[sign(d)]; a > acceleration {
			acceleration = a
		}
		if j := math.Abs(d) * x.jerk; j > jerk {
			jerk = j
		}
	}
	switch {
	case acceleration == 0:
		return 0
	case acceleration*acceleration <= jerk:
		return 2 * math.Sqrt(jerk)
	}
	return acceleration + jerk/acceleration
}

// sign returns 1 for a negative number and 0 for others.
func sign(x float64) int { return int(math.Float64bits(x) >> 63) }
