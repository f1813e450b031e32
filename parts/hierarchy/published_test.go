package hierarchy

import (
	"slices"
)

// unit executes modules and groups literally as published, with vectors that are copied along edges: what the nets of
// this package are held against.
//
//	Sense of a group:   its sensor inputs are copied to its members; then, from the lowest level up, Sense of every
//	                    member of a level, and the sensor edges that leave the level; at last its sensor outputs
//	Control of a group: the same with control inputs, edges and outputs, from the highest level down
//	a part:             take inputs, Sense, Control, give outputs
type unit struct {
	name    string
	level   int
	vectors [kinds][]float64
	members []*unit // of a group, in the order in which they were made
	edges   []copying
	state   float64
	trace   *[]string
}

// copying carries one element.
type copying struct{ from, to spot }

// spot is one element of a vector.
type spot struct {
	of   *unit
	kind kind
	n    int
}

func (s spot) value() *float64 { return &s.of.vectors[s.kind][s.n] }

func (u *unit) carry(wanted func(copying) bool) {
	for _, e := range u.edges {
		if wanted(e) {
			*e.to.value() = *e.from.value()
		}
	}
}

func (u *unit) run(in, out kind, half string, levels []int) {
	if u.members == nil {
		*u.trace = append(*u.trace, u.name+half)
		u.state = u.state*0.5 + 1
		for i, v := range u.vectors[in] {
			u.state += v / float64(2+i)
		}
		for i := range u.vectors[out] {
			u.vectors[out][i] = u.state / float64(1+i)
		}
		return
	}
	u.carry(func(e copying) bool { return e.from.of == u && e.from.kind == in })
	for _, level := range levels {
		for _, m := range u.members {
			if m.level == level {
				m.run(in, out, half, levels)
			}
		}
		u.carry(func(e copying) bool {
			return e.from.of.level == level && e.from.kind == out && e.from.of != u && e.to.of != u
		})
	}
	u.carry(func(e copying) bool { return e.to.of == u && e.to.kind == out })
}

const levelsOfTest = 4

// cycle is one cycle of a part.
func (u *unit) cycle() {
	up := []int{0, 1, 2, 3}
	down := slices.Clone(up)
	slices.Reverse(down)
	u.run(sensorIn, sensorOut, ".sense", up)
	u.run(controlIn, controlOut, ".control", down)
}

// publishedNet is parts that execute their cycles as published: a part takes what the others have sent last, senses, controls,
// and sends.
type publishedNet struct {
	unit   // of the edges between the parts
	parts  []*unit
	period []int // of each part, in ms
	sent   map[*unit][kinds][]float64
}

// tick executes the parts whose turn it is, the most urgent first.
func (n *publishedNet) tick(ms int) {
	for i, part := range n.parts {
		if ms%n.period[i] != 0 {
			continue
		}
		for _, e := range n.edges {
			if from, ok := n.sent[e.from.of]; ok && e.to.of == part {
				*e.to.value() = from[e.from.kind][e.from.n]
			}
		}
		part.cycle()
		var copies [kinds][]float64
		for k, v := range part.vectors {
			copies[k] = slices.Clone(v)
		}
		n.sent[part] = copies
	}
}
