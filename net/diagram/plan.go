package diagram

import (
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// Net is a diagram that was checked and flattened: what the threads execute.
type Net struct {
	Name    string
	Blocks  []*block.Instance // in the order of Add
	Threads []*ThreadPlan     // of this process
	Links   []LinkPlan        // all, those of other processes too
	Inlets  []*Inlet          // links from other processes
	Outlets []*Outlet         // links to other processes
	Beats   []BeatPlan        // all, those of other processes too
	Calls   []CallPlan        // operations that blocks call in other processes: all, those of other processes too
	Lead    *Lead             // thread in another process that the time here follows; nil: none
	Foreign []ForeignPlan     // blocks that are programs of their own
}

// ForeignPlan is a block that is a program of its own, and what its ports are called on the wire.
type ForeignPlan struct {
	Name, Process string
	Ports         []ForeignPort
}

// ForeignPort is a linked port of a foreign block.
type ForeignPort struct {
	Name   string // as the program calls it
	Wire   string // [Wire].Name of the link
	Output bool
}

// BeatPlan is the link by which a thread keeps time with one of another process.
type BeatPlan struct {
	Leader, Follower string // threads
	Wire             Wire
}

// LinkPlan is a link of the net with its ends found.
type LinkPlan struct {
	Link
	Source, Target *block.Port                   // nil where it is one of a foreign block
	Wire           Wire                          // what it carries, should its ends be in two processes
	ToProcess      string                        // process of its target; "" where the whole net is one process
	Queued         interface{ Dropped() uint64 } // of a buffered link, else nil
}

// ThreadPlan is what one thread does in an activation.
type ThreadPlan struct {
	Thread
	Index    int
	Blocks   []*block.Instance // all that are placed here, in the order of Add
	Imports  []*Channel        // fetched at the start
	Inlets   []*Inlet          // fetched at the start
	Queued   []*block.Port     // buffered inputs from other threads, refilled at the start
	Events   []*block.Port     // handlers of events from other threads, collected at the start
	Calls    []*Calling        // of operations in other processes: answers are taken at the start, requests sent at the end
	Requests []Request         // calls from other threads and processes, served at the start
	Delayed  []*Transfer       // delayed links, carried at the start
	Steps    []Step            // in static order
	Exports  []*Channel        // published at the end
	Outlets  []*Outlet         // published at the end
	Wakes    []*Wake           // triggered threads, woken after that
	Beater   *Beater           // tells followers in other processes when an activation begins; nil: none
}

// Step is one entry of a thread's static order.
type Step struct {
	Block     *block.Instance
	Part      block.Part
	Run       block.Stepper // nil for a block that only handles events
	Every     int
	Offset    int
	Transfers []*Transfer               // links that need a copy, carried just before
	Refills   []*block.Port             // buffered inputs from the same thread
	Triggers  []interface{ New() bool } // not empty: run only when one of them is new
	Handlers  []*block.Port             // whose functions run just before
	Timeouts  []*Timeout                // inputs without which the block rests
}

// Wake tells a triggered thread that something has come for it.
type Wake struct {
	Thread int // index of the thread to wake
	counts []*uint64
	last   uint64
}

// Due reports whether something was written for the thread since the last call.
func (w *Wake) Due() bool {
	sum := uint64(0)
	for _, c := range w.counts {
		sum += *c
	}
	due := sum != w.last
	w.last = sum
	return due
}

// sense and control make the parts of a two-way block steps.
type sense struct{ b block.SenseController }

func (s sense) Step(t clock.Tick) error { return s.b.Sense(t) }

type control struct{ b block.SenseController }

func (c control) Step(t clock.Tick) error { return c.b.Control(t) }

// stepper returns what executes a part of a block, or nil.
func stepper(b block.Block, part block.Part) block.Stepper {
	switch x := b.(type) {
	case block.SenseController:
		if part == block.Sense {
			return sense{x}
		}
		return control{x}
	case block.Stepper:
		return x
	}
	return nil
}
