package spatial

// Sym3 is a symmetric 3×3 matrix: a rotational inertia, a second moment, a covariance.
type Sym3 struct{ XX, XY, XZ, YY, YZ, ZZ float64 }

// SymDiag returns the matrix with x, y, z on its diagonal.
func SymDiag(x, y, z float64) Sym3 { return Sym3{XX: x, YY: y, ZZ: z} }

// SymOuter returns k a aᵀ.
func SymOuter(k float64, a Vec3) Sym3 {
	return Sym3{k * a.X * a.X, k * a.X * a.Y, k * a.X * a.Z, k * a.Y * a.Y, k * a.Y * a.Z, k * a.Z * a.Z}
}

// Mat3 returns the full matrix.
func (s Sym3) Mat3() Mat3 {
	return Mat3{{s.XX, s.XY, s.XZ}, {s.XY, s.YY, s.YZ}, {s.XZ, s.YZ, s.ZZ}}
}

// SymOf returns the symmetric part (m + mᵀ)/2 of m.
func SymOf(m Mat3) Sym3 {
	return Sym3{
		m[0][0], (m[0][1] + m[1][0]) / 2, (m[0][2] + m[2][0]) / 2,
		m[1][1], (m[1][2] + m[2][1]) / 2, m[2][2],
	}
}

// Add returns s + t.
func (s Sym3) Add(t Sym3) Sym3 {
	return Sym3{s.XX + t.XX, s.XY + t.XY, s.XZ + t.XZ, s.YY + t.YY, s.YZ + t.YZ, s.ZZ + t.ZZ}
}

// Scale returns k s.
func (s Sym3) Scale(k float64) Sym3 {
	return Sym3{k * s.XX, k * s.XY, k * s.XZ, k * s.YY, k * s.YZ, k * s.ZZ}
}

// Trace returns the sum of the diagonal.
func (s Sym3) Trace() float64 { return s.XX + s.YY + s.ZZ }

// MulVec returns s a.
func (s Sym3) MulVec(a Vec3) Vec3 {
	return Vec3{
		s.XX*a.X + s.XY*a.Y + s.XZ*a.Z,
		s.XY*a.X + s.YY*a.Y + s.YZ*a.Z,
		s.XZ*a.X + s.YZ*a.Y + s.ZZ*a.Z,
	}
}

// Rotate returns r s rᵀ: the same matrix in another frame.
func (s Sym3) Rotate(r Mat3) Sym3 {
	x := Vec3{s.XX, s.XY, s.XZ}
	y := Vec3{s.XY, s.YY, s.YZ}
	z := Vec3{s.XZ, s.YZ, s.ZZ}
	// the columns of s rᵀ in the rows of r
	a := x.Scale(r[0][0]).Add(y.Scale(r[0][1])).Add(z.Scale(r[0][2]))
	b := x.Scale(r[1][0]).Add(y.Scale(r[1][1])).Add(z.Scale(r[1][2]))
	c := x.Scale(r[2][0]).Add(y.Scale(r[2][1])).Add(z.Scale(r[2][2]))
	r0, r1, r2 := r.Row(0), r.Row(1), r.Row(2)
	return Sym3{r0.Dot(a), r0.Dot(b), r0.Dot(c), r1.Dot(b), r1.Dot(c), r2.Dot(c)}
}
