package generate

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/tape"
	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// chain returns a general chain of n revolute joints, none of whose numbers is zero or one: Denavit–Hartenberg parameters
// of no special angle, full inertias, and gravity in any direction. The base frame is that of the first joint at rest.
func chain(t *testing.T, n int) *multibody.Model {
	t.Helper()
	rows := make([]multibody.DHLink, n)
	for i := range rows {
		x := 1 + 0.1*math.Sqrt(float64(i+2))
		rows[i] = multibody.DHLink{
			Type: multibody.Revolute, Theta: 0.3 * x, D: 0.2 * x, A: 0.4 * x, Alpha: 0.7 * x,
			Inertia: spatial.Inertia{
				Mass: 2 * x, COM: spatial.Vec3{X: 0.1 * x, Y: 0.02 * x, Z: 0.03 * x},
				Rotational: spatial.Sym3{XX: 0.3 * x, YY: 0.4 * x, ZZ: 0.5 * x, XY: 0.01 * x, XZ: 0.02 * x, YZ: 0.03 * x},
			},
		}
	}
	rows[0].A, rows[0].Alpha, rows[0].D = 0, 0, 0
	tree := multibody.FromDH("chain", multibody.ModifiedDH, rows)
	tree.Gravity = &spatial.Vec3{X: 1, Y: 2, Z: -9}
	m, err := multibody.NewModel(tree)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// tally is a number of multiplications and one of additions and subtractions.
type tally struct{ multiplications, additions int }

// operations counts what a program computes. Changes of sign do not count, and of divisions forward dynamics has one a joint.
func operations(p *program) (n tally) {
	for v, live := range p.Live() {
		if !live {
			continue
		}
		switch p.Code[v].Op {
		case tape.Mul:
			n.multiplications++
		case tape.Add, tape.Sub:
			n.additions++
		}
	}
	return n
}

// polynomial has the coefficients of n², n and 1.
type polynomial [3]int

func (c polynomial) at(n int) int { return c[0]*n*n + c[1]*n + c[2] }

func (c polynomial) String() string {
	text := fmt.Sprintf("%dn − %d", c[1], -c[2])
	if c[0] != 0 {
		text = fmt.Sprintf("%dn² + %s", c[0], text)
	}
	return text
}

// Each program must have as many operations as its polynomial gives, and docs/performance.md must have the polynomials beside those that
// Featherstone published (Rigid Body Dynamics Algorithms, 2008, table 10.1).
func TestOperationsOfAGeneralChain(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(testkit.Root(t), "docs/performance.md"))
	if err != nil {
		t.Fatal(err)
	}
	const most = 10
	panda, ur5 := load(t, "panda.urdf", false), load(t, "ur5.urdf", false)
	for _, a := range []struct {
		name                       string
		record                     func(*multibody.Model) *program
		published, publishedAdd    polynomial
		multiplications, additions polynomial
	}{
		{"RNEA", inverseDynamics, polynomial{0, 93, -108}, polynomial{0, 81, -100}, polynomial{0, 99, -116}, polynomial{0, 84, -102}},
		{"ABA", forwardDynamics, polynomial{0, 224, -259}, polynomial{0, 205, -248}, polynomial{0, 243, -350}, polynomial{0, 225, -349}},
		{"CRBA", massMatrix, polynomial{10, 22, -32}, polynomial{6, 37, -43}, polynomial{11, 7, -35}, polynomial{7, 32, -59}},
	} {
		for n := 3; n <= most; n++ {
			want := tally{a.multiplications.at(n), a.additions.at(n)}
			if got := operations(a.record(chain(t, n))); got != want {
				t.Errorf("%s of %d joints: %d multiplications and %d additions, want %d and %d", a.name, n,
					got.multiplications, got.additions, want.multiplications, want.additions)
			}
		}
		sum := func(m *multibody.Model) string {
			n := operations(a.record(m))
			return fmt.Sprintf("%d + %d", n.multiplications, n.additions)
		}
		row := fmt.Sprintf("| %s | %v | %v | %v | %v | %d + %d | %d + %d | %s | %s |", a.name, a.published, a.publishedAdd, a.multiplications, a.additions,
			a.published.at(7), a.publishedAdd.at(7), a.multiplications.at(7), a.additions.at(7), sum(panda), sum(ur5))
		if !strings.Contains(string(page), row) {
			t.Errorf("docs/performance.md lacks the row\n%s", row)
		}
	}
}
