package geometry

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// sciPy is what another library computed; testdata/README.md has the source.
type sciPy struct {
	Points, Queries [][3]float64
	Distances       []float64 // of each query to the nearest point
	Counts          [3]int
	Occupied        []int
	Squares         []float32 // of the distance of each cube to the nearest occupied one
}

func readSciPy(t *testing.T) (s sciPy) {
	t.Helper()
	text, err := os.ReadFile("testdata/scipy.json")
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func vectors(list [][3]float64) (v []spatial.Vec3) {
	for _, x := range list {
		v = append(v, spatial.Vec3{X: x[0], Y: x[1], Z: x[2]})
	}
	return v
}

func TestNearestPointsOfACloudAreThoseOfSciPy(t *testing.T) {
	reference := readSciPy(t)
	const radius, ball = 0.01, 0.05
	cloud := must(t)(NewCloud(vectors(reference.Points), []float64{radius}))
	sphere := must(t)(NewSphere(ball))
	here := spatial.IdentityPose()
	q := new(Query)
	for i, p := range vectors(reference.Queries) {
		want := reference.Distances[i] - radius - ball
		at := spatial.Translation(p)
		c, err := q.Distance(sphere, &at, cloud, &here, nil)
		if err != nil || math.Abs(c.Distance-want) > 1e-12 {
			t.Errorf("query %d: distance %g, %v; want %g", i, c.Distance, err, want)
		}
		for _, margin := range []float64{0, want - 1e-9, want + 1e-9} {
			if margin < 0 {
				continue
			}
			hit, free, err := q.Hit(sphere, &at, cloud, &here, margin, nil)
			if err != nil || hit != (want <= margin) || !hit && (free > want+1e-12 || free < margin) {
				t.Errorf("query %d with margin %g: hit %t, free %g, %v; the distance is %g", i, margin, hit, free, err, want)
			}
		}
	}
}

// TestCloudsAnswerAsCompoundsOfSpheres asks about clouds and all kinds of shapes, of which the compound has another tree and other code.
func TestCloudsAnswerAsCompoundsOfSpheres(t *testing.T) {
	r := testkit.Rand(t)
	q := new(Query)
	meshPoints, triangles := ball(6, 8, even)
	for range 20 {
		points, radii, parts := randomCloud(t, r, 1+r.IntN(60))
		cloud, compound := must(t)(NewCloud(points, radii)), must(t)(NewCompound(parts))
		others := []*Shape{must(t)(NewMesh(meshPoints, triangles)), NewPlane(), compound, cloud, must(t)(NewCompound([]Part{{cloud, randomPose(r, 1)}}))}
		for _, k := range convexKinds {
			others = append(others, randomShape(t, r, k, 1), must(t)(randomShape(t, r, k, 1).Rounded(0.1)))
		}
		for _, other := range others {
			pa, pb := randomPose(r, 1.5), randomPose(r, 1.5)
			got, err := q.Distance(cloud, &pa, other, &pb, nil)
			want, err2 := q.Distance(compound, &pa, other, &pb, nil)
			if err != nil || err2 != nil || math.Abs(got.Distance-want.Distance) > 2e-5*(1+math.Abs(want.Distance)) {
				t.Fatalf("%v: distance %g, %v; of the compound %g, %v", other.kind, got.Distance, err, want.Distance, err2)
			}
			if e := got.B.Sub(got.A).Sub(got.Normal.Scale(got.Distance)).Norm(); e > 1e-6 {
				t.Errorf("%v: B is off A + Distance Normal by %g", other.kind, e)
			}
			for _, margin := range []float64{0, 0.1} {
				hit, free, err := q.Hit(cloud, &pa, other, &pb, margin, nil)
				if d := want.Distance; err != nil || math.Abs(d-margin) > 1e-4 && hit != (d < margin) || !hit && free > d+1e-4 {
					t.Errorf("%v: hit %t, free %g, %v; the distance is %g, the margin %g", other.kind, hit, free, err, d, margin)
				}
			}
		}
		ray := Ray{randomVec(r).Scale(3), randomVec(r), 10}
		pose := randomPose(r, 0.5)
		got, ok, err := q.Raycast(cloud, &pose, ray)
		want, wantOK, _ := q.Raycast(compound, &pose, ray)
		if err != nil || ok != wantOK || math.Abs(got.Distance-want.Distance) > 1e-9 || got.Normal.Sub(want.Normal).Norm() > 1e-6 {
			t.Errorf("ray: %+v, %t, %v; of the compound %+v, %t", got, ok, err, want, wantOK)
		}
	}
}

// randomCloud returns balls as a cloud and as parts, some of them at one place.
func randomCloud(t *testing.T, r *rand.Rand, n int) (points []spatial.Vec3, radii []float64, parts []Part) {
	p := randomVec(r)
	for range n {
		if r.IntN(4) > 0 {
			p = randomVec(r)
		}
		points, radii = append(points, p), append(radii, 0.2*r.Float64())
		parts = append(parts, Part{must(t)(NewSphere(radii[len(radii)-1])), spatial.Translation(p)})
	}
	return points, radii, parts
}

func TestCloudsRefuseBadPoints(t *testing.T) {
	good := []spatial.Vec3{{X: 1}, {Y: 1}}
	bad := []spatial.Vec3{{X: 1}, {Y: math.NaN()}, {Z: math.Inf(1)}, {X: 2e9}}
	for _, c := range []struct {
		points []spatial.Vec3
		radii  []float64
		want   string
	}{
		{nil, []float64{1}, "no points"},
		{good, nil, "0 radii for 2 points"},
		{good, []float64{1, -1}, "radius 1 is -1"},
		{good, []float64{math.NaN()}, "radius 0 is NaN"},
		{bad, []float64{1}, "3 of 4 points are not finite or beyond 1e+09 m, the first of them is point 1, (0, NaN, 0)"},
	} {
		if _, err := NewCloud(c.points, c.radii); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q in it", err, c.want)
		}
	}
	far := must(t)(NewCloud([]spatial.Vec3{{X: Limit}, {X: -Limit}}, []float64{Limit}))
	if here := spatial.IdentityPose(); far.Bounds(&here).Max.X < 2*Limit || far.Reach() != 2*Limit {
		t.Errorf("a ball at the limit reaches %g m", far.Reach())
	}
	for _, region := range []Bounds{{Min: spatial.Vec3{X: 1}}, {Max: spatial.Vec3{Z: math.NaN()}}, {Max: spatial.Vec3{Z: 2e9}}} {
		if _, err := NewCloudBuffer(region); err == nil {
			t.Errorf("the region %v is accepted", region)
		}
	}
}

func TestCloudBufferIsReplacedInPlace(t *testing.T) {
	r := testkit.Rand(t)
	b, err := NewCloudBuffer(Bounds{spatial.Vec3{X: -2, Y: -2, Z: -2}, spatial.Vec3{X: 2, Y: 2, Z: 2}})
	if err != nil {
		t.Fatal(err)
	}
	q, here := new(Query), spatial.IdentityPose()
	sphere, box := must(t)(NewSphere(0.1)), must(t)(NewBox(spatial.Vec3{X: 0.1, Y: 0.1, Z: 0.1}))
	empty := func() {
		t.Helper()
		for _, s := range []*Shape{sphere, box, must(t)(NewCloud([]spatial.Vec3{{}}, []float64{1})), must(t)(NewCompound([]Part{{box, here}})), NewPlane()} {
			hit, free, err := q.Hit(s, &here, b.Shape(), &here, 0.1, nil)
			c, err2 := q.Distance(s, &here, b.Shape(), &here, nil)
			if hit || !math.IsInf(free, 1) || err != nil || !math.IsInf(c.Distance, 1) || err2 != nil || c.B != (spatial.Vec3{}) {
				t.Errorf("%v: hit %t, free %g, %v; %+v, %v", s.kind, hit, free, err, c, err2)
			}
		}
		if _, ok, err := q.Raycast(b.Shape(), &here, Ray{spatial.Vec3{X: -3}, spatial.Vec3{X: 1}, 9}); ok || err != nil {
			t.Errorf("a ray hits no points: %v", err)
		}
	}
	empty()
	bounds := b.Shape().Bounds(&here)
	points := make([]spatial.Vec3, 500)
	for i := range points {
		points[i] = randomVec(r).Unit()
	}
	radii := []float64{0.05}
	if dropped, err := b.Set(points, radii); dropped != 0 || err != nil {
		t.Errorf("%d dropped, %v", dropped, err)
	}
	testkit.NoAllocs(t, 5, func() {
		points[0], points[1], points[2] = spatial.Vec3{X: math.NaN()}, spatial.Vec3{Y: math.Inf(-1)}, spatial.Vec3{Z: 1.96}
		dropped, err := b.Set(points, radii)
		c, err2 := q.Distance(sphere, &here, b.Shape(), &here, nil)
		if dropped != 3 || err != nil || err2 != nil || math.Abs(c.Distance-0.85) > 1e-12 {
			t.Errorf("%d dropped, %v; distance %g, %v; want 3 and 0.85", dropped, err, c.Distance, err2)
		}
	})
	if b.Shape().Bounds(&here) != bounds {
		t.Error("the bounds changed")
	}
	if _, err := b.Set(nil, radii); err != nil {
		t.Error(err)
	}
	empty()
}

func BenchmarkBallAgainstCloud(b *testing.B) {
	cloud, queries := benchmarkCloud(b)
	benchmarkBalls(b, cloud, queries)
}

func BenchmarkCloudBuild(b *testing.B) {
	cloud, _ := benchmarkCloud(b)
	points := make([]spatial.Vec3, 0, len(cloud.tree.dots))
	for _, d := range cloud.tree.dots {
		points = append(points, d.c)
	}
	buffer, err := NewCloudBuffer(Bounds{spatial.Vec3{X: -9, Y: -9, Z: -9}, spatial.Vec3{X: 9, Y: 9, Z: 9}})
	if err != nil {
		b.Fatal(err)
	}
	for range b.N {
		_, _ = buffer.Set(points, []float64{0.01})
	}
}

// benchmarkCloud returns 20,000 points on a wall and a table, and balls in the room.
func benchmarkCloud(b *testing.B) (*Shape, []spatial.Pose) {
	r := rand.New(rand.NewPCG(1, 2))
	points := make([]spatial.Vec3, 20_000)
	for i := range points {
		points[i] = spatial.Vec3{X: 2*r.Float64() - 1, Y: 2*r.Float64() - 1}
		if i%2 == 0 {
			points[i] = spatial.Vec3{X: 1, Y: points[i].Y, Z: 1 + points[i].X}
		}
	}
	queries := make([]spatial.Pose, 1024)
	for i := range queries {
		queries[i] = spatial.Translation(spatial.Vec3{X: 2*r.Float64() - 1, Y: 2*r.Float64() - 1, Z: r.Float64()})
	}
	return must(b)(NewCloud(points, []float64{0.01})), queries
}

func benchmarkBalls(b *testing.B, s *Shape, at []spatial.Pose) {
	q, sphere, here := new(Query), must(b)(NewSphere(0.06)), spatial.IdentityPose()
	b.ResetTimer()
	for i := range b.N {
		_, _, _ = q.Hit(sphere, &at[i&1023], s, &here, 0, nil)
	}
}
