package diagram

import (
	"slices"
	"time"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/exchange"
	"github.com/sinew-robotics/sinew/net/port"
)

// Net is a diagram that was checked and flattened: what the threads execute.
type Net struct {
	Name      string
	Blocks    []*port.Instance     // in the order of Add
	Threads   []*ThreadPlan        // of this process
	Links     []LinkPlan           // all, those of other processes too
	Inlets    []*exchange.Inlet    // links from other processes
	Outlets   []*exchange.Outlet   // links to other processes
	Recodings []*exchange.Recoding // encoded links within this process
	Ticks     []TickPlan           // all, those of other processes too
	Calls     []CallPlan           // operations that blocks call in other processes: all, those of other processes too
	Leader    *exchange.Leader     // thread in another process that the time here follows; nil: none
	Foreign   []ForeignPlan        // blocks that are programs of their own
	Groups    []*Group             // all, in the order of [Diagram.Group]
	Levels    map[string]int       // of the blocks in groups with levels, by name
	Tuned     string               // file that tuned parameters are written to, of a net that a program builds; "": none
	Kept      *Kept                // what an earlier run has left; nil: no value outlives this run
	Unlinked  []Unlinked           // inputs of this process that nothing leads to
	Notices   []Notice             // what is no error, but may not be wanted
	Late      []LateInput          // linked inputs of this process for which a block takes something else until their first value
}

// ForeignPlan is a block that is a program of its own, and the links of its ports.
type ForeignPlan struct {
	Name, Process string
	Ports         []ForeignPort
}

// ForeignPort is a linked port of a foreign block.
type ForeignPort struct {
	Name   string // as the program calls it
	Link   string // name of the link between processes
	Output bool
}

// TickPlan is the link by which a thread keeps time with one of another process.
type TickPlan struct {
	Leader, Follower string        // threads
	Spec             exchange.Spec // of the leader's ticks
}

// LinkPlan is a link of the net with its ends found.
type LinkPlan struct {
	Link
	Source, Target *port.Port                    // nil where it is one of a foreign block
	Exchange       Exchange                      // which values an activation reads
	Grid           *exchange.Grid                // between two threads that keep one time: by which ticks it reads them; nil elsewhere
	Spec           exchange.Spec                 // its packets, should its ends be in two processes
	Interval       time.Duration                 // between two values of its source; 0: the threads do not determine it, or it is of events
	ToProcess      string                        // process of its target; "" where the whole net is one process
	Queued         interface{ Dropped() uint64 } // of a buffered link, else nil
}

// ThreadPlan is what one thread does in an activation.
type ThreadPlan struct {
	Thread
	Index    int
	Blocks   []*port.Instance     // all that are placed here, in the order of Add
	Calls    []*exchange.Caller   // of operations in other processes: answers are taken at the start, requests sent at the end
	Services []Service            // operations that other threads and processes call, served at the start
	Delayed  []*exchange.Transfer // delayed links, carried at the start
	Steps    []Step               // in static order
	Phases   []Phase              // of an activation: one, or two of a thread with two-way blocks, for Sense and for Control
	Ticks    *exchange.TickSender // sent at the start to followers in other processes; nil: none
}

// Phase is a stretch of a thread's static order with what it exchanges with other threads and processes: it takes what has
// come for its steps, executes them, and hands over what they have written.
type Phase struct {
	Imports []*exchange.Channel // fetched before its steps
	Inlets  []*exchange.Inlet   // fetched before its steps
	Queued  []*port.Port        // buffered inputs from other threads, refilled before its steps
	Events  []*port.Port        // handlers of events from other threads, collected before its steps
	End     int                 // index behind its last step
	Exports []*exchange.Channel // published after its steps
	Outlets []*exchange.Outlet  // published after its steps
	Wakes   []*exchange.Wake    // triggered threads, woken after that
}

// Step is one entry of a thread's static order.
type Step struct {
	Block     *port.Instance
	Part      port.Part
	Run       block.Stepper // nil for a block that only handles events
	Every     int
	Offset    int
	Transfers []*exchange.Transfer // links that need a copy, carried just before
	Refills   []*port.Port         // buffered inputs from the same thread
	Triggers  []port.Progress      // not empty: run only when one of them is new
	Handlers  []*port.Port         // whose functions run just before
	Timeouts  []*exchange.Timeout  // inputs without which the block rests
	Rising    bool                 // the group is triggered: run only when the block's input trigger has become true
	Restart   block.Restarter      // called when the block is enabled again; nil: it goes on with the state that it had
}

// WithoutSafe returns the outputs, as "block.port" and sorted, that other threads or processes read and that declare no safe
// value: nothing takes their place when the thread hangs.
func (p *ThreadPlan) WithoutSafe() []string {
	var list []string
	for _, phase := range p.Phases {
		for _, c := range phase.Exports {
			list = append(list, c.WithoutSafe()...)
		}
		for _, o := range phase.Outlets {
			if ref, ok := o.WithoutSafe(); ok {
				list = append(list, ref)
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// sense and control make the parts of a two-way block steps.
type sense struct{ b block.SenseController }

func (s sense) Step(t clock.Tick) error { return s.b.Sense(t) }

type control struct{ b block.SenseController }

func (c control) Step(t clock.Tick) error { return c.b.Control(t) }

// stepper returns what executes a part of a block, or nil.
func stepper(b block.Block, part port.Part) block.Stepper {
	switch x := b.(type) {
	case block.SenseController:
		if part == port.Sense {
			return sense{x}
		}
		return control{x}
	case block.Stepper:
		return x
	}
	return nil
}
