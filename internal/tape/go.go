package tape

import (
	"bytes"
	"fmt"
	"strconv"
)

// maxDepth bounds how deep an expression of a printed statement is nested.
const maxDepth = 4

// Go prints the body of a Go function that evaluates the program: statements that assign to the results. element names an
// element of an argument or result, as tau[3] or M[1][2]. A value that is used once becomes part of the expression that uses it;
// the order is that in which results need values, so that few are alive at a time. Programs of loops cannot be printed.
func (t *Tape) Go(element func(array string, index int) string) []byte {
	p := &printer{tape: t, element: element, uses: make([]int, len(t.Code)), name: make([]string, len(t.Code)), depth: make([]int, len(t.Code))}
	live := t.Live()
	for v, i := range t.Code {
		if live[v] {
			for _, operand := range i.operands() {
				p.uses[operand]++
			}
		}
	}
	for _, o := range t.Outputs {
		p.uses[o.Value]++
	}
	for _, o := range t.Outputs {
		x := p.value(o.Value, 0)
		fmt.Fprintf(&p.out, "\t%s = %s\n", element(t.Arrays[o.Array].Name, int(o.Index)), x)
	}
	return p.out.Bytes()
}

// operands returns what an instruction reads.
func (i *Instruction) operands() []Value {
	switch i.Op {
	case Const, Input:
		return nil
	case Neg, Sqrt, Abs, Round, Widest:
		return []Value{i.A}
	}
	return []Value{i.A, i.B}
}

type printer struct {
	tape    *Tape
	element func(string, int) string
	uses    []int
	name    []string // of the values that have a variable
	depth   []int
	out     bytes.Buffer
	next    int
}

// Precedences of Go's operators.
const (
	sum = iota + 1
	product
	unary
)

// value returns an expression for v, in parentheses where the surrounding precedence needs them. It first prints the
// statements that the expression needs.
func (p *printer) value(v Value, around int) string {
	i := &p.tape.Code[v]
	switch {
	case i.Op == Const:
		text := strconv.FormatFloat(i.Number, 'g', -1, 64)
		if i.Number < 0 && around > 0 {
			return "(" + text + ")"
		}
		return text
	case i.Op == Input:
		return p.element(p.tape.Arrays[i.Array].Name, int(i.Index))
	case p.name[v] != "":
		return p.name[v]
	}
	text, precedence := p.expression(v)
	if p.uses[v] == 1 && p.depth[v] < maxDepth {
		if around > precedence {
			return "(" + text + ")"
		}
		return text
	}
	p.name[v] = "x" + strconv.Itoa(p.next)
	p.depth[v] = 0
	p.next++
	fmt.Fprintf(&p.out, "\t%s := %s\n", p.name[v], text)
	return p.name[v]
}

func (p *printer) expression(v Value) (text string, precedence int) {
	i := &p.tape.Code[v]
	switch i.Op {
	case Add:
		text, precedence = p.value(i.A, sum)+" + "+p.value(i.B, sum+1), sum
	case Sub:
		text, precedence = p.value(i.A, sum)+" - "+p.value(i.B, sum+1), sum
	case Mul:
		text, precedence = p.value(i.A, product)+"*"+p.value(i.B, product+1), product
	case Div:
		text, precedence = p.value(i.A, product)+"/"+p.value(i.B, product+1), product
	case Neg:
		text, precedence = "-"+p.value(i.A, unary), unary
	case Sqrt:
		text, precedence = "math.Sqrt("+p.value(i.A, 0)+")", unary
	case Abs:
		text, precedence = "math.Abs("+p.value(i.A, 0)+")", unary
	case Round:
		text, precedence = "math.RoundToEven("+p.value(i.A, 0)+")", unary
	case Min:
		text, precedence = "min("+p.value(i.A, 0)+", "+p.value(i.B, 0)+")", unary
	case Max:
		text, precedence = "max("+p.value(i.A, 0)+", "+p.value(i.B, 0)+")", unary
	case Widest:
		panic("tape: Go prints programs of one state; this one compares states")
	}
	for _, operand := range i.operands() {
		if p.name[operand] == "" {
			p.depth[v] = max(p.depth[v], p.depth[operand]+1)
		}
	}
	return text, precedence
}
