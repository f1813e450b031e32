package thread

import (
	"math"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/exchange"
	"github.com/sinew-robotics/sinew/net/link"
)

// simulated is a follower whose leader's clock runs faster by drift, and whose ticks arrive with errors of estimation.
type simulated struct {
	pace
	counters  paceCounters
	now       int64
	zero      float64 // true instant of the leader's time 0
	drift     float64
	noise     func() float64
	heard     func() bool
	worstStep int64
}

func newSimulated(leader, follower time.Duration) *simulated {
	s := &simulated{noise: func() float64 { return 0 }, heard: func() bool { return true }}
	s.pace = pace{leader: &exchange.Leader{Period: leader, Shortest: follower, Grid: max(leader, follower)}, counters: &s.counters}
	return s
}

// run lets time pass; the follower is activated at its period and hears the newest beat of the leader.
func (s *simulated) run(d time.Duration) {
	period := int64(s.leader.Shortest) // of the follower
	for end := s.now + int64(d); s.now < end; {
		s.now += period
		s.zero += s.drift * float64(period)
		before := s.base
		s.advance(s.now)
		if s.now-s.pace.heard >= int64(s.leader.Period) && s.heard() {
			s.hear(s.now, int64(s.zero+s.noise()))
		}
		s.worstStep = max(s.worstStep, abs(s.base-before))
	}
}

// off is the true distance of the two grids.
func (s *simulated) off() time.Duration {
	return time.Duration(math.Abs(math.Remainder(s.zero-float64(s.base), float64(s.leader.Grid))))
}

func abs(x int64) int64 { return max(x, -x) }

func TestFollowerLocksToItsLeaderDespiteDriftAndNoise(t *testing.T) {
	rng := testkit.Rand(t)
	for range 200 {
		leader := time.Duration(1+rng.IntN(20)) * 500 * time.Microsecond
		follower := leader * time.Duration(1+rng.IntN(8))
		if rng.IntN(2) == 0 {
			follower = leader / time.Duration(1+rng.IntN(5))
		}
		s := newSimulated(leader, follower)
		s.drift = (2*rng.Float64() - 1) * 100e-6
		s.zero = rng.Float64() * 1e9
		jitter := float64(s.leader.Shortest) * 0.02
		s.noise = func() float64 {
			if rng.IntN(100) == 0 {
				return jitter * 100 * rng.Float64() // the leader was interrupted between reading the clock and sending
			}
			return jitter * rng.NormFloat64()
		}
		s.heard = func() bool { return rng.IntN(20) > 0 }
		s.run(60*s.leader.Grid + 10*time.Second)
		if s.counters.locked.Load() != 1 || s.off() > s.leader.Shortest/10 {
			t.Errorf("leader %v, follower %v: off by %v, locked %d", leader, follower, s.off(), s.counters.locked.Load())
		}
		if limit := int64(float64(s.leader.Shortest) * 0.06); s.worstStep > limit {
			t.Errorf("leader %v, follower %v: a step of %v", leader, follower, time.Duration(s.worstStep))
		}
		if shift := s.counters.shift.Load(); shift%int64(s.leader.Grid) != 0 {
			t.Errorf("the shift of %d is no multiple of the grid", shift)
		}
	}
}

// Without its leader the follower goes on as fast as the leader did, reports that it runs free, and resynchronizes gently.
func TestFollowerKeepsItsPaceWithoutItsLeader(t *testing.T) {
	s := newSimulated(time.Millisecond, time.Millisecond)
	s.drift, s.zero = 50e-6, 123456789
	s.run(10 * time.Second)
	if s.counters.losses.Load() != 0 || s.counters.locked.Load() != 1 || s.off() > time.Microsecond {
		t.Fatalf("it does not lock: off by %v", s.off())
	}
	s.heard = func() bool { return false }
	s.run(3 * time.Second)
	if s.counters.locked.Load() != 0 || s.counters.losses.Load() != 1 || s.counters.free.Load() != 1 {
		t.Error("it does not report that the leader is lost")
	}
	if s.off() > 100*time.Microsecond { // without the drift that it has learned 150 µs
		t.Errorf("in 3 s without a leader it is off by %v", s.off())
	}
	s.zero += 400e3 // another leader, with another phase
	s.worstStep = 0
	s.heard = func() bool { return true }
	s.run(3 * time.Second)
	if s.counters.locked.Load() != 1 || s.off() > 10*time.Microsecond || s.worstStep > 60e3 {
		t.Errorf("off by %v, worst step %v", s.off(), time.Duration(s.worstStep))
	}
	if s.counters.free.Load() != 0 {
		t.Error("it exchanges no values by tick")
	}
	if s.counters.shift.Load() != 123*int64(time.Millisecond) {
		t.Errorf("its time is %v ahead of the leader's, want 123 ms", time.Duration(s.counters.shift.Load()))
	}
}

// A thread that begins late, or leaves activations out, keeps the grid of its blocks.
func TestEveryStaysOnItsGrid(t *testing.T) {
	for _, first := range []int64{0, 1, 2, 3, 4, 5, 13} {
		p := pair{}
		d := diagram.New("test")
		d.Thread(diagram.Thread{Name: "t", Period: time.Millisecond})
		seen := &ticks{}
		d.Add("c", &p.c, diagram.Place{Thread: "t"})
		d.Add("seen", seen, diagram.Place{Thread: "t", Every: 4, Offset: 3})
		net, err := d.Build()
		if err != nil {
			t.Fatal(err)
		}
		th := New(net, Options{}).threads[0]
		th.beginAt(first)
		for k := first; k < 60; k++ {
			if k == 21 {
				th.skip(6)
				k += 6
			}
			th.activate(clock.At(time.Duration(k) * time.Millisecond))
		}
		for i, tick := range seen.list {
			k := int64(tick.Time.Sub(0) / time.Millisecond)
			want := clock.Tick{N: uint64(k-3) / 4, Time: tick.Time, Dt: 4 * time.Millisecond}
			if k == 27 {
				want.Dt = 8 * time.Millisecond // 23 was left out
			}
			if k >= 27 {
				want.N--
			}
			if k%4 != 3 || tick != want {
				t.Errorf("begun at %d, execution %d: got %v, want %v", first, i, tick, want)
			}
		}
		if len(seen.list) < 10 {
			t.Errorf("it ran %d times", len(seen.list))
		}
	}
}

// ticks keeps the ticks of its steps.
type ticks struct{ list []clock.Tick }

func (s *ticks) Step(t clock.Tick) error {
	s.list = append(s.list, t)
	return nil
}

// repeated receives the packet it has sent, again and again.
type repeated struct{ packet [64]byte }

func (r *repeated) Forward(packet []byte, _ time.Duration) error {
	copy(r.packet[:], packet)
	return nil
}

func (r *repeated) TryReceive(packet []byte) (link.Stamp, bool) {
	copy(packet, r.packet[:])
	return link.Stamp{Size: len(packet), Age: 5}, true
}

func (r *repeated) State() link.State { return link.State{} }

func TestLeadingAndFollowingAllocateNothing(t *testing.T) {
	var tick repeated
	build := func(process string) *Core {
		d := diagram.New("test")
		d.Process(process)
		d.Thread(diagram.Thread{Name: "base", Period: time.Millisecond, Process: "one"})
		d.Thread(diagram.Thread{Name: "arm", Period: time.Millisecond, Process: "two", Follow: "base"})
		net, err := d.Build()
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range net.Outlets {
			o.Bind(&tick)
		}
		for _, i := range net.Inlets {
			i.Bind(&tick)
		}
		return New(net, Options{})
	}
	leader, follower := build("one"), build("two")
	leader.boundary.head.base.Store(rt.Now())
	now := clock.Time(0)
	step := func() {
		now = now.Add(time.Millisecond)
		leader.threads[0].activate(now)
		follower.threads[0].activate(now)
	}
	for range 20_000 {
		step()
	}
	testkit.NoAllocs(t, 5000, step)
	if p := follower.Front().Stats()[0].Pace; p.Heard < 0 {
		t.Errorf("nothing was heard: %+v", p)
	}
}
