package spatial

import "math"

// Eigen returns the eigenvalues of s in ascending order and a rotation whose columns are the eigenvectors:
// s = V diag(λ) Vᵀ. It uses cyclic Jacobi rotations (Golub and Van Loan 2013, section 8.5), which are accurate for
// small eigenvalues as well.
func (s Sym3) Eigen() (values Vec3, vectors Mat3) {
	a, v := s.Mat3(), Identity()
	for range 50 {
		off := math.Abs(a[0][1]) + math.Abs(a[0][2]) + math.Abs(a[1][2])
		if off == 0 {
			break
		}
		for p := 0; p < 2; p++ {
			for q := p + 1; q < 3; q++ {
				jacobiRotate(&a, &v, p, q)
			}
		}
	}
	sortEigen(&a, &v)
	return Vec3{a[0][0], a[1][1], a[2][2]}, v
}

// jacobiRotate turns axes p and q so that a[p][q] becomes zero.
func jacobiRotate(a, v *Mat3, p, q int) {
	apq := a[p][q]
	if math.Abs(apq) <= 1e-18*math.Sqrt(math.Abs(a[p][p]*a[q][q])) {
		a[p][q], a[q][p] = 0, 0
		return
	}
	theta := (a[q][q] - a[p][p]) / (2 * apq)
	t := math.Copysign(1, theta) / (math.Abs(theta) + math.Hypot(theta, 1))
	c := 1 / math.Hypot(t, 1)
	sn := t * c
	a[p][p] -= t * apq
	a[q][q] += t * apq
	a[p][q], a[q][p] = 0, 0
	r := 3 - p - q
	arp, arq := a[r][p], a[r][q]
	a[r][p], a[r][q] = c*arp-sn*arq, sn*arp+c*arq
	a[p][r], a[q][r] = a[r][p], a[r][q]
	for i := range v {
		vp, vq := v[i][p], v[i][q]
		v[i][p], v[i][q] = c*vp-sn*vq, sn*vp+c*vq
	}
}

func sortEigen(a, v *Mat3) {
	swap := func(i, j int) {
		if a[i][i] <= a[j][j] {
			return
		}
		a[i][i], a[j][j] = a[j][j], a[i][i]
		for k := range v { // the sign keeps the determinant +1
			v[k][i], v[k][j] = v[k][j], -v[k][i]
		}
	}
	swap(0, 1)
	swap(1, 2)
	swap(0, 1)
}

// largestEigenvector returns the unit eigenvector of the largest eigenvalue of the symmetric matrix a, by cyclic Jacobi
// rotations.
func largestEigenvector(a [4][4]float64) [4]float64 {
	v := [4][4]float64{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}
	for range 30 {
		for p := range 3 {
			for q := p + 1; q < 4; q++ {
				if a[p][q] == 0 {
					continue
				}
				theta := (a[q][q] - a[p][p]) / (2 * a[p][q])
				t := math.Copysign(1, theta) / (math.Abs(theta) + math.Hypot(theta, 1))
				c := 1 / math.Hypot(t, 1)
				s := t * c
				for k := range a {
					a[k][p], a[k][q] = c*a[k][p]-s*a[k][q], s*a[k][p]+c*a[k][q]
				}
				for k := range a {
					a[p][k], a[q][k] = c*a[p][k]-s*a[q][k], s*a[p][k]+c*a[q][k]
				}
				for k := range v {
					v[k][p], v[k][q] = c*v[k][p]-s*v[k][q], s*v[k][p]+c*v[k][q]
				}
			}
		}
	}
	best := 0
	for i := range a {
		if a[i][i] > a[best][best] {
			best = i
		}
	}
	return [4]float64{v[0][best], v[1][best], v[2][best], v[3][best]}
}
