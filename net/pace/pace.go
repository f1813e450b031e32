// Package pace has the phase-locked loop by which the time of a process follows that of a leader in another process.
package pace

import (
	"math"
	"sync/atomic"
	"time"

	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/net/exchange"
	"github.com/sinew-robotics/sinew/net/histogram"
)

// The loop is of second order and critically damped.
const (
	paceGain     = 10.0   // 1/s: an error shrinks to a third in a tenth of a second
	paceMaxGain  = 0.3    // of an error that one tick corrects
	paceMaxDrift = 500e-6 // of one clock against the other
	paceSlew     = 0.01   // share of the time that passes by which the time here is shifted at most
	paceMaxStep  = 0.05   // of the shortest period, by which one tick shifts the time at most
	paceWindow   = 0.1    // of the shortest period: within it the time is locked
	paceStreak   = 10     // ticks in a row that decide about lock
	paceSilence  = 10     // periods without a tick after which the leader is lost, and at least
	paceLeast    = 100 * time.Millisecond

	leaderPatience = 2 * time.Second // for the first tick before the threads begin
)

// Loop makes the time of this process follow that of a leader in another process. It shifts the instant on the
// machine's clock at which the time is 0; the threads' grids hang on it. One goroutine uses it.
type Loop struct {
	leader   *exchange.Leader
	counters *Counters
	base     int64   // instant of time 0
	rest     float64 // of it, below a nanosecond
	drift    float64 // of the leader's clock against this one
	at       int64   // when Advance was called last
	heard    int64   // when a tick was
	streak   int     // ticks in a row that contradict locked
	locked   bool
	far      int // ticks in a row by which the time is off by more than the shortest period
}

// NewLoop returns a loop that follows a leader and counts how well. It begins with [Loop.Await].
func NewLoop(leader *exchange.Leader, c *Counters) *Loop { return &Loop{leader: leader, counters: c} }

// Base returns the instant on the machine's clock at which the time of this process is 0, ns.
func (p *Loop) Base() int64 { return p.base }

// Counters show how well the time follows its leader: written by the loop, read by others at any time. The zero value is that of a loop
// that has not begun.
type Counters struct {
	Locked atomic.Uint32       // 1: the grids are together
	Free   atomic.Uint32       // 1: the time is off by more than the shortest period, or may be: see exchange.LeaderTime
	Losses atomic.Uint64       // how often the leader or the lock was lost
	Heard  atomic.Int64        // when, on the machine's clock; 0: never
	Shift  atomic.Int64        // time here minus that of the leader, a multiple of the common grid: 0 unless one of them was restarted
	Phase  histogram.Durations // distance of the two grids at each tick, while locked
}

// Advance makes the time run as fast as the leader's last did, ticks or not, and returns the instant of time 0.
func (p *Loop) Advance(now int64) int64 {
	p.shiftBy(p.drift * float64(now-p.at))
	p.at = now
	if now-p.heard > p.silence() {
		p.counters.Free.Store(1)
		if p.locked {
			p.setLocked(false)
		}
	}
	return p.base
}

// silence is how long the leader may be silent, ns.
func (p *Loop) silence() int64 {
	return max(int64(paceLeast), paceSilence*int64(max(p.leader.Period, p.leader.Shortest)))
}

// Hear corrects the time by a tick: by it the leader's time was 0 at the instant base.
func (p *Loop) Hear(now, base int64) int64 {
	grid, shortest := int64(p.leader.Grid), float64(p.leader.Shortest)
	ahead := base - p.base
	turns := int64(math.Round(float64(ahead) / float64(grid)))
	off := float64(ahead - turns*grid)
	p.counters.Shift.Store(turns * grid)
	passed := float64(min(now-p.heard, int64(time.Second)))
	p.heard = now
	p.counters.Heard.Store(now)
	if passed <= 0 {
		return p.base
	}
	gain := min(paceGain*passed*1e-9, paceMaxGain)
	if p.far++; math.Abs(off) <= shortest {
		p.far = 0
		p.counters.Free.Store(0)
	} else if p.far >= paceStreak {
		p.counters.Free.Store(1)
	}
	near := math.Abs(off) <= paceWindow*shortest
	if near {
		p.drift += gain * gain / 4 * off / passed
		p.drift = max(-paceMaxDrift, min(p.drift, paceMaxDrift))
	}
	most := min(paceSlew*passed, paceMaxStep*shortest)
	p.shiftBy(max(-most, min(gain*off, most)))
	if p.locked {
		p.counters.Phase.Add(int64(math.Abs(off)))
	}
	if near == p.locked {
		p.streak = 0
	} else if p.streak++; p.streak >= paceStreak {
		p.setLocked(near)
	}
	return p.base
}

func (p *Loop) shiftBy(ns float64) {
	p.rest += ns
	whole := math.Floor(p.rest)
	p.base += int64(whole)
	p.rest -= whole
}

func (p *Loop) setLocked(locked bool) {
	p.locked, p.streak = locked, 0
	if locked {
		p.counters.Locked.Store(1)
		return
	}
	p.counters.Locked.Store(0)
	p.counters.Losses.Add(1)
}

// LeaderBase returns the instant on this machine's clock at which the leader's time was 0, by its newest tick; ok is false
// where that tick is left over from a leader that is gone.
func (p *Loop) LeaderBase() (base int64, ok bool) {
	tick, age, ok := p.leader.Tick()
	return rt.Now() - int64(age) - tick.Late - tick.Time, ok && int64(age) <= p.silence()
}

// Await waits for a tick of the leader before the threads begin, and takes its time over; false where none came within 2 s or before stopping
// returns true, and the time is 0 when the threads begin, after the delay.
func (p *Loop) Await(delay time.Duration, stopping func() bool) bool {
	begin := rt.Now()
	for rt.Now()-begin < int64(leaderPatience) && !stopping() {
		leader, ok := p.LeaderBase()
		if now := rt.Now(); ok && leader <= now {
			p.begin(now, leader)
			p.counters.Heard.Store(now)
			p.setLocked(true)
			return true
		}
		time.Sleep(time.Millisecond)
	}
	now := rt.Now()
	p.begin(now, now+int64(delay))
	p.counters.Free.Store(1)
	return false
}

func (p *Loop) begin(now, base int64) { p.at, p.heard, p.base = now, now, base }
