package mobile

import (
	"encoding/csv"
	"errors"
	"math"
	"os"
	"strconv"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/control"
)

const noise = 0.002 // of testdata/reference.py

var (
	differential = Differential{LeftRadius: 0.11, RightRadius: 0.1, Track: 0.45, Noise: noise}
	tracked      = Tracked{
		LeftRadius: 0.08, RightRadius: 0.09, LeftCentre: 0.37, RightCentre: -0.41, Centre: 0.05, LeftSlip: 0.1, RightSlip: 0.03, Noise: noise,
	}
	ackermann = Ackermann{Radius: 0.3, Wheelbase: 2.7, Noise: noise, SteeringNoise: 0.0004}
	mecanum   = Mecanum{Radius: 0.05, Length: 0.4, Width: 0.3, Noise: noise}
)

// move returns the displacement of the vehicle with the number that testdata/reference.py gives it.
func move(vehicle int, u [4]float64) (Displacement, Covariance) {
	switch vehicle {
	case 0:
		return differential.Step(u[0], u[1])
	case 1:
		return tracked.Step(u[0], u[1])
	case 2:
		return ackermann.Step(u[0], u[1])
	}
	return mecanum.Step(u[0], u[1], u[2], u[3])
}

func vehicles(t *testing.T) (rows [][]float64) {
	t.Helper()
	f, err := os.Open("testdata/vehicles.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil || len(lines) != 49 {
		t.Fatalf("%d lines, %v", len(lines), err)
	}
	for _, line := range lines[1:] {
		row := make([]float64, len(line))
		for i, text := range line {
			if row[i], err = strconv.ParseFloat(text, 64); err != nil {
				t.Fatal(err)
			}
		}
		rows = append(rows, row)
	}
	return rows
}

func checkPose(t *testing.T, got Pose, cov Covariance, row []float64, tolerance float64) {
	t.Helper()
	testkit.AllNear(t, "position", []float64{got.X, got.Y}, row[6:8], tolerance)
	testkit.Near(t, "heading", control.WrapAngle(got.Heading-row[8]), 0, tolerance)
	testkit.AllNear(t, "covariance", cov[:], row[9:18], tolerance)
}

// Steps of up to 4 m and half a turn, against the differential equations of the textbooks integrated by SciPy.
func TestOdometryMatchesIntegratedEquationsOfMotion(t *testing.T) {
	var o Odometry
	var fusion *Fusion
	for _, row := range vehicles(t) {
		if row[1] == 0 {
			o = Odometry{Pose{0.5, -1, 2}, Covariance{0: 0.01, 4: 0.02, 8: 0.03}}
			fusion = NewFusion(Gyroscope{Noise: 1e-3, Bias: 1})
			if err := fusion.Set(o.Pose, o.Covariance); err != nil {
				t.Fatal(err)
			}
		}
		d, q := move(int(row[0]), [4]float64(row[2:6]))
		if err := o.Step(d, q); err != nil {
			t.Fatal(err)
		}
		checkPose(t, o.Pose, o.Covariance, row, 1e-8)
		if err := fusion.StepWheels(d, q); err != nil {
			t.Fatal(err)
		}
		checkPose(t, fusion.Pose(), fusion.Covariance(), row, 1e-8)
	}
}

// The same arcs in many steps give the same poses and covariances.
func TestOdometryDoesNotDependOnTheNumberOfSteps(t *testing.T) {
	const parts = 100
	var o Odometry
	for _, row := range vehicles(t) {
		if row[1] == 0 {
			o = Odometry{Pose{0.5, -1, 2}, Covariance{0: 0.01, 4: 0.02, 8: 0.03}}
		}
		u := [4]float64(row[2:6])
		for i := range u {
			if row[0] != 2 || i != 1 { // the steering angle is none that adds up
				u[i] /= parts
			}
		}
		d, q := move(int(row[0]), u)
		for range parts {
			if err := o.Step(d, q); err != nil {
				t.Fatal(err)
			}
		}
		checkPose(t, o.Pose, o.Covariance, row, 1e-8)
	}
}

// The sum of Siegwart et al. 2011, section 5.2.4, equations 5.7 to 5.9 in the book's own form: with short steps it becomes the closed form.
func TestShortStepsOfSiegwartBecomeTheClosedForm(t *testing.T) {
	const n, left, right = 20000, 9.0, 14.0
	v := Differential{LeftRadius: 0.1, RightRadius: 0.1, Track: 0.4, Noise: noise}
	var x, y, heading float64
	var p Covariance
	for range n {
		sl, sr := v.LeftRadius*left/n, v.RightRadius*right/n
		ds, dt := (sr+sl)/2, (sr-sl)/v.Track
		s, c := math.Sincos(heading + dt/2)
		forward := [9]float64{1, 0, -ds * s, 0, 1, ds * c, 0, 0, 1}
		b := v.Track
		wheels := [2][3]float64{
			{0.5*c - ds/(2*b)*s, 0.5*s + ds/(2*b)*c, 1 / b},  // right
			{0.5*c + ds/(2*b)*s, 0.5*s - ds/(2*b)*c, -1 / b}, // left
		}
		before := p
		p = Covariance{}
		p.addCongruent(1, &forward, &before)
		p.addOuter(noise*sr, wheels[0])
		p.addOuter(noise*sl, wheels[1])
		x, y, heading = x+ds*c, y+ds*s, heading+dt
	}
	var o Odometry
	d, q := v.Step(left, right)
	if err := o.Step(d, q); err != nil {
		t.Fatal(err)
	}
	testkit.AllNear(t, "pose", []float64{o.Pose.X, o.Pose.Y, o.Pose.Heading}, []float64{x, y, heading}, 1e-7)
	testkit.AllNear(t, "covariance", o.Covariance[:], p[:], 1e-6)
}

func TestWheelsUndoStep(t *testing.T) {
	r := testkit.Rand(t)
	for range 200 {
		want := Displacement{math.Copysign(0.1+r.Float64(), r.NormFloat64()), r.NormFloat64(), r.NormFloat64()}
		check := func(what string, got Displacement, left float64) {
			t.Helper()
			testkit.AllNear(t, what, []float64{got.Forward, got.Left, got.Turn}, []float64{want.Forward, left, want.Turn}, 1e-11)
		}
		d, _ := differential.Step(differential.Wheels(want.Forward, want.Turn))
		check("differential", d, 0)
		d, _ = tracked.Step(tracked.Wheels(want.Forward, want.Turn))
		check("tracked", d, -want.Turn*tracked.Centre)
		d, _ = ackermann.Step(ackermann.Wheels(want.Forward, want.Turn))
		check("ackermann", d, 0)
		d, _ = mecanum.Step(mecanum.Wheels(want))
		check("mecanum", d, want.Left)
	}
	if speed, steering := ackermann.Wheels(0, 1); speed != 0 || steering != math.Pi/2 {
		t.Errorf("at a speed of 0: %v, %v", speed, steering)
	}
}

func TestOdometryReportsWhatIsWrongAndKeepsThePose(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	good := Covariance{0: 1e-4, 8: 1e-4}
	for _, c := range []struct {
		name string
		d    Displacement
		q    Covariance
		want error
	}{
		{"NaN", Displacement{Forward: nan}, good, ErrNotFinite},
		{"infinite", Displacement{Left: inf}, good, ErrNotFinite},
		{"turn", Displacement{Turn: 3.2}, good, ErrTurn},
		{"negative variance", Displacement{}, Covariance{4: -1e-9}, ErrCovariance},
		{"correlation", Displacement{}, Covariance{0: 1, 1: 2, 3: 2, 4: 1}, ErrCovariance},
		{"lopsided", Displacement{}, Covariance{0: 1, 1: 0.5, 4: 1}, ErrCovariance},
		{"three that contradict", Displacement{}, Covariance{1, 0.9, -0.9, 0.9, 1, 0.9, -0.9, 0.9, 1}, ErrCovariance},
		{"covariance of NaN", Displacement{}, Covariance{0: nan}, ErrCovariance},
	} {
		o := Odometry{Pose{1, 2, 3}, good}
		if err := o.Step(c.d, c.q); !errors.Is(err, c.want) || o != (Odometry{Pose{1, 2, 3}, good}) {
			t.Errorf("%s: %v, %v", c.name, err, o)
		}
		f := NewFusion(Gyroscope{Noise: 1e-3})
		_ = f.Set(Pose{1, 2, 3}, good)
		if err := f.Step(c.d, c.q, 0, 0.1); !errors.Is(err, c.want) || f.Pose() != (Pose{1, 2, 3}) || f.Covariance() != good {
			t.Errorf("%s: fusion: %v, %v", c.name, err, f.Pose())
		}
	}
	o := Odometry{Covariance: Covariance{0: nan}}
	if err := o.Step(Displacement{}, good); !errors.Is(err, ErrCovariance) {
		t.Errorf("a covariance of NaN: %v", err)
	}
	for name, v := range map[string]interface{ Check() error }{
		"differential": Differential{1, 1, 0, 0}, "tracked": Tracked{LeftRadius: 1, RightRadius: 1, LeftCentre: -1, RightCentre: 1},
		"slip": Tracked{LeftRadius: 1, RightRadius: 1, LeftCentre: 1, RightCentre: -1, LeftSlip: 1}, "ackermann": Ackermann{1, 1, nan, 0}, "mecanum": Mecanum{1, inf, 1, 0},
		"gyroscope": Gyroscope{Noise: 0},
	} {
		if v.Check() == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if err := errors.Join(differential.Check(), tracked.Check(), ackermann.Check(), mecanum.Check(), Gyroscope{Noise: 1}.Check()); err != nil {
		t.Error(err)
	}
}
