package thread

import (
	"fmt"
	"slices"

	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/net/port"
)

// Warning is a problem that ends automatically: a block that rests because one of its inputs has no
// data, threads that have lost the leader they follow.
type Warning struct {
	Over         bool // it has ended
	begun, ended string
}

// String returns the warning as one sentence without a full stop.
func (w Warning) String() string {
	if w.Over {
		return w.ended
	}
	return w.begun
}

// Warnings returns the present warnings.
func (f *Front) Warnings() []Warning {
	var list []Warning
	if b := f.slowToStart(); b != nil {
		list = append(list, startWarning(b))
	}
	for i, plan := range f.net.Threads {
		if code := f.boundary.edges[i].counters.hung.Load(); code != 0 {
			list = append(list, hangWarning(plan, code))
		}
		for k := range plan.Steps {
			if late := f.boundary.edges[i].counters.steps[k].late.Load(); late > 0 && int(late) <= len(plan.Steps[k].Timeouts) {
				list = append(list, restWarning(plan.Steps[k].Block, plan.Steps[k].Timeouts[late-1]))
			}
		}
	}
	for i := range f.numbers {
		if f.NonFinite(f.numbers[i].From) {
			list = append(list, numberWarning(&f.numbers[i]))
		}
	}
	if p := f.pace(); p != nil && !p.Locked && f.boundary.head.state.Load() == coreRunning {
		list = append(list, freeWarning(f.net.Leader))
	}
	if !f.boundary.own && f.damage.recent(f.damages()) {
		list = append(list, damageWarning())
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return append(append(append(list, f.lateWarnings()...), f.passing...), f.lasting...)
}

// Warn adds a warning of the front's own, such as a log that is incomplete. It lasts until end is called, after which ended describes it,
// or until the system ends.
func (f *Front) Warn(begun, ended string) (end func()) {
	w := Warning{begun: begun, ended: ended}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.lasting = append(f.lasting, w)
	return func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		if i := slices.Index(f.lasting, w); i >= 0 {
			f.lasting = slices.Delete(f.lasting, i, i+1)
		}
	}
}

// OnWarning calls w for every warning that begins or ends, on the goroutine that moves messages: w must not block.
func (f *Front) OnWarning(w func(Warning)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.warned = append(f.warned, w)
}

// looksBetween is how many polls may pass before the front looks again for causes of warnings that no thread counts.
const looksBetween = 16

// countTroubles returns a number that differs from that of the last look if a thread has begun or ended to have a cause of
// a warning.
func (f *Front) countTroubles() uint64 {
	var n uint64
	if !f.boundary.own {
		n = f.damages()
	}
	for _, e := range f.boundary.edges {
		n += e.counters.troubles.Load()
	}
	return n
}

// pollWarnings passes on what has changed since the last time.
func (f *Front) pollWarnings() {
	f.looks, f.troubles = 0, f.countTroubles()
	now := f.Warnings()
	f.mu.Lock()
	before, watchers := f.warnings, f.warned
	f.warnings = now
	f.mu.Unlock()
	notify := func(w Warning) {
		for _, watch := range watchers {
			watch(w)
		}
	}
	for _, w := range before {
		if !slices.Contains(now, w) {
			w.Over = true
			notify(w)
		}
	}
	for _, w := range now {
		if !slices.Contains(before, w) {
			notify(w)
		}
	}
}

// slowToStart returns the block whose Start takes long, or nil.
func (f *Front) slowToStart() *port.Instance {
	head := f.boundary.head
	i := int(head.starting.Load())
	if head.state.Load() != coreStarting || i == 0 || i > len(f.net.Blocks) || rt.Now()-head.started.Load() < int64(startNotice) {
		return nil
	}
	return f.net.Blocks[i-1]
}

// startWarning returns the warning that a block takes long to start.
func startWarning(b *port.Instance) Warning {
	return Warning{
		begun: fmt.Sprintf("block %q has not finished its Start for %v: the threads wait for it", b.Name, startNotice),
		ended: fmt.Sprintf("block %q has started", b.Name),
	}
}
