package thread

import (
	"sync/atomic"
	"time"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/diagram"
)

// counters is what a thread tells of itself: written by the thread, read by the front at any time.
type counters struct {
	activations atomic.Uint64
	slips       atomic.Uint64
	faults      atomic.Uint64
	pageFaults  atomic.Int64 // after the first activation
	jitter      Histogram    // lateness of the start, real time only
	cycle       Histogram    // execution time of an activation
	steps       []stepCounters
	at          atomic.Int64 // nominal time of the cycle that the steps' begin and end belong to
}

// stepCounters is measured at every Options.Profile-th activation.
type stepCounters struct {
	time       Histogram
	begin, end atomic.Int64 // in the last measured cycle, ns since its start
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
}

// Load returns the share of the period that the median cycle takes; 0 for a triggered thread.
func (s *Stats) Load() float64 {
	if s.Period == 0 {
		return 0
	}
	return float64(s.Cycle.Quantile(0.5)) / float64(s.Period)
}

func (t *thread) readStats() Stats {
	c := t.counters
	s := Stats{
		Thread: t.plan.Name, Period: t.plan.Period, Priority: t.plan.Priority,
		Activations: c.activations.Load(), Slips: c.slips.Load(), Faults: c.faults.Load(),
		PageFaults: c.pageFaults.Load(), Jitter: &c.jitter, Cycle: &c.cycle,
		Lost: Losses{Log: t.edge.log.Lost(), Live: t.edge.live.Lost(), Replies: t.edge.replies.Lost()},
	}
	for i := range c.steps {
		k := &c.steps[i]
		s.Steps = append(s.Steps, StepStats{
			Block: t.plan.Steps[i].Block.Name, Part: t.plan.Steps[i].Part, Time: &k.time,
			Begin: time.Duration(k.begin.Load()), End: time.Duration(k.end.Load()),
		})
	}
	return s
}

func newCounters(plan *diagram.ThreadPlan) *counters {
	return &counters{steps: make([]stepCounters, len(plan.Steps))}
}
