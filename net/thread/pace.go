package thread

import (
	"fmt"
	"math"
	"sync/atomic"
	"time"

	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/net/exchange"
	"github.com/sinew-robotics/sinew/net/histogram"
)

// The phase-locked loop by which the time of a process follows a leader's: of second order, critically damped.
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

// pace makes the time of this process follow that of a leader in another process. It shifts the instant on the
// machine's clock at which the time is 0; the threads' grids hang on it.
type pace struct {
	leader   *exchange.Leader
	counters *paceCounters
	base     int64   // instant of time 0
	rest     float64 // of it, below a nanosecond
	drift    float64 // of the leader's clock against this one
	at       int64   // when advance was called last
	heard    int64   // when a tick was
	streak   int     // ticks in a row that contradict locked
	locked   bool
	far      int // ticks in a row by which the time is off by more than the shortest period
}

// paceCounters is what the front sees of it.
type paceCounters struct {
	locked atomic.Uint32
	free   atomic.Uint32       // the time is off by more than the shortest period, or may be: see exchange.LeaderTime
	losses atomic.Uint64       // how often the leader or the lock was lost
	heard  atomic.Int64        // when, on the machine's clock; 0: never
	shift  atomic.Int64        // time here minus that of the leader, a multiple of the common grid: 0 unless one of them was restarted
	phase  histogram.Durations // distance of the two grids at each tick, while locked
}

// advance makes the time run as fast as the leader's last did, ticks or not, and returns the instant of time 0.
func (p *pace) advance(now int64) int64 {
	p.shiftBy(p.drift * float64(now-p.at))
	p.at = now
	if now-p.heard > p.silence() {
		p.counters.free.Store(1)
		if p.locked {
			p.setLocked(false)
		}
	}
	return p.base
}

// silence is how long the leader may be silent, ns.
func (p *pace) silence() int64 {
	return max(int64(paceLeast), paceSilence*int64(max(p.leader.Period, p.leader.Shortest)))
}

// hear corrects the time by a tick: by it the leader's time was 0 at the instant base.
func (p *pace) hear(now, base int64) int64 {
	grid, shortest := int64(p.leader.Grid), float64(p.leader.Shortest)
	ahead := base - p.base
	turns := int64(math.Round(float64(ahead) / float64(grid)))
	off := float64(ahead - turns*grid)
	p.counters.shift.Store(turns * grid)
	passed := float64(min(now-p.heard, int64(time.Second)))
	p.heard = now
	p.counters.heard.Store(now)
	if passed <= 0 {
		return p.base
	}
	gain := min(paceGain*passed*1e-9, paceMaxGain)
	if p.far++; math.Abs(off) <= shortest {
		p.far = 0
		p.counters.free.Store(0)
	} else if p.far >= paceStreak {
		p.counters.free.Store(1)
	}
	near := math.Abs(off) <= paceWindow*shortest
	if near {
		p.drift += gain * gain / 4 * off / passed
		p.drift = max(-paceMaxDrift, min(p.drift, paceMaxDrift))
	}
	most := min(paceSlew*passed, paceMaxStep*shortest)
	p.shiftBy(max(-most, min(gain*off, most)))
	if p.locked {
		p.counters.phase.Add(int64(math.Abs(off)))
	}
	if near == p.locked {
		p.streak = 0
	} else if p.streak++; p.streak >= paceStreak {
		p.setLocked(near)
	}
	return p.base
}

func (p *pace) shiftBy(ns float64) {
	p.rest += ns
	whole := math.Floor(p.rest)
	p.base += int64(whole)
	p.rest -= whole
}

func (p *pace) setLocked(locked bool) {
	p.locked, p.streak = locked, 0
	if locked {
		p.counters.locked.Store(1)
		return
	}
	p.counters.locked.Store(0)
	p.counters.losses.Add(1)
}

// leaderBase returns the instant on this machine's clock at which the leader's time was 0, by its newest tick; ok is false
// where that tick is left over from a leader that is gone.
func (p *pace) leaderBase() (base int64, ok bool) {
	tick, age, ok := p.leader.Tick()
	return rt.Now() - int64(age) - tick.Late - tick.Time, ok && int64(age) <= p.silence()
}

// await waits for a tick of the leader before the threads begin, and takes its time over; false where none came, and the time
// is 0 when the threads begin.
func (p *pace) await(stopping func() bool) bool {
	begin := rt.Now()
	for rt.Now()-begin < int64(leaderPatience) && !stopping() {
		leader, ok := p.leaderBase()
		if now := rt.Now(); ok && leader <= now {
			p.begin(now, leader)
			p.counters.heard.Store(now)
			p.setLocked(true)
			return true
		}
		time.Sleep(time.Millisecond)
	}
	now := rt.Now()
	p.begin(now, now+int64(startDelay))
	p.counters.free.Store(1)
	return false
}

func (p *pace) begin(now, base int64) { p.at, p.heard, p.base = now, now, base }

// follow is what the fastest follower does at the start of each activation.
func (t *thread) follow() {
	p := t.pace
	now := rt.Now()
	base := p.advance(now)
	if leader, ok := p.leaderBase(); ok {
		base = p.hear(now, leader)
	}
	t.core.setBase(base)
}

// Pace describes how closely the threads of a process follow the time of a leader in another process.
type Pace struct {
	Leader string               // name of the thread that is followed
	Locked bool                 // the grids are together; else the process runs free
	Heard  time.Duration        // since the last tick; -1 s: never
	Losses uint64               // how often the leader or the lock was lost
	Shift  time.Duration        // time here minus the leader's: 0 unless the leader was not there at the start, or was restarted
	Phase  *histogram.Durations // distance of the two grids at each tick, while locked
}

func (f *Front) pace() *Pace {
	leader := f.net.Leader
	if leader == nil {
		return nil
	}
	c := &f.boundary.head.pace
	p := &Pace{Leader: leader.Leading, Locked: c.locked.Load() == 1, Heard: -time.Second, Losses: c.losses.Load(), Shift: time.Duration(c.shift.Load()), Phase: &c.phase}
	if heard := c.heard.Load(); heard != 0 {
		p.Heard = time.Duration(rt.Now() - heard)
	}
	return p
}

// freeWarning returns the warning that this process has lost its leader.
func freeWarning(leader *exchange.Leader) Warning {
	return Warning{
		begun: fmt.Sprintf("the threads that follow %q of process %q run free: they do not keep its time", leader.Leading, leader.From),
		ended: fmt.Sprintf("the threads that follow %q keep its time", leader.Leading),
	}
}
