package trajectory

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/curve"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

func ExampleFollowPath() {
	// A quarter of a circle of two axes, s being its angle.
	circle := curve.SplineThrough([]float64{0, math.Pi / 4, math.Pi / 2},
		[][]float64{{1, 0}, {math.Sqrt2 / 2, math.Sqrt2 / 2}, {0, 1}}, [][]float64{{0, 1}, {-1, 0}}, [][]float64{{-1, 0}, {0, -1}})
	limits := PathLimits{Axes: []Limits{{Velocity: 1, Acceleration: 2}, {Velocity: 1, Acceleration: 2}}}
	motion, err := FollowPath(circle, limits, PathOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	s := make([]State, 2)
	motion.At(motion.Duration()/2, s)
	fmt.Printf("%.2f s, half way at %.2f %.2f with %.2f rad/s\n", motion.Duration(), s[0].Position, s[1].Position, s[1].Velocity)
	// Output: 1.92 s, half way at 0.71 0.71 with 0.97 rad/s
}

// Along a straight line the fastest motion is the trapezoid.
func TestFastestMotionAlongALineIsTheTrapezoid(t *testing.T) {
	line := curve.Vector{curve.NewPolynomial(0, 1, 0, 2), curve.NewPolynomial(0, 1, 1, -3)}
	limits := PathLimits{Axes: []Limits{{Velocity: 1, Acceleration: 2}, {Velocity: 2, Acceleration: 1.5}}}
	motion, err := FollowPath(line, limits, PathOptions{Intervals: 2000})
	if err != nil {
		t.Fatal(err)
	}
	// s is limited by ṡ ≤ min(1/2, 2/3), s̈ ≤ min(2/2, 1.5/3).
	p, err := Move(State{}, state(1, 0, 0), Limits{Velocity: 0.5, Acceleration: 0.5, Jerk: math.Inf(1)})
	if err != nil {
		t.Fatal(err)
	}
	testkit.Near(t, "duration", motion.Duration(), p.Duration(), 1e-4)
}

// Along random splines the limits are kept, and nearly always one of them is reached: not where an axis turns, for ṡ
// changes quickly there, and s̈ is constant within an interval.
func TestFollowPathKeepsAndReachesLimitsAlongSplines(t *testing.T) {
	r := testkit.Rand(t)
	for range 20 {
		path, limits := randomPath(r, 2+r.IntN(5))
		motion, err := FollowPath(path, limits, PathOptions{Intervals: 4000})
		if err != nil {
			t.Fatal(err)
		}
		checkLimits(t, motion, limits, 2e-2)
	}
}

func randomPath(r *rand.Rand, axes int) (curve.Vector, PathLimits) {
	points := 3 + r.IntN(4)
	times, rows := make([]float64, points), make([][]float64, points)
	for k := range rows {
		times[k] = float64(k)
		rows[k] = make([]float64, axes)
		for i := range rows[k] {
			rows[k][i] = r.NormFloat64()
		}
	}
	ends := [][]float64{make([]float64, axes)}
	for i := range ends[0] {
		ends[0][i] = r.NormFloat64()
	}
	limits := PathLimits{Axes: make([]Limits, axes)}
	for i := range limits.Axes {
		limits.Axes[i] = Limits{Velocity: draw(r, 3), Acceleration: draw(r, 3)}
		if r.IntN(3) == 0 {
			limits.Axes[i].MinVelocity, limits.Axes[i].MinAcceleration = -draw(r, 3), -draw(r, 3)
		}
	}
	return curve.SplineThrough(times, rows, ends, ends), limits
}

// checkLimits fails if a limit is exceeded by more than a part, or if more than a part of the time none is reached.
func checkLimits(t *testing.T, m *PathMotion, limits PathLimits, part float64) {
	t.Helper()
	s := make([]State, m.Axes())
	const samples = 4000
	idle := 0
	tau, q, v, a := make([]float64, len(s)), make([]float64, len(s)), make([]float64, len(s)), make([]float64, len(s))
	for k := range samples {
		m.At(m.Duration()*(float64(k)+0.5)/samples, s)
		use := 0.0
		for i := range s {
			b := limits.Axes[i].bounds()
			use = max(use, s[i].Velocity/b.upperVelocity, -s[i].Velocity/b.lowerVelocity, s[i].Acceleration/b.upperAcceleration, -s[i].Acceleration/b.lowerAcceleration)
			q[i], v[i], a[i] = s[i].Position, s[i].Velocity, s[i].Acceleration
		}
		if l := limits.Torque; l != nil {
			l.InverseDynamics(q, v, a, tau)
			for i := range tau {
				middle, half := (l.Upper[i]+l.Lower[i])/2, (l.Upper[i]-l.Lower[i])/2
				use = max(use, math.Abs(tau[i]-middle)/half)
			}
		}
		if use > 1+part {
			t.Fatalf("limit exceeded: %.4f of it at sample %d", use, k)
		}
		if use < 0.98 {
			idle++
		}
	}
	if float64(idle)/samples > 0.06 {
		t.Errorf("no limit is reached for %.1f %% of the time", 100*float64(idle)/samples)
	}
}

// arm has two rods of 1 m and 1 kg that hang one on the other and swing about y.
func arm() *multibody.Model {
	rod := spatial.Inertia{Mass: 1, COM: spatial.Vec3{Z: -0.5}, Rotational: spatial.SymDiag(1./12, 1./12, 0)}
	y := spatial.Vec3{Y: 1}
	m, err := multibody.NewModel(multibody.Tree{
		Name:  "arm",
		Links: []multibody.Link{{Name: "base"}, {Name: "upper", Inertia: rod}, {Name: "lower", Inertia: rod}},
		Joints: []multibody.Joint{
			{Name: "shoulder", Type: multibody.Revolute, Parent: "base", Child: "upper", Axis: y},
			{Name: "elbow", Type: multibody.Revolute, Parent: "upper", Child: "lower", Axis: y, Placement: spatial.Translation(spatial.Vec3{Z: -1})},
		},
	})
	if err != nil {
		panic(err)
	}
	return m
}

func TestFollowPathKeepsTorqueLimits(t *testing.T) {
	data := multibody.NewData(arm())
	path := curve.SplineThrough([]float64{0, 1, 2}, [][]float64{{-1, 0}, {0.5, 0.3}, {1, -0.4}}, [][]float64{{1, 1}}, [][]float64{{1, 0}})
	axis := Limits{Velocity: 5, Acceleration: math.Inf(1)}
	limits := PathLimits{Axes: []Limits{axis, axis}, Torque: &TorqueLimits{
		InverseDynamics: func(q, v, a, tau []float64) { multibody.RNEA(data, q, v, a, tau) },
		Lower:           []float64{-30, -8}, Upper: []float64{30, 8},
	}}
	motion, err := FollowPath(path, limits, PathOptions{Intervals: 2000})
	if err != nil {
		t.Fatal(err)
	}
	checkLimits(t, motion, limits, 2e-2)

	limits.Torque.Lower[0], limits.Torque.Upper[0] = -10, 10 // cannot hold the arm at -1 rad
	if _, err := FollowPath(path, limits, PathOptions{}); err == nil {
		t.Error("the arm cannot be held at the start of the path, and yet there is a motion")
	}
}

func BenchmarkFollowPath6(b *testing.B) {
	path, limits := randomPath(rand.New(rand.NewPCG(1, 1)), 6)
	for b.Loop() {
		if _, err := FollowPath(path, limits, PathOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}

func TestFollowPathAtAllocatesNothing(t *testing.T) {
	path, limits := randomPath(rand.New(rand.NewPCG(1, 1)), 3)
	motion, err := FollowPath(path, limits, PathOptions{})
	if err != nil {
		t.Fatal(err)
	}
	s, k := make([]State, 3), 0
	testkit.NoAllocs(t, 1000, func() {
		k++
		motion.At(motion.Duration()*float64(k)/1000, s)
	})
}
