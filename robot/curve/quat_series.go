package curve

import (
	"math"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// vecSeries and quatSeries hold a Taylor series for each component: x, y, z and x, y, z, w.
type (
	vecSeries  [3]series
	quatSeries [4]series
)

func (q *quatSeries) get(k int) spatial.Quat {
	return spatial.Quat{X: q[0][k], Y: q[1][k], Z: q[2][k], W: q[3][k]}
}

func (q *quatSeries) set(k int, x spatial.Quat) {
	q[0][k], q[1][k], q[2][k], q[3][k] = x.X, x.Y, x.Z, x.W
}

// exp returns the series of the rotation by the vector r: (r S(s), C(s)) with s = r·r,
//
//	C(s) = cos(√s/2) = Σ (-s/4)^k / (2k)!,   S(s) = sin(√s/2)/√s = ½ Σ (-s/4)^k / (2k+1)!
//
// which are smooth at s = 0.
func (v *vecSeries) exp(n int) (q quatSeries) {
	var s, c, f series
	for i := range v {
		square := v[i].times(&v[i], n)
		for k := range square {
			s[k] += square[k]
		}
	}
	cosSeries(s[0], n, &c, &f)
	c, f = c.of(&s, n), f.of(&s, n)
	for i := range v {
		q[i] = v[i].times(&f, n)
	}
	q[3] = c
	return q
}

// cosSeries sets c and f to the series of C and S of exp about s ≥ 0, from (s+h) S' = (C - 2S)/4 and C' = -S/4; near 0,
// where that divides by s, from their power series.
func cosSeries(s float64, n int, c, f *series) {
	const near, terms = 40, 45
	if s > near {
		half := math.Sqrt(s) / 2
		sin, cos := math.Sincos(half)
		c[0], f[0] = cos, sin/(2*half)
		for m := range n {
			k := float64(m)
			c[m+1] = -f[m] / (4 * (k + 1))
			f[m+1] = ((c[m]-2*f[m])/4 - k*f[m]) / (s * (k + 1))
		}
		return
	}
	for m := 0; m <= n; m++ {
		// The term C(k,m) (-1/4)^k s^(k-m) / (2k)!, beginning with k = m.
		term := math.Pow(-0.25, float64(m)) / factorial(2*m)
		c[m], f[m] = 0, 0
		for k := m; k < m+terms; k++ {
			c[m] += term
			f[m] += term / float64(2*(2*k+1))
			term *= -s / 4 * float64(k+1) / float64((k+1-m)*(2*k+1)*(2*k+2))
		}
	}
}

// log returns the series of the rotation vector of a unit quaternion with w ≥ 0: L(w) (x, y, z), where
//
//	L(w) = 2 arccos(w)/√(1-w²),   (1-w²) L' = w L - 2
func (q *quatSeries) log(n int) (v vecSeries) {
	var l series
	w := q[3][0]
	if w > 0.7 { // the series about 1, l[k] = -k l[k-1]/(2k+1), moved to w
		for m := 0; m <= n; m++ {
			const terms = 60
			binomialPower, coefficient := 1.0, 2.0 // C(k,m) (w-1)^(k-m); l[k]
			for k := 0; k < m+terms; k++ {
				if k > 0 {
					coefficient *= -float64(k) / float64(2*k+1)
				}
				if k < m {
					continue
				}
				if k > m {
					binomialPower *= (w - 1) * float64(k) / float64(k-m)
				}
				l[m] += coefficient * binomialPower
			}
		}
	} else {
		d := 1 - w*w
		l[0] = 2 * math.Acos(w) / math.Sqrt(d)
		for m := range n {
			k := float64(m)
			next := w * (2*k + 1) * l[m]
			if m == 0 {
				next -= 2
			} else {
				next += k * l[m-1]
			}
			l[m+1] = next / (d * (k + 1))
		}
	}
	l = l.of(&q[3], n)
	for i := range v {
		v[i] = q[i].times(&l, n)
	}
	return v
}

// turning returns the series of the unit quaternion that starts at q and turns with the angular velocity in the world
// frame whose derivatives of order 0, 1, … are w: q' = ω q / 2.
func turning(q spatial.Quat, w []spatial.Vec3) (s quatSeries) {
	s.set(0, q)
	for k := range w {
		var sum spatial.Quat
		for i := 0; i <= k; i++ {
			v := w[i].Scale(1 / factorial(i))
			sum = sum.Add(spatial.Quat{X: v.X, Y: v.Y, Z: v.Z}.Mul(s.get(k - i)))
		}
		s.set(k+1, sum.Scale(0.5/float64(k+1)))
	}
	return s
}
