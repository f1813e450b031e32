package vectornav

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/device"
	"github.com/sinew-robotics/sinew/device/devicetest"
	"github.com/sinew-robotics/sinew/device/driver"
	"github.com/sinew-robotics/sinew/device/wire"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

func TestDriverConforms(t *testing.T) {
	devicetest.RunDriver(t, devicetest.Rig{
		Driver:   func(w wire.Wire) devicetest.Driver { return On(w, 100) },
		Emulator: func(w wire.Wire) driver.Emulator { return NewEmulator(w) },
		Period:   5 * time.Millisecond,
		Greeting: []byte("$VNlogin: \r\n"),
	})
}

// bench returns a started sensor at the other end of whose channel nothing is yet.
func bench(t *testing.T) (*Sensor, wire.Wire) {
	t.Helper()
	near, far := wire.Pipe("memory://imu")
	_ = far.Open()
	s := On(near, 100)
	if err := errors.Join(s.Open(), s.Start()); err != nil {
		t.Fatal(err)
	}
	return s, far
}

// configured returns a sensor whose commands are answered.
func configured(t *testing.T) (*Sensor, wire.Wire) {
	t.Helper()
	s, far := bench(t)
	for _, command := range s.commands {
		_ = s.Step(time.Millisecond)
		_, _ = far.Write(command)
		_ = s.Step(time.Millisecond)
	}
	return s, far
}

func TestMeasurementIsThatOfTheEmulator(t *testing.T) {
	s, far := bench(t)
	e := NewEmulator(far)
	e.Velocity, e.Acceleration = spatial.Vec3{X: 0.25, Y: -12.5, Z: 0.000001}, spatial.Vec3{X: -9.5, Y: 0.125, Z: 100}
	complete := 0
	for range 1000 {
		_ = e.Step(time.Millisecond)
		if s.Step(time.Millisecond) == nil {
			complete++
		}
	}
	if s.AngularVelocity() != e.Velocity || s.Acceleration() != e.Acceleration || s.Damaged() != 0 || complete < 900 {
		t.Errorf("%v, %v; %d damaged, %d steps were good", s.AngularVelocity(), s.Acceleration(), s.Damaged(), complete)
	}
}

// printed is a message with its checksum from an example of the VectorNav C Library, of its UART protocol.
const printed = "$VNYMR,+100.949,-007.330,+000.715,-00.0049,-00.2449,+00.5397,-01.258,-00.100,-09.701,-00.000018,+00.001122,-00.000551*69\r\n"

func TestPrintedMessagesAreRead(t *testing.T) {
	s, far := configured(t)
	_, _ = far.Write([]byte(printed))
	if err := s.Step(time.Millisecond); err != nil || s.Acceleration() != (spatial.Vec3{X: -1.258, Y: -0.1, Z: -9.701}) || s.AngularVelocity() != (spatial.Vec3{X: -0.000018, Y: 0.001122, Z: -0.000551}) {
		t.Errorf("%v, %v, %v", err, s.Acceleration(), s.AngularVelocity())
	}
	for _, line := range []string{
		"$VNRRG,27,+006.380,+000.023,-001.953,+1.0640,-0.2531,+3.0614,+00.005,+00.344,-09.758,-0.001222,-0.000450,-0.001218*4F", // VN-100 User Manual, register 27
		"$VNRRG,01,VN-200T-CR*31", "$VNWRG,07,2*6F", "$VNERR,12*72", // the same example
	} {
		if _, err := parse([]byte(line)); err != nil {
			t.Errorf("%s: %v", line, err)
		}
	}
}

func TestDamageIsExplained(t *testing.T) {
	for _, c := range []struct{ name, sent, want string }{
		{"a wrong checksum", strings.Replace(printed, "9.701", "9.702", 1), "no valid answer for 300ms: wrong checksum"},
		{"a truncated message", printed[:60] + "\r\n", "no valid answer for 300ms: not a message of VectorNav"},
		{"a missing number", string(end([]byte("$VNYMR,1,2,3,4,5,6,7,8,9,10,11"), 0)), "no valid answer for 300ms: a number of a YMR message cannot be read"},
		{"one too many", string(end([]byte("$VNYMR,1,2,3,4,5,6,7,8,9,10,11,12,13"), 0)), "no valid answer for 300ms: a number of a YMR message cannot be read"},
		{"an error", string(end([]byte("$VNERR,0C"), 0)), "the sensor reports error 12 (insufficient baud rate)"},
		{"another message", string(end([]byte("$VNYPR,1,2,3"), 0)), "no answer for 300ms"},
	} {
		s, far := configured(t)
		_, _ = far.Write([]byte(c.sent))
		err := s.Step(time.Millisecond)
		if s.State() != device.Faulty {
			err = s.Step(time.Second)
		}
		if want := "VectorNav IMU at memory://imu: " + c.want; err == nil || err.Error() != want {
			t.Errorf("%s: %v, expected %s", c.name, err, want)
		}
	}
}

func TestEmulatorRefusesWrongCommands(t *testing.T) {
	near, far := wire.Pipe("memory://imu")
	_ = errors.Join(near.Open(), far.Open())
	e := NewEmulator(far)
	message := func(text string) string { return string(end([]byte(text), 0)) }
	for sent, code := range map[string]int{
		message("$VNWRG,07,3"): 7, message("$VNWRG,06,200"): 7, message("$VNWRG,07"): 7, message("$VNWRG,99,1"): 8, message("$VNRRG,01"): 4, "$VNWRG,06,14*00\r\n": 3,
	} {
		_, _ = near.Write([]byte(sent))
		_ = e.Step(time.Millisecond)
		b := make([]byte, 100)
		n, _ := near.Read(b)
		if want := message(fmt.Sprintf("$VNERR,%02X", code)); string(b[:n]) != want {
			t.Errorf("%q is answered %q, expected %q", sent, b[:n], want)
		}
	}
	if _, err := New("serial:///dev/ttyUSB0", 3); err == nil || !strings.Contains(err.Error(), "3 messages in a second: expected one of [1 2 4") {
		t.Error(err)
	}
}

func FuzzSensor(f *testing.F) {
	f.Add(printed)
	f.Add("$VNERR,03*72")
	f.Fuzz(func(t *testing.T, text string) {
		s, far := configured(t)
		text = text[:min(len(text), 500)]
		_, _ = far.Write([]byte(text + "\r\n" + string(end([]byte("$VNYMR,"+text), 0))))
		err := s.Step(time.Millisecond)
		if x := s.Acceleration().X; (err == nil) != (x-x == 0) {
			t.Errorf("%v, %v", err, x)
		}
		near, far := wire.Pipe("memory://imu")
		_ = errors.Join(near.Open(), far.Open())
		_, _ = near.Write([]byte(text + "\r\n" + string(end([]byte("$VNWRG,"+text), 0))))
		_ = NewEmulator(far).Step(time.Millisecond)
	})
}
