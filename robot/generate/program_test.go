package generate

import (
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/multibody"
)

// robots are those that programs are tested for.
var robots = []struct {
	file     string
	floating bool
	tool     string
}{
	{"panda.urdf", false, "panda_hand"}, {"ur5.urdf", false, "tool0"}, {"solo12.urdf", true, "FL_FOOT"}, {"humanoid.urdf", true, "LARM_LINK6"},
}

func load(t testing.TB, file string, floating bool) *multibody.Model {
	t.Helper()
	robot, err := description.Read(os.DirFS("../../bench/robots"), file, description.Options{})
	if err != nil {
		t.Fatal(err)
	}
	options := []multibody.Option{multibody.IgnoreMimic()}
	if floating {
		options = append(options, multibody.FloatingBase())
	}
	m, err := robot.Model(options...)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Every program must give what the general algorithm gives.
func TestProgramsAgreeWithTheGeneralAlgorithms(t *testing.T) {
	for _, r := range robots {
		t.Run(r.file, func(t *testing.T) {
			m := load(t, r.file, r.floating)
			tool, err := m.Link(r.tool)
			if err != nil {
				t.Fatal(err)
			}
			fk, jac, rnea, aba, crba := forwardKinematics(m), jacobian(m, tool), inverseDynamics(m), forwardDynamics(m), massMatrix(m)
			drnea, daba := inverseDerivatives(m), forwardDerivatives(m)
			t.Logf("instructions: fk %d, jacobian %d, rnea %d, aba %d, crba %d, derivatives %d and %d",
				count(fk), count(jac), count(rnea), count(aba), count(crba), count(drnea), count(daba))
			d, nv := multibody.NewData(m), m.NV()
			random := rand.New(rand.NewPCG(8, 0))
			for range 20 {
				in := state(m, random)
				q, v, a, tau := in["q"], in["v"], in["a"], in["tau"]
				multibody.FK(d, q)
				var poses []float64
				for _, j := range m.Joints() {
					link, _ := m.Link(j.Child)
					x := d.Pose(link)
					for row, p := range []float64{x.P.X, x.P.Y, x.P.Z} {
						poses = append(poses, x.R[row][0], x.R[row][1], x.R[row][2], p)
					}
				}
				want := make([]float64, nv)
				J, M := make([]float64, 6*nv), make([]float64, nv*nv)
				testkit.AllNear(t, "fk", fk.Evaluate(in)["poses"], poses, 1e-12)
				multibody.Jacobian(d, q, tool, multibody.Mixed, J)
				testkit.AllNear(t, "jacobian", jac.Evaluate(in)["J"], J, 1e-12)
				multibody.RNEA(d, q, v, a, want)
				testkit.AllNear(t, "rnea", rnea.Evaluate(in)["tau"], want, 1e-9)
				multibody.CRBA(d, q, M)
				testkit.AllNear(t, "crba", crba.Evaluate(in)["M"], M, 1e-10)
				multibody.ABA(d, q, v, tau, want)
				testkit.AllNear(t, "aba", aba.Evaluate(in)["a"], want, 1e-7)
				dq, dv, inv := make([]float64, nv*nv), make([]float64, nv*nv), make([]float64, nv*nv)
				multibody.RNEADerivatives(d, q, v, a, dq, dv, M)
				got := drnea.Evaluate(in)
				testkit.AllNear(t, "∂rnea/∂q", got["dq"], dq, 1e-9)
				testkit.AllNear(t, "∂rnea/∂v", got["dv"], dv, 1e-9)
				testkit.AllNear(t, "∂rnea/∂a", got["M"], M, 1e-10)
				multibody.ABADerivatives(d, q, v, tau, want, dq, dv, inv)
				got = daba.Evaluate(in)
				testkit.AllNear(t, "∂aba/∂q", got["dq"], dq, 1e-6)
				testkit.AllNear(t, "∂aba/∂v", got["dv"], dv, 1e-7)
				testkit.AllNear(t, "∂aba/∂tau", got["Minv"], inv, 1e-8)
			}
		})
	}
}

func count(p *program) (n int) {
	for v, live := range p.Live() {
		if live && p.Code[v].A != p.Code[v].B {
			n++
		}
	}
	return n
}

// state returns the arguments of all programs for a random state.
func state(m *multibody.Model, random *rand.Rand) map[string][]float64 {
	in := map[string][]float64{"q": make([]float64, m.NQ())}
	m.Random(random, in["q"])
	for _, name := range []string{"v", "a", "tau"} {
		for range m.NV() {
			in[name] = append(in[name], random.NormFloat64())
		}
	}
	bodies := m.Bodies()
	for _, i := range turning(bodies) {
		in["s"], in["c"] = append(in["s"], 0), append(in["c"], 0)
		k := len(in["s"]) - 1
		in["s"][k], in["c"][k] = math.Sincos(in["q"][bodies[i].Q] + bodies[i].Gamma)
	}
	return in
}
