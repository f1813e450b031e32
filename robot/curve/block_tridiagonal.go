package curve

import "math"

// blockTridiagonal is a system of n·k linear equations in which block row i has entries in block columns i-1, i and
// i+1 only.
type blockTridiagonal struct {
	n, k  int
	block [][3][]float64 // by block row: the three k × k blocks, row by row
	right [][]float64    // by block row
}

func newBlockTridiagonal(n, k int) *blockTridiagonal {
	s := &blockTridiagonal{n: n, k: k, block: make([][3][]float64, n), right: make([][]float64, n)}
	for i := range n {
		for j := range 3 {
			s.block[i][j] = make([]float64, k*k)
		}
		s.right[i] = make([]float64, k)
	}
	return s
}

// add adds x to element (r, c) of the block in block row i and block column j.
func (s *blockTridiagonal) add(i, j, r, c int, x float64) { s.block[i][j-i+1][r*s.k+c] += x }

// fix replaces block row i by the equation that its unknowns are x.
func (s *blockTridiagonal) fix(i int, x []float64) {
	for j := range 3 {
		clear(s.block[i][j])
	}
	for r := range s.k {
		s.block[i][1][r*s.k+r] = 1
	}
	copy(s.right[i], x)
}

// solve returns the unknowns by block rows, by Gaussian elimination with pivoting within the blocks. The system must not
// be singular; those of splines are not.
func (s *blockTridiagonal) solve() [][]float64 {
	k := s.k
	for i := range s.n {
		if i > 0 {
			low, up := s.block[i][0], s.block[i-1][2]
			for r := range k {
				for m := range k {
					l := low[r*k+m]
					for c := range k {
						s.block[i][1][r*k+c] -= l * up[m*k+c]
					}
					s.right[i][r] -= l * s.right[i-1][m]
				}
			}
		}
		eliminate(s.block[i][1], s.block[i][2], s.right[i], k)
	}
	for i := s.n - 2; i >= 0; i-- {
		for r := range k {
			for c := range k {
				s.right[i][r] -= s.block[i][2][r*k+c] * s.right[i+1][c]
			}
		}
	}
	return s.right
}

// eliminate replaces b and x by a⁻¹ b and a⁻¹ x; a is destroyed.
func eliminate(a, b, x []float64, k int) {
	for p := range k {
		best := p
		for r := p + 1; r < k; r++ {
			if math.Abs(a[r*k+p]) > math.Abs(a[best*k+p]) {
				best = r
			}
		}
		if best != p {
			for c := range k {
				a[p*k+c], a[best*k+c] = a[best*k+c], a[p*k+c]
				b[p*k+c], b[best*k+c] = b[best*k+c], b[p*k+c]
			}
			x[p], x[best] = x[best], x[p]
		}
		d := 1 / a[p*k+p]
		for c := range k {
			a[p*k+c] *= d
			b[p*k+c] *= d
		}
		x[p] *= d
		for r := range k {
			if f := a[r*k+p]; r != p && f != 0 {
				for c := range k {
					a[r*k+c] -= f * a[p*k+c]
					b[r*k+c] -= f * b[p*k+c]
				}
				x[r] -= f * x[p]
			}
		}
	}
}
