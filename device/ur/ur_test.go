package ur

import (
	"encoding/binary"
	"errors"
	"math"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/device/devicetest"
	"github.com/sinew-robotics/sinew/device/driver"
	"github.com/sinew-robotics/sinew/device/wire"
)

// posture is where the emulated arm stands at first.
var posture = [Joints]float64{0, -1.5, 1.2, -0.8, 0.4, 3}

func TestDriverConforms(t *testing.T) {
	devicetest.RunDriver(t, devicetest.Rig{
		Driver:   func(w wire.Wire) devicetest.Driver { return On(w) },
		Emulator: func(w wire.Wire) driver.Emulator { return NewEmulator(w, posture) },
		Period:   2 * time.Millisecond,
	})
}

// bench returns a running arm with its emulator, and what steps both for a time.
func bench(t *testing.T) (a *Arm, e *Emulator, run func(d time.Duration) error) {
	t.Helper()
	near, far := wire.Pipe("memory://arm")
	_ = far.Open()
	a, e = On(near), NewEmulator(far, posture)
	run = func(d time.Duration) (err error) {
		for ; d > 0; d -= time.Millisecond {
			if err := e.Step(time.Millisecond); err != nil {
				t.Fatal(err)
			}
			err = a.Step(time.Millisecond)
		}
		return err
	}
	if err := errors.Join(a.Open(), a.Start(), run(20*time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	return a, e, run
}

func TestArmStandsStillUntilItIsCommanded(t *testing.T) {
	a, e, run := bench(t)
	e.Force = [6]float64{1, 2, 3, 4, 5, 6}
	if err := run(time.Second); err != nil || e.enabled {
		t.Errorf("%v; enabled %v", err, e.enabled)
	}
	for i, want := range posture {
		if got := a.Joint(i).JointPosition(); got != want {
			t.Errorf("joint %d is at %v, expected %v", i, got, want)
		}
	}
	if f := a.ForceTorque(); f.Linear.Z != 3 || f.Angular.X != 4 {
		t.Errorf("force %v", f)
	}
	if robot, safety := a.Modes(); robot != 7 || safety != 1 {
		t.Errorf("modes %d, %d", robot, safety)
	}
}

func TestCommandedJointMovesAndTheOthersHold(t *testing.T) {
	a, e, run := bench(t)
	if err := a.Joint(2).SetJointPosition(0.2); err != nil {
		t.Fatal(err)
	}
	if err := run(100 * time.Millisecond); err != nil {
		t.Fatal(err)
	}
	if v := a.Joint(2).JointVelocity(); math.Abs(v+maxSpeed) > 1e-6 {
		t.Errorf("velocity %v, expected %v", v, -maxSpeed)
	}
	_ = run(time.Second)
	for i := range posture {
		want := posture[i]
		if i == 2 {
			want = 0.2
		}
		if got := a.Joint(i).JointPosition(); got != want {
			t.Errorf("joint %d is at %v, expected %v", i, got, want)
		}
	}
	_ = a.Joint(2).SetJointPosition(2)
	_ = run(50 * time.Millisecond)
	_ = a.Stop()
	_ = e.Step(time.Millisecond)
	at := e.position
	for range 500 {
		_ = e.Step(time.Millisecond)
	}
	if e.enabled || e.position != at || at[2] >= 2 {
		t.Errorf("after Stop: enabled %v, from %v to %v", e.enabled, at, e.position)
	}
}

func TestNoPackageIsMissedAndLostOnesAreCounted(t *testing.T) {
	a, e, run := bench(t)
	if err := run(10 * time.Second); err != nil || a.Missed() != 0 {
		t.Errorf("%v; missed %d", err, a.Missed())
	}
	e.next += 10 * e.period // as if the robot had left out ten
	if err := run(50 * time.Millisecond); err != nil || a.Missed() != 10 {
		t.Errorf("%v; missed %d, expected 10", err, a.Missed())
	}
}

// answerOf returns a package whose data are a byte and a text.
func answerOf(kind, first byte, text string) string {
	b := binary.BigEndian.AppendUint16(nil, uint16(header+1+len(text)))
	return string(append(b, kind, first)) + text
}

func TestRefusalsAreExplained(t *testing.T) {
	for answer, want := range map[string]error{
		answerOf('V', 0, ""): ErrVersion, answerOf('V', 1, "") + answerOf('O', 0, "NOT_FOUND"): ErrNotFound,
		answerOf('V', 1, "") + answerOf('O', 1, outputTypes) + answerOf('I', 0, "IN_USE"):                          ErrInUse,
		answerOf('V', 1, "") + answerOf('O', 1, outputTypes) + answerOf('I', 1, inputTypes) + answerOf('S', 0, ""): ErrRefused,
		"\x00\x02V": ErrForm, "\xff\xffV": ErrForm, "login: ": ErrForm,
	} {
		near, far := wire.Pipe("memory://arm")
		_ = far.Open()
		a := On(near)
		_ = errors.Join(a.Open(), a.Start())
		_ = a.Step(time.Millisecond)
		packages := []byte(answer)
		for len(packages) >= header { // one answer a request
			n := min(max(int(binary.BigEndian.Uint16(packages)), header), len(packages))
			if n > len(packages) {
				n = len(packages)
			}
			_, _ = far.Write(packages[:n])
			packages = packages[n:]
			if err := a.Step(time.Millisecond); len(packages) < header && !errors.Is(err, want) {
				t.Errorf("%q: %v, expected %v", answer, err, want)
			}
		}
	}
}

// FuzzArm gives the driver what a robot may send: it must not panic, and readings are there only while it runs.
func FuzzArm(f *testing.F) {
	f.Add([]byte(answerOf('V', 1, "") + answerOf('O', 1, outputTypes) + answerOf('I', 1, inputTypes) + answerOf('S', 1, "") + answerOf('U', 1, string(make([]byte, outputBytes)))))
	f.Add([]byte("\x00\x06M\x01a\x00\x00\x04V\x00"))
	f.Fuzz(func(t *testing.T, answers []byte) {
		near, far := wire.Pipe("memory://arm")
		_ = far.Open()
		a := On(near)
		_ = errors.Join(a.Open(), a.Start())
		for len(answers) > 0 {
			n := min(len(answers), 5)
			_, _ = far.Write(answers[:n])
			answers = answers[n:]
			if err := a.Step(time.Millisecond); (err == nil) != a.known {
				t.Fatalf("%v, readings %v", err, a.known)
			}
		}
	})
}
