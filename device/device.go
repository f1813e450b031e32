package device

import (
	"errors"
	"time"
)

// Device is the life cycle that all devices share:
//
//	closed ──Open──▶ open ──Start──▶ started ──Step…──▶ started
//	closed ◀─Close── open ◀──Stop─── started
//
// Calling Open, Start, Stop or Close in the state that it leads to does nothing and returns nil. Everything may be
// opened and started again.
type Device interface {
	// Open connects to the hardware and checks it. The device is then safe and counts from 0.
	Open() error

	// Start begins the cyclic exchange; all actuators stay in their safe state until they are commanded. It returns ErrNotOpen
	// when the device is closed.
	Start() error

	// Step exchanges all data once. dt is the time since the previous Step, or the period for the first one: a real device
	// may watch its deadline with it, a simulated one advances by it. It returns ErrNotStarted, and does nothing, when
	// the device is not started; after any other error the device is safe. A negative dt panics.
	Step(dt time.Duration) error

	// Stop ends the exchange and brings all actuators to their safe state, whatever they were commanded. It does so
	// from started and is harmless in any other state.
	Stop() error

	// Close stops the device if need be and lets go of the hardware.
	Close() error
}

// The errors that every device returns for the same reasons. They are allocated once, so that they can be returned from
// a control cycle; test for them with errors.Is.
var (
	ErrNotOpen    = errors.New("device: not open; call Open first")
	ErrNotStarted = errors.New("device: not started; call Start first")
	ErrNotFinite  = errors.New("device: the command is NaN or infinite; the actuator got its safe value instead")
)
