package curve

import "fmt"

// Hermite returns the polynomial of lowest degree on [lower, upper] with the given value and derivatives at its ends:
// start[k] and end[k] are the derivatives of order k at lower and upper. Any number of conditions may stand at
// either end; n of them give a polynomial with n coefficients. It panics if there is no condition, or the interval is
// empty while conditions stand at its end.
//
//	Hermite(0, T, []float64{p0, v0}, []float64{p1, v1})         // cubic
//	Hermite(0, T, []float64{p0, v0, a0}, []float64{p1})         // quartic with a free end
//	Hermite(0, T, []float64{p0, v0, a0, j0}, []float64{p1, v1, a1, j1})
func Hermite(lower, upper float64, start, end []float64) Polynomial {
	var p Polynomial
	p.SetHermite(lower, upper, start, end)
	return p
}

// SetHermite makes p what Hermite returns, in the memory that p already has if it suffices: called again with as many
// conditions it allocates nothing. So a generator can plan a new motion within the control cycle. Copies of p share that memory.
//
// In s = (t-lower)/T the polynomial is A(s) + s^m q(s-1): A holds the m conditions at the start, and the Taylor series
// of q at the end is that of (p-A)/s^m, truncated to the conditions there.
func (p *Polynomial) SetHermite(lower, upper float64, start, end []float64) {
	m, n := len(start), len(end)
	T := upper - lower
	if m+n == 0 || !(T > 0 || T == 0 && n == 0) {
		panic(fmt.Sprintf("curve: Hermite on [%v, %v] with %d + %d conditions: want lower < upper and a condition", lower, upper, m, n))
	}
	if cap(p.c) < m+n {
		p.c = make([]float64, m+n)
	}
	p.c, p.lower, p.upper = p.c[:m+n], lower, upper
	if n == 0 {
		T = 1
	}
	a, q := p.c[:m], p.c[m:]
	taylor(a, start, T)
	taylor(q, end, T)

	for k := range q { // minus the Taylor series of A at s = 1: Σ C(i,k) A[i]
		binomial := 1.0
		for i := k; i < m; i++ {
			q[k] -= binomial * a[i]
			binomial = binomial * float64(i+1) / float64(i+1-k)
		}
	}
	for j := n - 1; j >= 0; j-- { // times (1+h)^-m = Σ (-1)^k C(m+k-1,k) h^k
		sum, binomial := 0.0, 1.0
		for k := 0; k <= j; k++ {
			sum += binomial * q[j-k]
			binomial = -binomial * float64(m+k) / float64(k+1)
		}
		q[j] = sum
	}
	for i := range n { // powers of s-1 to powers of s
		for j := n - 2; j >= i; j-- {
			q[j] -= q[j+1]
		}
	}
	scale := 1.0
	for i := range p.c { // powers of s to powers of t-lower
		p.c[i] *= scale
		scale /= T
	}
}

// taylor sets out[k] = derivative[k] T^k / k!.
func taylor(out, derivative []float64, T float64) {
	f := 1.0
	for k := range out {
		out[k] = derivative[k] * f
		f *= T / float64(k+1)
	}
}

// MinimumJerk returns the quintic that leads from one state to another in the given duration (s), starting at time 0.
// Among all motions between these states it has the least integral of the squared jerk. It panics unless the duration
// is positive.
//
// T. Flash, N. Hogan, The Coordination of Arm Movements, 1985.
func MinimumJerk(duration float64, from, to State) Polynomial {
	var p Polynomial
	p.SetMinimumJerk(duration, from, to)
	return p
}

// SetMinimumJerk makes p what MinimumJerk returns, in the memory that p already has if it suffices.
func (p *Polynomial) SetMinimumJerk(duration float64, from, to State) {
	start := [3]float64{from.Position, from.Velocity, from.Acceleration}
	end := [3]float64{to.Position, to.Velocity, to.Acceleration}
	p.SetHermite(0, duration, start[:], end[:])
}
