package neighbor

import (
	"math"
	"unsafe"

	"github.com/sinew-robotics/sinew/robot/planning/space"
)

// kernels compare eight points at once with a target, in float32: those of index i compare 2i + 2 values. amd64.Loop in internal/tape/amd64 documents their arguments and
// results.
type kernels struct {
	lines   [mostRows / 2]linesKernel
	circles [mostRows / 2]circlesKernel
}

type (
	linesKernel   func(groups unsafe.Pointer, n int, rows, target, bound *float32) (left int, lanes int32)
	circlesKernel func(groups unsafe.Pointer, n int, rows, target, circle, bound *float32) (left int, lanes int32)
)

const (
	lanes    = 8    // points of a group
	mostRows = 16   // most values that kernels compare
	farthest = 1e15 // greatest number whose square float32 holds with room to spare
)

// filter holds points in float32, in groups of a row of eight numbers for each value, and leaves out points that are surely farther than a bound from a
// target. Of points with more values than the kernels compare it holds the first ones, whose distances are not greater. It decides nothing else: the
// points that remain are compared in float64.
type filter struct {
	lines   linesKernel
	circles circlesKernel // nil: there is no circle

	values, rows   int // of a point, and of a group
	groups         []float32
	target, circle [mostRows]float32
	bound          float32 // square of the distance beyond which points are left out
	reach          float64 // greatest number of all points
	slack          float64 // bound of the error of distances in float32
}

// newFilter returns memory for n points, a multiple of a group.
func newFilter(k *kernels, circle []bool, n int) *filter {
	f := &filter{values: min(len(circle), mostRows)}
	f.rows = (f.values + 1) &^ 1
	f.groups = make([]float32, n*f.rows)
	f.lines = k.lines[f.rows/2-1]
	for i, turns := range circle[:f.values] {
		if turns {
			f.circle[i] = 1
			f.circles = k.circles[f.rows/2-1]
		}
	}
	return f
}

// put makes point number i equal to p. A group that begins with it has no other point.
func (f *filter) put(i int32, p []float64) {
	at := int(i) / lanes * lanes * f.rows
	lane := int(i) % lanes
	if lane == 0 {
		f.groups[at] = nan
		for k := range lanes {
			f.groups[at+k] = nan
		}
	}
	for k, x := range p[:f.values] {
		f.groups[at+lanes*k+lane] = float32(x)
		f.reach = max(f.reach, math.Abs(x))
	}
}

var nan = float32(math.NaN())

// aim begins the comparison of points with p. It returns false if float32 cannot hold the numbers.
func (f *filter) aim(p []float64) bool {
	reach := f.reach
	for k, x := range p[:f.values] {
		f.target[k] = float32(x)
		reach = max(reach, math.Abs(x))
	}
	// Each number and each difference is rounded by at most 2^-24 of the greatest one; 2^-21 bounds their sum for both points.
	f.slack = (reach + 2*math.Pi) * math.Sqrt(mostRows) / (1 << 21)
	return reach < farthest
}

// within sets the distance beyond which points are left out, by its square. Sums of squares have a relative error of less than mostRows · 2^-24.
func (f *filter) within(bound2 float64) {
	d := math.Sqrt(bound2) + f.slack
	f.bound = float32(min(d*d*(1+1e-5), math.MaxFloat32))
}

// next returns the first of the groups from group on, of a run that begins at the group first and has n groups, which may have points that are near
// enough, and a bit for each of them; no bit is set after the last group.
func (f *filter) next(first, group, n int) (at int, hits uint32) {
	records := unsafe.Pointer(&f.groups[(first+group)*lanes*f.rows])
	var left int
	var hit int32
	if f.circles != nil {
		left, hit = f.circles(records, n-group, &f.bound, &f.target[0], &f.circle[0], &f.bound)
	} else {
		left, hit = f.lines(records, n-group, &f.bound, &f.target[0], &f.bound)
	}
	return n - left, uint32(hit)
}

// embedded is a filter of points by their embedding.
type embedded struct {
	*filter
	embedding *space.Embedding
	point     []float64
}

// newEmbedded returns a filter for n points of a space, a multiple of a group; nil without kernels, or where the space has no embedding.
func newEmbedded(k *kernels, s space.Space, n int) *embedded {
	e := space.EmbeddingOf(s)
	if k == nil || e == nil {
		return nil
	}
	return &embedded{newFilter(k, make([]bool, e.Dim()), n), e, make([]float64, e.Dim())}
}

// put makes point number i equal to p, as [filter.put] does.
func (e *embedded) put(i int32, p []float64) {
	e.embedding.Embed(p, e.point)
	e.filter.put(i, e.point)
}

// aim begins the comparison of points with p. It returns false if float32 cannot hold the numbers.
func (e *embedded) aim(p []float64) bool {
	e.embedding.Embed(p, e.point)
	return e.filter.aim(e.point)
}
