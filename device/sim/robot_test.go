package sim

import (
	"fmt"
	"math"
	"os"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/device"
	"github.com/sinew-robotics/sinew/device/devicetest"
	"github.com/sinew-robotics/sinew/internal/testkit"
)

const ms = time.Millisecond

func janus(t testing.TB) *Robot {
	t.Helper()
	r, err := Load(os.DirFS("../../models/janus"), "janus.urdf", "drives.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// running returns Janus started with brakes released and motors powered.
func running(t testing.TB) *Robot {
	t.Helper()
	r := janus(t)
	if err := r.Open(); err != nil {
		t.Fatal(err)
	}
	if err := r.Start(); err != nil {
		t.Fatal(err)
	}
	for i := range r.Axes() {
		r.Axis(i).SetBrake(false)
		r.Axis(i).SetPower(true)
	}
	return r
}

func step(t testing.TB, r *Robot, dt time.Duration) {
	t.Helper()
	if err := r.Step(dt); err != nil {
		t.Fatal(err)
	}
}

func TestRobotConforms(t *testing.T) {
	devicetest.Run(t, func(t testing.TB) devicetest.Subject {
		r := janus(t)
		s := devicetest.Subject{Device: r}
		for i := range r.Axes() {
			a := r.Axis(i)
			s.Encoders = append(s.Encoders, a)
			s.Positions = append(s.Positions, a)
			s.Voltages = append(s.Voltages, a)
			s.Powers = append(s.Powers, a)
			s.Brakes = append(s.Brakes, a)
		}
		return s
	})
}

// Counts are the joint's position in steps of 2π/(4·500·100), mirrored on joint 2, whose motor is mounted so.
func TestEncoderCountsTheJointsPosition(t *testing.T) {
	r := running(t)
	for k := range 200 {
		_ = r.Axis(0).SetVoltage(8 * math.Sin(float64(k)*0.1))
		_ = r.Axis(1).SetVoltage(5 * math.Cos(float64(k)*0.07))
		step(t, r, 10*ms)
		for i, sign := range []float64{1, -1} {
			a := r.Axis(i)
			exact := sign * a.JointPosition() * 200000 / (2 * math.Pi)
			if c := float64(a.Counts()); c > exact+1e-6 || c < exact-1-1e-6 {
				t.Fatalf("joint %d at %v rad: %v counts, exactly %v", i+1, a.JointPosition(), c, exact)
			}
		}
	}
}

func TestIndexLatchesTheCountAtEachTurn(t *testing.T) {
	r := running(t)
	a := r.Axis(0)
	var marks []int64
	last := a.Counts()
	for k := range 400 {
		volts := 6.0
		if k >= 200 {
			volts = -12
		}
		_ = a.SetVoltage(volts)
		step(t, r, ms)
		at, seen := a.Index()
		now := a.Counts()
		if seen {
			marks = append(marks, at)
			if at%2000 != 0 || at < min(last, now) || at > max(last, now) {
				t.Fatalf("mark latched at %d while the count went from %d to %d", at, last, now)
			}
		} else if n := marks; len(n) > 0 && at != n[len(n)-1] {
			t.Fatalf("latched count changed to %d without a mark", at)
		}
		last = now
	}
	if len(marks) < 10 {
		t.Errorf("only %d marks", len(marks))
	}
}

// The encoder starts at 0 wherever the joint is at Open; its marks stay where they are on the joint.
func TestIndexMarksStayOnTheJoint(t *testing.T) {
	r := janus(t)
	r.Place([]float64{0.3, 0})
	_ = r.Open()
	_ = r.Start()
	a := r.Axis(0)
	a.SetBrake(false)
	for {
		step(t, r, ms) // it falls
		if at, seen := a.Index(); seen {
			position := 0.3 + float64(at)*2*math.Pi/200000
			turns := position * 100 / (2 * math.Pi)
			testkit.Near(t, "turns of the motor at the mark", turns, math.Round(turns), 1e-3)
			return
		}
	}
}

func TestAmplifierRoundsAndLimitsVoltages(t *testing.T) {
	r := running(t)
	a := r.Axis(0)
	nk := 100 * 0.0235
	applied := func(volts float64) float64 { // seen through the motor's current after a short time
		_ = a.SetVoltage(volts)
		step(t, r, 100*time.Microsecond)
		return r.simulator.Current(0)*2.32 + nk*r.simulator.Velocity(0)
	}
	lsb := 48.0 / 4096
	testkit.Near(t, "1 V", applied(1), math.Round(1/lsb)*lsb, 1e-9)
	testkit.Near(t, "a third of a step", applied(lsb/3), 0, 1e-9)
	testkit.Near(t, "far above the supply", applied(1000), 24-lsb, 1e-9)
	testkit.Near(t, "far below", applied(-1000), -24, 1e-9)
	if err := a.SetVoltage(math.NaN()); err != device.ErrNotFinite {
		t.Errorf("NaN: %v", err)
	}
	testkit.Near(t, "NaN", applied(0), 0, 1e-9)
}

func TestBrakeHoldsTheHeaviestPose(t *testing.T) {
	r := janus(t)
	r.Place([]float64{math.Pi / 2, 0})
	_ = r.Open()
	_ = r.Start()
	step(t, r, time.Second)
	if q := r.Axis(0).JointPosition(); q != math.Pi/2 {
		t.Errorf("sank to %v under the brake", q)
	}
	r.Axis(0).SetBrake(false)
	step(t, r, time.Second)
	if q := r.Axis(0).JointPosition(); q < 1.7 {
		t.Errorf("stays at %v without a brake", q)
	}
}

func TestOnlyAnAxisWithABrakeIsHeld(t *testing.T) {
	r := running(t)
	a := r.Axis(0)
	if a.Held() {
		t.Error("held by a released brake")
	}
	a.SetBrake(true)
	if !a.Held() {
		t.Error("not held by an applied brake")
	}
	a.drive.Brake = 0
	if a.Held() {
		t.Error("held without a brake")
	}
}

func TestFaultsStopCountsAndCurrent(t *testing.T) {
	r := running(t)
	a, b := r.Axis(0), r.Axis(1)
	_ = a.SetVoltage(12)
	_ = b.SetVoltage(-6)
	step(t, r, 50*ms)
	a.Break(EncoderStuck)
	counts := a.Counts()
	b.Break(CircuitOpen)
	step(t, r, 50*ms)
	if _, seen := a.Index(); a.Counts() != counts || seen {
		t.Errorf("a stuck encoder went from %d to %d counts", counts, a.Counts())
	}
	if i := r.simulator.Current(1); i != 0 {
		t.Errorf("%v A in an open circuit", i)
	}
	a.Break(0)
	step(t, r, ms)
	if moved := a.Counts() - counts; moved <= 0 || moved > 500 {
		t.Errorf("after the fault the encoder jumped by %d counts in 1 ms", moved)
	}
}

func TestSameCommandsGiveSameReadings(t *testing.T) {
	run := func() (s string) {
		r := running(t)
		for k := range 300 {
			for i := range r.Axes() {
				_ = r.Axis(i).SetVoltage(10 * math.Sin(float64(k*(i+1))))
				s += fmt.Sprintf("%d %x ", r.Axis(i).Counts(), r.Axis(i).JointPosition())
			}
			step(t, r, 10*ms)
		}
		return s
	}
	if first, second := run(), run(); first != second {
		t.Error("two runs differ")
	}
}

func TestMisusePanics(t *testing.T) {
	for name, f := range map[string]func(*Robot){
		"Place while started":  func(r *Robot) { r.Place([]float64{0, 0}) },
		"Place with one angle": func(r *Robot) { _ = r.Close(); r.Place([]float64{0}) },
		"Place at NaN":         func(r *Robot) { _ = r.Close(); r.Place([]float64{0, math.NaN()}) },
		"negative time":        func(r *Robot) { _ = r.Step(-ms) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f(running(t))
		}()
	}
}

func BenchmarkStep10ms(b *testing.B) {
	r := running(b)
	_ = r.Axis(0).SetVoltage(6)
	for b.Loop() {
		step(b, r, 10*ms)
	}
}
