package amd64

import (
	"github.com/sinew-robotics/sinew/internal/tape"
)

// opcode is what a node does.
type opcode uint8

const (
	leaf   opcode = iota // a number in memory: element of an argument, or a constant
	add                  // x + y
	sub                  // x - y
	mul                  // x y
	div                  // x / y
	sqrt                 // √x
	neg                  // -x
	fused                // ± x y ± z with one rounding
	least                // the lesser of x and y
	most                 // the greater of x and y
	abs                  // |x|
	whole                // x rounded to an integer
	widest               // the greatest x of all lanes, in all lanes
	exit                 // ends the loop if x ≤ y in any lane
)

// node is an operation of the machine. Its operands are indices of nodes, in the order x, y, z.
type node struct {
	op                   opcode
	args                 []int
	minusProduct, minusZ bool    // signs of fused
	array, index         int     // of a leaf that is an argument
	constant             bool    // of a leaf
	number               float64 // of a constant
	results              []tape.Output
}

// lower turns the tape into operations of the machine, of which it has multiply-and-add. The order is the tape's.
func lower(t *tape.Tape) []node {
	l := lowering{tape: t, plain: make([]int, len(t.Code)), sums: make([]int, len(t.Code)),
		choice: make([]tape.Value, len(t.Code)), node: make([]int, len(t.Code))}
	l.choose()
	l.emit()
	return l.nodes
}

type lowering struct {
	tape   *tape.Tape
	plain  []int        // by value: how many operations need it as a number
	sums   []int        // by value: of how many sums it is a term
	choice []tape.Value // by sum: the product that it takes in, or noProduct
	node   []int        // by value
	nodes  []node
}

// noProduct is the choice of a sum that takes no product in.
const noProduct = -1

// term is a summand without its sign.
type term struct {
	minus bool
	value tape.Value
}

// terms takes a sum apart; negations of summands become signs.
func (l *lowering) terms(v tape.Value) [2]term {
	i := l.tape.Code[v]
	terms := [2]term{{false, i.A}, {i.Op == tape.Sub, i.B}}
	for k := range terms {
		if x := &terms[k]; l.tape.Code[x.value].Op == tape.Neg {
			x.minus, x.value = !x.minus, l.tape.Code[x.value].A
		}
	}
	if terms[0].minus && terms[1].minus && l.choice[v] == noProduct {
		return [2]term{{false, i.A}, {i.Op == tape.Sub, i.B}} // the machine has no -x - y
	}
	return terms
}

func (l *lowering) isProduct(v tape.Value) bool { return l.tape.Code[v].Op == tape.Mul }

// isBinary reports whether an operation other than a sum has two operands.
func isBinary(o tape.Op) bool {
	return o == tape.Mul || o == tape.Div || o == tape.Min || o == tape.Max
}

func isSum(o tape.Op) bool { return o == tape.Add || o == tape.Sub }

// choose decides which products disappear in sums: those that are needed by nothing else. A product that is a term of
// several sums disappears too: then each of them multiplies, which costs no instruction more.
func (l *lowering) choose() {
	t := l.tape
	needed := make([]bool, len(t.Code))
	for _, o := range t.Outputs {
		needed[o.Value] = true
		l.plain[o.Value]++
	}
	if e := t.Exit; e != nil {
		needed[e.A], needed[e.B] = true, true
		l.plain[e.A]++
		l.plain[e.B]++
	}
	for v := len(t.Code) - 1; v >= 0; v-- {
		i := t.Code[v]
		if !needed[v] || i.Op == tape.Const || i.Op == tape.Input {
			continue
		}
		if isSum(i.Op) {
			for _, x := range l.terms(tape.Value(v)) {
				needed[x.value] = true
				l.sums[x.value]++
			}
			continue
		}
		needed[i.A] = true
		l.plain[i.A]++
		if isBinary(i.Op) {
			needed[i.B] = true
			l.plain[i.B]++
		}
	}
	taken := make([]int, len(t.Code)) // by product: sums that chose it
	for v, i := range t.Code {
		l.choice[v] = noProduct
		if !needed[v] || !isSum(i.Op) {
			continue
		}
		for _, x := range l.terms(tape.Value(v)) {
			if c := l.choice[v]; l.isProduct(x.value) && l.plain[x.value] == 0 &&
				(c == noProduct || l.sums[x.value] < l.sums[c]) {
				l.choice[v] = x.value
			}
		}
		if c := l.choice[v]; c != noProduct {
			taken[c]++
		}
	}
	for v, c := range l.choice { // a product that stays anyway is added as it is
		if c != noProduct && taken[c] < l.sums[c] {
			l.choice[v] = noProduct
			taken[c] = -1
		}
	}
}

// emit makes the nodes.
func (l *lowering) emit() {
	t := l.tape
	needed := make([]bool, len(t.Code))
	for _, o := range t.Outputs {
		needed[o.Value] = true
	}
	if t.Exit != nil {
		needed[t.Exit.A], needed[t.Exit.B] = true, true
	}
	for v := len(t.Code) - 1; v >= 0; v-- {
		if needed[v] {
			for _, a := range l.operands(tape.Value(v)) {
				needed[a] = true
			}
		}
	}
	for v, i := range t.Code {
		if !needed[v] {
			continue
		}
		n := node{}
		switch i.Op {
		case tape.Const:
			n.constant, n.number = true, i.Number
		case tape.Input:
			n.array, n.index = int(i.Array), int(i.Index)
		case tape.Add, tape.Sub:
			n = l.sum(tape.Value(v))
		default:
			n.op = operation[i.Op]
		}
		for _, a := range l.operands(tape.Value(v)) {
			n.args = append(n.args, l.node[a])
		}
		l.node[v] = len(l.nodes)
		l.nodes = append(l.nodes, n)
	}
	for _, o := range t.Outputs {
		n := &l.nodes[l.node[o.Value]]
		n.results = append(n.results, o)
	}
	if e := t.Exit; e != nil {
		l.nodes = append(l.nodes, node{op: exit, args: []int{l.node[e.A], l.node[e.B]}})
	}
}

// operation is what the machine has for the operations of a tape other than sums.
var operation = map[tape.Op]opcode{
	tape.Mul: mul, tape.Div: div, tape.Neg: neg, tape.Sqrt: sqrt,
	tape.Min: least, tape.Max: most, tape.Abs: abs, tape.Round: whole, tape.Widest: widest,
}

// sum returns the node of a sum without its operands.
func (l *lowering) sum(v tape.Value) node {
	terms := l.terms(v)
	if c := l.choice[v]; c != noProduct {
		product, other := terms[0], terms[1]
		if product.value != c {
			product, other = other, product
		}
		return node{op: fused, minusProduct: product.minus, minusZ: other.minus}
	}
	if terms[0].minus || terms[1].minus {
		return node{op: sub}
	}
	return node{op: add}
}

// operands returns what the node of v is computed from.
func (l *lowering) operands(v tape.Value) []tape.Value {
	i := l.tape.Code[v]
	switch i.Op {
	case tape.Const, tape.Input:
		return nil
	case tape.Add, tape.Sub:
		return l.summands(v)
	}
	if isBinary(i.Op) {
		return []tape.Value{i.A, i.B}
	}
	return []tape.Value{i.A}
}

// summands returns what the node of a sum is computed from.
func (l *lowering) summands(v tape.Value) []tape.Value {
	terms := l.terms(v)
	if c := l.choice[v]; c != noProduct {
		other := terms[1].value
		if terms[0].value != c {
			other = terms[0].value
		}
		return []tape.Value{l.tape.Code[c].A, l.tape.Code[c].B, other}
	}
	if terms[0].minus {
		terms[0], terms[1] = terms[1], terms[0]
	}
	return []tape.Value{terms[0].value, terms[1].value}
}
