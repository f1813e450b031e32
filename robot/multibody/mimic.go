package multibody

// coupling maps the independent coordinates of a model with mimic joints to those of its tree, in which every joint
// counts:  q_tree = scale q + offset,  v_tree = scale v,  and dually  tau = scaleᵀ tau_tree.
// The algorithms run on the tree; with G the constant matrix of the scales, M = Gᵀ M_tree G.
type coupling struct {
	nq, nv int // of the tree
	q, v   []coupled
	above  []int32 // for each velocity of the tree that before it on its way to the root; -1 at the root
}

// coupled defines one coordinate of the tree: scale times the independent coordinate from, plus offset.
type coupled struct {
	from          int32
	scale, offset float64
}

// coupleMimics gives the joints of the model their independent coordinates.
func (c *compiler) coupleMimics() {
	m := c.model
	masters := map[string]int{}
	any := false
	for i := range m.joints {
		masters[m.joints[i].Name] = i
		any = any || m.joints[i].Mimic != nil
	}
	if !any {
		return
	}
	k := &coupling{nq: m.nq, nv: m.nv, q: make([]coupled, m.nq), v: make([]coupled, m.nv)}
	tree := make([]ModelJoint, len(m.joints)) // places in the tree's vectors
	copy(tree, m.joints)
	m.nq, m.nv = 0, 0
	for i := range m.joints {
		j := &m.joints[i]
		if j.Mimic != nil {
			continue
		}
		j.Q, j.V = m.nq, m.nv
		m.nq += j.Type.NQ()
		m.nv += j.Type.NV()
		for n := range j.Type.NQ() {
			k.q[tree[i].Q+n] = coupled{from: int32(j.Q + n), scale: 1}
		}
		for n := range j.Type.NV() {
			k.v[tree[i].V+n] = coupled{from: int32(j.V + n), scale: 1}
		}
	}
	for i := range m.joints {
		j := &m.joints[i]
		if j.Mimic == nil {
			continue
		}
		scale, offset := 1.0, 0.0
		at := j
		for at.Mimic != nil { // q = scale q_at + offset
			offset += scale * at.Mimic.Offset
			scale *= at.Mimic.Multiplier
			at = &m.joints[masters[at.Mimic.Joint]]
		}
		j.Q, j.V = at.Q, at.V
		k.q[tree[i].Q] = coupled{from: int32(at.Q), scale: scale, offset: offset}
		k.v[tree[i].V] = coupled{from: int32(at.V), scale: scale}
	}
	m.mimic = k
}

// joined returns for each of the n independent coordinates the one before it, as elimination wants it. A coordinate that moves
// several joints has to do with all that is above and below any of them; the elimination tree of this pattern (Liu, The role of
// elimination trees in sparse factorization, 1990) holds all that factorizing fills in. If joints follow others within one
// limb, as finger tips do, nothing is.
func (k *coupling) joined(n int) []int32 {
	pattern := make([]bool, n*n) // the lower triangle
	for i := range k.above {
		for j := k.above[i]; j >= 0; j = k.above[j] {
			a, b := k.v[i].from, k.v[j].from
			pattern[max(a, b)*int32(n)+min(a, b)] = true
		}
	}
	above := make([]int32, n)
	for i := n - 1; i >= 0; i-- {
		row := pattern[i*n : i*n+i]
		above[i] = int32(len(row)) - 1
		for above[i] >= 0 && !row[above[i]] {
			above[i]--
		}
		for j := range max(above[i], 0) { // what is left of the row goes to the next on the way
			pattern[int(above[i])*n+int(j)] = pattern[int(above[i])*n+int(j)] || row[j]
		}
	}
	return above
}

// treeNV returns the number of velocity coordinates of the tree.
func (m *Model) treeNV() int {
	if m.mimic == nil {
		return m.nv
	}
	return m.mimic.nv
}

// coordinates holds vectors of the tree for a model with mimic joints.
type coordinates struct {
	q, v, a, tau     []float64
	square           []float64 // nv×nv of the tree
	square2, square3 []float64
	bias             []float64 // of the independent coordinates
	mass             []float64
}

func newCoordinates(m *Model) coordinates {
	k := m.mimic
	if k == nil {
		return coordinates{}
	}
	return coordinates{
		q: make([]float64, k.nq), v: make([]float64, k.nv), a: make([]float64, k.nv), tau: make([]float64, k.nv),
		square: make([]float64, k.nv*k.nv), square2: make([]float64, k.nv*k.nv), square3: make([]float64, k.nv*k.nv),
		bias: make([]float64, m.nv), mass: make([]float64, m.nv*m.nv),
	}
}

// fullQ returns the positions of the tree.
func (d *Data) fullQ(q []float64) []float64 {
	if d.model.mimic == nil {
		return q
	}
	for i, c := range d.model.mimic.q {
		d.full.q[i] = c.scale*q[c.from] + c.offset
	}
	return d.full.q
}

// fullV returns the velocities of the tree, fullA the accelerations.
func (d *Data) fullV(v []float64) []float64 { return d.model.expand(v, d.full.v) }
func (d *Data) fullA(a []float64) []float64 { return d.model.expand(a, d.full.a) }

func (m *Model) expand(v, tree []float64) []float64 {
	if m.mimic == nil {
		return v
	}
	for i, c := range m.mimic.v {
		tree[i] = c.scale * v[c.from]
	}
	return tree
}

// fullTau returns where the forces of the tree go: tau itself unless there are mimic joints. reduce brings them to tau.
func (d *Data) fullTau(tau []float64) []float64 {
	if d.model.mimic == nil {
		return tau
	}
	return d.full.tau
}

func (d *Data) reduce(tree, tau []float64) {
	if d.model.mimic == nil {
		return
	}
	clear(tau)
	for i, c := range d.model.mimic.v {
		tau[c.from] += c.scale * tree[i]
	}
}

// reduceSquare brings a matrix of the tree, nv×nv, to the independent coordinates: Gᵀ S G. S has entries only between
// coordinates of which one is above the other.
func (d *Data) reduceSquare(tree, S []float64) {
	k, n := d.model.mimic, d.model.nv
	clear(S)
	for i, r := range k.v {
		S[int(r.from)*(n+1)] += r.scale * r.scale * tree[i*(k.nv+1)]
		for j := k.above[i]; j >= 0; j = k.above[j] {
			c := &k.v[j]
			s := r.scale * c.scale
			S[int(r.from)*n+int(c.from)] += s * tree[i*k.nv+int(j)]
			S[int(c.from)*n+int(r.from)] += s * tree[int(j)*k.nv+i]
		}
	}
}

// coupledForward replaces ABA for models with mimic joints: the recursion of ABA does not hold for them, so it solves
// M a = tau - rnea(q, v, 0) with the reduced mass matrix.
func (d *Data) coupledForward(q, v, tau, a []float64) {
	c := &d.full
	clear(a)
	RNEA(d, q, v, a, c.bias)
	for i := range a {
		a[i] = tau[i] - c.bias[i]
	}
	CRBA(d, q, c.mass)
	d.model.order.factorize(c.mass)
	d.model.order.solve(c.mass, a)
}
