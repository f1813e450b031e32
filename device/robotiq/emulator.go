package robotiq

import (
	"math"
	"time"

	"github.com/sinew-robotics/sinew/device/driver"
	"github.com/sinew-robotics/sinew/device/modbus"
	"github.com/sinew-robotics/sinew/device/wire"
)

// fullTravel is how long the fingers take from open to closed at full speed, and slowest at the least.
const (
	fullTravel = 570 * time.Millisecond
	slowest    = 4250 * time.Millisecond
)

// Emulator is a gripper at the other end of a channel.
type Emulator struct {
	server *modbus.Server
	model  Model

	// Object is the width in m of what lies between the fingers; 0: nothing.
	Object float64
	// Fault is what the gripper reports as gFLT, until it is activated again.
	Fault byte

	out        [registers]uint16 // as written
	position   float64           // 0 open, 255 closed
	activating int               // parts of the activation that are still to come: close, open
	active     bool
	object     uint16
}

var _ driver.Emulator = (*Emulator)(nil)

// NewEmulator returns a gripper on an open channel: open, and not active.
func NewEmulator(w wire.Wire, f modbus.Framing, m Model) *Emulator {
	e := &Emulator{model: m}
	e.server = modbus.NewServer(w, f, DefaultUnit, e)
	return e
}

// Read implements [modbus.Registers].
func (e *Emulator) Read(address uint16) (uint16, bool) {
	switch address {
	case commandAddress, commandAddress + 1, commandAddress + 2:
		return e.out[address-commandAddress], true
	case statusAddress:
		action := e.out[0] >> 8
		status := action&(activate|goTo) | e.object<<objectShift
		if e.active {
			status |= statusActive << statusShift
		} else if e.activating > 0 {
			status |= 1 << statusShift
		}
		return status << 8, true
	case statusAddress + 1:
		return uint16(e.Fault)<<8 | e.out[1]&0xff, true
	case statusAddress + 2:
		current := uint16(0)
		if e.object == stoppedClosing || e.object == stoppedOpening {
			current = 10
		}
		return uint16(math.Round(e.position))<<8 | current, true
	}
	return 0, false
}

// Write implements [modbus.Registers].
func (e *Emulator) Write(address, value uint16) bool {
	if address < commandAddress || address >= commandAddress+registers {
		return false
	}
	before := e.out[0] >> 8 & activate
	e.out[address-commandAddress] = value
	now := e.out[0] >> 8 & activate
	switch {
	case now == 0:
		e.active, e.activating, e.object, e.Fault = false, 0, moving, 0
	case before == 0:
		e.activating = 2
	}
	return true
}

// Step implements [driver.Emulator].
func (e *Emulator) Step(dt time.Duration) error {
	e.move(dt)
	return e.server.Step(dt)
}

// move lets the fingers move for a time.
func (e *Emulator) move(dt time.Duration) {
	speed := float64(e.out[2]>>8) / 255
	goal := float64(e.out[1] & 0xff)
	switch {
	case e.activating > 0:
		speed, goal = 1, 255*float64(e.activating-1)
	case !e.active || e.out[0]>>8&goTo == 0 || e.Fault >= majorFault:
		return
	}
	travel := float64(fullTravel)*speed + float64(slowest)*(1-speed)
	step := 255 * float64(dt) / travel
	stop := 255.0 // where an object stops closing fingers
	if e.Object > 0 && e.Object < e.model.Stroke {
		stop = 255 * (1 - e.Object/e.model.Stroke)
	}
	from := e.position
	e.position = min(max(goal, from-step), from+step)
	if from <= stop && e.position > stop {
		e.position = stop
	}
	switch {
	case e.position == goal:
		e.object = arrived
	case e.position == stop && goal > stop:
		e.object = stoppedClosing
	default:
		e.object = moving
	}
	if e.activating > 0 && e.object != moving {
		e.activating--
		e.active, e.object = e.activating == 0, moving
	}
}
