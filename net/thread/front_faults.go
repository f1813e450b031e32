package thread

import (
	"errors"
	"fmt"
	"strings"

	"github.com/sinew-robotics/sinew/net/clock"
)

// Fault is a block that went into error.
type Fault struct {
	Block string     // name
	Time  clock.Time // when the front learned of it
	Why   string     // the error of the block, in words
}

// String names the block and the error.
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

// OnFault calls w for every block that goes into error, on the goroutine that moves messages: w must not block.
func (f *Front) OnFault(w func(Fault)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.watchers = append(f.watchers, w)
}

// Faults returns the blocks that have gone into error since this front was attached.
func (f *Front) Faults() []Fault {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]Fault(nil), f.faults...)
}

// faultError returns an error that names the blocks that went into error, or nil.
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

// maxLine is the longest line of a task; a longer one is divided.
const maxLine = 1 << 14

// noteLine collects the text of a thread's tasks and passes whole lines on.
func (f *Front) noteLine(thread int, text []byte) {
	f.mu.Lock()
	line := append(f.lines[thread], text...)
	whole := len(line) > 0 && line[len(line)-1] == '\n' || len(line) >= maxLine
	if f.lines[thread] = line; whole {
		f.lines[thread] = nil
	}
	reading := f.reading
	f.mu.Unlock()
	if !whole {
		return
	}
	for _, read := range reading {
		read(strings.ToValidUTF8(string(line), "?"))
	}
}

// OnLine calls read with the lines that tasks of activities write, on the goroutine that moves messages: read must not block.
func (f *Front) OnLine(read func(line string)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.reading = append(f.reading, read)
}
