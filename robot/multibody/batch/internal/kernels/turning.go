package main

// turning turns matrices in the plane of axes i and j. With s² and s c of the angle, d = yy - xx and e = xy + yx,
//
//	xx + g, xy + k; yx + k, yy - g   with   g = s² d - s c e,   k = -s c d - s² e
//
// is the matrix (xx xy; yx yy) turned: ten operations, where two matrix products take twelve with more additions.
type turning struct {
	p      *program
	a      angle
	i, j   int
	ss, sc value
}

func (p *program) turning(a angle, i, j int) turning {
	return turning{p, a, i, j, p.Mul(a.s, a.s), p.Mul(a.s, a.c)}
}

// mat turns a general matrix.
func (t turning) mat(m mat) mat {
	p, i, j, k := t.p, t.i, t.j, 3-t.i-t.j
	ii, ij, ji, jj := 4*i, 3*i+j, 3*j+i, 4*j
	m[3*i+k], m[3*j+k] = p.turn(t.a, m[3*i+k], m[3*j+k])
	m[3*k+i], m[3*k+j] = p.turn(t.a, m[3*k+i], m[3*k+j])
	switch t.a.kind {
	case flat:
	case quarter:
		m[ii], m[ij], m[ji], m[jj] = m[jj], p.Neg(m[ji]), p.Neg(m[ij]), m[ii]
	default:
		d, e := p.Sub(m[jj], m[ii]), p.Add(m[ij], m[ji])
		g := p.Sub(p.Mul(t.ss, d), p.Mul(t.sc, e))
		k := p.Add(p.Mul(t.sc, d), p.Mul(t.ss, e))
		m[ii], m[jj] = p.Add(m[ii], g), p.Sub(m[jj], g)
		m[ij], m[ji] = p.Sub(m[ij], k), p.Sub(m[ji], k)
	}
	return m
}

// sym turns a symmetric matrix.
func (t turning) sym(s sym) sym {
	m := t.mat(s.mat())
	return sym{m[0], m[1], m[2], m[4], m[5], m[8]}
}
