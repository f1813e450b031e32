package program

import (
	"math"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/trajectory"
)

// watch steps a player and requires the limits of all joints: of velocity and acceleration as they are, of jerk as the difference of accelerations.
type watch struct {
	t             *testing.T
	p             *Player
	state, before []trajectory.State
	worst         [3]float64
	steps         int
}

func newWatch(t *testing.T, m *Motion) *watch {
	w := &watch{t: t, p: NewPlayer(m), state: make([]trajectory.State, m.Axes()), before: make([]trajectory.State, m.Axes())}
	m.At(0, w.before)
	return w
}

func (w *watch) step(dt float64) Status {
	w.t.Helper()
	s := w.p.Step(dt, w.state)
	w.steps++
	for i, x := range w.state {
		l, b := w.p.motion.Limits[i], w.before[i]
		v, a, j := math.Abs(x.Velocity)/l.Velocity, math.Abs(x.Acceleration)/l.Acceleration, math.Abs(x.Acceleration-b.Acceleration)/dt/l.Jerk
		w.worst = [3]float64{max(w.worst[0], v), max(w.worst[1], a), max(w.worst[2], j)}
		if v > 1 || a > 1 || j > 1 {
			w.t.Fatalf("step %d, joint %d, τ = %g, rate %g, slope %g: velocity %.5f, acceleration %.5f, jerk %.5f of the limit", w.steps, i, w.p.tau, w.p.rate, w.p.slope, v, a, j)
		}
		if d := x.Position - b.Position - dt/2*(x.Velocity+b.Velocity); math.Abs(d) > l.Jerk*dt*dt*dt {
			w.t.Fatalf("step %d, joint %d: the position jumps by %g", w.steps, i, d)
		}
	}
	copy(w.before, w.state)
	return s
}

func TestPlayerKeepsLimitsWhateverIsAsked(t *testing.T) {
	m := compile(t, panda(t), square)
	r := testkit.Rand(t)
	for range 40 {
		w := newWatch(t, m)
		for w.steps < 100_000 {
			switch r.IntN(6) {
			case 0:
				w.p.Pause()
			case 1:
				w.p.Back()
			case 2:
				w.p.Override(r.Float64())
			case 3:
				w.p.Override(1)
				w.p.Resume()
			default:
				w.p.Resume()
			}
			for range r.IntN(800) {
				w.step(1e-3)
			}
			if w.p.Status() == Ended {
				break
			}
		}
		t.Logf("%d steps, worst %.4f", w.steps, w.worst)
	}
}

func TestPlayerPausesQuickly(t *testing.T) {
	m := compile(t, panda(t), square)
	slowest := 0
	for k := range 100 {
		w := newWatch(t, m)
		for range int(m.Duration() * 1000 * float64(k) / 100) {
			w.step(1e-3)
		}
		w.p.Pause()
		n := 0
		for !w.p.Resting() {
			w.step(1e-3)
			n++
		}
		slowest = max(slowest, n)
	}
	t.Logf("%d steps", slowest)
	if slowest > 2500 {
		t.Errorf("a pause took %d ms", slowest)
	}
}

func TestPlayerAllocatesNothing(t *testing.T) {
	m := compile(t, panda(t), square)
	p, out := NewPlayer(m), make([]trajectory.State, m.Axes())
	share := 0.0
	testkit.NoAllocs(t, 1000, func() {
		share = math.Mod(share+0.37, 1)
		p.Override(share)
		p.Step(1e-3, out)
		p.Passed()
	})
}

func BenchmarkPlayerStep(b *testing.B) {
	m, err := Compile(parse(b, square), panda(b).Robot, panda(b).home)
	if err != nil {
		b.Fatal(err)
	}
	out := make([]trajectory.State, m.Axes())
	run := func(b *testing.B, change bool) {
		p := NewPlayer(m)
		k := 0
		for b.Loop() {
			if k++; change && k%200 == 0 {
				p.Override(float64(k/200%10) / 10)
			}
			if p.Step(1e-3, out) == Ended {
				p = NewPlayer(m)
			}
		}
	}
	b.Run("steady", func(b *testing.B) { run(b, false) })
	b.Run("changing", func(b *testing.B) { run(b, true) })
}
