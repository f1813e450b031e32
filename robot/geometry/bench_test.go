package geometry

import (
	"math/rand/v2"
	"testing"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

func benchmarkPair(b *testing.B, s *Shape, spread float64, warm *WarmStart) {
	r := rand.New(rand.NewPCG(1, 2))
	var poses [256][2]spatial.Pose
	for i := range poses {
		poses[i][0] = randomPose(r, 1)
		poses[i][1] = randomPose(r, 1)
		poses[i][1].P = poses[i][0].P.Add(randomVec(r).Unit().Scale(spread * (0.5 + 0.7*r.Float64())))
	}
	q := new(Query)
	b.ResetTimer()
	for i := range b.N {
		p := &poses[i%256]
		_, _ = q.Distance(s, &p[0], s, &p[1], warm)
	}
}

func BenchmarkHullDistance(b *testing.B) {
	points, _ := ball(11, 15, even)
	benchmarkPair(b, must(b)(NewHull(points)), 4, nil)
}

func BenchmarkHullDepth(b *testing.B) {
	points, _ := ball(11, 15, even)
	benchmarkPair(b, must(b)(NewHull(points)), 0.6, nil)
}

func BenchmarkMeshDistance(b *testing.B) {
	points, triangles := ball(50, 50, even)
	benchmarkPair(b, must(b)(NewMesh(points, triangles)), 4, nil)
}
