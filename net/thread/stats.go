package thread

import (
	"sync/atomic"
	"time"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/diagram"
)

// counters is what a thread tells of itself: written by the thread, read by the front at any time.
type counters struct {
	*fixedCounters
	steps []stepCounters
}

// fixedCounters are those of the whole thread.
type fixedCounters struct {
	activations atomic.Uint64
	slips       atomic.Uint64
	faults      atomic.Uint64
	pageFaults  atomic.Int64 // after the first activation
	jitter      Histogram    // lateness of the start, real time only
	cycle       Histogram    // execution time of an activation
	at          atomic.Int64 // nominal time of the cycle that the steps' begin and end belong to
}

// stepCounters are those of a step; its times are measured at every Options.Profile-th activation.
type stepCounters struct {
	time       Histogram
	begin, end atomic.Int64  // in the last measured cycle, ns since its start
	late       atomic.Uint32 // 1 + the time-out that makes the step rest; 0: it runs
	timeouts   atomic.Uint64 // how often it began to rest
}

// Stats is what a thread has done so far.
type Stats struct {
	Thread      string
	Period      time.Duration // 0 for a triggered thread
	Priority    int
	Activations uint64
	Slips       uint64 // periods in which the thread did not run because it was late by one or more
	Faults      uint64 // blocks that fell in error
	PageFaults  int64  // after the first activation; -1 where the system does not tell
	Jitter      *Histogram
	Cycle       *Histogram
	Steps       []StepStats
	Lost        Losses
	Follow      string // thread that it follows; "": none
	Pace        *Pace  // how well, where that runs in another process; in this one both have one grid, and it is nil
}

// Losses counts samples that found no room in a ring.
type Losses struct {
	Log, Live, Replies uint64
}

// StepStats is what one entry of the thread's order costs.
type StepStats struct {
	Block      string
	Part       block.Part
	Time       *Histogram
	Begin, End time.Duration // in the last measured cycle, since its start
	Timeouts   uint64        // how often it began to rest because an input had no data
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
		Activations: c.activations.Load(), Slips: c.slips.Load(), Faults: c.faults.Load(),
		PageFaults: c.pageFaults.Load(), Jitter: &c.jitter, Cycle: &c.cycle,
		Follow: plan.Follow, Lost: Losses{Log: e.log.Lost(), Live: e.live.Lost(), Replies: e.replies.Lost()},
	}
	for i := range c.steps {
		k := &c.steps[i]
		s.Steps = append(s.Steps, StepStats{
			Block: plan.Steps[i].Block.Name, Part: plan.Steps[i].Part, Time: &k.time,
			Begin: time.Duration(k.begin.Load()), End: time.Duration(k.end.Load()),
			Timeouts: k.timeouts.Load(),
		})
	}
	return s
}
