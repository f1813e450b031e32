package thread

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/exchange"
	"github.com/sinew-robotics/sinew/net/port"
)

// Front is the side of a running net that may allocate. It knows the net's structure, asks the threads for what only
// they may touch, and gets their samples. Its methods may be called from any goroutine.
type Front struct {
	net      *diagram.Net
	boundary *Boundary
	halted   chan struct{} // closed when the threads have ended
	patience time.Duration // for an answer, if that of the thread is not longer
	asked    atomic.Bool   // a request may be open
	changed  broadcast     // something came from the core
	wrong    atomic.Uint64 // records that no sound core writes
	damage   damage

	untapping atomic.Bool // ending has taps

	mu        sync.Mutex
	time      timekeeper // nil before the run
	homes     map[*port.Instance]home
	numbers   []diagram.NumberGate   // by which blocks are enabled
	firstPort map[*port.Instance]int // where its ports begin among those of its thread
	next      uint32
	open      map[openKey]*Request
	taps      [][]*Tap // by thread and place
	ending    []*Tap   // that have ended, and whose threads do not know it yet
	faults    []Fault
	watchers  []func(Fault)
	released  []func(*port.Port)
	warnings  []Warning // of the last look
	warned    []func(Warning)
	troubles  uint64               // sum of the threads' at the last look
	looks     int                  // polls since then
	lasting   []Warning            // of the front's own
	passing   []Warning            // troubles of blocks
	waiting   []func(*Participant) // tasks that start with the run
	tasks     sync.WaitGroup

	activity *Activity // of whose task this is the front; nil: it is the front of the core
	lines    [][]byte  // by thread, text of tasks up to the end of the line
	reading  []func(line string)

	exchanges [][][]string // by thread and number, the links
	misses    exchange.Misses
	late      map[exchangeKey]lateness
}

// home is where a block runs.
type home struct {
	thread *diagram.ThreadPlan
	index  int // among the thread's blocks
}

// frontNumbers is how many requests a front may send before its numbers are those of the next one.
const frontNumbers = 1 << 24

// NewFront returns the front of a net whose core shares the boundary, in this process or in another. It replaces a front that
// was attached before: a core has one front at a time.
func NewFront(net *diagram.Net, b *Boundary) *Front {
	f := newFront(net, b)
	former := b.head.fronts.Add(1) - 1
	f.next = former * frontNumbers
	if former > 0 {
		for _, e := range b.edges {
			e.mailbox.Put(newRequest(askUntapAll, 0, 0, 0, nil))
		}
	}
	return f
}

func newFront(net *diagram.Net, b *Boundary) *Front {
	f := &Front{
		net: net, boundary: b, halted: make(chan struct{}), patience: requestPatience, homes: map[*port.Instance]home{}, firstPort: map[*port.Instance]int{},
		open: map[openKey]*Request{}, taps: make([][]*Tap, len(net.Threads)), lines: make([][]byte, len(net.Threads)), late: map[exchangeKey]lateness{},
	}
	for _, t := range net.Threads {
		f.exchanges = append(f.exchanges, exchanges(t))
		for i, b := range t.Blocks {
			f.homes[b], f.firstPort[b] = home{t, i}, countPorts(t.Blocks[:i])
		}
	}
	f.numbers = net.NumberGates()
	return f
}

// Net returns the net that runs.
func (f *Front) Net() *diagram.Net { return f.net }

// Stop ends the run in order: every thread finishes its activation, then all blocks are brought to rest.
func (f *Front) Stop() { f.boundary.head.stop.Store(stopAsked) }

// Stopping reports whether the run has been asked to stop.
func (f *Front) Stopping() bool { return f.boundary.head.stop.Load() == stopAsked }

// Now returns the time of the system, 0 before it runs.
func (f *Front) Now() clock.Time {
	f.mu.Lock()
	t := f.time
	f.mu.Unlock()
	if t == nil {
		return 0
	}
	return t.clock().Now()
}

// Participant is a goroutine of the front that takes part in the system's time: virtual time stops while it computes and
// continues while it waits.
type Participant struct{ time timekeeper }

// Wait returns nil at time until, if until > 0, or as soon as ready, if not nil, returns true; it returns [ErrStopped] if the
// system stops first. ready is called often and must not block.
func (p *Participant) Wait(until clock.Time, ready func() bool) error {
	return p.time.Wait(until, ready)
}

// Go runs task as a participant while the system runs; if the system has not started, from its start. The task must return when
// Wait returns [ErrStopped]: the run ends only after that.
func (f *Front) Go(task func(*Participant)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.time == nil {
		f.waiting = append(f.waiting, task)
		return
	}
	f.launch(task)
}

// launch starts a task. The caller holds f.mu.
func (f *Front) launch(task func(*Participant)) {
	t := f.time
	t.join()
	f.tasks.Go(func() {
		defer t.leave()
		task(&Participant{t})
	})
}

// begin gives the front its time, and starts the tasks that waited for it.
func (f *Front) begin(t timekeeper) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.time = t
	for _, task := range f.waiting {
		f.launch(task)
	}
	f.waiting = nil
}

// Halted returns a channel that is closed when the threads have ended.
func (f *Front) Halted() <-chan struct{} { return f.halted }

func (f *Front) isHalted() bool {
	select {
	case <-f.halted:
		return true
	default:
		return false
	}
}

// poll takes what the threads have for the front, except the log.
func (f *Front) poll() {
	any := false
	for i, e := range f.boundary.edges {
		any = f.pollReplies(i) || any
		any = f.pollSamples(i, e.live) || any
		f.pollMisses(i)
	}
	if f.asked.Load() {
		any = f.giveUp(f.Now()) || any
	}
	if f.untapping.Load() {
		f.retryUntaps()
	}
	if f.looks++; f.looks >= looksBetween || f.countTroubles() != f.troubles {
		f.pollWarnings()
	}
	if any {
		f.changed.send()
	}
}

// end takes what is left when the threads have ended, ends all waiting, and returns when all tasks have.
func (f *Front) end() {
	close(f.halted)
	f.poll()
	f.pollWarnings()
	f.pollLog()
	f.mu.Lock()
	for key, r := range f.open {
		r.finish(nil, ErrStopped)
		delete(f.open, key)
	}
	f.mu.Unlock()
	f.tasks.Wait()
}

// Stepping reports whether the threads run: each periodic one has been activated at least once.
func (f *Front) Stepping() bool {
	for i, t := range f.net.Threads {
		if !t.Triggered && f.boundary.edges[i].counters.activations.Load() == 0 {
			return false
		}
	}
	return true
}

// Stats returns the statistics of each thread since the system started.
func (f *Front) Stats() []Stats {
	var list []Stats
	for i, plan := range f.net.Threads {
		s := readStats(plan, f.boundary.edges[i])
		if leader := f.net.Leader; leader != nil && leader.Leading == plan.Follow {
			s.Pace = f.pace()
		}
		list = append(list, s)
	}
	return list
}
