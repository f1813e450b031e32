package neighbor_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/planning/neighbor"
	"github.com/sinew-robotics/sinew/robot/planning/space"
)

// indices are the ways to make an index.
var indices = map[string]func(space.Space, int) (neighbor.Index, error){
	"new":          func(s space.Space, n int) (neighbor.Index, error) { return neighbor.New(s, n), nil },
	"linear":       func(s space.Space, n int) (neighbor.Index, error) { return neighbor.NewLinear(s, n), nil },
	"plain linear": func(s space.Space, n int) (neighbor.Index, error) { return neighbor.NewPlainLinear(s, n), nil },
	"k-d":          func(s space.Space, n int) (neighbor.Index, error) { return neighbor.NewKD(s, n) },
	"plain k-d":    func(s space.Space, n int) (neighbor.Index, error) { return neighbor.NewPlainKD(s, n) },
	"gnat":         func(s space.Space, n int) (neighbor.Index, error) { return neighbor.NewGNAT(s, n) },
	"plain gnat":   func(s space.Space, n int) (neighbor.Index, error) { return neighbor.NewPlainGNAT(s, n) },
	"vp":           func(s space.Space, n int) (neighbor.Index, error) { return neighbor.NewVP(s, n) },
}

// lines returns R^n; circles gives it as many circles at the end.
func lines(t testing.TB, n, circles int) space.Space {
	var axes []space.Axis
	for i := range n {
		axes = append(axes, space.Axis{Lower: -3, Upper: 3, Circle: i >= n-circles})
	}
	s, err := space.NewAxes(axes...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func spaces(t testing.TB) map[string]space.Space {
	poses, err := space.NewPoses("body", [3]float64{-1, -1, -1}, [3]float64{1, 1, 1}, 0.3)
	plane := lines(t, 3, 1).(*space.Axes)
	dubins, err2 := space.NewDubins(plane, 0.5)
	reedsShepp, err3 := space.NewReedsShepp(plane, 0.5)
	if err := errors.Join(err, err2, err3); err != nil {
		t.Fatal(err)
	}
	return map[string]space.Space{
		"R1": lines(t, 1, 0), "R2": lines(t, 2, 0), "R7": lines(t, 7, 0), "R10": lines(t, 10, 0), "R20": lines(t, 20, 0),
		"S1": lines(t, 1, 1), "R4xS3": lines(t, 7, 3), "R10xS8": lines(t, 18, 8),
		"SO(3)": space.Rotations{}, "SE(3)": poses, "Dubins": dubins, "Reeds-Shepp": reedsShepp,
	}
}

// random returns a point of s. Some points are equal, and some lie on a circle one turn away.
func random(r *rand.Rand, s space.Space) []float64 {
	p := make([]float64, s.Dim())
	for i := range p {
		p[i] = r.Float64()
	}
	if r.IntN(4) == 0 {
		for i := range p {
			p[i] = float64(r.IntN(4)) / 4
		}
	}
	s.Scale(p)
	if flat, ok := s.(*space.Axes); ok {
		for i, circle := range flat.Circle {
			if circle && r.IntN(8) == 0 {
				p[i] += 2 * math.Pi
			}
		}
	}
	return p
}

// TestIndicesConform compares all indices, while they grow, with a sorted list of all distances. Indices that do not suit a space refuse it.
func TestIndicesConform(t *testing.T) {
	for spaceName, s := range spaces(t) {
		for name, create := range indices {
			t.Run(spaceName+" "+name, func(t *testing.T) {
				n := 1500
				if strings.HasPrefix(spaceName, "Reeds") || !s.Symmetric() {
					n = 120 // curves are slow to compare
				}
				index, err := create(s, n)
				if _, flat := s.(*space.Axes); !flat && strings.HasSuffix(name, "k-d") || !s.Symmetric() && (strings.HasSuffix(name, "gnat") || name == "vp") {
					if err == nil {
						t.Error("the space is accepted")
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				r := testkit.Rand(t)
				p := random(r, s)
				if i, d := index.Nearest(p); i != -1 || !math.IsInf(d, 1) || len(index.K(p, 3, nil)) != 0 || len(index.Within(p, 9, nil)) != 0 {
					t.Errorf("an empty set has the neighbour %d at %g", i, d)
				}
				for range 2 { // the second time in used memory
					index.Reset()
					for i := range n {
						p := random(r, s)
						if got := index.Add(p); int(got) != i || !slices.Equal(index.At(got), p) || index.Len() != i+1 || index.Cap() != n {
							t.Fatalf("point %d is added as %d %v, %d of %d", i, got, index.At(got), index.Len(), index.Cap())
						}
						if i%(n/20) == 0 || i == n-1 {
							agree(t, index, s, random(r, s), 1+r.IntN(20))
						}
					}
				}
				list := make([]neighbor.Neighbor, 0, n)
				far := random(r, s)
				testkit.NoAllocs(t, 5, func() {
					index.Reset()
					for range n / 5 {
						index.Add(far)
						index.Nearest(p)
						index.K(p, 10, list)
						index.Within(p, 1, list)
					}
				})
			})
		}
	}
}

// agree compares the answers about p with the distances of all points.
func agree(t *testing.T, index neighbor.Index, s space.Space, p []float64, k int) {
	t.Helper()
	var want []neighbor.Neighbor
	for i := range int32(index.Len()) {
		want = append(want, neighbor.Neighbor{I: i, Distance: s.Distance(index.At(i), p)})
	}
	slices.SortFunc(want, func(a, b neighbor.Neighbor) int {
		if a.Distance < b.Distance || a.Distance == b.Distance && a.I < b.I {
			return -1
		}
		return 1
	})
	if i, d := index.Nearest(p); d != want[0].Distance || s.Distance(index.At(i), p) != d {
		t.Fatalf("nearest of %d is %d at %v, want %v", index.Len(), i, d, want[0])
	}
	if got := index.K(p, k, nil); !slices.Equal(got, want[:min(k, len(want))]) {
		t.Fatalf("%d nearest of %d are %v, want %v", k, index.Len(), got, want[:min(k, len(want))])
	}
	radius := want[min(k, len(want)-1)].Distance
	n := 0
	for n < len(want) && want[n].Distance <= radius {
		n++
	}
	if got := index.Within(p, radius, nil); !slices.Equal(got, want[:n]) {
		t.Fatalf("%d points within %g, want %d", len(got), radius, n)
	}
}

// TestKernelsGiveThePlainAnswers compares the nearest points of indices with kernels and without, their numbers among equally distant points too, and where
// numbers are too large for float32. Circles have values of a few turns only: more of them leave no digits for the angle.
func TestKernelsGiveThePlainAnswers(t *testing.T) {
	if !neighbor.Processor() {
		t.Skip("SKIPPED: this processor has no kernels")
	}
	for spaceName, s := range spaces(t) {
		for _, name := range []string{"k-d", "gnat", "linear"} {
			if _, err := indices[name](s, 1); err != nil {
				continue
			}
			flat, ok := s.(*space.Axes)
			for _, scale := range []float64{1e-9, 1, 1e6, 1e14, 1e60} {
				if scale != 1 && !ok || scale > 1 && slices.Contains(flat.Circle, true) {
					continue
				}
				t.Run(fmt.Sprintf("%s by %g %s", spaceName, scale, name), func(t *testing.T) {
					kernelsAgree(t, s, name, scale)
				})
			}
		}
	}
}

// kernelsAgree compares an index with kernels and one without, among points of the space times a scale.
func kernelsAgree(t *testing.T, s space.Space, name string, scale float64) {
	n, queries := 2000, 200
	if _, flat := s.(*space.Axes); !flat {
		queries = 40 // distances take longer
	}
	fast, err := indices[name](s, n)
	plain, err2 := indices["plain "+name](s, n)
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	if !neighbor.HasKernels(fast) || neighbor.HasKernels(plain) {
		t.Fatal("an index takes the other way to compare points")
	}
	r := testkit.Rand(t)
	point := func() []float64 {
		p := random(r, s)
		for i := range p {
			p[i] *= scale
		}
		return p
	}
	for range n {
		p := point()
		fast.Add(p)
		plain.Add(p)
	}
	for range queries {
		p := point()
		i, distance := fast.Nearest(p)
		want, wantDistance := plain.Nearest(p)
		if i != want || distance != wantDistance {
			t.Fatalf("the nearest point of %v is %d at %v, want %d at %v", p, i, distance, want, wantDistance)
		}
		if got, want := fast.K(p, 10, nil), plain.K(p, 10, nil); !slices.Equal(got, want) {
			t.Fatalf("ten nearest points are %v, want %v", got, want)
		}
	}
}

// TestTreeFindsAllEquallyNearPointsOfACircle has equal points, most of them a turn away from the target: the angles from which the tree
// bounds its cells are rounded otherwise than those that distances are computed from.
func TestTreeFindsAllEquallyNearPointsOfACircle(t *testing.T) {
	s := lines(t, 1, 1)
	r := rand.New(rand.NewPCG(1, 0))
	for range 200 {
		index, err := neighbor.NewPlainKD(s, 40)
		if err != nil {
			t.Fatal(err)
		}
		at := math.Pi * (r.Float64() - 0.5)
		for i := range index.Cap() {
			index.Add([]float64{at + 2*math.Pi*float64(i%2)})
		}
		agree(t, index, s, []float64{at + 1e-3*(r.Float64()-0.5) + 2*math.Pi}, 10)
	}
}

func TestFullIndexPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a point more than the capacity is accepted")
		}
	}()
	index := neighbor.New(lines(t, 2, 0), 1)
	index.Add([]float64{0, 0})
	index.Add([]float64{0, 0})
}

// BenchmarkNearest measures queries of random points in seven dimensions, and of poses.
func BenchmarkNearest(b *testing.B) {
	all := spaces(b)
	for _, spaceName := range []string{"R7", "R10", "R20", "R4xS3", "R10xS8", "SE(3)", "Reeds-Shepp"} {
		for _, name := range []string{"linear", "plain linear", "k-d", "plain k-d", "gnat", "plain gnat", "vp"} {
			for _, n := range []int{10_000, 100_000} {
				s := all[spaceName]
				index, err := indices[name](s, n)
				if err != nil || name == "plain linear" && n > 10_000 {
					continue
				}
				b.Run(fmt.Sprintf("%s/%s/%d", spaceName, name, n), func(b *testing.B) {
					r := rand.New(rand.NewPCG(1, 0))
					p := make([]float64, s.Dim())
					fill := func() {
						for i := range p {
							p[i] = r.Float64()
						}
						s.Scale(p)
					}
					index.Reset()
					for range n {
						fill()
						index.Add(p)
					}
					for b.Loop() {
						fill()
						index.Nearest(p)
					}
				})
			}
		}
	}
}

// TestNewTakesTheFastestIndex holds the choice against what bench/neighbors measured: trees pay up to a number of values.
func TestNewTakesTheFastestIndex(t *testing.T) {
	all := spaces(t)
	tree := func(i neighbor.Index) string {
		switch i.(type) {
		case *neighbor.KD:
			return "k-d"
		case *neighbor.GNAT:
			return "gnat"
		}
		return "linear"
	}
	product := func(n int) space.Space {
		p, err := space.NewProduct(space.Factor{Space: all["SE(3)"], Weight: 1}, space.Factor{Space: lines(t, n, 0), Weight: 1})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	for _, c := range []struct {
		name           string
		space          space.Space
		kernels, plain string
	}{
		{"R7", lines(t, 7, 0), "k-d", "k-d"}, {"R14", lines(t, 14, 2), "k-d", "k-d"}, {"R16", lines(t, 16, 0), "k-d", "linear"},
		{"R15", lines(t, 15, 0), "k-d", "linear"}, {"R17", lines(t, 17, 3), "linear", "linear"}, {"R43", lines(t, 43, 0), "linear", "linear"},
		{"SE(3)", all["SE(3)"], "gnat", "gnat"}, {"SE(3)xR7", product(7), "gnat", "gnat"}, {"SE(3)xR8", product(8), "linear", "linear"},
		{"Reeds-Shepp", all["Reeds-Shepp"], "gnat", "gnat"}, {"Dubins", all["Dubins"], "linear", "linear"},
	} {
		if got := tree(neighbor.NewPlain(c.space, 10)); got != c.plain {
			t.Errorf("%s, plain Go: %s, want %s", c.name, got, c.plain)
		}
		want := c.kernels
		if !neighbor.Processor() {
			want = c.plain
		}
		if got := tree(neighbor.New(c.space, 10)); got != want {
			t.Errorf("%s: %s, want %s", c.name, got, want)
		}
	}
}
