package geometry

import (
	"math"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// TestMeshesHaveTheDistanceOfTheirNearestTriangles compares pairs of meshes with a search through all pairs of their triangles as hulls: rough ones, one with triangles
// without area, and one that many triangles face; far, near, touching and nested.
func TestMeshesHaveTheDistanceOfTheirNearestTriangles(t *testing.T) {
	r := testkit.Rand(t)
	rough := func(i, j int) float64 { return 1 + 0.3*math.Sin(float64(5*i+3*j*j)) }
	points, triangles := ball(5, 7, rough)
	flat, around := append([]spatial.Vec3(nil), points...), append([][3]int(nil), triangles...)
	flat = append(flat, spatial.Vec3{X: 1.5}, spatial.Vec3{X: 1.5, Y: 0.7})
	around = append(around, [3]int{len(points), len(points), len(points)}, [3]int{len(points), len(points) + 1, len(points)})
	wall, bricks := plate(13)
	meshes := []struct {
		points    []spatial.Vec3
		triangles [][3]int
	}{{points, triangles}, {flat, around}, {wall, bricks}}
	var q, p Query
	for _, a := range meshes {
		for _, b := range meshes {
			sa, sb := must(t)(NewMesh(a.points, a.triangles)), must(t)(NewMesh(b.points, b.triangles))
			ha, hb := hullsOf(t, a.points, a.triangles), hullsOf(t, b.points, b.triangles)
			for k := range 12 {
				pa, pb := randomPose(r, 1), randomPose(r, 1)
				pb.P = pa.P.Add(randomVec(r).Unit().Scale([]float64{0, 1, 2, 2.5, 4, 100}[k%6]))
				if k >= 6 { // parallel, so that many triangles are equally near
					pb.R = pa.R
				}
				want := math.Inf(1)
				for _, x := range ha {
					for _, y := range hb {
						d, err := p.Distance(x, &pa, y, &pb, nil)
						if err != nil {
							t.Fatal(err)
						}
						want = min(want, d.Distance)
					}
				}
				got, err := q.Distance(sa, &pa, sb, &pb, nil)
				if err != nil {
					t.Fatal(err)
				}
				testkit.Near(t, "distance", got.Distance, want, 1e-9+2e-6*max(-want, 0)) // depths by the polytope's tolerance
				testkit.Near(t, "of its points", got.B.Sub(got.A).Norm(), math.Abs(got.Distance), 1e-9)
			}
		}
	}
}

// plate returns a square of 2 m in n by n cells of two triangles.
func plate(n int) (points []spatial.Vec3, triangles [][3]int) {
	for i := range n + 1 {
		for j := range n + 1 {
			points = append(points, spatial.Vec3{X: 2*float64(i)/float64(n) - 1, Y: 2*float64(j)/float64(n) - 1})
		}
	}
	for i := range n {
		for j := range n {
			at := i*(n+1) + j
			triangles = append(triangles, [3]int{at, at + n + 1, at + n + 2}, [3]int{at, at + n + 2, at + 1})
		}
	}
	return points, triangles
}

func hullsOf(t *testing.T, points []spatial.Vec3, triangles [][3]int) (hulls []*Shape) {
	for _, c := range triangles {
		hulls = append(hulls, must(t)(NewHull([]spatial.Vec3{points[c[0]], points[c[1]], points[c[2]]})))
	}
	return hulls
}

// TestSlabsHoldTheirTriangles checks that no bound of a node along a direction is below a corner, and that some are closer than those of boxes.
func TestSlabsHoldTheirTriangles(t *testing.T) {
	r := testkit.Rand(t)
	points, triangles := ball(12, 14, even)
	tree := must(t)(NewMesh(points, triangles)).tree
	closer := 0
	for range 50 {
		d := randomVec(r).Unit()
		abs := absolute(d)
		top := math.Inf(-1)
		for i := range tree.nodes {
			n := &tree.nodes[i]
			high := math.Inf(-1)
			for k := n.first; k < n.first+n.count; k++ {
				high = max(high, tree.highest(k, &d))
			}
			top = max(top, high)
			bound := n.farthest(&d, &abs)
			if bound < high-1e-12 {
				t.Fatalf("node %d: bound %g below %g", i, bound, high)
			}
			if bound < d.Dot(n.c)+abs.Dot(n.h)-1e-3 {
				closer++
			}
		}
		hint := int32(-1)
		testkit.Near(t, "farthest corner", d.Dot(tree.farthestCorner(d, &hint)), top, 1e-15)
		testkit.Near(t, "with a hint", d.Dot(tree.farthestCorner(d, &hint)), top, 1e-15)
	}
	if closer == 0 {
		t.Fatal("no slab bounds more closely than its box")
	}
}

// TestSearchAcrossTheGapFindsThePairOfTheTree compares both searches on wavy balls, whose nearest triangles often lie behind their hulls.
func TestSearchAcrossTheGapFindsThePairOfTheTree(t *testing.T) {
	r := testkit.Rand(t)
	points, triangles := ball(20, 24, func(i, j int) float64 { return 1 + 0.1*math.Sin(float64(i))*math.Sin(1.5*float64(j)) })
	mesh := must(t)(NewMesh(points, triangles))
	var q, p Query
	across := 0
	for k := range 400 {
		pa, pb := randomPose(r, 1), randomPose(r, 1)
		pb.P = pa.P.Add(randomVec(r).Unit().Scale([]float64{2.3, 2.6, 4, 30}[k%4]))
		f := relative(&pa, &pb)
		hulls, result := q.gjk(mesh, mesh, &f, math.Inf(1), -1, nil)
		if result != separated {
			continue
		}
		want, _ := p.descend(mesh, mesh, &f, math.Inf(1), false)
		most := q.nearestCorners(&f) + 1e-14*2*mesh.reach
		if most < want.d {
			t.Fatalf("corners %.17g apart, meshes %.17g", most, want.d)
		}
		if got, exact := q.acrossGap(mesh, mesh, &f, &hulls, &most); exact {
			across++
			testkit.Near(t, "across the gap", got.d, want.d, 1e-10)
		}
		if got, exact := q.meshes(mesh, mesh, &f, want.d*0.999); exact || got.d > want.d+1e-12 {
			t.Fatalf("with a limit below the distance %g: %g, exact %v", want.d, got.d, exact)
		}
	}
	if across < 200 {
		t.Fatalf("only %d pairs were found across the gap", across)
	}
}
