package program

import (
	"math"

	"github.com/sinew-robotics/sinew/robot/multibody"
)

// Report is what the checks of a program found.
type Report struct {
	// Singularity is the least singular value of the tool's Jacobian on lines and arcs, where 1 rad of the tool counts as 1 m; 0: there are none.
	Singularity  float64
	SingularMove int     // index in Program.Moves of the move on which it is
	SingularS    float64 // how far along, m
}

// singularValue returns the least singular value of the Jacobian of a tool: the root of the least eigenvalue of J Jᵀ, by Jacobi rotations.
func (c *compiler) singularValue(t tool, q []float64) float64 {
	J := make([]float64, 6*c.n)
	multibody.Jacobian(c.data, q, t.link, multibody.Mixed, J)
	size := min(6, c.n)
	a := make([][]float64, size)
	for r := range a {
		a[r] = make([]float64, size)
		for k := range a[r] {
			for i := range max(6, c.n) {
				if c.n >= 6 && i < c.n {
					a[r][k] += J[r*c.n+i] * J[k*c.n+i]
				} else if c.n < 6 && i < 6 {
					a[r][k] += J[i*c.n+r] * J[i*c.n+k]
				}
			}
		}
	}
	for range 30 {
		off := 0.0
		for p := range size {
			for r := p + 1; r < size; r++ {
				off += a[p][r] * a[p][r]
				rotate(a, p, r)
			}
		}
		if off < 1e-24 {
			break
		}
	}
	least := math.Inf(1)
	for r := range a {
		least = min(least, a[r][r])
	}
	return math.Sqrt(max(least, 0))
}

// rotate makes element p, r of a symmetric matrix 0 by a Jacobi rotation (Golub and Van Loan, section 8.5).
func rotate(a [][]float64, p, r int) {
	if a[p][r] == 0 {
		return
	}
	tau := (a[r][r] - a[p][p]) / (2 * a[p][r])
	t := 1 / (math.Abs(tau) + math.Sqrt(1+tau*tau))
	if tau < 0 {
		t = -t
	}
	cos := 1 / math.Sqrt(1+t*t)
	sin := t * cos
	for k := range a {
		x, y := a[k][p], a[k][r]
		a[k][p], a[k][r] = cos*x-sin*y, sin*x+cos*y
	}
	for k := range a {
		x, y := a[p][k], a[r][k]
		a[p][k], a[r][k] = cos*x-sin*y, sin*x+cos*y
	}
}
