package curve

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/robot/spatial"
	"pgregory.net/rapid"
)

func TestFunctionsComeBackFromJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := drawFunction(t, 2)
		data, err := Marshal(f)
		if err != nil {
			t.Fatal(err)
		}
		g, err := Unmarshal(data)
		if err != nil {
			t.Fatalf("%v\n%s", err, data)
		}
		lower, upper := f.Domain()
		if a, b := g.Domain(); a != lower || b != upper {
			t.Fatalf("domain [%v, %v] came back as [%v, %v]", lower, upper, a, b)
		}
		for u := 0.0; u <= 1; u += 0.1 {
			x := lower + u*(upper-lower)
			for order := range 3 {
				if f.At(x, order) != g.At(x, order) {
					t.Fatalf("order %d at %v: %v came back as %v", order, x, f.At(x, order), g.At(x, order))
				}
			}
		}
	})
}

func TestVectorsPathsAndRotationsComeBackFromJSON(t *testing.T) {
	v := Vector{MinimumJerk(1, State{}, State{Position: 1}), NewSinusoid(0, 1, 1, 2, 3, 4)}
	p := Arc(spatial.Vec3{X: 1}, spatial.Vec3{Z: 1}, spatial.Vec3{Y: 2}, 2, 3)
	q := QuatHermite(2, spatial.IdentityQuat(), spatial.Quat{X: 0.6, W: 0.8}, []spatial.Vec3{{X: 1}}, []spatial.Vec3{{Y: 2}})
	s, err := NewQuatSpline([]float64{1, 2, 4}, []spatial.Quat{spatial.IdentityQuat(), {X: 0.6, W: 0.8}, {Y: 0.6, W: 0.8}}, []spatial.Vec3{{}}, []spatial.Vec3{{}})
	if err != nil {
		t.Fatal(err)
	}
	var v2 Vector
	var p2 Path
	var q2 QuatPolynomial
	var s2 QuatSpline
	for _, c := range [][2]any{{v, &v2}, {p, &p2}, {q, &q2}, {s, &s2}} {
		data, err := json.Marshal(c[0])
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(data, c[1]); err != nil {
			t.Fatalf("%v\n%s", err, data)
		}
	}
	if v2[1].At(0.3, 2) != v[1].At(0.3, 2) || p2.At(1, 1) != p.At(1, 1) || q2.At(1, 2) != q.At(1, 2) || s2.At(3, 2) != s.At(3, 2) {
		t.Error("something came back changed")
	}
}

func TestWrongJSONIsRejected(t *testing.T) {
	for data, want := range map[string]string{
		`{}`:                                 `expected one of the keys`,
		`[`:                                  `unexpected end`,
		`{"polynomial": {"domain": [2, 1]}}`: `lower end first`,
		`{"polynomial": {"domain": [-1e308, 1e308]}}`:                                   `lower end first`,
		`{"piecewise": {"start": 1}}`:                                                   `without pieces`,
		`{"piecewise": {"pieces": [{}]}}`:                                               `piece 0`,
		`{"nested": {"outer": {}}}`:                                                     `expected one of the keys`,
		`{"polynomial": {"coefficients": ["a"]}}`:                                       `cannot unmarshal`,
		strings.Repeat(`{"nested": {"inner": `, 200) + `{}` + strings.Repeat(`}}`, 200): `nested more than 100 deep`,
	} {
		if _, err := Unmarshal([]byte(data)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60s: %v, want %s", data, err, want)
		}
	}
	if _, err := Marshal(NewPolynomial(0, 1, math.NaN())); err == nil {
		t.Error("NaN was stored")
	}
	for _, data := range []string{`{"start":[0,0,0,2]}`, `{"start":[0,0,0,1]}`, `{"start":[0,0,0,1],"vector":[{"sinusoid":{}},{"sinusoid":{}},{"sinusoid":{}}]}`} {
		var q QuatPolynomial
		if err := json.Unmarshal([]byte(data), &q); err == nil {
			t.Errorf("%s was read", data)
		}
	}
}

func FuzzUnmarshal(f *testing.F) {
	f.Add([]byte(`{"polynomial": {"domain": [0, 2], "coefficients": [1, 0, 3]}}`))
	f.Add([]byte(`{"nested": {"outer": {"sinusoid": {"domain": [0, 1], "cos": 1, "rate": 6.28}}, "inner": {"polynomial": {}}}}`))
	f.Add([]byte(`{"piecewise": {"start": 0, "pieces": [{"polynomial": {"domain": [0, 1]}}, {"piecewise": {"pieces": []}}]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		g, err := Unmarshal(data)
		if err != nil {
			return
		}
		lower, _ := g.Domain()
		g.At(lower, 2)
		if _, err := Marshal(g); err != nil {
			t.Errorf("read but not stored again: %v", err)
		}
	})
}
