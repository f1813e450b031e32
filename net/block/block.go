package block

import "github.com/sinew-robotics/sinew/net/clock"

// Block is a pointer to a struct whose fields are ports, parameters, operations and events.
type Block any

// Stepper is a block that calculates in one go. An error puts the block in error: its outputs take their safe values
// and it is not executed again until somebody resets it; its thread goes on.
type Stepper interface {
	Step(t clock.Tick) error
}

// SenseController is a block of two directions that share the struct's state: Sense goes from the sensors up, Control
// from the commands down. The thread's order places the two independently, by the ports that carry the tag
// part:"sense" or part:"control"; Sense always comes first.
type SenseController interface {
	Sense(t clock.Tick) error
	Control(t clock.Tick) error
}

// Setupper is a block that fixes the lengths of its slices, makes its arrays of ports or refers to other blocks.
// Setup runs once, when its constants and the first values of its parameters are known and before anything is linked.
type Setupper interface {
	Setup(s *Setup) error
}

// Starter is a block that prepares when everything is linked: opens its device, allocates its workspace.
type Starter interface {
	Start() error
}

// Stopper is a block that must do something when the system stops, when it falls in error itself or when an input has had no
// data for longer than its time-out: bring what it drives to rest. After it its outputs take their safe values. With new data,
// or after a reset, its steps go on.
type Stopper interface {
	Stop() error
}

// Closer is a block that has something to release after the system has stopped.
type Closer interface {
	Close() error
}

// ParamChecker is a block whose parameters depend on each other. CheckParams runs after every change of parameters,
// in the block's thread and before its next step; an error takes the change back. It must not allocate.
type ParamChecker interface {
	CheckParams() error
}

// Status says what reading a port or waiting for an event found.
type Status uint8

const (
	NoData  Status = iota // nothing was ever written, or what was is older than the link's time-out
	OldData               // nothing new since the last read
	NewData               // something that was not read before
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

// Part is the half of a block that a port belongs to.
type Part uint8

const (
	Whole   Part = iota // the block has one direction: Step
	Sense               // from the sensors up
	Control             // from the commands down
)

// String returns the name of the method that is the part.
func (p Part) String() string {
	switch p {
	case Sense:
		return "Sense"
	case Control:
		return "Control"
	}
	return "Step"
}

// None is the argument or result of an operation that has none, and the data of an event that carries none.
type None = struct{}
