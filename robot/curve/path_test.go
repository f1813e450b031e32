package curve

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/spatial"
	"pgregory.net/rapid"
)

func drawVec(t *rapid.T, name string) spatial.Vec3 {
	f := rapid.Float64Range(-3, 3)
	return spatial.Vec3{X: f.Draw(t, name), Y: f.Draw(t, name), Z: f.Draw(t, name)}
}

func TestArcThroughMeetsItsThreePoints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := drawVec(t, "a"), drawVec(t, "b"), drawVec(t, "c")
		if p, q := b.Sub(a), c.Sub(a); p.Cross(q).Norm() < 0.05*p.Norm()*q.Norm() || c.Sub(b).Norm() < 0.05 {
			return
		}
		const T = 2.5
		arc, err := ArcThrough(a, b, c, T)
		if err != nil {
			t.Fatal(err)
		}
		if d := arc.At(0, 0).Sub(a).Norm() + arc.At(T, 0).Sub(c).Norm(); d > 1e-9 {
			t.Fatalf("misses its ends by %v", d)
		}
		// Closest approach to b: where the tangent is normal to the way there; b must come between a and c.
		best := math.Inf(1)
		for k := range 20001 {
			best = min(best, arc.At(T*float64(k)/20000, 0).Sub(b).Norm())
		}
		speed := arc.At(0, 1).Norm()
		if best > 1.1*speed*T/40000+1e-9 {
			t.Fatalf("passes the middle point at a distance of %v", best)
		}
		for u := 0.0; u <= T; u += 0.25 {
			v, acc := arc.At(u, 1), arc.At(u, 2)
			if !close(v.Norm(), speed, 1e-9) || math.Abs(v.Dot(acc)) > 1e-8*(1+speed*acc.Norm()) {
				t.Fatalf("speed %v instead of %v, v·a = %v", v.Norm(), speed, v.Dot(acc))
			}
		}
	})
	x := spatial.Vec3{X: 1}
	for _, p := range [][3]spatial.Vec3{{{}, x, x.Scale(2)}, {{}, {}, x}, {x, x, x}, {{}, x, x}, {x, {}, x}} {
		if _, err := ArcThrough(p[0], p[1], p[2], 1); !errors.Is(err, ErrStraight) {
			t.Errorf("arc through %v: %v", p, err)
		}
	}
}

func TestArcTurnsAboutItsAxis(t *testing.T) {
	p := Arc(spatial.Vec3{Z: 1}, spatial.Vec3{Z: 5}, spatial.Vec3{X: 2, Z: 3}, 3*math.Pi/2, 3)
	q := p.At(3, 0)
	testkit.AllNear(t, "end", []float64{q.X, q.Y, q.Z}, []float64{0, -2, 3}, 1e-12)
	v := p.Under(MinimumJerk(1, State{}, State{Position: 3})).At(0, 1)
	testkit.Near(t, "speed at rest", v.Norm(), 0, 1e-12)
}

func TestCheckReportsPlaceAndExcess(t *testing.T) {
	f := MinimumJerk(2, State{}, State{Position: 4}) // peak velocity 3.75 at 1 s
	if v := Check(f, Limit{0, -1e-9, 4 + 1e-9}, Magnitude(1, 3.76)); v != nil {
		t.Errorf("violations in a motion within its limits: %v", v)
	}
	v := Check(f, Magnitude(1, 3.5), Limit{0, 0.5, 10}, Magnitude(3, math.Inf(1)))
	if len(v) != 2 {
		t.Fatalf("%v", v)
	}
	testkit.Near(t, "where", v[0].At, 1, 1e-7)
	testkit.Near(t, "by", v[0].By(), 0.25, 1e-12)
	if v[1].At != 0 || v[1].By() != 0.5 || !strings.Contains(v[1].String(), "0.5 below its limit 0.5") {
		t.Errorf("second violation: %v", v[1])
	}
	w := Vector{f, f}.Check([][]Limit{nil, {Magnitude(2, 1)}})
	if len(w) != 2 || w[0].Component != 1 || w[0].Order != 2 {
		t.Errorf("of a vector: %v", w)
	}
	if len(Check(NewPolynomial(0, 1, math.NaN()), Magnitude(0, 1))) == 0 {
		t.Error("NaN keeps its limits")
	}
}

func TestSplineThroughMeetsItsPointsAndEndConditions(t *testing.T) {
	v := SplineThrough([]float64{0, 1, 3}, [][]float64{{0, 1}, {1, 2}, {0, 5}}, [][]float64{{0, 0}}, [][]float64{{0, -1}})
	out := make([]float64, 2)
	v.At(out, 1, 0)
	testkit.AllNear(t, "at 1", out, []float64{1, 2}, 1e-12)
	v.At(out, 3, 1)
	testkit.AllNear(t, "velocity at 3", out, []float64{0, -1}, 1e-12)
	testkit.NoAllocs(t, 100, func() { v.At(out, 1.5, 2) })
}
