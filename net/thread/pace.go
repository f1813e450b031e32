package thread

import (
	"fmt"
	"time"

	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/net/exchange"
	"github.com/sinew-robotics/sinew/net/histogram"
)

// follow is what the fastest follower does at the start of each activation.
func (t *thread) follow() {
	p := t.pace
	now := rt.Now()
	base := p.Advance(now)
	if leader, ok := p.LeaderBase(); ok {
		base = p.Hear(now, leader)
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
	p := &Pace{Leader: leader.Leading, Locked: c.Locked.Load() == 1, Heard: -time.Second, Losses: c.Losses.Load(), Shift: time.Duration(c.Shift.Load()), Phase: &c.Phase}
	if heard := c.Heard.Load(); heard != 0 {
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
