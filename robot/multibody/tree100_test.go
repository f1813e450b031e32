package multibody

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// trees100 are robots of 100 turning joints: four limbs of 25, and a tree that branches at every link.
var trees100 = map[string]func(i int) (parent int){
	"limbs": func(i int) int {
		if i%25 == 0 {
			return -1
		}
		return i - 1
	},
	"branched": func(i int) int { return (i+1)/2 - 1 },
}

// tree100 makes the robot where joint i hangs on the link of joint parent(i), on the base for -1.
func tree100(t testing.TB, parent func(i int) int) *Model {
	t.Helper()
	r := rand.New(rand.NewPCG(100, 0))
	tree := Tree{Name: "tree100", Links: []Link{{Name: "base"}}}
	axes := []spatial.Vec3{{X: 1}, {Y: 1}, {Z: 1}}
	for i := range 100 {
		name, on := fmt.Sprintf("link%02d", i), "base"
		place := spatial.Translation(spatial.Vec3{X: 0.1})
		if p := parent(i); p >= 0 {
			on = fmt.Sprintf("link%02d", p)
		} else {
			place = spatial.Pose{R: spatial.RotZ(float64(i) * math.Pi / 50), P: spatial.Vec3{Z: 0.1}}
		}
		tree.Links = append(tree.Links, Link{Name: name, Inertia: spatial.Inertia{
			Mass: 0.5 + r.Float64(), COM: spatial.Vec3{X: 0.05}, Rotational: spatial.SymDiag(0.002, 0.003, 0.004),
		}})
		tree.Joints = append(tree.Joints, Joint{
			Name: "joint" + name[4:], Type: Revolute, Parent: on, Child: name, Placement: place, Axis: axes[i%3],
		})
	}
	return mustModel(t, tree)
}

// The computation of a controller in a cycle undoes that of the simulation.
func TestTree100IsControlled(t *testing.T) {
	for name, parent := range trees100 {
		m := tree100(t, parent)
		d, n := NewData(m), m.NV()
		q, v, _, tau := state(rand.New(rand.NewPCG(1, 0)), m)
		for i := range v {
			v[i] *= 0.1
		}
		a, back := make([]float64, n), make([]float64, n)
		ABA(d, q, v, tau, a)
		RNEA(d, q, v, a, back)
		for i := range tau {
			if math.Abs(back[i]-tau[i]) > 1e-7 {
				t.Fatalf("%s, joint %d: torque %v, computed back %v", name, i, tau[i], back[i])
			}
		}
	}
}

// BenchmarkTree100 is a cycle of simulation (ABA) and control (RNEA and CRBA) of a tree with 100 joints: at 10 kHz in under
// half a core it takes less than 50 µs.
func BenchmarkTree100(b *testing.B) {
	for _, name := range []string{"limbs", "branched"} {
		b.Run(name, func(b *testing.B) {
			m := tree100(b, trees100[name])
			d, n := NewData(m), m.NV()
			q, v, a, tau := state(rand.New(rand.NewPCG(1, 0)), m)
			x, M := make([]float64, n), make([]float64, n*n)
			for b.Loop() {
				ABA(d, q, v, tau, x)
				RNEA(d, q, v, a, x)
				CRBA(d, q, M)
			}
		})
	}
}
