package robotiq

import (
	"bytes"
	"encoding/hex"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/device"
	"github.com/sinew-robotics/sinew/device/devicetest"
	"github.com/sinew-robotics/sinew/device/driver"
	"github.com/sinew-robotics/sinew/device/modbus"
	"github.com/sinew-robotics/sinew/device/wire"
)

func gripper(t testing.TB) Model {
	t.Helper()
	m, err := ModelOf("2f-85")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestDriverConforms(t *testing.T) {
	for name, framing := range map[string]modbus.Framing{"RTU": modbus.RTU, "TCP": modbus.TCP} {
		t.Run(name, func(t *testing.T) {
			devicetest.RunDriver(t, devicetest.Rig{
				Driver:   func(w wire.Wire) devicetest.Driver { return On(w, framing, gripper(t)) },
				Emulator: func(w wire.Wire) driver.Emulator { return NewEmulator(w, framing, gripper(t)) },
				Period:   5 * time.Millisecond,
			})
		})
	}
}

// bench is a running gripper with its emulator.
type bench struct {
	*Gripper
	e *Emulator
}

func newBench(t *testing.T) *bench {
	t.Helper()
	near, far := wire.Pipe("memory://gripper")
	_ = far.Open()
	b := &bench{On(near, modbus.RTU, gripper(t)), NewEmulator(far, modbus.RTU, gripper(t))}
	if err := errors.Join(b.Open(), b.Start()); err != nil {
		t.Fatal(err)
	}
	b.run(10 * time.Millisecond)
	return b
}

func (b *bench) run(d time.Duration) (err error) {
	for ; d > 0; d -= time.Millisecond {
		_ = b.e.Step(time.Millisecond)
		err = b.Step(time.Millisecond)
	}
	return err
}

func TestGripperStandsStillUntilItIsCommanded(t *testing.T) {
	b := newBench(t)
	if err := b.run(2 * time.Second); err != nil || b.e.active || b.e.position != 0 || b.e.out != [registers]uint16{0, 0, 0xff00} {
		t.Errorf("%v; active %v at %v, written %04x", err, b.e.active, b.e.position, b.e.out)
	}
}

func TestGripperClosesOnAnObjectAndHoldsIt(t *testing.T) {
	b := newBench(t)
	b.e.Object = 0.03
	_ = b.SetGrip(0.01, 235)
	if err := b.run(4 * time.Second); err != nil {
		t.Fatal(err)
	}
	if opening, holding := b.Grip(); math.Abs(opening-0.03) > 0.085/255 || !holding {
		t.Errorf("open by %v, holding %v; expected 0.03 and an object", opening, holding)
	}
	if b.e.out[2] != 0xffff {
		t.Errorf("speed and force are %04x, expected ffff", b.e.out[2])
	}
	_ = b.SetGrip(0.05, 0)
	_ = b.run(2 * time.Second)
	if opening, holding := b.Grip(); math.Abs(opening-0.05) > 0.085/255 || holding {
		t.Errorf("open by %v, holding %v; expected 0.05 and nothing", opening, holding)
	}
	_ = b.SetGrip(0, 20)
	_ = b.run(100 * time.Millisecond)
	_ = b.Stop()
	_ = b.e.Step(time.Millisecond)
	at := b.e.position
	for range 1000 {
		_ = b.e.Step(time.Millisecond)
	}
	if b.e.position != at || at == 0 {
		t.Errorf("the fingers move from %v to %v after Stop", at, b.e.position)
	}
	_ = b.Start()
	if err := b.run(20 * time.Millisecond); err != nil || !b.status.active || b.e.position != at {
		t.Errorf("after Stop and Start: %v, active %v, at %v", err, b.status.active, b.e.position)
	}
}

func TestFaultOfTheGripperIsNamedAndEndsByAnActivation(t *testing.T) {
	b := newBench(t)
	_ = b.SetGrip(0.05, 100)
	_ = b.run(3 * time.Second)
	b.e.Fault = 0x0e
	err := b.run(5 * time.Millisecond)
	var fault *FaultError
	if !errors.As(err, &fault) || err.Error() != "Robotiq gripper at memory://gripper: the gripper reports fault 0Eh (overcurrent)" {
		t.Error(err)
	}
	if err := b.run(time.Second); err != nil || b.State() != device.Running || b.e.Fault != 0 {
		t.Errorf("a second later: %v, %v, fault %x", b.State(), err, b.e.Fault)
	}
	if b.e.active {
		t.Error("the gripper is active again without a command")
	}
	_ = b.SetGrip(0.02, 100)
	_ = b.run(3 * time.Second)
	if opening, _ := b.Grip(); math.Abs(opening-0.02) > 0.085/255 {
		t.Errorf("open by %v, expected 0.02", opening)
	}
}

// TestEmulatorAnswersTheManual sends the requests of the example in the manual of 2F-85 & 2F-140, section "Modbus RTU example", and compares with its answers.
func TestEmulatorAnswersTheManual(t *testing.T) {
	near, far := wire.Pipe("memory://manual")
	if err := errors.Join(near.Open(), far.Open()); err != nil {
		t.Fatal(err)
	}
	e := NewEmulator(far, modbus.RTU, gripper(t))
	for _, c := range []struct {
		after           time.Duration
		request, answer string
	}{
		{0, "09 10 03 E8 00 03 06 00 00 00 00 00 00 73 30", "09 10 03 E8 00 03 01 30"},
		{0, "09 10 03 E8 00 03 06 01 00 00 00 00 00 72 E1", "09 10 03 E8 00 03 01 30"},
		{0, "09 03 07 D0 00 01 85 CF", "09 03 02 11 00 55 D5"},               // the activation is not completed
		{2 * time.Second, "09 03 07 D0 00 01 85 CF", "09 03 02 31 00 4C 15"}, // it is
		{0, "09 10 03 E8 00 03 06 09 00 00 00 FF FF 72 19", "09 10 03 E8 00 03 01 30"},
	} {
		for d := time.Duration(0); d < c.after; d += time.Millisecond {
			_ = e.Step(time.Millisecond)
		}
		request, err := hex.DecodeString(strings.ReplaceAll(c.request, " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		_, _ = near.Write(request)
		_ = e.Step(0)
		got := make([]byte, 64)
		n, _ := near.Read(got)
		want, _ := hex.DecodeString(strings.ReplaceAll(c.answer, " ", ""))
		if !bytes.Equal(got[:n], want) {
			t.Errorf("%s is answered % x, expected % x", c.request, got[:n], want)
		}
	}
}

func TestUnknownModelIsExplained(t *testing.T) {
	if _, err := ModelOf("3f"); err == nil || err.Error() != `gripper "3f": expected 2f-85, 2f-140 or hand-e` {
		t.Error(err)
	}
}
