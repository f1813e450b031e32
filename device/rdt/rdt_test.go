package rdt

import (
	"bytes"
	"encoding/hex"
	"errors"
	"math"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/device"
	"github.com/sinew-robotics/sinew/device/devicetest"
	"github.com/sinew-robotics/sinew/device/driver"
	"github.com/sinew-robotics/sinew/device/wire"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

func TestDriverConforms(t *testing.T) {
	for name, o := range map[string]Options{"Net F/T": {}, "Axia": {Axia: true}} {
		t.Run(name, func(t *testing.T) {
			devicetest.RunDriver(t, devicetest.Rig{
				Kind:     wire.Datagrams,
				Driver:   func(w wire.Wire) devicetest.Driver { return On(w, o) },
				Emulator: func(w wire.Wire) driver.Emulator { return NewEmulator(w, o, time.Millisecond) },
			})
		})
	}
}

// bench returns a running sensor with its emulator, and what steps both.
func bench(t *testing.T) (s *Sensor, e *Emulator, far wire.Wire, run func(steps int) error) {
	t.Helper()
	near, far := wire.PipeOf("memory://sensor", wire.Datagrams)
	_ = far.Open()
	s, e = On(near, Options{}), NewEmulator(far, Options{}, time.Millisecond)
	run = func(steps int) (err error) {
		for range steps {
			_ = e.Step(time.Millisecond)
			err = s.Step(time.Millisecond)
		}
		return err
	}
	if err := errors.Join(s.Open(), s.Start(), run(5)); err != nil {
		t.Fatal(err)
	}
	return s, e, far, run
}

func TestSensorMeasuresTheLoadAndItsZero(t *testing.T) {
	s, e, _, run := bench(t)
	e.Load = [6]float64{1.5, -20, 300, 0.25, -1, 7}
	if err := run(10); err != nil {
		t.Fatal(err)
	}
	want := spatial.Force{Linear: spatial.Vec3{X: 1.5, Y: -20, Z: 300}, Angular: spatial.Vec3{X: 0.25, Y: -1, Z: 7}}
	if s.ForceTorque() != want {
		t.Errorf("%v, expected %v", s.ForceTorque(), want)
	}
	s.Zero()
	_ = run(3)
	if s.ForceTorque() != (spatial.Force{}) {
		t.Errorf("after Zero: %v", s.ForceTorque())
	}
	e.Load[2] += 10
	_ = run(3)
	if z := s.ForceTorque().Linear.Z; z != 10 {
		t.Errorf("10 N more are %v N", z)
	}
}

func TestErrorOfTheSensorIsReportedAndPasses(t *testing.T) {
	s, e, _, run := bench(t)
	e.Status = 0x80010000
	if err := run(1); err == nil || err.Error() != "RDT force-torque sensor at memory://sensor: the sensor reports status 80010000h: its measurements are not valid; its web page explains the bits" {
		t.Error(err)
	}
	if !math.IsNaN(s.ForceTorque().Linear.X) {
		t.Error("a faulty sensor returns a force")
	}
	e.Status = 0
	if err := run(500); err != nil || s.State() != device.Running {
		t.Error(err)
	}
}

// TestLayoutIsThatOfTheManual writes requests and a record byte by byte as the manual's tables have them.
func TestLayoutIsThatOfTheManual(t *testing.T) {
	near, far := wire.PipeOf("memory://sensor", wire.Datagrams)
	_ = far.Open()
	s := On(near, Options{CountsPerForce: 1000, CountsPerTorque: 10000})
	_ = errors.Join(s.Open(), s.Start())
	_ = s.Step(time.Millisecond)
	b := make([]byte, 100)
	n, _ := far.Read(b)
	if want := []byte{0x12, 0x34, 0, 2, 0, 0, 0, 0}; !bytes.Equal(b[:n], want) {
		t.Errorf("the request is % x, expected % x", b[:n], want)
	}
	record, err := hex.DecodeString("00000001" + "00001234" + "00000000" + "000003e8" + "fffffc18" + "00000001" + "00002710" + "ffffd8f0" + "00000000")
	if err != nil {
		t.Fatal(err)
	}
	_, _ = far.Write(record)
	if err := s.Step(time.Millisecond); err != nil {
		t.Fatal(err)
	}
	if want := (spatial.Force{Linear: spatial.Vec3{X: 1, Y: -1, Z: 0.001}, Angular: spatial.Vec3{X: 1, Y: -1}}); s.ForceTorque() != want {
		t.Errorf("%v, expected %v", s.ForceTorque(), want)
	}
	for _, sequence := range []byte{5, 3, 6} { // three are lost, one is overtaken
		record[3], record[15] = sequence, 0
		_, _ = far.Write(record)
	}
	if err := s.Step(time.Millisecond); err != nil || s.Missed() != 3 || s.sequence != 6 {
		t.Errorf("%v; missed %d, the last is %d", err, s.Missed(), s.sequence)
	}
}

func FuzzSensor(f *testing.F) {
	f.Add(make([]byte, recordBytes))
	f.Add([]byte{0x12, 0x34, 0, 2, 0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		b = b[:min(len(b), 1000)]
		s, e, far, _ := bench(t)
		if len(b) == 0 {
			return
		}
		_, _ = far.Write(b)
		err := s.Step(time.Millisecond)
		if x := s.ForceTorque().Linear.X; (err == nil) == math.IsNaN(x) {
			t.Errorf("%v, %v", err, x)
		}
		e.answer(b)
	})
}
