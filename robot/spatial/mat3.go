package spatial

// Mat3 is a 3×3 matrix, row by row: m[i][j] is row i, column j.
// As a rotation R_ab its columns are the axes of frame b in frame a: it takes coordinates in b to coordinates in a.
type Mat3 [3][3]float64

// Identity returns the unit matrix, which is also the rotation that leaves everything in place.
func Identity() Mat3 { return Mat3{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}} }

// Diag returns the matrix with a on its diagonal.
func Diag(a Vec3) Mat3 { return Mat3{{a.X, 0, 0}, {0, a.Y, 0}, {0, 0, a.Z}} }

// FromColumns returns the matrix with the columns x, y, z.
func FromColumns(x, y, z Vec3) Mat3 {
	return Mat3{{x.X, y.X, z.X}, {x.Y, y.Y, z.Y}, {x.Z, y.Z, z.Z}}
}

// Col returns column j (0, 1 or 2).
func (m Mat3) Col(j int) Vec3 { return Vec3{m[0][j], m[1][j], m[2][j]} }

// Row returns row i (0, 1 or 2).
func (m Mat3) Row(i int) Vec3 { return Vec3{m[i][0], m[i][1], m[i][2]} }

// Mul returns the product m n.
func (m Mat3) Mul(n Mat3) (p Mat3) {
	for i := range m {
		a, b, c := m[i][0], m[i][1], m[i][2]
		p[i][0] = a*n[0][0] + b*n[1][0] + c*n[2][0]
		p[i][1] = a*n[0][1] + b*n[1][1] + c*n[2][1]
		p[i][2] = a*n[0][2] + b*n[1][2] + c*n[2][2]
	}
	return p
}

// MulVec returns m a.
func (m Mat3) MulVec(a Vec3) Vec3 {
	return Vec3{
		m[0][0]*a.X + m[0][1]*a.Y + m[0][2]*a.Z,
		m[1][0]*a.X + m[1][1]*a.Y + m[1][2]*a.Z,
		m[2][0]*a.X + m[2][1]*a.Y + m[2][2]*a.Z,
	}
}

// TMulVec returns mᵀ a: for a rotation, its inverse applied to a.
func (m Mat3) TMulVec(a Vec3) Vec3 {
	return Vec3{
		m[0][0]*a.X + m[1][0]*a.Y + m[2][0]*a.Z,
		m[0][1]*a.X + m[1][1]*a.Y + m[2][1]*a.Z,
		m[0][2]*a.X + m[1][2]*a.Y + m[2][2]*a.Z,
	}
}

// T returns the transpose, which is the inverse of a rotation.
func (m Mat3) T() Mat3 {
	return Mat3{
		{m[0][0], m[1][0], m[2][0]},
		{m[0][1], m[1][1], m[2][1]},
		{m[0][2], m[1][2], m[2][2]},
	}
}

// Add returns m + n.
func (m Mat3) Add(n Mat3) Mat3 {
	for i := range m {
		for j := range m[i] {
			m[i][j] += n[i][j]
		}
	}
	return m
}

// Sub returns m - n.
func (m Mat3) Sub(n Mat3) Mat3 {
	for i := range m {
		for j := range m[i] {
			m[i][j] -= n[i][j]
		}
	}
	return m
}

// Scale returns k m.
func (m Mat3) Scale(k float64) Mat3 {
	for i := range m {
		for j := range m[i] {
			m[i][j] *= k
		}
	}
	return m
}

// Trace returns the sum of the diagonal.
func (m Mat3) Trace() float64 { return m[0][0] + m[1][1] + m[2][2] }

// Det returns the determinant: +1 for a rotation.
func (m Mat3) Det() float64 { return m.Row(0).Dot(m.Row(1).Cross(m.Row(2))) }

// Inverse returns the inverse of a regular matrix by its adjugate. A singular one gives infinities or NaN.
// A rotation is inverted by T.
func (m Mat3) Inverse() Mat3 {
	a, b, c := m.Row(0), m.Row(1), m.Row(2)
	bc := b.Cross(c)
	return FromColumns(bc, c.Cross(a), a.Cross(b)).Scale(1 / a.Dot(bc))
}

// Vee returns the vector a whose Skew is the antisymmetric part of m.
func (m Mat3) Vee() Vec3 {
	return Vec3{(m[2][1] - m[1][2]) / 2, (m[0][2] - m[2][0]) / 2, (m[1][0] - m[0][1]) / 2}
}

// IsRotation reports whether m is a rotation to within tol: every entry of m mᵀ - 1 is at most tol and the determinant is positive.
func (m Mat3) IsRotation(tol float64) bool {
	p := m.Mul(m.T())
	for i := range p {
		p[i][i]--
		for _, x := range p[i] {
			if !(x <= tol && x >= -tol) {
				return false
			}
		}
	}
	return m.Det() > 0
}
