package amd64

import (
	"fmt"
	"math"
	"slices"
)

// allocator walks the operations in order, keeps values in registers and writes the instructions. If registers run out, the
// value goes whose next use is farthest (Belady 1966). A value has at most one home in memory, which is never written twice, so
// a value that has one leaves its register for free.
type allocator struct {
	level  Level
	single bool // float32
	nodes  []node
	uses   [][]int  // by node: positions of the operations that need it, those passed cut off
	home   []string // by node: operand text of its place in memory; empty: none
	slot   []int    // by node: number of its spill slot, -1: none
	in     []int    // by node: its register, -1: none
	holds  []int    // by register: its node, -1: free
	pinned []bool   // by register: needed by the operation at hand
	kept   []bool   // by register: holds the same leaf in all passes of a loop
	free   []int    // spill slots free again
	slots  int      // spill slots used
	place  places
	lines  []string
	weight float64 // how much farther away a value must be for leaving at the price of a store
}

// places returns where numbers are in memory.
type places interface {
	element(array, index int) string
	constant(x float64) string
	spilled(slot int) string
	shared(array int) bool
}

const never = math.MaxInt

func newAllocator(level Level, single bool, nodes []node, order []int, place places, weight float64) *allocator {
	a := &allocator{
		level: level, single: single, nodes: nodes, place: place, weight: weight,
		uses: make([][]int, len(nodes)), home: make([]string, len(nodes)),
		slot: make([]int, len(nodes)), in: make([]int, len(nodes)),
		holds: make([]int, level.registers()), pinned: make([]bool, level.registers()), kept: make([]bool, level.registers()),
	}
	for k, i := range order {
		for _, x := range distinct(nodes[i].args) {
			a.uses[x] = append(a.uses[x], k)
		}
	}
	for i := range nodes {
		a.slot[i], a.in[i] = -1, -1
		if n := &nodes[i]; n.op == leaf {
			a.home[i] = place.element(n.array, n.index)
			if n.constant {
				a.home[i] = place.constant(n.number)
			}
		}
	}
	for r := range a.holds {
		a.holds[r] = -1
	}
	return a
}

// keep loads leaf i into a register that it has from then on.
func (a *allocator) keep(i int) {
	a.uses[i] = append(a.uses[i], never-1) // so that its register does not become free
	a.load(i)
	a.kept[a.in[i]] = true
}

// run writes the whole program.
func (a *allocator) run(order []int) {
	for k, i := range order {
		a.operation(k, i)
	}
	for i := range a.nodes {
		if n := &a.nodes[i]; n.op == leaf && len(n.results) > 0 {
			r := a.load(i)
			a.store(i, r)
			a.release(r)
		}
	}
}

// next returns the position of the next use of x.
func (a *allocator) next(x int) int {
	if len(a.uses[x]) == 0 {
		return never
	}
	return a.uses[x][0]
}

// broadcast reports whether x is a single number in memory that all lanes share.
func (a *allocator) broadcast(x int) bool {
	n := &a.nodes[x]
	return n.op == leaf && (n.constant && a.level == AVX512 || !n.constant && a.place.shared(n.array))
}

// direct reports whether x can be an operand from memory.
func (a *allocator) direct(x int) bool { return a.level == AVX512 || !a.broadcast(x) }

// operation writes the instructions for node i at position k.
func (a *allocator) operation(k, i int) {
	n := &a.nodes[i]
	args := distinct(n.args)
	for _, x := range args {
		a.uses[x] = a.uses[x][1:]
		if r := a.in[x]; r >= 0 {
			a.pinned[r] = true
		}
	}
	a.fetch(n, args)
	var r int
	switch n.op {
	case fused:
		r = a.fuse(n)
	case exit:
		r = a.leave(n)
	default:
		r = a.plain(n)
	}
	for _, x := range args {
		if q := a.in[x]; q >= 0 {
			a.pinned[q] = false
			if len(a.uses[x]) == 0 {
				a.release(q)
			}
		}
		if len(a.uses[x]) == 0 && a.slot[x] >= 0 {
			a.free = append(a.free, a.slot[x])
			a.slot[x] = -1
		}
	}
	a.holds[r], a.in[i] = i, r
	a.store(i, r)
	if len(a.uses[i]) == 0 {
		a.release(r)
	}
}

// fetch loads operands until at most one is left in memory, in a position that the instruction allows, and those
// worth keeping.
func (a *allocator) fetch(n *node, args []int) {
	var memory []int
	for _, x := range args {
		if a.in[x] >= 0 {
			continue
		}
		if !a.direct(x) || a.worthKeeping(x) || a.mustBeRegister(n, x) {
			a.load(x)
			continue
		}
		memory = append(memory, x)
	}
	slices.SortStableFunc(memory, func(x, y int) int { return a.next(x) - a.next(y) })
	for len(memory) > 1 {
		// of those never needed again the addend goes first: the sum can take its register
		k := 0
		if n.op == fused && a.next(memory[0]) == never {
			k = max(0, slices.Index(memory, n.args[2]))
		}
		a.load(memory[k])
		memory = slices.Delete(memory, k, k+1)
	}
	if n.op == fused && len(memory) == 1 && a.next(memory[0]) == never && a.dying(n.args) < 0 {
		a.load(memory[0])
	}
}

// mustBeRegister reports whether x is in a position of n that cannot be in memory.
func (a *allocator) mustBeRegister(n *node, x int) bool {
	switch n.op {
	case sub, div, exit:
		return n.args[0] == x
	case neg, abs, widest:
		return true
	case sqrt, whole:
		return false
	}
	count := 0
	for _, y := range n.args {
		if y == x {
			count++
		}
	}
	return count > 1
}

// worthKeeping reports whether x is needed again before a value in a register that could be dropped at no cost.
func (a *allocator) worthKeeping(x int) bool {
	next := a.next(x)
	if next == never {
		return false
	}
	for r, y := range a.holds {
		if y < 0 || !a.pinned[r] && !a.kept[r] && a.home[y] != "" && a.next(y) > next {
			return true
		}
	}
	return false
}

// load brings x into a register and pins it.
func (a *allocator) load(x int) int {
	r := a.allocate()
	if a.broadcast(x) {
		a.broadcastTo(a.home[x], r)
	} else {
		a.write("VMOVUPD %s, %s", a.home[x], a.register(r))
	}
	a.holds[r], a.in[x] = x, r
	a.pinned[r] = true
	return r
}

// allocate returns a free register, spilling a value if necessary.
func (a *allocator) allocate() int {
	best, worst := -1, -1.0
	for r, x := range a.holds {
		if x < 0 {
			return r
		}
		if a.pinned[r] || a.kept[r] {
			continue
		}
		far := float64(a.next(x) - a.position())
		if a.home[x] != "" {
			far *= a.weight
		}
		if far > worst {
			best, worst = r, far
		}
	}
	x := a.holds[best]
	if a.home[x] == "" {
		if len(a.free) == 0 {
			a.free = append(a.free, a.slots)
			a.slots++
		}
		a.slot[x] = a.free[len(a.free)-1]
		a.free = a.free[:len(a.free)-1]
		a.home[x] = a.place.spilled(a.slot[x])
		a.write("VMOVUPD %s, %s", a.register(best), a.home[x])
	}
	a.release(best)
	return best
}

// position returns a number below all next uses.
func (a *allocator) position() int {
	first := never
	for _, x := range a.holds {
		if x >= 0 {
			first = min(first, a.next(x))
		}
	}
	return first - 1
}

// release frees register r.
func (a *allocator) release(r int) {
	if x := a.holds[r]; x >= 0 {
		a.in[x] = -1
	}
	a.holds[r] = -1
	a.pinned[r] = false
}

// store writes the results that node i is, and records them as its home.
func (a *allocator) store(i, r int) {
	for _, o := range a.nodes[i].results {
		to := a.place.element(int(o.Array), int(o.Index))
		a.write("VMOVUPD %s, %s", a.register(r), to)
		if a.home[i] == "" {
			a.home[i] = to
		}
	}
}

// dying returns the register of an operand that is no longer needed, the last of them, or -1.
func (a *allocator) dying(args []int) int {
	for k := len(args) - 1; k >= 0; k-- {
		if r := a.in[args[k]]; r >= 0 && len(a.uses[args[k]]) == 0 {
			return r
		}
	}
	return -1
}

func (a *allocator) write(format string, args ...any) {
	a.lines = append(a.lines, fmt.Sprintf(format, args...))
}

func (a *allocator) register(r int) string {
	if a.level == AVX512 {
		return fmt.Sprintf("Z%d", r)
	}
	return fmt.Sprintf("Y%d", r)
}
