package driver

import (
	"time"

	"github.com/sinew-robotics/sinew/device/wire"
)

// Emulator is the device at the other end of a channel.
type Emulator interface {
	// Step answers what has arrived, and lets the time dt pass. It returns an error of the channel, but not those that only show that no
	// driver is connected.
	Step(dt time.Duration) error
}

// AwaitDriver handles an error of an emulator's channel: it opens a channel again whose driver has left, and returns what remains wrong.
func AwaitDriver(w wire.Wire, err error) error {
	f, ok := err.(*wire.Fault)
	switch {
	case ok && f.Kind == wire.ErrOpening:
		return nil
	case ok && f.Kind == wire.ErrLost:
		return w.Open()
	}
	return err
}
