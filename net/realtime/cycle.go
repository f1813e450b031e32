package realtime

import (
	"fmt"
	"time"

	"github.com/sinew-robotics/sinew/internal/rt"
)

// Cycle wakes a thread at the instants start + k·period, where start is when it was made: delays do not add up. It belongs to one
// thread, which should be locked. Make one with [Every].
type Cycle struct {
	// Spin is by how much the thread wakes early, to spend the rest in a busy loop: processor time for punctuality. 20 µs hide the
	// wake-up of an idle machine. 0: none.
	Spin time.Duration

	period  int64
	next    int64
	sleeper rt.Sleeper
}

// Every returns a cycle that begins now: its first Wait ends after one period. It panics unless the period is positive.
func Every(period time.Duration) *Cycle {
	if period <= 0 {
		panic(fmt.Sprintf("realtime.Every: period %v, expected positive", period))
	}
	return &Cycle{period: int64(period), next: rt.Now() + int64(period)}
}

// Wait sleeps until the next instant, and never ends early. It returns the number of slips: instants that passed while the thread was still
// at work since the last Wait, and that are skipped. It allocates nothing.
func (c *Cycle) Wait() (slips int) {
	if late := rt.Now() - c.next; late >= 0 {
		slips = int(late/c.period) + 1
		c.next += int64(slips) * c.period
	}
	c.sleeper.Spin = c.Spin
	c.sleeper.SleepUntil(c.next)
	c.next += c.period
	return slips
}

// Late returns the time since the instant that the last Wait has waited for: by how much the thread woke too late, if it is called at
// once.
func (c *Cycle) Late() time.Duration { return time.Duration(rt.Now() - (c.next - c.period)) }
