package planning

// ranked is an edge to be looked at, and what decides when: first, then second.
type ranked struct {
	half          int32 // half-edge of a roadmap
	first, second float64
}

func (a ranked) before(b ranked) bool {
	return a.first < b.first || a.first == b.first && (a.second < b.second || a.second == b.second && a.half < b.half)
}

// ranking is a heap of edges, the one to be looked at next in front.
type ranking []ranked

func (r *ranking) push(e ranked) {
	q := append(*r, e)
	for c := len(q) - 1; c > 0 && q[c].before(q[(c-1)/2]); c = (c - 1) / 2 {
		q[c], q[(c-1)/2] = q[(c-1)/2], q[c]
	}
	*r = q
}

func (r *ranking) pop() ranked {
	q := *r
	top, n := q[0], len(q)-1
	q[0] = q[n]
	*r = q[:n]
	r.sink(0)
	return top
}

// sink moves an entry to its place behind those that come before it.
func (r ranking) sink(i int) {
	for 2*i+1 < len(r) {
		c := 2*i + 1
		if c+1 < len(r) && r[c+1].before(r[c]) {
			c++
		}
		if !r[c].before(r[i]) {
			return
		}
		r[i], r[c] = r[c], r[i]
		i = c
	}
}

// swap exchanges what decides first and second.
func (r ranking) swap() {
	for i := range r {
		r[i].first, r[i].second = r[i].second, r[i].first
	}
	for i := len(r)/2 - 1; i >= 0; i-- {
		r.sink(i)
	}
}
