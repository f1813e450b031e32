package proof

import (
	"fmt"
	"math"

	"github.com/sinew-robotics/sinew/robot/planning/space"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/scene/exact"
	"github.com/sinew-robotics/sinew/robot/trajectory"
)

// Prover decides by the exact engine whether a motion in time is free, between samples as well as at them.
//
// It divides the motion into intervals. Pairs of bodies for which [exact.Clearance], under the limits of velocity and acceleration, cannot exclude a contact
// in an interval are examined again in both of its halves (Schwarzer, Saha and Latombe 2005), until all are proved, one touches, or the joints move by less
// than the resolution.
type Prover struct {
	clearance  *exact.Clearance
	space      *space.Joints
	moved      *space.Joints // the same joints, and 0 for all others
	at         exact.Interval
	resolution float64
	states     []trajectory.State
	point      []float64
	motion     trajectory.Motion
	limits     []trajectory.Limits
	verdict    Verdict
	err        error
	edge       steady
	even       []trajectory.Limits // of the motion along an edge
}

// steady is a motion at constant speed in 1 s.
type steady struct{ from, step []float64 }

func (m *steady) Axes() int         { return len(m.from) }
func (m *steady) Duration() float64 { return 1 }

func (m *steady) At(time float64, out []trajectory.State) {
	for i, x := range m.from {
		out[i] = trajectory.State{Position: x + time*m.step[i], Velocity: m.step[i]}
	}
}

// Verdict is what a [Prover] knows about a motion.
type Verdict struct {
	// Free reports that no contact was found.
	Free bool
	// Proved reports that none exists at any time. Otherwise some intervals, shorter than the prover's resolution, were only sampled.
	Proved bool
	// Sampled is how many they were.
	Sampled int
	// Time (s) and Pair are those of a contact, not always the first one, if the motion is not free.
	Time float64
	Pair scene.Pair
	// Checked counts the configurations that were examined.
	Checked int
}

// String describes the verdict in words.
func (v Verdict) String() string {
	switch {
	case !v.Free:
		return fmt.Sprintf("%s collide at %.4g s", v.Pair, v.Time)
	case v.Proved:
		return fmt.Sprintf("proved free by %d configurations", v.Checked)
	}
	return fmt.Sprintf("free at %d configurations, of which %d are samples without a proof", v.Checked, v.Sampled)
}

// NewProver returns a prover for motions of these joints in a scene. Where it proves nothing it samples at points less than resolution apart (rad or m, > 0).
func NewProver(s *scene.Scene, joints *space.Joints, resolution float64) (*Prover, error) {
	if !(resolution > 0) {
		return nil, fmt.Errorf("prove motions free: resolution %g: want a length above 0, for example 1e-3 rad", resolution)
	}
	moved, err := space.NewJoints(s, joints.Names, make([]float64, s.NQ()))
	if err != nil {
		return nil, err
	}
	n := joints.Dim()
	return &Prover{
		clearance: exact.NewClearance(s), space: joints, moved: moved, resolution: resolution, states: make([]trajectory.State, n),
		point: make([]float64, n), edge: steady{make([]float64, n), make([]float64, n)}, even: make([]trajectory.Limits, n),
		at: exact.Interval{Q: make([]float64, s.NQ()), V: make([]float64, s.NQ()), Speed: make([]float64, s.NQ()), Acceleration: make([]float64, s.NQ())},
	}, nil
}

// Joints returns the space of the joints whose motions the prover examines.
func (p *Prover) Joints() *space.Joints { return p.space }

// Motion examines a motion that keeps limits. A motion of another number of joints is a mistake of the program and panics. The error is
// [scene.ErrNotFinite].
func (p *Prover) Motion(m trajectory.Motion, limits []trajectory.Limits) (Verdict, error) {
	if n := p.space.Dim(); m.Axes() != n || len(limits) != n {
		panic(fmt.Sprintf("proof: prove a motion of %d joints with %d limits free: want %d", m.Axes(), len(limits), n))
	}
	for i, l := range limits {
		p.point[i] = max(l.Velocity, -l.MinVelocity)
	}
	p.moved.Configuration(p.point, p.at.Speed)
	for i, l := range limits {
		p.point[i] = max(l.Acceleration, -l.MinAcceleration)
	}
	p.moved.Configuration(p.point, p.at.Acceleration)
	p.motion, p.limits, p.err, p.verdict = m, limits, nil, Verdict{Free: true, Proved: true}
	p.interval(0, m.Duration(), p.clearance.Pairs())
	p.motion, p.limits = nil, nil
	return p.verdict, p.err
}

// Edge examines the straight way from a to b, points of Dim values, on circles the shorter way, with its ends, as [Prover.Motion] does for a motion at constant speed. The Time of a
// contact is the part of the way there, from 0 to 1.
func (p *Prover) Edge(a, b []float64) (Verdict, error) {
	copy(p.edge.from, a)
	p.space.Difference(a, b, p.edge.step)
	for i, d := range p.edge.step {
		p.even[i] = trajectory.Limits{Velocity: math.Abs(d)}
	}
	return p.Motion(&p.edge, p.even)
}

// interval examines n pairs from one time to another, and reports whether they are free.
func (p *Prover) interval(from, to float64, n int) bool {
	h := (to - from) / 2
	t := from + h
	p.motion.At(t, p.states)
	for i, x := range p.states {
		p.point[i] = x.Position
	}
	p.space.Configuration(p.point, p.at.Q)
	size := 0.0
	for i, x := range p.states {
		p.point[i] = x.Velocity
		travel := 2 * h * min(max(p.limits[i].Velocity, -p.limits[i].MinVelocity), math.Abs(x.Velocity)+h*max(p.limits[i].Acceleration, -p.limits[i].MinAcceleration))
		size += travel * travel
	}
	p.moved.Configuration(p.point, p.at.V)
	p.at.Half = h
	p.verdict.Checked++
	left, pair, hit, err := p.clearance.Test(&p.at, n)
	switch {
	case err != nil || hit:
		p.err = err
		p.verdict.Free, p.verdict.Proved, p.verdict.Time, p.verdict.Pair = false, false, t, pair
		return false
	case left == 0:
		return true
	case math.Sqrt(size) < p.resolution:
		p.verdict.Proved = false
		p.verdict.Sampled++
		return true
	}
	return p.interval(from, t, left) && p.interval(t, to, left)
}
