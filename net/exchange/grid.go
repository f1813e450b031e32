package exchange

import (
	"time"

	"github.com/sinew-robotics/sinew/net/clock"
)

// Grid decides which activation of one thread an activation of another reads, if both keep one time: not the newest that happens to
// be there, but one that their periods and offsets determine. Results then depend on inputs and ticks only, never on which thread
// ran first.
//
// Without Direct an activation of the sender counts as completed when its period is over, however early it ends (the logical
// execution time of Henzinger, Horowitz and Kirsch: Giotto, 2001, section 2): the reader at t takes the last activation that began at
// t - Sender.Period or before. From slow to fast this is the unit delay of a rate transition, from fast to slow its hold.
//
// With Direct the reader takes the last activation that began at t or before, and waits for it.
type Grid struct {
	Sender, Reader Ticks
	Direct         bool          // the reader takes the value of the same tick, and waits for it
	Wait           time.Duration // on a direct link: for how long after t the reader waits
}

// Ticks are the times at which a thread is activated: Offset, Offset + Period, and so on.
type Ticks struct {
	Period time.Duration // above 0
	Offset time.Duration // of the first activation, from time 0 of the system; 0 or more, below Period
}

// lag is how long after its beginning an activation of the sender counts as completed.
func (g *Grid) lag() int64 {
	if g.Direct {
		return 0
	}
	return int64(g.Sender.Period)
}

// Source returns the nominal time of the sender's activation that the reader takes at time t; before the first one it is negative.
func (g *Grid) Source(t clock.Time) clock.Time {
	period, offset := int64(g.Sender.Period), int64(g.Sender.Offset)
	n := floorDiv(int64(t)-g.lag()-offset, period)
	if n < 0 {
		return -1
	}
	return clock.Time(n*period + offset)
}

// Delay returns the least and the greatest time between an activation of the sender and the reader's that takes it. They differ where
// the reader takes an activation several times, or the periods are no multiples of one another.
func (g *Grid) Delay() (least, most time.Duration) {
	period, reads := g.Sender.Period, g.Reader.Period
	step := gcd(period, reads) // between the phases in which the reader can meet the sender
	least = time.Duration(g.lag()) + time.Duration(floorMod(int64(g.Reader.Offset-g.Sender.Offset), int64(step)))
	return least, least + period - step
}

// LeaderTime relates the time of a process to that of the thread in another process that it follows. The zero value is that of a process
// that follows none, or in which both are the same.
type LeaderTime struct {
	Ahead time.Duration // of the time here: not 0 after one of them was restarted
	Free  bool          // the time here is off by more than a period, or may be: the process exchanges values when they come
}

// leastHorizon and horizonPeriods limit how far in the future a packet may lie: see Grid.horizon.
const (
	leastHorizon   = time.Second
	horizonPeriods = 16
)

// horizon returns how far ahead of the tick that is read a packet from another process waits for its tick, even if a thread was kept from
// running for long. One from farther ahead has another time, and its process does not know it.
func (g *Grid) horizon() time.Duration {
	return max(leastHorizon, horizonPeriods*max(g.Sender.Period, g.Reader.Period))
}

// number returns the number under which the sender's activation at t publishes. A slow reader takes but one of a fast sender's: there
// the ticks of the reader are counted, so that each activation replaces the one before.
func (g *Grid) number(t clock.Time) int64 {
	if g.Sender.Period >= g.Reader.Period {
		return floorDiv(int64(t)-int64(g.Sender.Offset), int64(g.Sender.Period))
	}
	return max(0, -floorDiv(int64(g.Reader.Offset)-int64(t)-g.lag(), int64(g.Reader.Period)))
}

// wanted returns the number that the reader's activation at t asks for; negative before the first.
func (g *Grid) wanted(t clock.Time) int64 {
	if g.Sender.Period >= g.Reader.Period {
		return floorDiv(int64(t)-g.lag()-int64(g.Sender.Offset), int64(g.Sender.Period))
	}
	return floorDiv(int64(t)-int64(g.Reader.Offset), int64(g.Reader.Period))
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

func floorMod(a, b int64) int64 { return a - floorDiv(a, b)*b }

func gcd(a, b time.Duration) time.Duration {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
