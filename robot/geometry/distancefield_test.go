package geometry

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

func TestDistanceTransformIsThatOfSciPy(t *testing.T) {
	reference := readSciPy(t)
	v := Voxels{Corner: spatial.Vec3{X: 1, Y: 2, Z: 3}, Size: 0.1, Counts: reference.Counts}
	s := must(t)(NewDistanceField(v, func(i int) bool { return slices.Contains(reference.Occupied, i) }))
	if !slices.Equal(s.tree.edt.squares, reference.Squares) {
		t.Errorf("squares %v, want %v", s.tree.edt.squares, reference.Squares)
	}
}

// TestDistanceFieldIsNeverTooFar compares the interpolated distance with that of the tree, which is exact, near and outside of the grid.
func TestDistanceFieldIsNeverTooFar(t *testing.T) {
	r := testkit.Rand(t)
	q, here := new(Query), spatial.IdentityPose()
	point := must(t)(NewSphere(0))
	worst := 0.0
	for range 40 {
		v := Voxels{Corner: randomVec(r), Size: 0.01 + r.Float64(), Counts: [3]int{1 + r.IntN(20), 1 + r.IntN(20), 1 + r.IntN(20)}}
		full := map[int]bool{r.IntN(v.Len()): true}
		for range r.IntN(30) {
			full[r.IntN(v.Len())] = true
		}
		s := must(t)(NewDistanceField(v, func(i int) bool { return full[i] }))
		box := v.Bounds()
		for range 500 {
			f := spatial.Vec3{X: 2*r.Float64() - 0.5, Y: 2*r.Float64() - 0.5, Z: 2*r.Float64() - 0.5}
			at := spatial.Translation(spatial.Vec3{
				X: box.Min.X + f.X*(box.Max.X-box.Min.X), Y: box.Min.Y + f.Y*(box.Max.Y-box.Min.Y), Z: box.Min.Z + f.Z*(box.Max.Z-box.Min.Z),
			})
			exact, err := q.Distance(point, &at, s, &here, nil)
			hit, free, err2 := q.Hit(point, &at, s, &here, 0, nil)
			if err != nil || err2 != nil || free > exact.Distance+1e-9 || among(v, at.P) && free < exact.Distance-math.Sqrt(3)*v.Size-1e-9 || exact.Distance <= 0 && !hit {
				t.Fatalf("hit %t, free %g, %v; the distance is %g, %v, the edge %g", hit, free, err2, exact.Distance, err, v.Size)
			}
			if among(v, at.P) {
				worst = max(worst, (exact.Distance-free)/v.Size)
			}
			if i, ok := v.At(at.P); ok && full[i] && !hit {
				t.Fatal("a point in an occupied cube is free")
			}
		}
		alone := must(t)(NewDistanceField(v, func(i int) bool { return i == 0 })) // one middle is nearest to all
		at := spatial.Translation(v.Center(0).Lerp(v.Center(v.Len()-1), r.Float64()))
		want, _ := q.Distance(point, &at, alone, &here, nil)
		if _, free, _ := q.Hit(point, &at, alone, &here, 0, nil); want.Distance > 0 && math.Abs(free-want.Distance) > 1e-6*v.Size {
			t.Errorf("free %g, want %g", free, want.Distance)
		}
	}
	t.Logf("the greatest error is %.2f edges", worst)
}

// among reports whether a point lies between the first and the last middle.
func among(v Voxels, p spatial.Vec3) bool {
	low, high := v.Center(0), v.Center(v.Len()-1)
	return p.X >= low.X && p.Y >= low.Y && p.Z >= low.Z && p.X <= high.X && p.Y <= high.Y && p.Z <= high.Z
}

func TestDistanceFieldRefusesBadBoxes(t *testing.T) {
	for _, c := range []struct {
		v    Voxels
		want string
	}{
		{Voxels{Size: 0, Counts: [3]int{1, 1, 1}}, "the edge is 0"},
		{Voxels{Size: math.NaN(), Counts: [3]int{1, 1, 1}}, "the edge is NaN"},
		{Voxels{Size: 1, Counts: [3]int{1, 0, 1}}, "0 along y: want 1 to 2048"},
		{Voxels{Size: 1, Counts: [3]int{2000, 2000, 2000}}, "want at most 134217728"},
		{Voxels{Corner: spatial.Vec3{X: math.Inf(1)}, Size: 1, Counts: [3]int{1, 1, 1}}, "is not within 1e+09 m"},
		{Voxels{Size: 1, Counts: [3]int{2, 2, 2}}, "no cube is occupied"},
	} {
		if _, err := NewDistanceField(c.v, func(int) bool { return false }); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q in it", err, c.want)
		}
	}
}

func BenchmarkBallAgainstDistanceField(b *testing.B) {
	cloud, queries := benchmarkCloud(b)
	v := Voxels{Corner: spatial.Vec3{X: -1.1, Y: -1.1, Z: -0.1}, Size: 0.02, Counts: [3]int{110, 110, 110}}
	full := make([]bool, v.Len())
	for _, d := range cloud.tree.dots {
		i, _ := v.At(d.c)
		full[i] = true
	}
	benchmarkBalls(b, must(b)(NewDistanceField(v, func(i int) bool { return full[i] })), queries)
}
