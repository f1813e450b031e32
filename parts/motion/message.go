package motion

import "math"

// Requests and plans are vectors of numbers, which links carry from thread to thread as one.

// request asks for a motion.
type request []float64

// Elements of a request: a number that grows, whether the load is carried, then the start and the goal.
const requestHead = 2

func newRequest(dim int) request { return make(request, requestLen(dim)) }

func requestLen(dim int) int { return requestHead + 2*dim }

func (r request) number() float64       { return r[0] }
func (r request) loaded() bool          { return r[1] != 0 }
func (r request) start() []float64      { return r[requestHead : requestHead+(len(r)-requestHead)/2] }
func (r request) goal() []float64       { return r[requestHead+(len(r)-requestHead)/2:] }
func (r request) setLoaded(loaded bool) { r[1] = number(loaded) }

// plan is the answer to a request: a polyline with the deviations of its corners, which [trajectory.Rounded] makes the motion that was proved.
type plan []float64

// Elements of a plan: the number of the request, the outcome, the number of points, then the points and a deviation for each.
const planHead = 3

// mostPoints is how many points a plan may have. Simplified paths have about ten.
const mostPoints = 64

func planLen(dim int) int { return planHead + mostPoints*(dim+1) }

func (p plan) number() float64          { return p[0] }
func (p plan) whole() bool              { return p[2] >= 1 && p[2] <= mostPoints }
func (p plan) len() int                 { return int(p[2]) }
func (p plan) outcome() Outcome         { return Outcome(p[1]) }
func (p plan) points(dim int) []float64 { return p[planHead : planHead+int(p[2])*dim] }
func (p plan) deviations(dim int) []float64 {
	first := planHead + mostPoints*dim
	return p[first : first+int(p[2])]
}

// add appends a point, and the deviation with which the motion may pass it.
func (p plan) add(dim int, point []float64, deviation float64) {
	k := p.len()
	copy(p[planHead+k*dim:], point)
	p[planHead+mostPoints*dim+k] = min(deviation, math.MaxFloat32) // links carry finite numbers
	p[2]++
}

// Outcome is how a plan ended.
type Outcome int64

// Outcomes of plans.
const (
	Planned       Outcome = iota
	StartNotFree          // the robot touches something where it is, is beyond a limit, or has a ball within margin from which no straight way leads
	GoalNotFree           // the goal touches something, or is beyond a limit
	NoPath                // none was found within the limits of nodes and samples
	NotProved             // the exact engine found a contact on each path
	TooManyPoints         // the path has more points than a plan holds
)

func number(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
