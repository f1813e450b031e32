package mobile

import (
	"errors"
	"math"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/control"
)

// Two independent measurements of one turn: their weights are their inverse variances (Maybeck, Stochastic Models, Estimation, and Control,
// 1979, section 1.5), and the way is corrected by its covariance with the turn.
func TestFusionWeighsWheelsAndGyroscopeByTheirVariances(t *testing.T) {
	const h = 0.1
	f := NewFusion(Gyroscope{Noise: 0.02})
	q := Covariance{0.01, 0, 0.002, 0, 0, 0, 0.002, 0, 0.0009}
	if err := f.Step(Displacement{Forward: 0.4, Turn: 0.3}, q, 2.5, h); err != nil {
		t.Fatal(err)
	}
	const gyro, wheels = 0.02 * 0.02 * h, 0.0009
	turn := (0.3*gyro + 0.25*wheels) / (gyro + wheels)
	way := 0.4 + 0.002/(gyro+wheels)*(0.25-0.3)
	want := Pose{}.Move(Displacement{Forward: way, Turn: turn})
	p, c := f.Pose(), f.Covariance()
	testkit.AllNear(t, "pose", []float64{p.X, p.Y, p.Heading}, []float64{want.X, want.Y, want.Heading}, 1e-12)
	testkit.Near(t, "variance of the heading", c[8], gyro*wheels/(gyro+wheels), 1e-12)
}

// Vehicles with random errors of the sizes that the filter is given: the mean of the normalized squared error over many runs is the number of
// states, and the bias is found.
func TestFusionIsConsistent(t *testing.T) {
	const runs, standing, steps, inner, h = 300, 30, 130, 10, 0.1
	r := testkit.Rand(t)
	gyro := Gyroscope{Noise: 0.004, Bias: 0.05, Walk: 0.0005}
	v := Differential{LeftRadius: 0.1, RightRadius: 0.1, Track: 0.4, Noise: 5e-5}
	var fused, alone, biasError, biasClaim float64
	var headings [2]float64
	for range runs {
		f := NewFusion(gyro)
		var o Odometry
		var truth Pose
		b := gyro.Bias * r.NormFloat64()
		for k := range steps {
			left, right := 0.6+0.4*math.Sin(0.1*float64(k)), 0.7
			if k < standing { // where it learns the bias
				left, right = 0, 0
			}
			angle := 0.0
			for range inner { // the truth in short steps, each with errors of its own
				l, w := left/inner, right/inner
				dl := v.LeftRadius*l + math.Sqrt(v.Noise*v.LeftRadius*l)*r.NormFloat64()
				dr := v.RightRadius*w + math.Sqrt(v.Noise*v.RightRadius*w)*r.NormFloat64()
				d := Displacement{Forward: (dl + dr) / 2, Turn: (dr - dl) / v.Track}
				truth = truth.Move(d)
				angle += d.Turn
			}
			rate := angle/h + b + gyro.Noise/math.Sqrt(h)*r.NormFloat64()
			d, q := v.Step(left, right)
			if err := errors.Join(f.Step(d, q, rate, h), o.Step(d, q)); err != nil {
				t.Fatal(err)
			}
			b += gyro.Walk * math.Sqrt(h) * r.NormFloat64()
		}
		fused += squaredError(truth, f.Pose(), f.Covariance()) / runs
		alone += squaredError(truth, o.Pose, o.Covariance) / runs
		got, sigma := f.Bias()
		biasError += (got - b) * (got - b) / runs
		biasClaim += sigma * sigma / runs
		headings[0] += math.Pow(control.WrapAngle(truth.Heading-f.Pose().Heading), 2) / runs
		headings[1] += math.Pow(control.WrapAngle(truth.Heading-o.Pose.Heading), 2) / runs
	}
	limit := 5 * math.Sqrt(6.0/runs) // χ² of three states has the variance 6
	if math.Abs(fused-3) > limit || math.Abs(alone-3) > limit {
		t.Errorf("mean normalized squared errors %.2f with gyroscope, %.2f without: want 3 ± %.2f", fused, alone, limit)
	}
	if ratio := biasError / biasClaim; ratio < 0.6 || ratio > 1.6 {
		t.Errorf("the variance of the bias is %.2f of what the filter claims", ratio)
	}
	if biasClaim > gyro.Bias*gyro.Bias/10 || headings[0] > headings[1]/2 {
		t.Errorf("variance of the bias %.2g, of the heading %.2g with and %.2g without gyroscope", biasClaim, headings[0], headings[1])
	}
}

// squaredError returns eᵀ P⁻¹ e.
func squaredError(truth, p Pose, c Covariance) float64 {
	e := [3]float64{truth.X - p.X, truth.Y - p.Y, control.WrapAngle(truth.Heading - p.Heading)}
	// by Cramer's rule
	m := func(a, b int) float64 {
		i, j, k, l := (a+1)%3, (a+2)%3, (b+1)%3, (b+2)%3
		return c[3*i+k]*c[3*j+l] - c[3*i+l]*c[3*j+k]
	}
	det := c[0]*m(0, 0) + c[1]*m(0, 1) + c[2]*m(0, 2)
	sum := 0.0
	for i := range e {
		for j := range e {
			sum += e[i] * m(i, j) / det * e[j]
		}
	}
	return sum
}

func TestFusionTakesCompassAndPositions(t *testing.T) {
	f := NewFusion(Gyroscope{Noise: 1e-3})
	_ = f.Set(Pose{0, 0, 3.1}, Covariance{0: 4, 4: 4, 8: 0.09})
	if err := f.Heading(-3.1, 0.3); err != nil {
		t.Fatal(err)
	}
	testkit.Near(t, "halfway past π", math.Abs(f.Pose().Heading), math.Pi, 1e-9)
	if err := f.Position(2, 4, 2); err != nil {
		t.Fatal(err)
	}
	testkit.AllNear(t, "halfway", []float64{f.Pose().X, f.Pose().Y}, []float64{1, 2}, 1e-9)
	c := f.Covariance()
	testkit.AllNear(t, "half the variance", []float64{c[0], c[4], c[8]}, []float64{2, 2, 0.045}, 1e-9)
	before := f.Pose()
	if err := f.Heading(math.NaN(), 0.3); !errors.Is(err, control.ErrNotFinite) || f.Pose() != before {
		t.Errorf("a heading of NaN: %v, %v", err, f.Pose())
	}
	if err := f.Position(1, 1, math.NaN()); !errors.Is(err, control.ErrNotFinite) || f.Pose() != before {
		t.Errorf("a deviation of NaN: %v, %v", err, f.Pose())
	}
}

func TestFusionGoesOnByTheWheelsWhenTheGyroscopeFails(t *testing.T) {
	f, o := NewFusion(Gyroscope{Noise: 1e-3, Bias: 0.1}), Odometry{}
	d, q := differential.Step(1, 1.2)
	if err := f.Step(d, q, math.NaN(), 0.1); !errors.Is(err, ErrRate) {
		t.Errorf("a rate of NaN: %v", err)
	}
	_ = o.Step(d, q)
	c := f.Covariance()
	testkit.AllNear(t, "covariance", c[:], o.Covariance[:], 1e-15)
	testkit.Near(t, "pose", f.Pose().Y, o.Pose.Y, 1e-15)
}

func TestStepsAllocateNothing(t *testing.T) {
	f, o := NewFusion(Gyroscope{Noise: 1e-3, Bias: 0.1}), Odometry{}
	testkit.NoAllocs(t, 200, func() {
		d, q := tracked.Step(0.1, 0.12)
		_ = f.Step(d, q, 0.1, 0.01)
		_ = f.Heading(0.1, 0.5)
		_ = f.Position(0.1, 0, 5)
		_ = o.Step(d, q)
		d, q = mecanum.Step(0.1, 0.12, 0.1, 0.1)
		_ = o.Step(d, q)
	})
}

func BenchmarkFusion(b *testing.B) {
	f := NewFusion(Gyroscope{Noise: 1e-3, Bias: 0.1})
	for range b.N {
		d, q := tracked.Step(0.1, 0.12)
		_ = f.Step(d, q, 0.1, 0.01)
	}
}
