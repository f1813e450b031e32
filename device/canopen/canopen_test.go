package canopen

import (
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/device"
	"github.com/sinew-robotics/sinew/device/devicetest"
	"github.com/sinew-robotics/sinew/device/driver"
	"github.com/sinew-robotics/sinew/device/wire"
)

func TestDrivesConform(t *testing.T) {
	greeting := make([]byte, 16) // the heartbeat of another node: 0x711, operational
	binary.NativeEndian.PutUint32(greeting, 0x711)
	greeting[4], greeting[8] = 1, 5
	devicetest.RunDriver(t, devicetest.Rig{
		Kind:     wire.Frames,
		Driver:   func(w wire.Wire) devicetest.Driver { return On(w, Options{}, 1, 2, 7) },
		Emulator: func(w wire.Wire) driver.Emulator { return NewEmulator(w, 1, 2, 7) },
		Greeting: greeting,
	})
}

// bench returns drives 3 and 5 with their emulator, running, and what steps both for a time.
func bench(t *testing.T) (c *Drives, e *Emulator, run func(d time.Duration) error) {
	t.Helper()
	near, far := wire.PipeOf("memory://bus", wire.Frames)
	_ = far.Open()
	c, e = On(near, Options{}, 3, 5), NewEmulator(far, 3, 5)
	run = func(d time.Duration) (err error) {
		for ; d > 0; d -= time.Millisecond {
			if err := e.Step(time.Millisecond); err != nil {
				t.Fatal(err)
			}
			if err = c.Step(time.Millisecond); err != nil && c.Session.State() == device.Faulty {
				return err
			}
		}
		return err
	}
	if err := errors.Join(c.Open(), c.Start()); err != nil {
		t.Fatal(err)
	}
	if err := run(500 * time.Millisecond); err != nil {
		t.Fatal(err)
	}
	return c, e, run
}

func TestDrivesFollowInAllModes(t *testing.T) {
	c, e, run := bench(t)
	a, b := c.Drive(0), c.Drive(1)
	if a.State() != SwitchOnDisabled || b.State() != SwitchOnDisabled {
		t.Errorf("uncommanded drives are %v and %v", a.State(), b.State())
	}
	if err := errors.Join(a.SetJointPosition(1), b.SetJointVelocity(-2), run(time.Second)); err != nil {
		t.Fatal(err)
	}
	if math.Abs(a.JointPosition()-1) > 1e-4 || a.JointVelocity() != 0 || a.State() != OperationEnabled {
		t.Errorf("position %v, velocity %v, %v", a.JointPosition(), a.JointVelocity(), a.State())
	}
	if math.Abs(b.JointVelocity()+2) > 1e-4 || b.JointPosition() > -1.8 {
		t.Errorf("velocity %v, position %v", b.JointVelocity(), b.JointPosition())
	}
	if err := errors.Join(b.SetJointTorque(5), run(3*time.Second)); err != nil {
		t.Fatal(err)
	}
	if v := b.JointVelocity(); math.Abs(v-5/emulatedFriction) > 1e-3 || b.JointTorque() != 5 || b.Current() != 1 {
		t.Errorf("velocity %v, torque %v, current %v", v, b.JointTorque(), b.Current())
	}
	if lower, upper := a.JointRange(); math.Abs(lower+16*math.Pi) > 1e-9 || math.Abs(upper-16*math.Pi) > 1e-9 || a.MaxJointTorque() != 20 {
		t.Errorf("range %v to %v, torque %v", lower, upper, a.MaxJointTorque())
	}
	if err := c.Stop(); err != nil {
		t.Fatal(err)
	}
	_ = e.Step(time.Millisecond)
	for i := range e.drives {
		if e.drives[i].state != SwitchOnDisabled {
			t.Errorf("drive %d of a stopped device is %v", i, e.drives[i].state)
		}
	}
}

func TestSilentNodeIsNamedWithinItsHeartbeatTime(t *testing.T) {
	c, e, run := bench(t)
	e.Silence(1, true)
	var silent *SilentError
	if err := run(HeartbeatTime + 2*time.Millisecond); !errors.As(err, &silent) || silent.Node != 5 {
		t.Fatal(err)
	}
	if err := c.Step(0); err.Error() != "CANopen drives at memory://bus: node 5 is silent: no heartbeat for 100ms" {
		t.Error(err)
	}
	var err error
	for range 2000 {
		err = run(time.Millisecond)
	}
	if err == nil || !strings.Contains(err.Error(), "node 5 does not boot") {
		t.Error(err)
	}
	e.Silence(1, false)
	for k := 0; c.Session.State() != device.Running; k++ {
		if err = run(time.Millisecond); k > 1000 {
			t.Fatal(err)
		}
	}
}

func TestEmergencyNamesNodeAndCodeAndIsReset(t *testing.T) {
	c, e, run := bench(t)
	if err := errors.Join(c.Drive(0).SetJointVelocity(1), run(100*time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	e.Fail(1)
	err := run(3 * time.Millisecond)
	var emergency *EmergencyError
	if !errors.As(err, &emergency) || emergency.Node != 5 || emergency.Code != overCurrent || !strings.Contains(err.Error(), "node 5 reports emergency 2310h (current)") {
		t.Fatal(err)
	}
	_ = e.Step(time.Millisecond)
	if s := e.drives[0].state; s == OperationEnabled {
		t.Errorf("the other drive is %v", s)
	}
	for k := 0; c.Session.State() != device.Running; k++ {
		if err = run(time.Millisecond); k > 1000 {
			t.Fatal(err)
		}
	}
	if s := c.Drive(1).State(); s != SwitchOnDisabled {
		t.Errorf("after its reset the drive is %v", s)
	}
}

func TestDrivesLosePowerWithTheirMaster(t *testing.T) {
	c, e, run := bench(t)
	if err := errors.Join(c.Drive(0).SetJointVelocity(1), run(100*time.Millisecond)); err != nil || e.drives[0].state != OperationEnabled {
		t.Fatal(err, e.drives[0].state)
	}
	for range HeartbeatTime/time.Millisecond + 2 {
		_ = e.Step(time.Millisecond)
	}
	if s := e.drives[0].state; s != SwitchOnDisabled {
		t.Errorf("without its master the drive is %v", s)
	}
	if err := run(10 * time.Millisecond); err == nil || !strings.Contains(err.Error(), "8130h (lost heartbeat)") {
		t.Error(err)
	}
}

// TestWrongNodesAreExplained has a node that is no drive, and numbers that are none.
func TestWrongNodesAreExplained(t *testing.T) {
	near, far := wire.PipeOf("memory://bus", wire.Frames)
	_ = far.Open()
	c, e := On(near, Options{}, 3), NewEmulator(far, 3)
	kind, _ := e.drives[0].objects.Find(deviceType, 0)
	kind.Data, kind.initial = []byte{0x91, 1, 0, 0}, []byte{0x91, 1, 0, 0}
	_ = errors.Join(c.Open(), c.Start())
	var err error
	for k := 0; k < 100 && c.Session.State() != device.Faulty; k++ {
		_ = e.Step(time.Millisecond)
		err = c.Step(time.Millisecond)
	}
	if err == nil || !strings.Contains(err.Error(), "node 3 is of device type 00000191h: expected profile 402, a drive") {
		t.Error(err)
	}
	for want, ids := range map[string][]int{"no nodes": nil, "node 0": {0}, "node 127": {127}, "node 4: expected": {4, 4}} {
		if _, err := New("can+udp://239.74.163.2:43113", Options{}, ids...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v", ids, err)
		}
	}
	for want, o := range map[string]Options{"increments -1": {Increments: -1}, "greatest velocity NaN": {MaxVelocity: math.NaN()}} {
		if _, err := New("can+udp://239.74.163.2:43113", o, 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v", o, err)
		}
	}
}

// TestStatusIsCodedAsInTheProfile holds the state coding of CiA 402: xxxx xxxx x01x 0111 is operation enabled.
func TestStatusIsCodedAsInTheProfile(t *testing.T) {
	for pattern, want := range map[string]DriveState{
		"x0xx0000": NotReadyToSwitchOn, "x1xx0000": SwitchOnDisabled, "x01x0001": ReadyToSwitchOn, "x01x0011": SwitchedOn,
		"x01x0111": OperationEnabled, "x00x0111": QuickStopActive, "x0xx1111": FaultReactionActive, "x0xx1000": Fault,
	} {
		for free := range uint16(256) {
			word := free
			for i, bit := range pattern {
				if mask := uint16(1) << (7 - i); bit == '1' {
					word |= mask
				} else if bit == '0' {
					word &^= mask
				}
			}
			if got, ok := StateOf(word | 0xa500); got != want || !ok {
				t.Fatalf("%016b is %v, %v, expected %v", word, got, ok, want)
			}
		}
		if got, ok := StateOf(want.status()); got != want || !ok {
			t.Errorf("%v is coded as %v", want, got)
		}
	}
}

// FuzzDrives gives driver and emulator any frames: after four bytes of identifier and flags, its length and its data.
func FuzzDrives(f *testing.F) {
	for _, seed := range []string{"\x83\x05\x00\x00\x08\x43\x00\x10\x00\x92\x01\x02\x00", "\x03\x06\x00\x00\x08\x40\x00\x10\x00\x00\x00\x00\x00", "\x03\x07\x00\x00\x01\x00", "\x00\x00\x00\x00\x02\x01\x00"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		near, far := wire.PipeOf("memory://fuzz", wire.Frames)
		c := On(near, Options{}, 3)
		_ = errors.Join(far.Open(), c.Open(), c.Start())
		other, end := wire.PipeOf("memory://fuzz", wire.Frames)
		_ = errors.Join(other.Open(), end.Open())
		e := NewEmulator(end, 3)
		_ = e.Step(time.Millisecond)
		for rest := in; len(rest) > 5; {
			n := min(int(rest[4]), 8, len(rest)-5)
			var frame [16]byte
			copy(frame[:5], rest)
			copy(frame[8:], rest[5:5+n])
			rest = rest[5+n:]
			_, _ = far.Write(frame[:])
			_, _ = other.Write(frame[:])
			_ = c.Step(time.Millisecond)
			if err := e.Step(time.Millisecond); err != nil {
				t.Fatal(err)
			}
		}
	})
}
