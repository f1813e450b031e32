package hierarchy

import "maps"

// unit executes modules and groups literally as published, with vectors that are copied along edges: the reference
// for the nets of this package. Scholl, Albiez and Gassmann 2001, section 2.2, on Sense of a group (levels are counted from
// the lowest here, from the highest there):
//
//  1. Pass all edge data from sensor input of the group to all modules on the lowest level n of the group.
//  2. Call Sense() in all modules on the lowest level n.
//  3. Pass all sensor data between modules of the level n and n−1 in case they are connected by edges.
//  4. Call Sense() in all modules on the n−1th level.
//  5. Repeat step 3 and 4 for all n = n−1 levels.
//  6. Update the sensor output of the group.
//
// "Controle() does the same for the controller input only starting on the first level and descending downwards."
//
// "Data is only passed, if the flags in the output vectors are set, indicating new values have arrived"; and a flag "enables the
// code inside Controle() or Sense() only to be executed when new values have arrived" (2.1). A flag is the number of values that
// have come, here of each element, and what its reader has seen of it.
type unit struct {
	name    string
	level   int
	vectors [kinds][]float64
	flags   [kinds]map[int]uint64
	seen    [kinds]map[int]uint64
	members []*unit // of a group, in the order in which they were added
	edges   []*copying
	flagged bool // its halves are executed only after new values
	every   int  // each half writes in every such execution; 0: in each
	runs    [kinds]int
	state   float64
	trace   *[]string
}

// copying copies one element.
type copying struct {
	from, to spot
	seen     uint64
}

// spot is one element of a vector.
type spot struct {
	of   *unit
	kind kind
	n    int
}

func (s spot) value() *float64 { return &s.of.vectors[s.kind][s.n] }

// flag returns how many values have come.
func (s spot) flag() uint64 { return s.of.flags[s.kind][s.n] }

// put writes a value and sets the flag.
func (s spot) put(v float64) {
	*s.value() = v
	if s.of.flags[s.kind] == nil {
		s.of.flags[s.kind] = map[int]uint64{}
	}
	s.of.flags[s.kind][s.n]++
}

func (u *unit) carry(wanted func(*copying) bool) {
	for _, e := range u.edges {
		if n := e.from.flag(); wanted(e) && n != e.seen {
			e.seen = n
			e.to.put(*e.from.value())
		}
	}
}

// news reports whether an element of an input vector is new, and clears its flags.
func (u *unit) news(in kind) bool {
	found := len(u.vectors[in]) == 0 // without inputs there is nothing to wait for
	for i := range u.vectors[in] {
		found = found || u.flags[in][i] != u.seen[in][i]
	}
	u.seen[in] = maps.Clone(u.flags[in])
	return found
}

func (u *unit) run(in, out kind, half string, levels []int) {
	if u.members == nil {
		if !u.news(in) && u.flagged {
			return
		}
		*u.trace = append(*u.trace, u.name+half)
		u.state = u.state*0.5 + 1
		for i, v := range u.vectors[in] {
			u.state += v / float64(2+i)
		}
		if u.runs[in]++; u.runs[in]%max(u.every, 1) != 0 {
			return
		}
		for i := range u.vectors[out] {
			spot{u, out, i}.put(u.state / float64(1+i))
		}
		return
	}
	u.carry(func(e *copying) bool { return e.from.of == u && e.from.kind == in })
	for _, level := range levels {
		for _, m := range u.members {
			if m.level == level {
				m.run(in, out, half, levels)
			}
		}
		u.carry(func(e *copying) bool {
			return e.from.of.level == level && e.from.kind == out && e.from.of != u && e.to.of != u
		})
	}
	u.carry(func(e *copying) bool { return e.to.of == u && e.to.kind == out })
}

const levelsOfTest = 4

func (u *unit) sense() { u.run(sensorIn, sensorOut, ".sense", []int{0, 1, 2, 3}) }

func (u *unit) control() { u.run(controlIn, controlOut, ".control", []int{3, 2, 1, 0}) }

// publishedNet is a set of parts that execute their cycles as published in section 2.3: "Each part does the following things
// periodically:
//
//  1. Pass all data from and to lower parts (if existent).
//  2. Call the Sense() function of the managed module.
//  3. Pass all data from and to higher parts.
//  4. Call the Controle() function of the managed module."
//
// The text leaves open where in the round a part waits for its period. It waits here between the two halves of step 1: what
// Control has written goes to lower parts at once, and what they have sensed is taken when the next round begins.
type publishedNet struct {
	unit   // of the edges between the parts
	parts  []*unit
	period []int // of each part, in ms
	passed map[spot]passed
}

// passed is a value on its way between two parts, with its flag.
type passed struct {
	value float64
	flag  uint64
}

// tick executes the parts that are due, the most urgent first.
func (n *publishedNet) tick(ms int) {
	for i, part := range n.parts {
		if ms%n.period[i] != 0 {
			continue
		}
		n.take(part, sensorIn) // from lower parts
		part.sense()
		n.pass(part, sensorOut) // to higher parts
		n.take(part, controlIn) // from higher parts
		part.control()
		n.pass(part, controlOut) // to lower parts
	}
}

// take gives a part what other parts have passed to it.
func (n *publishedNet) take(part *unit, in kind) {
	for _, e := range n.edges {
		if p := n.passed[e.from]; e.to.of == part && e.to.kind == in && p.flag != e.seen {
			e.seen = p.flag
			e.to.put(p.value)
		}
	}
}

// pass hands over one of a part's output vectors.
func (n *publishedNet) pass(part *unit, out kind) {
	for i, v := range part.vectors[out] {
		n.passed[spot{part, out, i}] = passed{v, spot{part, out, i}.flag()}
	}
}
