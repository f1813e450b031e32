package device

import (
	"errors"
	"strings"
	"time"
)

// State is where a device is in its life.
type State uint8

// The states of a device. In all but Running it is in its safe state, as far as the hardware can be reached.
const (
	Closed     State = iota
	Opened           // the hardware is taken, nothing is exchanged
	Connecting       // started; there are no readings yet
	Running          // started; the readings are those of the last Step
	Faulty           // started; the hardware is lost or reports an error, and is tried again
	states           // their number
	notOpen          // in the table: the call returns ErrNotOpen and changes nothing
	notStarted       // in the table: the call returns ErrNotStarted and changes nothing
)

// String returns the name of the state.
func (s State) String() string {
	return [...]string{"closed", "open", "connecting", "running", "faulty", "", "not open", "not started"}[s]
}

// Event is what happens to a device: a call, or how a Step ended.
type Event uint8

// The events of a device.
const (
	OpenCalled Event = iota
	StartCalled
	StopCalled
	CloseCalled
	StepComplete // all readings are new
	StepWaited   // nothing new has come
	StepFailed
	events // their number
)

// next is the life cycle of all devices: the state after an event, by the state before.
var next = [states][events]State{
	//           Open        Start       Stop    Close   complete    waited      failed
	Closed:     {Opened, notOpen, Closed, Closed, notStarted, notStarted, notStarted},
	Opened:     {Opened, Connecting, Opened, Closed, notStarted, notStarted, notStarted},
	Connecting: {Connecting, Connecting, Opened, Closed, Running, Connecting, Faulty},
	Running:    {Running, Running, Opened, Closed, Running, Running, Faulty},
	Faulty:     {Faulty, Faulty, Opened, Closed, Running, Faulty, Faulty},
}

// Life is the state of a device, for its implementation. The zero value is closed.
type Life struct{ state State }

// State returns the state.
func (l *Life) State() State { return l.state }

// Started reports whether the device is started: connecting, running or faulty.
func (l *Life) Started() bool { return l.state >= Connecting }

// Do changes the state as the event demands. It returns [ErrNotOpen] or [ErrNotStarted] if the event is not possible in this state.
func (l *Life) Do(e Event) error {
	switch s := next[l.state][e]; s {
	case notOpen:
		return ErrNotOpen
	case notStarted:
		return ErrNotStarted
	default:
		l.state = s
		return nil
	}
}

// CheckStep checks that the device may step by dt: it returns [ErrNotStarted], and panics for a negative dt.
func (l *Life) CheckStep(dt time.Duration) error {
	if !l.Started() {
		return ErrNotStarted
	}
	if dt < 0 {
		panic("device: Step with a negative time")
	}
	return nil
}

// ErrConnecting is why a device that has just been started has no readings. A [*Fault] wraps it.
var ErrConnecting = errors.New("connecting")

// Fault is the error of a Step while the hardware cannot be used: it names the device, its port, and why. It stays valid until the same
// device fails again.
type Fault struct {
	Device string // "SCIP scanner"
	Port   string // the address of its channel; "" without one
	Why    error  // ErrConnecting, what the channel or the device reported
}

// Error implements error.
func (f *Fault) Error() string {
	if f.Port == "" {
		return f.Device + ": " + f.Why.Error()
	}
	return f.Device + " at " + f.Port + ": " + strings.TrimPrefix(f.Why.Error(), f.Port+": ")
}

// Unwrap returns why.
func (f *Fault) Unwrap() error { return f.Why }
