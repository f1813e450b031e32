package multibody

// factorize replaces the lower triangle of the symmetric positive definite n×n matrix A by L and D of A = L D Lᵀ, L with unit
// diagonal (Golub and Van Loan 2013, section 4.1). The upper triangle is not touched.
func factorize(A []float64, n int) {
	for k := range n {
		row := A[k*n : k*n+k+1]
		for j := range k {
			x := row[j]
			for i, l := range A[j*n : j*n+j] {
				x -= row[i] * l
			}
			row[j] = x // L D so far
		}
		d := row[k]
		for j := range k {
			y := row[j]
			row[j] = y / A[j*n+j]
			d -= y * row[j]
		}
		row[k] = d
	}
}

// solveFactored replaces x by A⁻¹ x.
func solveFactored(A []float64, n int, x []float64) {
	for k := range n {
		s := x[k]
		for i, l := range A[k*n : k*n+k] {
			s -= l * x[i]
		}
		x[k] = s
	}
	for k := n - 1; k >= 0; k-- {
		s := x[k] / A[k*n+k]
		for i := k + 1; i < n; i++ {
			s -= A[i*n+k] * x[i]
		}
		x[k] = s
	}
}

// invertFactored writes A⁻¹ to inv, both triangles: W = L⁻¹ in the strict lower triangle (its diagonal is one), then
// Wᵀ D⁻¹ W in the upper one, row by row of W.
func invertFactored(A []float64, n int, inv []float64) {
	clear(inv)
	for i := range n {
		w := inv[i*n : i*n+i]
		for k, l := range A[i*n : i*n+i] {
			w[k] -= l
			for j, x := range inv[k*n : k*n+k] {
				w[j] -= l * x
			}
		}
	}
	for k := range n {
		r := 1 / A[k*n+k]
		w := inv[k*n : k*n+k]
		for i, x := range w {
			t := x * r
			row := inv[i*n+i : i*n+k+1]
			for j, y := range w[i:] {
				row[j] += t * y
			}
			row[k-i] += t
		}
		inv[k*n+k] += r
	}
	for i := range n {
		for j := range i {
			inv[i*n+j] = inv[j*n+i]
		}
	}
}
