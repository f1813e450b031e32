package dynamixel

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

// TestPacketsAreThoseOfTheManual holds the examples of the e-Manual, DYNAMIXEL Protocol 2.0: ping, read, write, sync read, sync write, and their answers.
func TestPacketsAreThoseOfTheManual(t *testing.T) {
	for _, c := range []struct {
		id, instruction byte
		parameters      string
		want            string
	}{
		{1, ping, "", "FF FF FD 00 01 03 00 01 19 4E"},
		{1, status, "00 06 04 26", "FF FF FD 00 01 07 00 55 00 06 04 26 65 5D"},
		{broadcast, ping, "", "FF FF FD 00 FE 03 00 01 31 42"},
		{2, status, "00 06 04 26", "FF FF FD 00 02 07 00 55 00 06 04 26 6F 6D"},
		{1, read, "84 00 04 00", "FF FF FD 00 01 07 00 02 84 00 04 00 1D 15"},
		{1, status, "00 A6 00 00 00", "FF FF FD 00 01 08 00 55 00 A6 00 00 00 8C C0"},
		{1, write, "74 00 00 02 00 00", "FF FF FD 00 01 09 00 03 74 00 00 02 00 00 CA 89"},
		{1, status, "00", "FF FF FD 00 01 04 00 55 00 A1 0C"},
		{broadcast, syncRead, "84 00 04 00 01 02", "FF FF FD 00 FE 09 00 82 84 00 04 00 01 02 CE FA"},
		{2, status, "00 1F 08 00 00", "FF FF FD 00 02 08 00 55 00 1F 08 00 00 BA BE"},
		{broadcast, syncWrite, "74 00 04 00 01 96 00 00 00 02 AA 00 00 00", "FF FF FD 00 FE 11 00 83 74 00 04 00 01 96 00 00 00 02 AA 00 00 00 82 87"},
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
	e.servos[0].position, e.servos[1].position = 166, 2079
	for _, c := range []struct{ request, answer string }{
		{"FF FF FD 00 FE 03 00 01 31 42", "FF FF FD 00 01 07 00 55 00 06 04 26 65 5D FF FF FD 00 02 07 00 55 00 06 04 26 6F 6D"},
		{"FF FF FD 00 01 07 00 02 84 00 04 00 1D 15", "FF FF FD 00 01 08 00 55 00 A6 00 00 00 8C C0"},
		{"FF FF FD 00 FE 09 00 82 84 00 04 00 01 02 CE FA", "FF FF FD 00 01 08 00 55 00 A6 00 00 00 8C C0 FF FF FD 00 02 08 00 55 00 1F 08 00 00 BA BE"},
		{"FF FF FD 00 01 09 00 03 74 00 00 02 00 00 CA 89", "FF FF FD 00 01 04 00 55 00 A1 0C"},
		{"FF FF FD 00 FE 11 00 83 74 00 04 00 01 96 00 00 00 02 AA 00 00 00 82 87", ""},
	} {
		_, _ = near.Write(bytesOf(t, c.request))
		_ = e.Step(0)
		got := make([]byte, 100)
		n, _ := near.Read(got)
		if want := bytesOf(t, c.answer); !bytes.Equal(got[:n], want) {
			t.Errorf("%s is answered\n% x, expected\n% x", c.request, got[:n], want)
		}
	}
	for i, want := range []byte{150, 170} {
		if got := e.servos[i].table[goalAddress]; got != want {
			t.Errorf("the goal of servo %d is %d, expected %d", i+1, got, want)
		}
	}
}

// TestFastSyncReadIsThatOfTheManual holds the example of the e-Manual: three servos answer in one packet.
func TestFastSyncReadIsThatOfTheManual(t *testing.T) {
	request := bytesOf(t, "FF FF FD 00 FE 0A 00 8A 84 00 04 00 03 07 04 20 F2")
	answer := bytesOf(t, "FF FF FD 00 FE 19 00 55 00 03 A6 00 00 00 84 08 00 07 1F 08 00 00 16 CA 00 04 FF 03 00 00 D1 9E")
	if got := end(append(begin(nil, broadcast, fastSyncRead), 0x84, 0, 4, 0, 3, 7, 4), 0); !bytes.Equal(got, request) {
		t.Errorf("% x, expected\n% x", got, request)
	}
	near, far := wire.Pipe("memory://manual")
	if err := errors.Join(near.Open(), far.Open()); err != nil {
		t.Fatal(err)
	}
	e := NewEmulator(far, 3, 4, 7)
	e.servos[0].position, e.servos[1].position, e.servos[2].position = 166, 1023, 2079
	_, _ = near.Write(request)
	_ = e.Step(0)
	got := make([]byte, 100)
	n, _ := near.Read(got)
	if !bytes.Equal(got[:n], answer) {
		t.Errorf("% x, expected\n% x", got[:n], answer)
	}
	if _, body, used, err := next(answer); err != nil || used != len(answer) || !bytes.Equal(body, answer[headerBytes:len(answer)-2]) {
		t.Errorf("the answer is read as % x, %v", body, err)
	}
}

// TestFastAnswersAreNotStuffed lets three servos measure what looks like a header.
func TestFastAnswersAreNotStuffed(t *testing.T) {
	c, e, run := bench(t)
	_ = c.Stop()
	c.Fast = true
	e.servos[0].table[presentAddress], e.servos[0].table[presentAddress+1] = 0xff, 0xff // -2.69 mA
	e.servos[1].position, e.servos[2].position = 0xfdffff, -2
	if err := errors.Join(c.Start(), run(20*time.Millisecond)); err != nil && c.State() != device.Running {
		t.Fatal(err)
	}
	if got, want := c.Servo(1).JointPosition(), float64(0xfdffff-middle)*2*math.Pi/stepsPerTurn; got != want {
		t.Errorf("servo 2 is at %v, expected %v", got, want)
	}
	if got := c.Servo(0).Current(); got != -currentUnit {
		t.Errorf("the current of servo 1 is %v", got)
	}
	e.servos = e.servos[:2]
	if err := run(time.Second); err == nil || err.Error() != "Dynamixel servos at memory://servos: no answer for 150ms" {
		t.Error(err)
	}
}

func TestDriverConforms(t *testing.T) {
	for name, fast := range map[string]bool{"sync read": false, "fast sync read": true} {
		t.Run(name, func(t *testing.T) {
			devicetest.RunDriver(t, devicetest.Rig{
				Driver: func(w wire.Wire) devicetest.Driver {
					c := On(w, 1, 2, 7)
					c.Fast = fast
					return c
				},
				Emulator: func(w wire.Wire) driver.Emulator { return NewEmulator(w, 1, 2, 7) },
				Period:   4 * time.Millisecond,
			})
		})
	}
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
	if v, want := c.Servo(0).JointVelocity(), -77.0/60*2*math.Pi; math.Abs(v-want) > velocityUnit {
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
	e.servos[1].alert = true
	if err := run(5 * time.Millisecond); err == nil || !strings.HasPrefix(err.Error(), "Dynamixel servos at memory://servos: servo 2 reports an alert") || c.State() != device.Faulty {
		t.Error(err)
	}
	e.servos[1].alert = false
	if err := run(time.Second); err != nil {
		t.Error(err)
	}
	e.servos = e.servos[:2]
	var absent *AbsentError
	if err := run(time.Second); !errors.As(err, &absent) || absent.ID != 7 || err.Error() != "Dynamixel servos at memory://servos: no valid answer for 150ms: servo 7 does not answer" {
		t.Error(err)
	}
}

func TestMistakesInNumbersAreExplained(t *testing.T) {
	for want, ids := range map[string][]int{"0 servos: expected 1 to 32": nil, "servo 253: expected": {253}, "servo 3: expected a number from 0 to 252, each once": {3, 3}} {
		if _, err := New("serial:///dev/ttyUSB0", ids...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v", ids, err)
		}
	}
}

// FuzzPackets reads what arrives: it must not panic; a packet that is written is read again, and others are skipped.
func FuzzPackets(f *testing.F) {
	f.Add(bytesOf(f, "FF FF FD 00 01 08 00 55 00 A6 00 00 00 8C C0"))
	f.Add(bytesOf(f, "FF FF FD FD FF FF FF FD FF FF FD FD FD FF FF"))
	f.Fuzz(func(t *testing.T, in []byte) {
		packet := end(append(begin(nil, 1, status), in[:min(len(in), 300)]...), 0)
		id, body, used, err := next(bytes.Clone(packet))
		if id != 1 || used != len(packet) || err != nil || !bytes.Equal(body[1:], in[:min(len(in), 300)]) {
			t.Fatalf("% x is written % x and read % x, %v", in, packet, body, err)
		}
		for rest := bytes.Clone(in); ; {
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

// FuzzChain gives the driver and the emulator anything.
func FuzzChain(f *testing.F) {
	f.Add(bytesOf(f, "FF FF FD 00 01 08 00 55 00 A6 00 00 00 8C C0"))
	f.Add(bytesOf(f, "FF FF FD 00 FE 0A 00 8A 84 00 04 00 01 02"))
	f.Add(bytesOf(f, "FF FF FD 00 FE 19 00 55 00 03 A6 00 00 00 84 08 00 07 1F 08 00 00 16 CA 00 04 FF 03 00 00 D1 9E"))
	f.Add(bytesOf(f, "FF FF FD 00 FE 11 00 83 74 00 04 00 01 96 00 00 00 02 AA 00 00 00 82 87"))
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
