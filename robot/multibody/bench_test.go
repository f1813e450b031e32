package multibody

import (
	"os"
	"testing"
)

// benchModel loads the robot that the benchmarks run on; the shared data or the excerpts may hold it.
func benchModel(b *testing.B, robot string) (*Model, *referenceState) {
	b.Helper()
	for _, dir := range []string{"testdata/", "../../../shared/data/reference/"} {
		if _, err := os.Stat(dir + robot + ".json"); err == nil {
			r, m := loadReference(b, dir+robot+".json")
			return m, &r.States[0]
		}
	}
	b.Skipf("SKIPPED: no reference of %s", robot)
	return nil, nil
}

// panda7 is the arm with its fingers welded: 7 degrees of freedom.
func panda7(b *testing.B) (*Model, *referenceState) {
	b.Helper()
	text, err := os.ReadFile("testdata/panda.urdf")
	if err != nil {
		b.Fatal(err)
	}
	tree, err := loadURDF(text)
	if err != nil {
		b.Fatal(err)
	}
	for i := range tree.Joints {
		if j := &tree.Joints[i]; j.Type == Prismatic {
			j.Type, j.Mimic = Fixed, nil
		}
	}
	m, err := NewModel(tree)
	if err != nil {
		b.Fatal(err)
	}
	_, s := benchModel(b, "panda")
	s.Q, s.V, s.A, s.Tau = s.Q[:7], s.V[:7], s.A[:7], s.Tau[:7]
	return m, s
}

func benchmark(b *testing.B, run func(d *Data, s *referenceState, out []float64)) {
	robots := map[string]func(*testing.B) (*Model, *referenceState){
		"panda7":   panda7,
		"ur5":      func(b *testing.B) (*Model, *referenceState) { return benchModel(b, "ur5") },
		"anymal":   func(b *testing.B) (*Model, *referenceState) { return benchModel(b, "anymal_b") },
		"humanoid": func(b *testing.B) (*Model, *referenceState) { return benchModel(b, "simple_humanoid") },
	}
	for _, name := range []string{"panda7", "ur5", "anymal", "humanoid"} {
		b.Run(name, func(b *testing.B) {
			m, s := robots[name](b)
			d := NewData(m)
			out := make([]float64, 6*m.NV()+4*m.NV()*m.NV())
			for b.Loop() {
				run(d, s, out)
			}
		})
	}
}

func BenchmarkFK(b *testing.B) {
	benchmark(b, func(d *Data, s *referenceState, _ []float64) { FK(d, s.Q) })
}

func BenchmarkJacobian(b *testing.B) {
	benchmark(b, func(d *Data, s *referenceState, out []float64) {
		Jacobian(d, s.Q, len(d.model.links)-1, Mixed, out[:6*d.model.nv])
	})
}

func BenchmarkRNEA(b *testing.B) {
	benchmark(b, func(d *Data, s *referenceState, out []float64) { RNEA(d, s.Q, s.V, s.A, out[:d.model.nv]) })
}

func BenchmarkABA(b *testing.B) {
	benchmark(b, func(d *Data, s *referenceState, out []float64) { ABA(d, s.Q, s.V, s.Tau, out[:d.model.nv]) })
}

func BenchmarkCRBA(b *testing.B) {
	benchmark(b, func(d *Data, s *referenceState, out []float64) { CRBA(d, s.Q, out[:d.model.nv*d.model.nv]) })
}

func BenchmarkRNEADerivatives(b *testing.B) {
	benchmark(b, func(d *Data, s *referenceState, out []float64) {
		n := d.model.nv * d.model.nv
		RNEADerivatives(d, s.Q, s.V, s.A, out[:n], out[n:2*n], out[2*n:3*n])
	})
}

func BenchmarkABADerivatives(b *testing.B) {
	benchmark(b, func(d *Data, s *referenceState, out []float64) {
		n := d.model.nv * d.model.nv
		ABADerivatives(d, s.Q, s.V, s.Tau, out[3*n:3*n+d.model.nv], out[:n], out[n:2*n], out[2*n:3*n])
	})
}
