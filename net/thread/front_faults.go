package thread

import (
	"errors"
	"fmt"
	"strings"

	"github.com/sinew-robotics/sinew/net/clock"
)

// Fault is a block that fell in error.
type Fault struct {
	Block string
	Time  clock.Time // when the front learned of it
	Why   string
}

func (f Fault) String() string { return fmt.Sprintf("block %q is in error: %s", f.Block, f.Why) }

func (f *Front) note(fault Fault) {
	f.mu.Lock()
	f.faults = append(f.faults, fault)
	watchers := f.watchers
	f.mu.Unlock()
	for _, w := range watchers {
		w(fault)
	}
}

// OnFault makes w run for every block that falls in error, on the goroutine that moves messages: it must be quick.
func (f *Front) OnFault(w func(Fault)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.watchers = append(f.watchers, w)
}

// Faults returns the blocks that fell in error so far.
func (f *Front) Faults() []Fault {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]Fault(nil), f.faults...)
}

// faultError returns an error that names the blocks that fell in error, or nil.
func (f *Front) faultError() error {
	var lines []string
	for _, fault := range f.Faults() {
		lines = append(lines, fault.String())
	}
	if lines == nil {
		return nil
	}
	return errors.New(strings.Join(lines, "\n"))
}
