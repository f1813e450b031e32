package batch

import "github.com/sinew-robotics/sinew/robot/multibody"

// single evaluates state by state by the algorithms of package multibody.
type single struct {
	data         *multibody.Data
	q, v, x, out []float64
	square, jac  []float64
}

func newSingle(m *multibody.Model) *single {
	vec := func() []float64 { return make([]float64, m.NV()) }
	return &single{multibody.NewData(m), make([]float64, m.NQ()), vec(), vec(), vec(),
		make([]float64, m.NV()*m.NV()), make([]float64, 6*m.NV())}
}

func (o *single) rnea(q, v, a, tau []float64, n int) {
	for s := range n {
		gather(o.q, q, n, s)
		gather(o.v, v, n, s)
		gather(o.x, a, n, s)
		multibody.RNEA(o.data, o.q, o.v, o.x, o.out)
		scatter(tau, o.out, n, s)
	}
}

func (o *single) aba(q, v, tau, a []float64, n int) {
	for s := range n {
		gather(o.q, q, n, s)
		gather(o.v, v, n, s)
		gather(o.x, tau, n, s)
		multibody.ABA(o.data, o.q, o.v, o.x, o.out)
		scatter(a, o.out, n, s)
	}
}

func (o *single) fk(q []float64, links []int, poses []float64, n int) {
	for s := range n {
		gather(o.q, q, n, s)
		multibody.FK(o.data, o.q)
		for i, l := range links {
			p := o.data.Pose(l)
			for k := range 9 {
				poses[(12*i+k)*n+s] = p.R[k/3][k%3]
			}
			for k, x := range [3]float64{p.P.X, p.P.Y, p.P.Z} {
				poses[(12*i+9+k)*n+s] = x
			}
		}
	}
}

func (o *single) crba(q, M []float64, n int) {
	for s := range n {
		gather(o.q, q, n, s)
		multibody.CRBA(o.data, o.q, o.square)
		scatter(M, o.square, n, s)
	}
}

func (o *single) jacobian(q []float64, link int, J []float64, n int) {
	for s := range n {
		gather(o.q, q, n, s)
		multibody.Jacobian(o.data, o.q, link, multibody.Mixed, o.jac)
		scatter(J, o.jac, n, s)
	}
}

// gather reads state s of n; scatter writes it.
func gather(x, from []float64, n, s int) {
	for k := range x {
		x[k] = from[k*n+s]
	}
}

func scatter(to, x []float64, n, s int) {
	for k := range x {
		to[k*n+s] = x[k]
	}
}
