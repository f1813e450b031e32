package control

import (
	"encoding/csv"
	"errors"
	"math"
	"os"
	"strconv"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// sequence reads a file that testdata/reference.py wrote: the rows below the line of names.
func sequence(t *testing.T, name string) [][]float64 {
	t.Helper()
	f, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil || len(lines) < 20 {
		t.Fatalf("%s: %d lines, %v", name, len(lines), err)
	}
	rows := make([][]float64, len(lines)-1)
	for i, line := range lines[1:] {
		for _, text := range line {
			x, err := strconv.ParseFloat(text, 64)
			if err != nil {
				t.Fatalf("%s:%d: %v", name, i+2, err)
			}
			rows[i] = append(rows[i], x)
		}
	}
	return rows
}

func TestKalmanMatchesFilterPy(t *testing.T) {
	const h = 0.05
	f := NewKalman(3, 1, 2)
	copy(f.A, []float64{1, h, h * h / 2, 0, 1, h, 0, 0, 0.97})
	copy(f.B, []float64{0, 0, 0.03})
	copy(f.C, []float64{1, 0, 0, 0, 0.4, 1})
	g := []float64{h * h / 2, h, 1}
	for i := range g {
		for j := range g {
			f.Q[i*3+j] = 0.04 * g[i] * g[j]
		}
	}
	copy(f.R, []float64{0.01, 0.004, 0.004, 0.09})
	f.P[0], f.P[4], f.P[8] = 1, 4, 9
	rows := sequence(t, "kalman.csv")
	for _, row := range rows {
		if err := f.Predict(row[:1]); err != nil {
			t.Fatal(err)
		}
		if row[1] != 0 {
			if err := f.Update(row[2:4]); err != nil {
				t.Fatal(err)
			}
		}
		testkit.AllNear(t, "estimate", f.X, row[4:7], 1e-10)
		testkit.AllNear(t, "covariance", f.P, row[7:16], 1e-10)
	}
	testkit.NoAllocs(t, 100, func() {
		_ = f.Predict(rows[0][:1])
		_ = f.Update(rows[0][2:4])
	})
}

// unicycle is the system of testdata/reference.py: a vehicle with heading that sees landmarks.
func unicycle() (f *ExtendedKalman, s *Sensor, landmark *[2]float64) {
	f = NewExtendedKalman(3, 2, func(next, jacobian, x, u []float64) {
		sin, cos := math.Sincos(x[2] + u[1]/2)
		next[0], next[1], next[2] = x[0]+u[0]*cos, x[1]+u[0]*sin, x[2]+u[1]
		jacobian[0], jacobian[4], jacobian[8] = 1, 1, 1
		jacobian[2], jacobian[5] = -u[0]*sin, u[0]*cos
	}, 2)
	landmark = new([2]float64)
	s = f.Sensor(2, func(z, jacobian, x []float64) {
		dx, dy := landmark[0]-x[0], landmark[1]-x[1]
		q := dx*dx + dy*dy
		r := math.Sqrt(q)
		z[0], z[1] = r, math.Atan2(dy, dx)-x[2]
		copy(jacobian, []float64{-dx / r, -dy / r, 0, dy / q, -dx / q, -1})
	}, 1)
	copy(f.X, []float64{0.1, -0.2, 0.1})
	f.P[0], f.P[4], f.P[8] = 0.1, 0.1, 0.05
	f.Q[0], f.Q[4], f.Q[8] = 1e-4, 1e-4, 4e-4
	s.R[0], s.R[3] = 0.02, 0.003
	return f, s, landmark
}

func TestExtendedKalmanMatchesFilterPy(t *testing.T) {
	f, s, landmark := unicycle()
	rows := sequence(t, "extended.csv")
	turns := 0
	for _, row := range rows {
		before := f.X[2]
		if err := f.Predict(row[:2]); err != nil {
			t.Fatal(err)
		}
		*landmark = [2]float64(row[2:4])
		if err := s.Update(row[4:6]); err != nil {
			t.Fatal(err)
		}
		if math.Abs(f.X[2]-before) > math.Pi {
			turns++
		}
		testkit.AllNear(t, "position", f.X[:2], row[6:8], 1e-10)
		testkit.Near(t, "heading", WrapAngle(f.X[2]-row[8]), 0, 1e-10)
		testkit.AllNear(t, "covariance", f.P, row[9:18], 1e-10)
	}
	if turns < 2 {
		t.Errorf("the heading passed π %d times", turns)
	}
	testkit.NoAllocs(t, 100, func() {
		_ = f.Predict(rows[0][:2])
		_ = s.Update(rows[0][4:6])
	})
}

func TestComplementaryMatchesAHRS(t *testing.T) {
	const h, gain = 0.01, 0.98
	roll, pitch := NewComplementary(h*gain/(1-gain)), NewComplementary(h*gain/(1-gain))
	rows := sequence(t, "complementary.csv")
	for k, row := range rows {
		a, _ := roll.Step(row[0], row[2], h)
		b, _ := pitch.Step(row[1], row[3], h)
		if k > 0 { // the first angle is the start of both
			testkit.AllNear(t, "angles", []float64{a, b}, row[4:6], 1e-11)
		}
	}
	testkit.NoAllocs(t, 100, func() { roll.Step(1, 2, h) })
}

// The sampled filters integrate differently: theirs adds the derivative of the quaternion and makes its length 1 again.
func TestAttitudeMatchesAHRS(t *testing.T) {
	const h = 0.002
	start := spatial.Quat{W: 0.96, Y: 0.28}
	one, two := NewAttitude(1, 0.3), NewAttitude(1, 0.3)
	one.Set(start, spatial.Vec3{})
	two.Set(start, spatial.Vec3{})
	vec := func(x []float64) spatial.Vec3 { return spatial.Vec3{X: x[0], Y: x[1], Z: x[2]} }
	check := func(what string, q spatial.Quat, want []float64, bias spatial.Vec3, wantBias []float64) {
		t.Helper()
		w := spatial.Quat{W: want[0], X: want[1], Y: want[2], Z: want[3]}
		testkit.Near(t, what, w.Conj().Mul(q).Log().Norm(), 0, 1e-6)
		testkit.Near(t, what+": bias", bias.Sub(vec(wantBias)).Norm(), 0, 1e-6)
	}
	rows := sequence(t, "attitude.csv")
	for _, row := range rows {
		rate, force, field := vec(row), vec(row[3:]), vec(row[6:])
		q, _ := one.Step(rate, force, spatial.Vec3{}, h)
		r, _ := two.Step(rate, force, field, h)
		check("without magnetometer", q, row[9:13], one.Bias(), row[13:16])
		check("with magnetometer", r, row[16:20], two.Bias(), row[20:23])
	}
	testkit.NoAllocs(t, 100, func() { two.Step(spatial.Vec3{X: 1}, spatial.Vec3{Z: 9.81}, spatial.Vec3{Y: 1, Z: -1}, h) })
}

func TestAdmittanceMatchesSciPy(t *testing.T) {
	var a Admittance
	for _, row := range sequence(t, "admittance.csv") {
		if m := (Admittance{Mass: row[0], Damping: row[1], Stiffness: row[2]}); row[4] == 9 {
			a = m
		}
		var x, v float64
		for range 10 {
			x, v, _ = a.Step(row[5], row[3])
		}
		testkit.AllNear(t, "trapezoidal rule", []float64{x, v}, row[6:8], 1e-11)
		testkit.AllNear(t, "motion", []float64{x, v}, row[8:10], 2e-4)
	}
	testkit.NoAllocs(t, 100, func() { a.Step(1, 0.001) })
}

// The two-link planar arm of Siciliano et al. (2009), section 7.3.2, whose equations the book prints, without motors; the law of section 8.5.2.
func TestComputedTorqueMatchesThePrintedEquationsOfAPlanarArm(t *testing.T) {
	const m1, m2, a1, l1, l2, i1, i2, g = 1.5, 1.1, 0.4, 0.2, 0.17, 0.02, 0.03, 9.81
	tree := multibody.Tree{Name: "planar", Links: []multibody.Link{
		{Name: "base"},
		{Name: "one", Inertia: spatial.Inertia{Mass: m1, COM: spatial.Vec3{X: l1}, Rotational: spatial.Sym3{XX: 0.01, YY: i1, ZZ: 0.02}}},
		{Name: "two", Inertia: spatial.Inertia{Mass: m2, COM: spatial.Vec3{X: l2}, Rotational: spatial.Sym3{XX: 0.01, YY: i2, ZZ: 0.025}}},
	}}
	for i, place := range []spatial.Pose{spatial.IdentityPose(), spatial.Translation(spatial.Vec3{X: a1})} {
		tree.Joints = append(tree.Joints, multibody.Joint{
			Name: tree.Links[i+1].Name, Type: multibody.Continuous, Parent: tree.Links[i].Name, Child: tree.Links[i+1].Name,
			Axis: spatial.Vec3{Y: -1}, Placement: place, // angles grow upwards from x
		})
	}
	model, err := multibody.NewModel(tree)
	if err != nil {
		t.Fatal(err)
	}
	r := testkit.Rand(t)
	law := NewComputedTorque(model)
	law.Bandwidth, law.Damping = []float64{12, 20}, []float64{1, 0.7}
	random := func() []float64 { return []float64{r.NormFloat64(), r.NormFloat64()} }
	tau := make([]float64, 2)
	for range 100 {
		q, v, qd, vd, ad := random(), random(), random(), random(), random()
		law.Step(q, v, qd, vd, ad, tau)
		var y [2]float64
		for i := range y {
			w := law.Bandwidth[i]
			y[i] = ad[i] + 2*law.Damping[i]*w*(vd[i]-v[i]) + w*w*(qd[i]-q[i])
		}
		c1, c2, s2, c12 := math.Cos(q[0]), math.Cos(q[1]), math.Sin(q[1]), math.Cos(q[0]+q[1])
		b11 := i1 + m1*l1*l1 + i2 + m2*(a1*a1+l2*l2+2*a1*l2*c2)
		b12 := i2 + m2*(l2*l2+a1*l2*c2)
		b22 := i2 + m2*l2*l2
		h := -m2 * a1 * l2 * s2
		want := []float64{
			b11*y[0] + b12*y[1] + h*v[1]*v[0] + h*(v[0]+v[1])*v[1] + (m1*l1+m2*a1)*g*c1 + m2*l2*g*c12,
			b12*y[0] + b22*y[1] - h*v[0]*v[0] + m2*l2*g*c12,
		}
		testkit.AllNear(t, "torque", tau, want, 1e-9)
	}
}

func TestKalmanFiltersReportWhatIsWrongAndKeepTheirEstimate(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		name  string
		spoil func(f *Kalman)
		u, z  float64
		want  error
	}{
		{"measurement", nil, 0, nan, ErrNotFinite},
		{"infinite measurement", nil, 0, inf, ErrNotFinite},
		{"input", nil, nan, 1, ErrNotFinite},
		{"transition", func(f *Kalman) { f.A[1] = nan }, 0, 1, ErrNotFinite},
		{"disturbance", func(f *Kalman) { f.Q[3] = -1 }, 0, 1, ErrCovariance},
		{"disturbance hidden by a large covariance", func(f *Kalman) { f.Q[0], f.P[0] = -1, 100 }, 0, 1, ErrCovariance},
		{"correlation above 1", func(f *Kalman) { f.Q[1], f.Q[2] = 3, 3 }, 0, 1, ErrCovariance},
		{"lopsided disturbance", func(f *Kalman) { f.Q[1] = 0.5 }, 0, 1, ErrCovariance},
		{"noise", func(f *Kalman) { f.R[0] = -0.5 }, 0, 1, ErrCovariance},
		{"strong negative noise", func(f *Kalman) { f.R[0] = -50 }, 0, 1, ErrInnovation},
		{"nothing measured", func(f *Kalman) { f.R[0], f.C[0] = 0, 0 }, 0, 1, ErrInnovation},
		{"estimate", func(f *Kalman) { f.X[0] = nan }, 0, 1, ErrNotFinite},
		{"its covariance", func(f *Kalman) { f.P[0], f.P[3] = -2, -2 }, 0, 1, ErrCovariance},
	} {
		f := NewKalman(2, 1, 1)
		f.C[0], f.R[0] = 1, 1
		f.Q[0], f.Q[3], f.P[0], f.P[3], f.X[0] = 1, 1, 1, 1, 5
		if c.spoil != nil {
			c.spoil(f)
		}
		x, p := append([]float64(nil), f.X...), append([]float64(nil), f.P...)
		err := f.Predict([]float64{c.u})
		if err == nil {
			copy(x, f.X)
			copy(p, f.P)
			err = f.Update([]float64{c.z})
		}
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
		for i := range p {
			if f.P[i] != p[i] && p[i] == p[i] || f.X[i/2] != x[i/2] && x[i/2] == x[i/2] {
				t.Errorf("%s: the estimate changed", c.name)
			}
		}
	}
	f, s, landmark := unicycle()
	*landmark = [2]float64{f.X[0], f.X[1]} // no bearing: a quotient of zeros
	before := f.X[0]
	if err := s.Update([]float64{1, 1}); !errors.Is(err, ErrNotFinite) || f.X[0] != before {
		t.Errorf("a landmark in the vehicle: %v, %v", err, f.X)
	}
}

// A measurement far better than the estimate, where the short form (I - K H) P loses symmetry and sign (R. S. Bucy, P. D. Joseph, Filtering for Stochastic Processes, 1968).
func TestKalmanStaysDefiniteWithAnExtremelyGoodMeasurement(t *testing.T) {
	f := NewKalman(3, 0, 2)
	copy(f.C, []float64{1, 1, 1, 1, 1, 1 + 1e-6})
	f.R[0], f.R[3] = 1e-12, 1e-12
	f.P[0], f.P[4], f.P[8] = 1, 1, 1
	scratch := make([]float64, 9)
	for k := range 100 {
		if err := f.Update([]float64{1, 1}); err != nil {
			t.Fatalf("update %d: %v; P = %v", k, err, f.P)
		}
		for i := range 3 {
			for j := range i {
				if f.P[i*3+j] != f.P[j*3+i] {
					t.Fatal("not symmetric")
				}
			}
		}
		if !semidefinite(f.P, scratch, 3) {
			t.Fatalf("not positive semidefinite: %v", f.P)
		}
	}
}

// Covariances that users compute as products J Q Jᵀ are symmetric and positive semidefinite up to rounding only, and often singular.
func TestRoundingDoesNotMakeACovarianceWrong(t *testing.T) {
	r := testkit.Rand(t)
	const n = 6
	j, q, jq, p, scratch := make([]float64, n*n), make([]float64, n*n), make([]float64, n*n), make([]float64, n*n), make([]float64, n*n)
	for rank := range n + 1 {
		for range 200 {
			clear(q)
			for i := range rank {
				q[i*n+i] = math.Exp(5 * r.NormFloat64())
			}
			for i := range j {
				j[i] = math.Exp(3*r.NormFloat64()) * float64(r.IntN(3)-1)
			}
			mul(jq, j, q, n, n, n)
			mulT(p, jq, j, n, n, n)
			if !semidefinite(p, scratch, n) {
				t.Fatalf("rank %d: refused: %v", rank, p)
			}
			i := r.IntN(n)
			if p[i*n+i] > 0 {
				p[i*n+i] *= -1e-6
				if semidefinite(p, scratch, n) {
					t.Fatalf("rank %d: a negative variance was accepted: %v", rank, p)
				}
			}
		}
	}
}

func TestFiltersRejectBadSamples(t *testing.T) {
	nan := math.NaN()
	c := NewComplementary(1)
	c.Step(0, 3, 0.1)
	if y, ok := c.Step(1, nan, 0.1); ok || math.Abs(y-3.1) > 1e-12 {
		t.Errorf("without an angle: %v, %v; want the rate's 3.1, false", y, ok)
	}
	if y, ok := c.Step(nan, 0, 0.1); ok || math.Abs(y-3.1) > 1e-12 {
		t.Errorf("without a rate: %v, %v", y, ok)
	}
	if y, ok := c.Step(1, -3.1, 0.1); !ok || y > -3 {
		t.Errorf("past π: %v, %v", y, ok)
	}
	a := NewAttitude(1, 0.1)
	for _, bad := range []float64{nan, math.Inf(1), 1e200} {
		if q, ok := a.Step(spatial.Vec3{X: bad}, spatial.Vec3{Z: 9}, spatial.Vec3{}, 0.1); ok || q != spatial.IdentityQuat() {
			t.Errorf("a rate of %v: %v, %v", bad, q, ok)
		}
	}
	m := Admittance{Mass: 1, Limit: 0.1}
	if _, _, ok := m.Step(nan, 0.1); ok {
		t.Error("a force of NaN was accepted")
	}
	for range 100 {
		m.Step(10, 0.01)
	}
	if x, v, _ := m.Step(10, 0.01); x != 0.1 || v != 0 {
		t.Errorf("at the limit: %v, %v", x, v)
	}
	m.Step(-10, 0.01)
	if x, v, ok := m.Step(-10, 0.01); x >= 0.1 || v >= 0 || !ok {
		t.Errorf("pulled back: %v, %v, %v", x, v, ok)
	}
	if err := m.Check(); err != nil {
		t.Error(err)
	}
	if (&Admittance{Damping: -1}).Check() == nil {
		t.Error("no mass and a negative damping were accepted")
	}
}

func TestMisusePanicsWhileBuilding(t *testing.T) {
	process := func(next, jacobian, x, u []float64) {}
	for name, build := range map[string]func(){
		"Kalman without states":          func() { NewKalman(0, 0, 1) },
		"Kalman without measurements":    func() { NewKalman(1, 0, 0) },
		"ExtendedKalman without process": func() { NewExtendedKalman(1, 0, nil) },
		"ExtendedKalman, angle":          func() { NewExtendedKalman(1, 0, process, 1) },
		"Sensor without observation":     func() { NewExtendedKalman(1, 0, process).Sensor(1, nil) },
		"Complementary":                  func() { NewComplementary(0) },
		"Attitude":                       func() { NewAttitude(-1, 0) },
		"length of an input":             func() { _ = NewKalman(1, 1, 1).Predict(nil) },
		"length of a measurement":        func() { _ = NewKalman(1, 0, 1).Update(nil) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			build()
		}()
	}
}
