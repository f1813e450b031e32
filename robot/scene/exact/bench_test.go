package exact_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/scene/exact"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// BenchmarkAmong asks for hits and distances of an arm among boxes of 4 cm that stand about it in a cube of 4 m.
func BenchmarkAmong(b *testing.B) {
	for _, n := range []int{10, 100, 1000} {
		s := armBesideBox(b)
		r := rand.New(rand.NewPCG(1, uint64(n)))
		box, err := geometry.NewBox(spatial.Vec3{X: 0.04, Y: 0.04, Z: 0.04})
		if err != nil {
			b.Fatal(err)
		}
		var objects []scene.Object
		for i := range n {
			at := spatial.Vec3{X: 4*r.Float64() - 2, Y: 4*r.Float64() - 2, Z: 4 * r.Float64()}
			objects = append(objects, scene.Object{Name: fmt.Sprint("box ", i), Pose: spatial.Translation(at), Parts: []geometry.Part{{Shape: box}}})
		}
		if s, err = s.Add(objects...); err != nil {
			b.Fatal(err)
		}
		e := exact.New(s)
		var list [64][]float64
		for i := range list {
			list[i] = make([]float64, s.NQ())
			s.Models()[0].Model.Random(r, list[i])
		}
		b.Run(fmt.Sprintf("hits of %d", n), func(b *testing.B) {
			for i := range b.N {
				if _, _, err := e.Collide(list[i%64]); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("distances of %d", n), func(b *testing.B) {
			for i := range b.N {
				if _, err := e.Distance(list[i%64]); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
