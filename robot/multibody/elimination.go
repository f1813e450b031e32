package multibody

// elimination is an order in which a symmetric positive definite matrix is factorized without fill: above[k] is the
// coordinate before k on its way to the root, -1 at the root. A mass matrix has no entries but between coordinates of
// which one is above the other; its factor L of
//
//	A = Lᵀ D L
//
// keeps that pattern (Featherstone 2008, section 6.5), and so does the inverse W of L. The subtree of k lies within
// k…end[k]-1; couplings of mimic joints may put others between, whose entries with k are zero.
type elimination struct {
	above, end []int32
	related    [][]span // related[k]: coordinates above k or in its subtree
}

// span is the range from…to-1 of coordinates.
type span struct{ from, to int32 }

func newElimination(above []int32) elimination {
	n := len(above)
	e := elimination{above: above, end: make([]int32, n), related: make([][]span, n)}
	for k := n - 1; k >= 0; k-- {
		e.end[k] = max(e.end[k], int32(k+1))
		if a := above[k]; a >= 0 {
			e.end[a] = max(e.end[a], e.end[k])
		}
	}
	for k := range above {
		s := []span{{int32(k), e.end[k]}}
		for i := above[k]; i >= 0; i = above[i] {
			if first := &s[0]; first.from == i+1 {
				first.from = i
			} else {
				s = append([]span{{i, i + 1}}, s...)
			}
		}
		e.related[k] = s
	}
	return e
}

// dense returns the elimination of a full n×n matrix: each coordinate is above the next.
func dense(n int) elimination {
	above := make([]int32, n)
	for k := range above {
		above[k] = int32(k - 1)
	}
	return newElimination(above)
}

// elimination returns the order for the mass matrix.
func (m *Model) elimination() elimination {
	above := make([]int32, m.treeNV())
	for i := range m.body[1:] {
		b := &m.body[1+i]
		last := int32(-1)
		if b.parent > 0 {
			p := &m.body[b.parent]
			last = p.iv + int32(p.kind.nv()) - 1
		}
		for k := range b.kind.nv() {
			above[int(b.iv)+k] = last
			last = b.iv + int32(k)
		}
	}
	if m.mimic != nil {
		m.mimic.above = above
		above = m.mimic.joined(m.nv)
	}
	return newElimination(above)
}

// factorize replaces the lower triangle of A by L and D. The upper triangle is not touched.
func (e *elimination) factorize(A []float64) {
	n, above := len(e.above), e.above
	for k := n - 1; k >= 0; k-- {
		row := A[k*n : k*n+k+1]
		d := 1 / row[k]
		for i := above[k]; i >= 0; i = above[i] {
			up := A[int(i)*n : int(i)*n+int(i)+1]
			a := row[i] * d
			for j := i; j >= 0; j = above[j] {
				up[j] -= a * row[j]
			}
			row[i] = a
		}
	}
}

// solve replaces x by A⁻¹ x, with A factorized.
func (e *elimination) solve(A, x []float64) {
	n, above := len(e.above), e.above
	x = x[:n]
	for k := n - 1; k >= 0; k-- {
		row := A[k*n : k*n+k+1]
		for i := above[k]; i >= 0; i = above[i] {
			x[i] -= row[i] * x[k]
		}
	}
	for k := range n {
		row := A[k*n : k*n+k+1]
		s := x[k] / row[k]
		for i := above[k]; i >= 0; i = above[i] {
			s -= row[i] * x[i]
		}
		x[k] = s
	}
}

// invertFactor replaces L in the factorized A by its inverse W, whose diagonal is one, and D on the diagonal by -1/D.
func (e *elimination) invertFactor(A []float64) {
	n, above := len(e.above), e.above
	for k := n - 1; k >= 0; k-- { // W L = 1 by rows: row k needs L of the rows above only
		row := A[k*n : k*n+k+1]
		row[k] = -1 / row[k]
		for j := above[k]; j >= 0; j = above[j] {
			w := -row[j]
			row[j] = w
			up := A[int(j)*n : int(j)*n+int(j)+1]
			for i := above[j]; i >= 0; i = above[i] {
				row[i] += w * up[i]
			}
		}
	}
}

// inverse writes A⁻¹ = W D⁻¹ Wᵀ to inv, both triangles, with the factor inverted. column is scratch of length n.
func (e *elimination) inverse(A, inv, column []float64) {
	n := len(e.above)
	clear(inv)
	for k := range n {
		end := int(e.end[k])
		c := column[k:end]
		for i := k + 1; i < end; i++ {
			c[i-k] = A[i*n+k]
		}
		c[0] = 1
		r := -A[k*n+k]
		for i, w := range c {
			t := w * r
			row := inv[(k+i)*n+k:]
			row = row[:i+1]
			for j := range row {
				row[j] += t * c[j]
			}
		}
	}
	for i := range n {
		for j := range i {
			inv[j*n+i] = inv[i*n+j]
		}
	}
}

// apply writes -A⁻¹ B to x and -A⁻¹ C to y, with the factor inverted, for matrices B and C with the pattern of A in both
// triangles. B and C are spoilt. Doing both at once halves the work on indices.
func (e *elimination) apply(A, B, C, x, y []float64) {
	n, above := len(e.above), e.above
	for k := range n { // B ← Wᵀ B: row k gathers its subtree, whose rows are not spoilt yet
		for i := k + 1; i < int(e.end[k]); i++ {
			addScaled(B, B, C, C, k*n, i*n, A[i*n+k], e.related[i])
		}
	}
	clear(x)
	clear(y)
	for i := range n { // x = -W D⁻¹ B
		row := A[i*n : i*n+i+1]
		addScaled(x, B, y, C, i*n, i*n, row[i], e.related[i])
		for k := above[i]; k >= 0; k = above[k] {
			addScaled(x, B, y, C, i*n, int(k)*n, row[k]*A[int(k)*n+int(k)], e.related[k])
		}
	}
}

// addScaled adds f times the given spans of the row of b at from to the row of x at to, and of c to y.
func addScaled(x, b, y, c []float64, to, from int, f float64, spans []span) {
	for _, s := range spans {
		n, i, j := int(s.to-s.from), to+int(s.from), from+int(s.from)
		x, y := x[i:i+n], y[i:i+n]
		b, c := b[j:j+n], c[j:j+n]
		for i := range x {
			x[i] += f * b[i]
			y[i] += f * c[i]
		}
	}
}
