package planning

import (
	"math"

	"github.com/sinew-robotics/sinew/robot/planning/space"
)

// informed samples the points through which a path from start to goal can be shorter than a length (Gammell, Srinivasa and Barfoot 2014). In a
// space of lines without circles these are an ellipsoid. It samples the ellipsoid where that is smaller than the space, and else rejects other
// samples.
type informed struct {
	space   space.Space
	lines   bool
	source  space.Uniform
	u       []float64
	mirror  []float64 // normal of the mirror that turns the first axis into the direction from start to goal
	between float64   // start and goal
	box     float64   // volume of the space
}

func newInformed(s space.Space) informed {
	flat, ok := s.(interface{ Flat() *space.Axes })
	in := informed{space: s, u: make([]float64, s.Dim()+1), mirror: make([]float64, s.Dim())}
	if in.lines = ok; ok {
		in.box = 1
		for i, circle := range flat.Flat().Circle {
			in.lines = in.lines && !circle
			in.box *= flat.Flat().Upper[i] - flat.Flat().Lower[i]
		}
	}
	return in
}

// begin sets the ends.
func (in *informed) begin(start, goal []float64, seed uint64) {
	in.source.Reset(seed)
	in.between = in.space.Distance(start, goal)
	if !in.lines || in.between == 0 {
		return
	}
	for i := range in.mirror {
		in.mirror[i] = (start[i] - goal[i]) / in.between
	}
	in.mirror[0]++
}

// next writes a sample to p, and reports whether a path through it can be shorter than length; sample writes samples of the whole space.
func (in *informed) next(start, goal []float64, length float64, p []float64, sample func()) bool {
	if !in.lines || in.between == 0 || in.volume(length) > in.box {
		sample()
	} else {
		in.ellipsoid(start, goal, length, p)
		if in.space.Outside(p) >= 0 {
			return false
		}
	}
	return in.space.Distance(start, p)+in.space.Distance(p, goal) < length
}

// volume returns the volume of the ellipsoid.
func (in *informed) volume(length float64) float64 {
	n := float64(len(in.mirror))
	ball := math.Pow(math.Pi, n/2) / math.Gamma(n/2+1)
	return ball * length / 2 * math.Pow(in.side(length), n-1)
}

// side returns the length of the short axes, from the center.
func (in *informed) side(length float64) float64 {
	return math.Sqrt(max(0, length*length-in.between*in.between)) / 2
}

// ellipsoid writes a uniform sample of the ellipsoid with its foci in start and goal.
func (in *informed) ellipsoid(start, goal []float64, length float64, p []float64) {
	n := len(p)
	in.source.Next(in.u)
	norm := 0.0
	for i := range p {
		// A normal value by two uniform ones; the second comes from a call of its own.
		var v [1]float64
		in.source.Next(v[:])
		p[i] = math.Sqrt(-2*math.Log(1-in.u[i])) * math.Cos(2*math.Pi*v[0])
		norm += p[i] * p[i]
	}
	k := math.Pow(in.u[n], 1/float64(n)) / math.Sqrt(norm)
	side := in.side(length)
	for i := range p {
		p[i] *= k * side
	}
	p[0] *= length / 2 / max(side, math.SmallestNonzeroFloat64)
	// The mirror turns the long axis (Householder 1958).
	dot, square := 0.0, 0.0
	for i, m := range in.mirror {
		dot += m * p[i]
		square += m * m
	}
	if square > 0 {
		for i, m := range in.mirror {
			p[i] -= 2 * dot / square * m
		}
	}
	for i := range p {
		p[i] += (start[i] + goal[i]) / 2
	}
}
