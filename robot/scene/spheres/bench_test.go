package spheres

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sinew-robotics/sinew/robot/scenario"
	"github.com/sinew-robotics/sinew/robot/scene"
)

// BenchmarkConfigurationAlongEdge checks edges of 1/2 rad, sixteen configurations each, among the obstacles of real problems, near their starts and
// goals and anywhere. It reports ns per configuration.
func BenchmarkConfigurationAlongEdge(b *testing.B) {
	for _, name := range []string{"panda", "ur5", "fetch"} {
		robot := readShared(b, scenario.ReadRobot, "robots", name+".json")
		base, err := scene.New(robot.Scene)
		if err != nil {
			b.Fatal(err)
		}
		var engines []*Engine
		var edges [][2][]float64 // of engine i/8
		r := rand.New(rand.NewPCG(1, 0))
		for _, set := range []string{"bookshelf_small", "bookshelf_tall", "bookshelf_thin", "box", "cage", "table_pick", "table_under_pick"} {
			problem := readShared(b, scenario.ReadProblems, name, set+".json").Problems[0]
			s, err := base.Add(problem.Objects...)
			if err != nil {
				b.Fatal(err)
			}
			e, err := New(s)
			if err != nil {
				b.Fatal(err)
			}
			engines = append(engines, e)
			for k := range 8 {
				from, step := make([]float64, s.NQ()), make([]float64, s.NQ())
				switch {
				case k < 3:
					copy(from, problem.Start)
				case k < 6:
					copy(from, problem.Goal)
				default:
					base.Models()[0].Model.Random(r, from)
				}
				norm := 0.0
				for i := range step {
					step[i] = r.NormFloat64()
					norm += step[i] * step[i]
				}
				for i := range step {
					step[i] *= 0.5 / math.Sqrt(norm)
				}
				edges = append(edges, [2][]float64{from, step})
			}
		}
		b.Run(name, func(b *testing.B) {
			const points = 16 // of an edge
			hits := 0
			for b.Loop() {
				for i, edge := range edges {
					if hit, _ := engines[i/8].CollideAlong(edge[0], edge[1], points, points); hit {
						hits++
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(edges)*points), "ns/configuration")
			b.ReportMetric(float64(hits)/float64(b.N*len(edges)), "hits")
		})
	}
}
