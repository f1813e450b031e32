package block

import "github.com/sinew-robotics/sinew/net/clock"

// Block is a pointer to a struct whose fields are ports, parameters, operations and events.
type Block any

// Stepper is a block that calculates in one go. An error puts the block in error: its outputs take their safe values
// and it is not executed again until it is reset; its thread goes on.
type Stepper interface {
	Step(t clock.Tick) error
}

// Blocking is a block whose step may read files, print, wait for a network, or do anything else of no known duration. A net refuses it in
// a thread with a priority, which others rely on: it belongs into a thread of its own without one, from which others take the newest
// value (Bäuml and Hirzinger 2006, section III.A, wants deterministic calculations only in what runs in real time).
type Blocking interface {
	// MayBlock does nothing: to have it is what marks the block.
	MayBlock()
}

// SenseController is a block of two directions that share the struct's state: Sense goes from the sensors up, Control
// from the commands down. The thread's order places the two independently, by the ports that carry the tag
// part:"sense" or part:"control"; every Sense of a thread comes before any Control, and the thread exchanges with others between them.
type SenseController interface {
	Sense(t clock.Tick) error
	Control(t clock.Tick) error
}

// Setupper is a block that fixes the lengths of its slices, makes its arrays of ports or refers to other blocks.
// Setup runs once, when its constants and the first values of its parameters are known and before anything is linked.
type Setupper interface {
	Setup(s *Setup) error
}

// Starter is a block that prepares when everything is linked, for example opens its device. Start may allocate and wait. If it
// returns an error the system does not start: this block and those before it are stopped.
type Starter interface {
	Start() error
}

// Restarter is a block that can begin again: Restart puts its state back to that after Start. It runs in the block's thread before the
// first step after the block was disabled, where its group has on_enable: reset. It must not allocate, and leaves outputs as they are.
type Restarter interface {
	Restart()
}

// Stopper is a block that brings its hardware to rest when the system stops, when the block goes into error, or when an input
// has had no data for longer than its time-out. Its outputs then take their safe values. With new data, or after a reset, the
// block is executed again. An error is reported and delays no other block.
type Stopper interface {
	Stop() error
}

// Closer is a block that releases resources after the system has stopped. An error is reported and delays no other block.
type Closer interface {
	Close() error
}

// ParamChecker is a block whose parameters depend on each other. CheckParams runs after every change of parameters, in the
// block's thread and before its next step; if it returns an error the parameters keep their old values. It must not allocate.
type ParamChecker interface {
	CheckParams() error
}

// Status describes what reading a port or waiting for an event found.
type Status uint8

const (
	NoData  Status = iota // nothing was ever written, or the last value is older than the link's time-out
	OldData               // nothing new since the last read
	NewData               // a value that was not read before
)

// String returns the status as it is written in the code.
func (s Status) String() string {
	switch s {
	case NewData:
		return "NewData"
	case OldData:
		return "OldData"
	}
	return "NoData"
}

// None is the argument or result of an operation that has none, and the data of an event that carries none.
type None = struct{}
