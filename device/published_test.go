package device_test

import (
	"errors"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/device"
)

// Rickert and Gaschler, Robotics Library, 2017, line 141 of the text and Fig. 4: "Communication to a newly constructed device is initiated by the open method
// call", "Its operations begin after a start method call and end with stop", "successive step method calls" exchange all messages.
func TestDeviceLivesAsPublished(t *testing.T) {
	var l device.Life
	expect := func(what string, err, want error, state device.State) {
		t.Helper()
		if !errors.Is(err, want) || l.State() != state {
			t.Errorf("%s: %v in state %v, want %v in %v", what, err, l.State(), want, state)
		}
	}
	expect("step before open", l.CheckStep(time.Millisecond), device.ErrNotStarted, device.Closed)
	expect("start before open", l.Do(device.StartCalled), device.ErrNotOpen, device.Closed)
	expect("open", l.Do(device.OpenCalled), nil, device.Opened)
	expect("step before start", l.CheckStep(time.Millisecond), device.ErrNotStarted, device.Opened)
	expect("start", l.Do(device.StartCalled), nil, device.Connecting)
	for range 3 {
		expect("may step", l.CheckStep(time.Millisecond), nil, l.State())
		expect("step", l.Do(device.StepComplete), nil, device.Running)
	}
	expect("stop", l.Do(device.StopCalled), nil, device.Opened)
	expect("step after stop", l.CheckStep(time.Millisecond), device.ErrNotStarted, device.Opened)
	expect("close", l.Do(device.CloseCalled), nil, device.Closed)
	expect("open again", l.Do(device.OpenCalled), nil, device.Opened)
}
