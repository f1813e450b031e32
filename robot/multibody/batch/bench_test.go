package batch

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/sinew-robotics/sinew/robot/multibody"
)

// panda7 is the arm without fingers: 7 degrees of freedom.
func panda7(b *testing.B) *multibody.Model {
	tree := readTree(b, "../testdata/panda.urdf")
	for i := range tree.Joints {
		if j := &tree.Joints[i]; j.Type == multibody.Prismatic {
			j.Type, j.Mimic = multibody.Fixed, nil
		}
	}
	m, err := multibody.NewModel(tree)
	if err != nil {
		b.Fatal(err)
	}
	return m
}

// Benchmark reports the time of one state, in blocks of 256 states, and of package multibody on one state.
func Benchmark(b *testing.B) {
	robots := map[string]func(b *testing.B) *multibody.Model{
		"panda7": panda7,
		"solo12": func(b *testing.B) *multibody.Model { return loadRobot(b, "../testdata/solo12.urdf", true) },
		"humanoid": func(b *testing.B) *multibody.Model {
			const file = "../../../../shared/data/reference/simple_humanoid.urdf"
			if _, err := os.Stat(filepath.FromSlash(file)); err != nil {
				b.Skip("SKIPPED: no humanoid")
			}
			return loadRobot(b, file, true)
		},
	}
	for _, robot := range []string{"panda7", "solo12", "humanoid"} {
		b.Run(robot, func(b *testing.B) { benchmark(b, robots[robot](b)) })
	}
}

func benchmark(b *testing.B, m *multibody.Model) {
	const n = 256
	s := newSample(m, rand.New(rand.NewPCG(1, 1)), n)
	out, poses := make([]float64, n*m.NV()), make([]float64, n*12)
	last := []int{len(s.linksOf) - 1}
	mass, jac := make([]float64, n*m.NV()*m.NV()), make([]float64, n*6*m.NV())
	perState := func(b *testing.B, run func()) {
		for b.Loop() {
			run()
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/state")
	}
	d := multibody.NewData(m)
	s.take(0)
	once := func(run func()) func() {
		return func() {
			for range n {
				run()
			}
		}
	}
	square := make([]float64, m.NV()*m.NV()+6*m.NV())
	b.Run("FK/general", func(b *testing.B) { perState(b, once(func() { multibody.FK(d, s.one) })) })
	b.Run("RNEA/general", func(b *testing.B) { perState(b, once(func() { multibody.RNEA(d, s.one, s.oneV, s.oneX, s.oneO) })) })
	b.Run("ABA/general", func(b *testing.B) { perState(b, once(func() { multibody.ABA(d, s.one, s.oneV, s.oneX, s.oneO) })) })
	b.Run("CRBA/general", func(b *testing.B) { perState(b, once(func() { multibody.CRBA(d, s.one, square[:m.NV()*m.NV()]) })) })
	b.Run("Jacobian/general", func(b *testing.B) {
		perState(b, once(func() { multibody.Jacobian(d, s.one, last[0], multibody.Mixed, square[:6*m.NV()]) }))
	})
	for _, name := range []string{"AVX512", "AVX2", "portable"} {
		k, ok := levels()[name]
		if !ok {
			continue
		}
		x := newBatch(m, k)
		b.Run("FK/"+name, func(b *testing.B) { perState(b, func() { x.FK(s.q, last, poses) }) })
		b.Run("RNEA/"+name, func(b *testing.B) { perState(b, func() { x.RNEA(s.q, s.v, s.x, out) }) })
		b.Run("ABA/"+name, func(b *testing.B) { perState(b, func() { x.ABA(s.q, s.v, s.x, out) }) })
		b.Run("CRBA/"+name, func(b *testing.B) { perState(b, func() { x.CRBA(s.q, mass) }) })
		b.Run("Jacobian/"+name, func(b *testing.B) { perState(b, func() { x.Jacobian(s.q, last[0], jac) }) })
	}
}
