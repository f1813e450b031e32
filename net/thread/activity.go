package thread

import (
	"fmt"
	"slices"
	"sync"

	"github.com/sinew-robotics/sinew/internal/panics"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/port"
)

// Activity executes a task, such as a script, within the steps of a block: after each step of the block the task goes on, and the step
// ends when the task waits or returns. Meanwhile the thread does nothing else, so the task may do what only the thread may.
type Activity struct {
	// Front serves the requests of the task at once, in the thread. Those to blocks of other threads fail.
	Front *Front

	thread  *thread
	block   *port.Instance
	cell    *blockCell
	step    block.Stepper // of the block; nil: it only handles events
	prepare func(*Activity) (task func() error)
	task    func() error // nil: it must be prepared
	state   taskState
	resumed chan struct{} // the task goes on; closed: the system has stopped
	yielded chan outcome  // it waits, or has returned
	running sync.WaitGroup
	stopped bool
	taps    []*activityTap
}

// taskState is what has become of a task.
type taskState uint8

const (
	taskReady taskState = iota // begins with the next step of its block
	taskRunning
	taskEnded
)

// outcome is how a task gives the thread back.
type outcome struct {
	returned bool
	err      error
}

// The values of blockCell.task.
const (
	cellTask       uint32 = iota // it runs, or the block has none
	cellTaskEnded                // it has returned
	cellTaskFailed               // its error put the block in error
)

// RunIn makes a task run in the activity of a block: it begins with the first step of the block, and is executed after each, until it
// waits as a [Participant] of its activity. Each wait ends the step; it is over in the first step that sees its time or its
// condition. An error of the task puts the block in error; after a reset the task begins again. The task must return when Wait
// returns [ErrStopped]. RunIn is called before the core runs; it calls prepare for the task, and a reset does so again.
func (c *Core) RunIn(b *port.Instance, prepare func(*Activity) (task func() error)) {
	for _, t := range c.threads {
		for i := len(t.steps) - 1; i >= 0; i-- { // after Control, of a block in two parts
			s := &t.steps[i]
			if s.state.inst != b {
				continue
			}
			a := &Activity{thread: t, block: b, cell: s.state.cell, step: s.run, prepare: prepare}
			a.Front = newFront(c.net, c.boundary)
			a.Front.activity, a.Front.time = a, a
			a.task = prepare(a)
			s.run = a
			t.lookAgain(s)
			t.activities = append(t.activities, a)
			return
		}
	}
	panic(fmt.Sprintf("thread: block %q has no step in which a task could run", b.Name))
}

// Participant returns the task as a participant in the time of the system. Waiting ends the step.
func (a *Activity) Participant() *Participant { return &Participant{a} }

// Step implements [block.Stepper].
func (a *Activity) Step(t clock.Tick) error {
	if a.step != nil {
		if err := a.step.Step(t); err != nil {
			return err
		}
	}
	switch a.state {
	case taskEnded:
		return nil
	case taskReady:
		a.begin()
	}
	a.deliver()
	a.resumed <- struct{}{}
	o := <-a.yielded
	switch {
	case !o.returned:
		return nil
	case o.err != nil:
		a.state = taskReady
		a.cell.task.Store(cellTaskFailed)
	default:
		a.state = taskEnded
		a.cell.task.Store(cellTaskEnded)
	}
	return o.err
}

// begin starts the goroutine of the task, which waits to be resumed.
func (a *Activity) begin() {
	if a.task == nil {
		a.task = a.prepare(a)
	}
	task := a.task
	a.task, a.state, a.taps = nil, taskRunning, nil
	a.cell.task.Store(cellTask)
	a.resumed, a.yielded = make(chan struct{}), make(chan outcome, 1)
	a.running.Go(func() {
		if !a.await() {
			return
		}
		err := panics.Recovered("running the script", task)
		a.yielded <- outcome{true, err}
	})
}

// await returns in the next step of the block; false: the system has stopped.
func (a *Activity) await() bool {
	_, ok := <-a.resumed
	a.stopped = !ok
	return ok
}

// end makes the task return, after the thread has ended.
func (a *Activity) end() {
	close(a.Front.halted)
	if a.resumed != nil {
		close(a.resumed)
	}
	a.running.Wait()
}

// endActivities ends the tasks of all threads but those that hang.
func (c *Core) endActivities(hung []*thread) {
	for _, t := range c.threads {
		for !slices.Contains(hung, t) && len(t.activities) > 0 {
			t.activities[0].end()
			t.activities = t.activities[1:]
		}
	}
}

// clock implements timekeeper.
func (a *Activity) clock() clock.Clock { return a }

// Now returns the nominal time of the activation.
func (a *Activity) Now() clock.Time { return a.thread.now }

// Wait implements timekeeper for the task: the condition is examined once in each step.
func (a *Activity) Wait(until clock.Time, ready func() bool) error {
	for !a.stopped {
		if until > 0 && a.Now() >= until || ready != nil && ready() {
			return nil
		}
		a.yielded <- outcome{}
		a.await()
	}
	return ErrStopped
}

// join and leave have nothing to do: the thread waits for the task.
func (a *Activity) join()  {}
func (a *Activity) leave() {}

// answer answers a request of the task at once.
func (a *Activity) answer(h home, m request) ([]byte, error) {
	t := a.thread
	switch {
	case a.stopped:
		return nil, ErrStopped
	case h.thread != t.plan:
		return nil, fmt.Errorf("block %q runs in thread %q: a script of block %q reaches the blocks of its own thread, %q; link the value to a block of that thread, or ask for it in the script of the system",
			h.thread.Blocks[h.index].Name, h.thread.Name, a.block.Name, t.plan.Name)
	case len(m) > len(t.mail):
		return nil, fmt.Errorf("%d bytes are too many: a value has at most %d", len(m)-requestHeader, len(t.mail)-requestHeader)
	}
	t.serving = 1 + m.block()
	n, err := t.answer(m, t.now)
	t.serving = 0
	if err != nil {
		return nil, err
	}
	return slices.Clone(t.scratch[:n]), nil
}

// activityTap is a tap of the task: it gets what is new before the task goes on.
type activityTap struct {
	*Tap
	seen uint64
}

// tap adds a tap of the task.
func (a *Activity) tap(h home, t *Tap) error {
	if h.thread != a.thread.plan {
		return fmt.Errorf("block %q runs in thread %q: a script of block %q hears the blocks of its own thread, %q", t.port.Block.Name, h.thread.Name, a.block.Name, a.thread.plan.Name)
	}
	if len(a.taps) == MaxTaps {
		return errTooMany
	}
	a.taps = append(a.taps, &activityTap{t, *t.port.Count()})
	return nil
}

func (a *Activity) untap(t *Tap) {
	a.taps = slices.DeleteFunc(a.taps, func(k *activityTap) bool { return k.Tap == t })
}

// deliver gives the task's taps what is new at their ports; of several events the last.
func (a *Activity) deliver() {
	t := a.thread
	for _, k := range a.taps {
		n := *k.port.Count()
		if n == k.seen || k.port.Size() > len(t.scratch) {
			continue
		}
		k.seen = n
		k.sink(Sample{Port: k.port, Time: t.now, Since: t.now, Count: uint32(n), CDR: t.scratch[:k.port.Encode(t.scratch)]})
	}
}

// Write sends lines of text to [Front.OnLine] of the front that follows the core. Text for which the ring of answers has no room is dropped
// and counted.
func (a *Activity) Write(text []byte) (int, error) {
	for rest := string(text); rest != ""; rest = rest[min(len(rest), MaxText):] {
		putText(a.thread.edge.replies, noteLine, 0, rest)
	}
	return len(text), nil
}
