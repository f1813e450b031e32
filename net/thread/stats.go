package thread

import (
	"sync/atomic"
	"time"

	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/histogram"
	"github.com/sinew-robotics/sinew/net/port"
)

// counters are the statistics of a thread: written by the thread, read by the front at any time.
type counters struct {
	*fixedCounters
	steps []stepCounters
}

// fixedCounters are those of the whole thread.
type fixedCounters struct {
	activations atomic.Uint64
	slips       atomic.Uint64
	late        atomic.Uint64 // values that were not there at their tick
	faults      atomic.Uint64
	damaged     atomic.Uint64       // messages of the front that no sound front writes
	pageFaults  atomic.Int64        // after the first activation
	jitter      histogram.Durations // lateness of the start, real time only
	cycle       histogram.Durations // execution time of an activation
	idle        atomic.Uint64       // how often a triggered thread found nothing to do
	hangs       atomic.Uint64       // how often its watchdog was over
	hung        atomic.Uint64       // where it hangs: see encodeHang; 0: it does not
	troubles    atomic.Uint64       // how often a step or the thread began or ended to have a cause of a warning
	at          atomic.Int64        // 1 + nominal time of the cycle that was measured last; 0: none
	start       atomic.Int64        // of that cycle in this thread, on the machine's clock
}

// stepCounters are those of a step; its times are measured at every Options.Profile-th activation.
type stepCounters struct {
	time       histogram.Durations
	at         atomic.Int64 // the counters' at in which begin and end were measured
	begin, end atomic.Int64 // of its first execution in that cycle, on the machine's clock
	again      atomic.Int64 // beginning of its last one, if there were several; 0: there were not
	againEnd   atomic.Int64
	late       atomic.Uint32 // 1 + the time-out that makes the step rest; 0: it runs
	timeouts   atomic.Uint64 // how often it began to rest
}

// took notes an execution in the measured cycle at. Of several in one cycle the first and the last are kept.
func (c *stepCounters) took(at, begin, end int64) {
	c.time.Add(end - begin)
	if c.at.Load() == at {
		c.againEnd.Store(end)
		c.again.Store(begin)
		return
	}
	c.again.Store(0)
	c.begin.Store(begin)
	c.end.Store(end)
	c.at.Store(at)
}

// measuredAfter is how often a thread runs without being in a measured cycle, in multiples of Options.Profile, before it
// measures an activation of its own.
const measuredAfter = 4

// measures decides whether the thread measures its steps in the activation that has begun. One thread chooses the cycles, and
// all that run at the same nominal time measure the same one: so its steps can be put on one line of time.
func (t *thread) measures(now clock.Time, begin int64) bool {
	at, common := int64(now)+1, &t.core.measured
	t.profile--
	switch {
	case t.core.chooser == t.plan.Index && t.profile <= 0 && (t.core.last == 0 || now < t.core.last):
		t.profile = t.core.options.Profile
		common.Store(at)
	case t.core.chooser != t.plan.Index && (t.profile <= 0 || common.Load() == at):
		t.profile = measuredAfter * t.core.options.Profile
	default:
		return false
	}
	if c := t.counters; c.at.Load() != at {
		c.start.Store(begin)
		c.at.Store(at)
	}
	return true
}

// chooser returns the index of the thread that chooses the cycles to measure: of those with the shortest period the most urgent,
// or the first where all are triggered.
func chooser(threads []*diagram.ThreadPlan) (best int) {
	for i, t := range threads {
		b := threads[best]
		switch {
		case t.Triggered:
		case b.Triggered, t.Period < b.Period, t.Period == b.Period && t.Priority > b.Priority:
			best = i
		}
	}
	return best
}

// Stats are the statistics of a thread since the system started.
type Stats struct {
	Thread      string
	Period      time.Duration // 0 for a triggered thread
	Priority    int           // 1 to 99; 0: not real-time
	Activations uint64
	Slips       uint64               // periods in which the thread did not run because it was late by one or more
	Late        uint64               // values of other threads that were not there at their tick
	Hangs       uint64               // how often it finished no activation within its watchdog
	Faults      uint64               // blocks that went into error
	PageFaults  int64                // after the first activation; -1 where the system does not report them
	Jitter      *histogram.Durations // how late activations began
	Cycle       *histogram.Durations // how long activations took
	Measured    clock.Time           // nominal time of the cycle that was measured last
	Start       int64                // of that cycle in this thread, ns on the machine's clock; 0: none was measured
	Steps       []StepStats          // in the order of execution
	Lost        Losses
	Follow      string // thread that it follows; "": none
	Pace        *Pace  // how well, where that runs in another process; in this one both have one grid, and it is nil
}

// Losses counts what was never sent because a ring was full. A live value, or event, that found no room is sent later, and is lost only if a newer one has
// taken its place by then.
type Losses struct {
	Log, Live, Replies uint64 // samples for the recorder and for tools, and answers to tools
}

// StepStats are the execution times of one entry in the thread's order.
type StepStats struct {
	Block      string
	Part       port.Part            // half of the block that the step executes
	Time       *histogram.Durations // of execution
	Begin, End time.Duration        // of its first execution in the last measured cycle, since its start in the thread; 0 where there was none
	Again      [2]time.Duration     // Begin and End of its last execution in that cycle, where there were several: else 0
	Timeouts   uint64               // how often it began to rest because an input had no data
}

// Load returns the share of the period that the median cycle takes; 0 for a triggered thread.
func (s *Stats) Load() float64 {
	if s.Period == 0 {
		return 0
	}
	return float64(s.Cycle.Quantile(0.5)) / float64(s.Period)
}

func readStats(plan *diagram.ThreadPlan, e *edge) Stats {
	c := e.counters
	s := Stats{
		Thread: plan.Name, Period: plan.Period, Priority: plan.Priority,
		Activations: c.activations.Load(), Slips: c.slips.Load(), Late: c.late.Load(), Hangs: c.hangs.Load(), Faults: c.faults.Load(),
		PageFaults: c.pageFaults.Load(), Jitter: &c.jitter, Cycle: &c.cycle,
		Follow: plan.Follow, Lost: Losses{Log: e.log.Lost(), Live: e.live.Lost(), Replies: e.replies.Lost()},
	}
	at := c.at.Load()
	if at > 0 {
		s.Measured, s.Start = clock.Time(at-1), c.start.Load()
	}
	for i := range c.steps {
		k := &c.steps[i]
		e := StepStats{Block: plan.Steps[i].Block.Name, Part: plan.Steps[i].Part, Time: &k.time, Timeouts: k.timeouts.Load()}
		if at > 0 && k.at.Load() == at {
			e.Begin, e.End = time.Duration(k.begin.Load()-s.Start), time.Duration(k.end.Load()-s.Start)
			if again := k.again.Load(); again > 0 {
				e.Again = [2]time.Duration{time.Duration(again - s.Start), time.Duration(k.againEnd.Load() - s.Start)}
			}
		}
		s.Steps = append(s.Steps, e)
	}
	return s
}
