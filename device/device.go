package device

import (
	"errors"
	"time"
)

// Device is the life cycle of all devices:
//
//	closed ──Open──▶ open ──Start──▶ connecting ──Step──▶ running ◀──Step──▶ faulty
//	closed ◀─Close── open ◀──Stop─── connecting, running, faulty
//
// Calling Open, Start, Stop or Close in the state that it leads to does nothing and returns nil. A device may be
// opened and started repeatedly. Hardware that is absent, is lost or reports an error makes a started device faulty: it is safe, each Step
// returns a [*Fault] that names the device, its port and the reason, and tries again with growing pauses, until the device runs again.
// [Life] has the whole table.
type Device interface {
	// Open takes the hardware. Afterwards the device is in its safe state and its encoders are at 0. Hardware that is absent is no error
	// of Open: the first Step reports it.
	Open() error

	// Start begins the cyclic exchange; all actuators stay in their safe state until they are commanded. It returns
	// ErrNotOpen if the device is closed.
	Start() error

	// Step exchanges all data once. dt is the time since the previous Step, or the period for the first one: a real
	// device may use it to watch its deadline, a simulated one advances by it. It returns ErrNotStarted, and does
	// nothing, if the device is not started. While there are no readings yet it returns a [*Fault] that wraps [ErrConnecting]; after any
	// other error the device is in its safe state. A negative dt panics.
	Step(dt time.Duration) error

	// Stop ends the exchange and brings all actuators to their safe state, regardless of earlier commands. It has no
	// effect unless the device is started.
	Stop() error

	// Close stops the device if necessary and releases the hardware.
	Close() error
}

// Errors common to all devices. They are preallocated, so that a control cycle may return them; test for them with
// errors.Is.
var (
	ErrNotOpen    = errors.New("device: not open; call Open first")
	ErrNotStarted = errors.New("device: not started; call Start first")
	ErrNotFinite  = errors.New("device: the command is NaN or infinite; the actuator got its safe value instead")
)
