package feetech

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
	"github.com/sinew-robotics/sinew/device/wire"
)

func bytesOf(t testing.TB, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(text, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestPacketsAreThoseOfTheManual holds the examples of Feetech's Communication Protocol User Manual: ping, read, write, sync write, sync read, and their answers, whose instruction is the error.
func TestPacketsAreThoseOfTheManual(t *testing.T) {
	for _, c := range []struct {
		id, instruction byte
		parameters      string
		want            string
	}{
		{1, ping, "", "FF FF 01 02 01 FB"},
		{1, 0, "", "FF FF 01 02 00 FC"},
		{1, read, "38 02", "FF FF 01 04 02 38 02 BE"},
		{1, 0, "18 05", "FF FF 01 04 00 18 05 DD"},
		{broadcast, write, "05 01", "FF FF FE 04 03 05 01 F4"},
		{1, write, "2A 00 08 00 00 E8 03", "FF FF 01 09 03 2A 00 08 00 00 E8 03 D5"},
		{
			broadcast, syncWrite, "2A 06 01 00 08 00 00 E8 03 02 00 08 00 00 E8 03 03 00 08 00 00 E8 03 04 00 08 00 00 E8 03",
			"FF FF FE 20 83 2A 06 01 00 08 00 00 E8 03 02 00 08 00 00 E8 03 03 00 08 00 00 E8 03 04 00 08 00 00 E8 03 58",
		},
		{broadcast, syncRead, "38 08 01 02", "FF FF FE 06 82 38 08 01 02 36"},
		{1, 0, "00 08 00 00 00 00 79 1E", "FF FF 01 0A 00 00 08 00 00 00 00 79 1E 55"},
		{2, 0, "FF 07 00 00 00 00 77 23", "FF FF 02 0A 00 FF 07 00 00 00 00 77 23 53"},
	} {
		want := bytesOf(t, c.want)
		if got := end(append(begin(nil, c.id, c.instruction), bytesOf(t, c.parameters)...), 0); !bytes.Equal(got, want) {
			t.Errorf("% x, expected\n% x", got, want)
		}
		id, body, used, err := next(want)
		if id != c.id || used != len(want) || err != nil || !bytes.Equal(body, append([]byte{c.instruction}, bytesOf(t, c.parameters)...)) {
			t.Errorf("%s is read as % x of %d, %d bytes, %v", c.want, body, id, used, err)
		}
	}
}

// TestEmulatorAnswersTheManual sends the requests of these examples.
func TestEmulatorAnswersTheManual(t *testing.T) {
	near, far := wire.Pipe("memory://manual")
	if err := errors.Join(near.Open(), far.Open()); err != nil {
		t.Fatal(err)
	}
	e := NewEmulator(far, 1, 2)
	e.servos[0].position, e.servos[1].position = 2048, 2047
	e.servos[1].table[voltageAddress], e.servos[1].table[voltageAddress+1] = 119, 35
	for _, c := range []struct{ request, answer string }{
		{"FF FF 01 02 01 FB", "FF FF 01 02 00 FC"},
		{"FF FF FE 06 82 38 08 01 02 36", "FF FF 01 0A 00 00 08 00 00 00 00 79 1E 55 FF FF 02 0A 00 FF 07 00 00 00 00 77 23 53"},
		{"FF FF 01 09 03 2A 00 08 00 00 E8 03 D5", "FF FF 01 02 00 FC"},
		{"FF FF FE 20 83 2A 06 01 00 08 00 00 E8 03 02 00 08 00 00 E8 03 03 00 08 00 00 E8 03 04 00 08 00 00 E8 03 58", ""},
	} {
		_, _ = near.Write(bytesOf(t, c.request))
		_ = e.Step(0)
		got := make([]byte, 100)
		n, _ := near.Read(got)
		if want := bytesOf(t, c.answer); !bytes.Equal(got[:n], want) {
			t.Errorf("%s is answered\n% x, expected\n% x", c.request, got[:n], want)
		}
	}
	for i := range e.servos {
		if got := e.servos[i].table[goalAddress : goalAddress+6]; !bytes.Equal(got, bytesOf(t, "00 08 00 00 E8 03")) {
			t.Errorf("the goal, time and speed of servo %d are % x", i+1, got)
		}
	}
}

func TestDriverConforms(t *testing.T) {
	devicetest.RunDriver(t, devicetest.Rig{
		Driver:   func(w wire.Wire) devicetest.Driver { return On(w, 1, 2, 7) },
		Emulator: func(w wire.Wire) driver.Emulator { return NewEmulator(w, 1, 2, 7) },
		Period:   4 * time.Millisecond,
	})
}

// bench returns servos 1, 2 and 7 with their emulator, and what steps both for a time.
func bench(t *testing.T) (c *Chain, e *Emulator, run func(d time.Duration) error) {
	t.Helper()
	near, far := wire.Pipe("memory://servos")
	_ = far.Open()
	c, e = On(near, 1, 2, 7), NewEmulator(far, 1, 2, 7)
	run = func(d time.Duration) (err error) {
		for ; d > 0; d -= time.Millisecond {
			_ = e.Step(time.Millisecond)
			err = c.Step(time.Millisecond)
		}
		return err
	}
	e.servos[2].position = middle + 512
	if err := errors.Join(c.Open(), c.Start(), run(20*time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	return c, e, run
}

func TestServosHaveTorqueFromTheFirstCommandToStop(t *testing.T) {
	c, e, run := bench(t)
	if err := run(time.Second); err != nil || e.servos[0].table[torqueAddress] != 0 {
		t.Errorf("%v; torque before a command", err)
	}
	if q := c.Servo(2).JointPosition(); q != math.Pi/4 {
		t.Errorf("servo 7 is at %v, expected %v", q, math.Pi/4)
	}
	_ = c.Servo(0).SetJointPosition(-math.Pi / 2)
	_ = run(100 * time.Millisecond)
	if v, want := c.Servo(0).JointVelocity(), -45.0/60*2*math.Pi; math.Abs(v-want) > step {
		t.Errorf("velocity %v, expected %v", v, want)
	}
	_ = run(time.Second)
	for i, want := range []float64{-math.Pi / 2, 0, math.Pi / 4} {
		if q := c.Servo(i).JointPosition(); math.Abs(q-want) > 1e-9 || e.servos[i].table[torqueAddress] != 1 {
			t.Errorf("servo %d is at %v, expected %v", i, q, want)
		}
	}
	_ = c.Stop()
	_ = e.Step(time.Millisecond)
	for i := range e.servos {
		if e.servos[i].table[torqueAddress] != 0 {
			t.Errorf("servo %d has torque after Stop", i)
		}
	}
}

func TestFaultsNameTheServo(t *testing.T) {
	c, e, run := bench(t)
	e.servos[1].alert = 0x24
	if err := run(5 * time.Millisecond); err == nil || !strings.HasPrefix(err.Error(), "Feetech servos at memory://servos: servo 2 reports error 24h (temperature, overload)") || c.State() != device.Faulty {
		t.Error(err)
	}
	e.servos[1].alert = 0
	if err := run(time.Second); err != nil {
		t.Error(err)
	}
	e.servos = e.servos[:2]
	var absent *AbsentError
	if err := run(time.Second); !errors.As(err, &absent) || absent.ID != 7 || err.Error() != "Feetech servos at memory://servos: no valid answer for 150ms: servo 7 does not answer" {
		t.Error(err)
	}
}

func TestMistakesInNumbersAreExplained(t *testing.T) {
	for want, ids := range map[string][]int{"0 servos: expected 1 to 32": nil, "servo 254: expected": {254}, "servo 3: expected a number from 0 to 253, each once": {3, 3}} {
		if _, err := New("serial:///dev/ttyUSB0", ids...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v", ids, err)
		}
	}
}

// FuzzPackets reads what arrives: it must not panic; a packet that is written is read again, and others are skipped.
func FuzzPackets(f *testing.F) {
	f.Add(bytesOf(f, "FF FF 01 0A 00 00 08 00 00 00 00 79 1E 55"))
	f.Add(bytesOf(f, "FF FF FF 01 02 00 FC"))
	f.Fuzz(func(t *testing.T, in []byte) {
		data := in[:min(len(in), maxLength-2)]
		packet := end(append(begin(nil, 1, 0), data...), 0)
		id, body, used, err := next(packet)
		if id != 1 || used != len(packet) || err != nil || !bytes.Equal(body[1:], data) {
			t.Fatalf("% x is written % x and read % x, %v", data, packet, body, err)
		}
		for rest := in; ; {
			_, body, used, err := next(rest)
			if used == 0 {
				break
			}
			if (err == nil) != (len(body) > 0) || used > len(rest) {
				t.Fatalf("% x: % x, %d, %v", rest, body, used, err)
			}
			rest = rest[used:]
		}
	})
}

// TestNegativeNumbersAreMagnitudes holds numbers as the memory table describes them: bit 15 is the sign.
func TestNegativeNumbersAreMagnitudes(t *testing.T) {
	for x, want := range map[int]string{0: "0000", 2048: "0008", -1: "0180", -3072: "008C", 40000: "FF7F", -40000: "FFFF"} {
		got := appendSigned(nil, x)
		if !bytes.Equal(got, bytesOf(t, want)) || signed(got) != float64(max(min(x, 32767), -32767)) {
			t.Errorf("%d is % x, which is read as %v", x, got, signed(got))
		}
	}
}

// FuzzChain gives the driver and the emulator anything.
func FuzzChain(f *testing.F) {
	f.Add(bytesOf(f, "FF FF 01 0A 00 00 08 00 00 00 00 79 1E 55"))
	f.Add(bytesOf(f, "FF FF FE 06 82 38 08 01 02 36"))
	f.Fuzz(func(t *testing.T, in []byte) {
		near, far := wire.Pipe("memory://fuzz")
		c := On(near, 1, 2)
		_ = errors.Join(far.Open(), c.Open(), c.Start())
		_, _ = far.Write(in)
		for range 3 {
			_ = c.Step(time.Millisecond)
		}
		near, far = wire.Pipe("memory://fuzz")
		_ = errors.Join(near.Open(), far.Open())
		e := NewEmulator(far, 1, 2)
		_, _ = near.Write(in)
		for range 3 {
			if err := e.Step(time.Millisecond); err != nil {
				t.Fatal(err)
			}
		}
	})
}
