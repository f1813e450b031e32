package space_test

import (
	"bufio"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/planning/space"
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// plane returns x, y and a heading.
func plane() *space.Axes {
	return must(space.NewAxes(space.Axis{Name: "x", Lower: -4, Upper: 4}, space.Axis{Name: "y", Lower: -4, Upper: 4}, space.Axis{Name: "heading", Circle: true}))
}

// spaces returns all kinds of spaces.
func spaces(t *testing.T) map[string]space.Space {
	return map[string]space.Space{
		"R1":          must(space.NewAxes(space.Axis{Name: "x", Lower: -2, Upper: 3})),
		"S1":          must(space.NewAxes(space.Axis{Name: "turn", Circle: true})),
		"SE(2)":       plane(),
		"SO(3)":       space.Rotations{Name: "ball"},
		"SE(3)":       must(space.NewPoses("body", [3]float64{-1, -1, -1}, [3]float64{1, 2, 3}, 0.5)),
		"Dubins":      must(space.NewDubins(plane(), 0.7)),
		"Reeds-Shepp": must(space.NewReedsShepp(plane(), 0.7)),
		"joints":      must(space.NewJoints(crane(t), []string{"a/lift", "a/turn"}, nil)),
		"product": must(space.NewProduct(space.Factor{Space: space.Rotations{Name: "a"}, Weight: 2},
			space.Factor{Space: plane(), Weight: 0.1}, space.Factor{Space: space.Rotations{Name: "b"}, Weight: 1})),
	}
}

// TestSpacesConform checks the laws that planners rely on, with random points of every space.
func TestSpacesConform(t *testing.T) {
	for name, s := range spaces(t) {
		t.Run(name, func(t *testing.T) {
			r := testkit.Rand(t)
			n := s.Dim()
			straight := s // the space without the curves of cars
			if name == "Dubins" || name == "Reeds-Shepp" {
				straight = plane()
			}
			point := func() []float64 {
				p := make([]float64, n)
				for i := range p {
					p[i] = r.Float64()
				}
				s.Scale(p)
				return p
			}
			m, back := make([]float64, n), make([]float64, n)
			for range 3000 {
				a, b, c := point(), point(), point()
				u := r.Float64()
				d := s.Distance(a, b)
				if i := s.Outside(a); i >= 0 {
					t.Fatalf("Scale leaves the limits with value %d of %v", i, a)
				}
				// A point near a center is within the limits and not far from it.
				for i := range m {
					m[i] = r.Float64()
				}
				s.ScaleNear(a, 0.2, m)
				if i := s.Outside(m); i >= 0 {
					t.Fatalf("ScaleNear leaves the limits with value %d of %v", i, m)
				}
				if far := straight.Distance(a, m); far > 0.2*math.Sqrt(float64(n)) {
					t.Fatalf("ScaleNear leads from %v to %v, %g away", a, m, far)
				}
				testkit.Near(t, "distance from a point to itself", s.Distance(a, a), 0, 1e-7)
				if s.Symmetric() {
					testkit.Near(t, "distance back", s.Distance(b, a), d, 1e-9)
				}
				if way := s.Distance(a, c) + s.Distance(c, b); d > way+1e-9 {
					t.Fatalf("distance %g, through another point %g", d, way)
				}
				// A point of the way divides its length, and the way from it is the rest of the way.
				s.Interpolate(a, b, u, m)
				testkit.Near(t, "length to a point of the way", s.Distance(a, m), u*d, 1e-6)
				testkit.Near(t, "length from a point of the way", s.Distance(m, b), (1-u)*d, 1e-6)
				s.Interpolate(a, b, 1, m)
				testkit.Near(t, "end of the way", s.Distance(m, b), 0, 1e-6)
				copy(m, a)
				s.Interpolate(m, b, u, m)
				s.Interpolate(a, b, u, back)
				testkit.AllNear(t, "way written over its start", m, back, 0)
				copy(m, b)
				s.Interpolate(a, m, u, m)
				testkit.AllNear(t, "way written over its goal", m, back, 0)
				// A displacement leads away, its opposite back.
				for i := range c {
					c[i] = 0.3 * (r.Float64() - 0.5)
				}
				s.Move(a, c, m)
				for i := range c {
					c[i] = -c[i]
				}
				s.Move(m, c, m)
				testkit.Near(t, "there and back", s.Distance(a, m), 0, 1e-6)
				if t.Failed() {
					t.Fatalf("a %v, b %v, fraction %g", a, b, u)
				}
			}
			a, b := point(), point()
			for i := range n {
				if name, lower, upper := s.Limits(i); name == "" || !(lower < upper) {
					t.Errorf("value %d is %q from %g to %g", i, name, lower, upper)
				}
				bad := append([]float64(nil), a...)
				for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
					if bad[i] = x; s.Outside(bad) < 0 {
						t.Errorf("%g as value %d is accepted", x, i)
					}
				}
			}
			testkit.NoAllocs(t, 100, func() {
				s.Distance(a, b)
				s.Interpolate(a, b, 0.3, m)
				s.Outside(m)
				s.ScaleNear(a, 0.2, m)
			})
		})
	}
}

// TestCarsNeedARadiusAndAHeading makes cars that could not turn or have no heading.
func TestCarsNeedARadiusAndAHeading(t *testing.T) {
	line := must(space.NewAxes(space.Axis{Name: "x", Upper: 1}))
	for _, c := range []struct {
		places *space.Axes
		radius float64
		want   string
	}{
		{plane(), 0, "radius 0 m"}, {plane(), math.NaN(), "radius NaN m"}, {plane(), math.Inf(1), "radius +Inf m"}, {line, 1, `not ["x"]`},
	} {
		_, err := space.NewDubins(c.places, c.radius)
		if _, err2 := space.NewReedsShepp(c.places, c.radius); err == nil || err2 == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, %g: %v, %v", c.places.Names, c.radius, err, err2)
		}
	}
}

// TestCurvesAreAsLongAsThoseOfOMPL compares with testdata/curves.csv, which testdata/curves.cpp wrote.
func TestCurvesAreAsLongAsThoseOfOMPL(t *testing.T) {
	f, err := os.Open("testdata/curves.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	dubins, both := must(space.NewDubins(plane(), 0.7)), must(space.NewReedsShepp(plane(), 0.7))
	rows := 0
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		var v []float64
		for text := range strings.SplitSeq(lines.Text(), ",") {
			v = append(v, must(strconv.ParseFloat(text, 64)))
		}
		testkit.Near(t, "Dubins", dubins.Distance(v[:3], v[3:6]), v[6], 1e-6)
		testkit.Near(t, "Reeds-Shepp", both.Distance(v[:3], v[3:6]), v[7], 1e-6)
		rows++
	}
	if rows != 400 {
		t.Errorf("%d rows", rows)
	}
}

// TestRotationsSampleTheCubeUniformly compares the mean angle from a fixed rotation with that of the Haar measure, π/2 + 2/π.
func TestRotationsSampleTheCubeUniformly(t *testing.T) {
	var u space.Halton
	u.Reset(0)
	var s space.Rotations
	mean := 0.0
	for range 20_000 {
		p := make([]float64, 4)
		u.Next(p)
		s.Scale(p)
		mean += s.Distance(p, []float64{0, 0, 0, 1}) / 20_000
	}
	testkit.Near(t, "mean angle", mean, math.Pi/2+2/math.Pi, 0.01)
}

func TestCoordinatesAreThoseOfTheirJoints(t *testing.T) {
	c, err := space.NewCoordinates(crane(t), space.Rotations{Name: "swing"}, []string{"a/swing"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	q := make([]float64, c.NQ())
	c.Configuration([]float64{0.5, 0.5, 0.5, 0.5}, q)
	model := crane(t).Models()[0].Model
	swing, err := model.Joint("swing")
	if err != nil {
		t.Fatal(err)
	}
	testkit.AllNear(t, "quaternion", q[swing.Q:swing.Q+4], []float64{0.5, 0.5, 0.5, 0.5}, 0)
	for want, joints := range map[string][]string{
		`did you mean "a/swing"?`:            {"a/swinge"},
		"they have 1 coordinates, the space": {"a/lift"},
	} {
		if _, err := space.NewCoordinates(crane(t), space.Rotations{}, joints, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("joints %q: %v, want %q", joints, err, want)
		}
	}
}
