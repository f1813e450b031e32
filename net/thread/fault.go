package thread

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/diagram"
)

// fault puts a block in error: it stops, its outputs take their safe values, and it is not executed until it is reset.
func (t *thread) fault(s *blockState, why string) {
	if s.faulted {
		return
	}
	s.faulted = true
	s.cell.faulted.Store(true)
	s.cell.faults.Add(1)
	t.counters.faults.Add(1)
	for i := range t.steps {
		if t.steps[i].state == s {
			t.steps[i].special, t.steps[i].resting = true, false
			t.counters.steps[i].late.Store(0)
		}
	}
	_ = toRest(s.inst) // it is in error already
	t.tellHands(s)
	for i := range t.states {
		if &t.states[i] == s {
			putText(t.edge.replies, noteFault, uint32(i), why)
		}
	}
	if t.plan.OnFault == diagram.Stop {
		t.core.Stop()
	}
}

// recoverStep turns a panic of the step being executed into a fault of its block.
func (t *thread) recoverStep() {
	if p := recover(); p != nil {
		s := &t.steps[t.at]
		t.at++
		t.fault(s.state, fmt.Sprintf("panic: %v (%s)", p, panicSite()))
	}
}

// panicSite returns the file and line that panicked: the first frame below the runtime's own.
func panicSite() string {
	pcs := make([]uintptr, 32)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(0, pcs)])
	panicking := false
	for {
		f, more := frames.Next()
		switch {
		case f.Function == "runtime.gopanic":
			panicking = true
		case panicking && !strings.HasPrefix(f.Function, "runtime."):
			return fmt.Sprintf("%s:%d", f.File[strings.LastIndexByte(f.File, '/')+1:], f.Line)
		case !more:
			return "unknown place"
		}
	}
}

// toRest stops a block and gives its outputs their safe values, also those that had values given by hand.
func toRest(b *block.Instance) error {
	err := stopBlock(b)
	for _, p := range b.Ports {
		p.Rest()
	}
	return err
}

// stopBlock runs a block's Stop, if it has one.
func stopBlock(b *block.Instance) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic while stopping: %v (%s)", p, panicSite())
		}
	}()
	if s, ok := b.Block.(block.Stopper); ok {
		return s.Stop()
	}
	return nil
}

// reset lets a block that is in error run again.
func (t *thread) reset(s *blockState) {
	s.faulted = false
	s.cell.faulted.Store(false)
	for i := range t.steps {
		if t.steps[i].state == s {
			t.lookAgain(&t.steps[i])
		}
	}
}
