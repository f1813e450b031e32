package program

import (
	"math"

	"github.com/sinew-robotics/sinew/robot/curve"
	"github.com/sinew-robotics/sinew/robot/trajectory"
)

// reserve is by how much a motion is slower than its limits allow, so that a player can begin to slow down at any time: 0.8 %.
const reserve = 1.008

// timed is a section with its law of time: pieces of all axes one after the other.
type timed struct {
	widths []float64             // of the pieces, s
	sigma  []float64             // at the starts of the pieces and at the end
	pieces []piece               // of each piece all axes
	within func(float64) float64 // path coordinate at a time
}

func (t *timed) duration() (sum float64) {
	for _, w := range t.widths {
		sum += w
	}
	return sum
}

// stretch makes the motion last c times as long.
func (t *timed) stretch(c float64) {
	for k := range t.widths {
		t.widths[k] *= c
	}
	for k := range t.pieces {
		f := 1.0
		for i := range t.pieces[k] {
			t.pieces[k][i] *= f
			f /= c
		}
	}
	within := t.within
	t.within = func(x float64) float64 { return within(x / c) }
}

// profile times a section that is one straight line of the joints, with the shortest jerk-limited profile of its coordinate.
func (s *section) profile() (*timed, error) {
	x := &s.segments[0]
	n := len(s.robot.Limits)
	q, dq := make([]float64, n), make([]float64, n)
	x.path.At(q, x.from, 0)
	x.path.At(dq, x.from, 1)
	all := trajectory.Limits{Velocity: math.Inf(1), Acceleration: math.Inf(1), Jerk: math.Inf(1)}
	for i, l := range s.limits(&s.moves[x.moves[0].move]) {
		if d := math.Abs(dq[i]); d > 0 {
			all.Velocity, all.Acceleration, all.Jerk = min(all.Velocity, l.Velocity/d), min(all.Acceleration, l.Acceleration/d), min(all.Jerk, l.Jerk/d)
		}
	}
	p, err := trajectory.Move(trajectory.State{}, trajectory.State{Position: x.to - x.from}, all)
	if err != nil {
		return nil, err
	}
	t := &timed{within: func(x float64) float64 { return p.At(x, 0) }}
	for k := range p.Pieces() {
		start, at, jerk := p.Piece(k)
		end := p.Duration()
		if k+1 < p.Pieces() {
			end, _, _ = p.Piece(k + 1)
		}
		if end-start <= 0 {
			continue
		}
		t.widths, t.sigma = append(t.widths, end-start), append(t.sigma, at.Position)
		for i := range n {
			t.pieces = append(t.pieces, piece{q[i] + dq[i]*at.Position, dq[i] * at.Velocity, dq[i] * at.Acceleration / 2, dq[i] * jerk / 6})
		}
	}
	t.sigma = append(t.sigma, x.to-x.from)
	t.stretch(reserve)
	return t, nil
}

// rounds is how often the limits are lowered where the smooth law exceeds them.
const rounds = 10

// follow times any section: the fastest law under limits of velocity and acceleration, smoothed.
func (s *section) follow() (*timed, error) {
	var best *timed
	for _, share := range []float64{1, 2} {
		for i := range s.scale {
			s.scale[i] = 1
		}
		window := 0.0
		for k := range s.segments {
			for j, m := range s.segments[k].moves {
				v := &s.moves[m.move]
				for _, l := range s.limits(v) {
					window = max(window, l.Acceleration/l.Jerk)
				}
				if s.segments[k].limitedTool[j] {
					window = max(window, v.Acceleration/v.Jerk)
				}
			}
		}
		window *= share
		for range rounds {
			intervals := min(max(300, int(s.length()/0.002)), 3000)
			m, err := trajectory.FollowPath(s, trajectory.PathLimits{Axes: s.robot.Limits, Along: s.along}, trajectory.PathOptions{Intervals: intervals})
			if err != nil {
				return nil, err
			}
			law := m.Smooth(window)
			t := s.sample(law)
			worst := s.adapt(t, law)
			t.stretch(max(1, worst) * reserve)
			if best == nil || t.duration() < best.duration() {
				best = t
			}
			if worst < 1.002 {
				break
			}
		}
	}
	return best, nil
}

// sample turns a law into pieces.
func (s *section) sample(law *trajectory.SmoothLaw) *timed {
	n := len(s.robot.Limits)
	count := max(8, int(math.Ceil(law.Duration()/min(law.Window/24, 0.01))))
	h := law.Duration() / float64(count)
	t := &timed{widths: make([]float64, count), sigma: make([]float64, count+1), pieces: make([]piece, 0, count*n)}
	t.within = func(x float64) float64 { sigma, _, _, _ := law.Law(x); return sigma }
	before, after := make([]trajectory.State, n), make([]trajectory.State, n)
	jerk, last, dddq := make([]float64, n), make([]float64, n), make([]float64, n)
	for k := range count + 1 {
		sigma, ds, dds, ddds := law.Law(h * float64(k))
		t.sigma[k] = sigma
		s.At(s.q, sigma, 0)
		s.At(s.dq, sigma, 1)
		s.At(s.ddq, sigma, 2)
		for i := range n {
			after[i] = trajectory.State{Position: s.q[i], Velocity: s.dq[i] * ds, Acceleration: s.dq[i]*dds + s.ddq[i]*ds*ds}
		}
		if s.smooth {
			s.At(dddq, sigma, 3)
			for i := range n {
				jerk[i] = s.dq[i]*ddds + 3*s.ddq[i]*ds*dds + dddq[i]*ds*ds*ds
			}
		}
		if k == 0 || k == count {
			for i := range n { // rounding leaves no speed at rest
				after[i].Velocity, after[i].Acceleration, jerk[i] = 0, 0, 0
			}
		}
		if k > 0 {
			t.widths[k-1] = h
			for i := range n {
				c := hermite(before[i], after[i], h)
				if s.smooth {
					c.turn(last[i], jerk[i], h)
				}
				t.pieces = append(t.pieces, c)
			}
		}
		before, after, last, jerk = after, before, jerk, last
	}
	return t
}

// adapt lowers the scale of the speeds where the motion exceeds limits, and returns the factor by which time must be stretched to keep them everywhere.
func (s *section) adapt(t *timed, law *trajectory.SmoothLaw) (worst float64) {
	n := len(s.robot.Limits)
	over := make([]float64, len(t.widths))
	at := 0.0
	for k := range t.widths {
		x, _ := s.segment(t.sigma[k])
		j := x.move(t.sigma[k])
		m := &s.moves[x.moves[j].move]
		limits := s.limits(m)
		for i := range n {
			v, a, jk := extremes(&t.pieces[k*n+i], t.widths[k], &limits[i])
			over[k] = max(over[k], v, math.Sqrt(a), math.Cbrt(jk))
		}
		if x.limitedTool[j] {
			sigma, ds, dds, ddds := law.Law(at)
			d1, d2 := s.Derivative(sigma, 1), s.Derivative(sigma, 2)
			a := d1.Scale(dds).Add(d2.Scale(ds * ds))
			over[k] = max(over[k], d1.Linear.Norm()*ds/m.Speed, math.Sqrt(a.Linear.Norm()/m.Acceleration),
				d1.Angular.Norm()*ds/m.AngularSpeed, math.Sqrt(a.Angular.Norm()/m.AngularAcceleration),
				math.Cbrt(math.Abs(ddds)*d1.Linear.Norm()/m.Jerk))
		}
		worst = max(worst, over[k])
		at += t.widths[k]
	}
	around := int(math.Ceil(law.Window / 2 / t.widths[0]))
	lower := make([]float64, bins) // what is exceeded in each bin
	for k, o := range over {
		if o <= 1 {
			continue
		}
		from, to := s.bin(t.sigma[max(k-around, 0)]), s.bin(t.sigma[min(k+around, len(over))])
		for b := from; b <= to; b++ {
			lower[b] = max(lower[b], o)
		}
	}
	for b, o := range lower {
		if o > 1 {
			s.scale[b] /= math.Pow(o, 0.6)
		}
	}
	return worst
}

// timeAt returns when the section passes a place, after stretching.
func (t *timed) timeAt(sigma float64) float64 {
	low, high := 0.0, t.duration()
	for range 60 {
		if middle := (low + high) / 2; t.within(middle) < sigma {
			low = middle
		} else {
			high = middle
		}
	}
	return high
}

// line returns the straight line of the joints from a to b with a coordinate from 0 to length.
func line(a, b []float64, length float64) curve.Vector {
	v := make(curve.Vector, len(a))
	for i := range v {
		v[i] = curve.Hermite(0, length, []float64{a[i]}, []float64{b[i]})
	}
	return v
}
