package multibody

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"
)

// reference is a file of values computed by Pinocchio 3.7; see testdata/README.md.
type reference struct {
	Robot, Base string
	NQ, NV      int
	Gravity     []float64
	TotalMass   float64 `json:"total_mass"`
	Joints      []struct {
		Name   string
		IQ, IV int
	}
	Links        []string
	JacobianLink string `json:"jacobian_link"`
	States       []referenceState
}

type referenceState struct {
	Q, V, A, Tau               []float64
	RNEA, ABA                  []float64
	Gravity                    []float64 `json:"gravity_vec"`
	Coriolis                   []float64 `json:"coriolis_v"`
	Kinetic, Potential, Energy float64
	COM                        []float64
	MUpper                     []float64 `json:"M_upper"`
	J                          []float64
	DtauDq                     []float64 `json:"dtau_dq"`
	DtauDv                     []float64 `json:"dtau_dv"`
	FK                         [][]float64
}

// references calls f for each robot with reference values: the excerpts in testdata, and the full files where the
// shared data lie beside the repository.
func references(t *testing.T, f func(t *testing.T, r *reference, m *Model)) {
	files, _ := filepath.Glob("testdata/*.json")
	if len(files) == 0 {
		t.Fatal("testdata holds no reference")
	}
	shared, _ := filepath.Glob("../../../shared/data/reference/*.json")
	for _, file := range append(files, shared...) {
		t.Run(filepath.Base(filepath.Dir(file))+"/"+filepath.Base(file), func(t *testing.T) {
			r, m := loadReference(t, file)
			f(t, r, m)
		})
	}
	if len(shared) == 0 {
		t.Run("shared", func(t *testing.T) {
			t.Skip("SKIPPED: ../shared/data/reference is absent; only the excerpts in testdata were checked")
		})
	}
}

func loadReference(t testing.TB, file string) (*reference, *Model) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	r := new(reference)
	if err := json.Unmarshal(text, r); err != nil {
		t.Fatal(err)
	}
	return r, loadModel(t, file[:len(file)-len(".json")]+".urdf", r.Base == "floating")
}

func loadModel(t testing.TB, file string, floating bool) *Model {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := loadURDF(text)
	if err != nil {
		t.Fatal(err)
	}
	options := []Option{IgnoreMimic()}
	if floating {
		options = append(options, FloatingBase())
	}
	m, err := NewModel(tree, options...)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// near fails unless got and want agree to tol times the largest entry (at least 1).
func near(t *testing.T, what string, got, want []float64, tol float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d numbers, want %d", what, len(got), len(want))
	}
	scale := 1.0
	for _, x := range want {
		scale = max(scale, math.Abs(x))
	}
	for i := range got {
		if !(math.Abs(got[i]-want[i]) <= tol*scale) {
			t.Fatalf("%s[%d] = %.15g, want %.15g (largest entry %.3g)", what, i, got[i], want[i], scale)
		}
	}
}

func TestOrderAndMassMatchPinocchio(t *testing.T) {
	references(t, func(t *testing.T, r *reference, m *Model) {
		if m.NQ() != r.NQ || m.NV() != r.NV {
			t.Fatalf("nq, nv = %d, %d, want %d, %d", m.NQ(), m.NV(), r.NQ, r.NV)
		}
		for i, j := range m.Joints() {
			if w := r.Joints[i]; j.Name != w.Name || j.Q != w.IQ || j.V != w.IV {
				t.Errorf("joint %d is %s at q[%d], v[%d], want %s at %d, %d", i, j.Name, j.Q, j.V, w.Name, w.IQ, w.IV)
			}
		}
		if math.Abs(m.Mass()-r.TotalMass) > 1e-12*r.TotalMass {
			t.Errorf("mass %.15g, want %.15g", m.Mass(), r.TotalMass)
		}
	})
}

func TestForwardKinematicsMatchPinocchio(t *testing.T) {
	references(t, func(t *testing.T, r *reference, m *Model) {
		d := NewData(m)
		for _, s := range r.States {
			FK(d, s.Q)
			for i, want := range s.FK {
				link, err := m.Link(r.Links[i])
				if err != nil {
					t.Fatal(err)
				}
				p := d.Pose(link)
				got := []float64{
					p.R[0][0], p.R[0][1], p.R[0][2], p.P.X,
					p.R[1][0], p.R[1][1], p.R[1][2], p.P.Y,
					p.R[2][0], p.R[2][1], p.R[2][2], p.P.Z,
				}
				near(t, "fk "+r.Links[i], got, want, 1e-10)
			}
		}
	})
}

func TestJacobianMatchesPinocchio(t *testing.T) {
	references(t, func(t *testing.T, r *reference, m *Model) {
		d := NewData(m)
		link, err := m.Link(r.JacobianLink)
		if err != nil {
			t.Fatal(err)
		}
		J := make([]float64, 6*m.NV())
		for _, s := range r.States {
			Jacobian(d, s.Q, link, Mixed, J)
			near(t, "J", J, s.J, 1e-11)
		}
	})
}

func TestDynamicsMatchPinocchio(t *testing.T) {
	references(t, func(t *testing.T, r *reference, m *Model) {
		d := NewData(m)
		n := m.NV()
		x, M := make([]float64, n), make([]float64, n*n)
		for _, s := range r.States {
			RNEA(d, s.Q, s.V, s.A, x)
			near(t, "rnea", x, s.RNEA, 1e-11)
			ABA(d, s.Q, s.V, s.Tau, x)
			near(t, "aba", x, s.ABA, 1e-10)
			CRBA(d, s.Q, M)
			Gravity(d, s.Q, x)
			near(t, "gravity", x, s.Gravity, 1e-11)
			CoriolisForce(d, s.Q, s.V, x)
			near(t, "coriolis", x, s.Coriolis, 1e-11)
			c := COM(d, s.Q)
			near(t, "com", []float64{c.X, c.Y, c.Z}, s.COM, 1e-11)
			kin, pot := KineticEnergy(d, s.Q, s.V), PotentialEnergy(d, s.Q)
			near(t, "energies", []float64{kin, pot, kin + pot}, []float64{s.Kinetic, s.Potential, s.Energy}, 1e-11)
			var upper []float64
			for i := range n {
				for j := range n {
					if M[i*n+j] != M[j*n+i] {
						t.Fatalf("M is not symmetric at %d, %d", i, j)
					}
				}
				upper = append(upper, M[i*n+i:(i+1)*n]...)
			}
			near(t, "M", upper, s.MUpper, 1e-11)
		}
	})
}

func TestDerivativesMatchPinocchio(t *testing.T) {
	references(t, func(t *testing.T, r *reference, m *Model) {
		d := NewData(m)
		n := m.NV()
		dq, dv, M := make([]float64, n*n), make([]float64, n*n), make([]float64, n*n)
		for _, s := range r.States {
			if s.DtauDq == nil {
				t.Skip("the reference has no derivatives of this robot")
			}
			RNEADerivatives(d, s.Q, s.V, s.A, dq, dv, M)
			near(t, "dtau_dq", dq, s.DtauDq, 1e-11)
			near(t, "dtau_dv", dv, s.DtauDv, 1e-11)
		}
	})
}
