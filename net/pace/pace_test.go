package pace

import (
	"math"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/exchange"
)

// simulated is a follower whose leader's clock runs faster by drift, and whose ticks arrive with errors of estimation.
type simulated struct {
	Loop
	counters  Counters
	now       int64
	zero      float64 // true instant of the leader's time 0
	drift     float64
	noise     func() float64
	heard     func() bool
	worstStep int64
}

func newSimulated(leader, follower time.Duration) *simulated {
	s := &simulated{noise: func() float64 { return 0 }, heard: func() bool { return true }}
	s.Loop = Loop{leader: &exchange.Leader{Period: leader, Shortest: follower, Grid: max(leader, follower)}, counters: &s.counters}
	return s
}

// run lets time pass; the follower is activated at its period and hears the newest beat of the leader.
func (s *simulated) run(d time.Duration) {
	period := int64(s.leader.Shortest) // of the follower
	for end := s.now + int64(d); s.now < end; {
		s.now += period
		s.zero += s.drift * float64(period)
		before := s.base
		s.Advance(s.now)
		if s.now-s.Loop.heard >= int64(s.leader.Period) && s.heard() {
			s.Hear(s.now, int64(s.zero+s.noise()))
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
		if s.counters.Locked.Load() != 1 || s.off() > s.leader.Shortest/10 {
			t.Errorf("leader %v, follower %v: off by %v, locked %d", leader, follower, s.off(), s.counters.Locked.Load())
		}
		if limit := int64(float64(s.leader.Shortest) * 0.06); s.worstStep > limit {
			t.Errorf("leader %v, follower %v: a step of %v", leader, follower, time.Duration(s.worstStep))
		}
		if shift := s.counters.Shift.Load(); shift%int64(s.leader.Grid) != 0 {
			t.Errorf("the shift of %d is no multiple of the grid", shift)
		}
	}
}

// Without its leader the follower goes on as fast as the leader did, reports that it runs free, and resynchronizes gently.
func TestFollowerKeepsItsPaceWithoutItsLeader(t *testing.T) {
	s := newSimulated(time.Millisecond, time.Millisecond)
	s.drift, s.zero = 50e-6, 123456789
	s.run(10 * time.Second)
	if s.counters.Losses.Load() != 0 || s.counters.Locked.Load() != 1 || s.off() > time.Microsecond {
		t.Fatalf("it does not lock: off by %v", s.off())
	}
	s.heard = func() bool { return false }
	s.run(3 * time.Second)
	if s.counters.Locked.Load() != 0 || s.counters.Losses.Load() != 1 || s.counters.Free.Load() != 1 {
		t.Error("it does not report that the leader is lost")
	}
	if s.off() > 100*time.Microsecond { // without the drift that it has learned 150 µs
		t.Errorf("in 3 s without a leader it is off by %v", s.off())
	}
	s.zero += 400e3 // another leader, with another phase
	s.worstStep = 0
	s.heard = func() bool { return true }
	s.run(3 * time.Second)
	if s.counters.Locked.Load() != 1 || s.off() > 10*time.Microsecond || s.worstStep > 60e3 {
		t.Errorf("off by %v, worst step %v", s.off(), time.Duration(s.worstStep))
	}
	if s.counters.Free.Load() != 0 {
		t.Error("it exchanges no values by tick")
	}
	if s.counters.Shift.Load() != 123*int64(time.Millisecond) {
		t.Errorf("its time is %v ahead of the leader's, want 123 ms", time.Duration(s.counters.Shift.Load()))
	}
}
