package thread

import "slices"

// Warning is something that is not as it should be and ends by itself: a block that rests because one of its inputs has no
// data, threads that have lost the leader they follow.
type Warning struct {
	Over         bool // it has ended
	begun, ended string
}

func (w Warning) String() string {
	if w.Over {
		return w.ended
	}
	return w.begun
}

// Warnings returns those of the present.
func (f *Front) Warnings() []Warning {
	var list []Warning
	for i, plan := range f.net.Threads {
		for k := range plan.Steps {
			if late := f.boundary.edges[i].counters.steps[k].late.Load(); late > 0 && int(late) <= len(plan.Steps[k].Timeouts) {
				list = append(list, restWarning(plan.Steps[k].Block, plan.Steps[k].Timeouts[late-1]))
			}
		}
	}
	if p := f.pace(); p != nil && !p.Locked && f.boundary.head.state.Load() == coreRunning {
		list = append(list, freeWarning(f.net.Lead))
	}
	return list
}

// OnWarning makes w run for every warning that begins or ends, on the goroutine that moves messages: it must be
// quick.
func (f *Front) OnWarning(w func(Warning)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.warned = append(f.warned, w)
}

// pollWarnings tells those who watch what has changed since the last time.
func (f *Front) pollWarnings() {
	now := f.Warnings()
	f.mu.Lock()
	before, watchers := f.warnings, f.warned
	f.warnings = now
	f.mu.Unlock()
	tell := func(w Warning) {
		for _, watch := range watchers {
			watch(w)
		}
	}
	for _, w := range before {
		if !slices.Contains(now, w) {
			w.Over = true
			tell(w)
		}
	}
	for _, w := range now {
		if !slices.Contains(before, w) {
			tell(w)
		}
	}
}
