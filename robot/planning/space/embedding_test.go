package space_test

import (
	"math"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/planning/space"
)

// TestEmbeddingsAreNoFartherApart compares distances of points that are anywhere and near each other with those of their embeddings.
func TestEmbeddingsAreNoFartherApart(t *testing.T) {
	r := testkit.Rand(t)
	for name, s := range spaces(t) {
		e := space.EmbeddingOf(s)
		if e == nil {
			t.Fatalf("%s has no embedding", name)
		}
		car := name == "Dubins" || name == "Reeds-Shepp"
		a, b := make([]float64, s.Dim()), make([]float64, s.Dim())
		u, v := make([]float64, e.Dim()), make([]float64, e.Dim())
		for k := range 2000 {
			for i := range a {
				a[i], b[i] = r.Float64(), r.Float64()
			}
			near := k%2 == 0
			s.Scale(a)
			if near {
				s.ScaleNear(a, 0.01, b)
			} else {
				s.Scale(b)
			}
			e.Embed(a, u)
			e.Embed(b, v)
			sum := 0.0
			for i := range u {
				sum += (u[i] - v[i]) * (u[i] - v[i])
			}
			embedded, distance := math.Sqrt(sum), s.Distance(a, b)
			if embedded > distance*(1+1e-12)+1e-14 {
				t.Fatalf("%s: %v and %v are %v apart, and their embeddings %v", name, a, b, distance, embedded)
			}
			if near && !car && embedded < 0.999*distance-1e-12 {
				t.Fatalf("%s: the near points %v and %v are %v apart, and their embeddings %v", name, a, b, distance, embedded)
			}
		}
	}
}

// TestEmbeddingIsThatOfTheCoordinates ties poses to a floating joint, and gives a foreign space none.
func TestEmbeddingIsThatOfTheCoordinates(t *testing.T) {
	if e := space.EmbeddingOf(foreign{}); e != nil {
		t.Errorf("a foreign space is embedded in %d values", e.Dim())
	}
	poses := must(space.NewPoses("body", [3]float64{-1, -1, -1}, [3]float64{1, 2, 3}, 0.5))
	if mixed := must(space.NewProduct(space.Factor{Space: poses, Weight: 1}, space.Factor{Space: foreign{}, Weight: 1})); space.EmbeddingOf(mixed) != nil {
		t.Error("a product with a foreign space is embedded")
	}
	if e := space.EmbeddingOf(&space.Coordinates{Space: poses}); e == nil || e.Dim() != 12 {
		t.Errorf("the coordinates of a floating joint are embedded as %+v, want 12 values", e)
	}
}

// foreign is a space of another package.
type foreign struct{ space.Space }

func (foreign) Dim() int { return 1 }
