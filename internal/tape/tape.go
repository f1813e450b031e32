// Package tape records straight-line arithmetic so that it can be evaluated, printed as Go and assembled for vector units.
//
// A [Tape] is a list of instructions without branches. The methods of Tape append to it and simplify: constants are
// folded, multiplications by zero or one vanish, and earlier results are reused. Running an algorithm of
// robot/multibody on a tape instead of on numbers yields the program of that algorithm for one robot, without every
// zero of its geometry.
//
//	t := tape.New()
//	x := t.Input("x", 2)                               // argument x, two numbers
//	t.Store("y", 0, t.Add(t.Mul(x[0], x[0]), x[1]))    // y[0] = x[0]² + x[1]
//
// Sines and cosines are inputs: they are computed before, together.
//
// A program may also be the body of a loop over records, which package amd64 assembles in float32: see [Tape.Record], [Tape.Rows] and [Tape.Until].
package tape

import (
	"fmt"
	"math"
)

// Op is what an instruction does.
type Op uint8

// The operations. A and B name the operands of [Instruction].
const (
	Const  Op = iota // the number Instruction.Number
	Input            // element Instruction.Index of argument Instruction.Array
	Add              // A + B
	Sub              // A - B
	Mul              // A * B
	Div              // A / B
	Neg              // -A
	Sqrt             // √A
	Min              // the lesser of A and B
	Max              // the greater of A and B
	Abs              // |A|
	Round            // A rounded to the nearest integer, halves to even ones
	Widest           // the greatest A of all states that are evaluated at once
)

// Value is the result of an instruction: its number on the tape.
type Value int32

// Instruction is one step of the program. Its operands come before it.
type Instruction struct {
	Op     Op
	A, B   Value   // operands
	Number float64 // of Const
	Array  int32   // of Input: number of the argument
	Index  int32   // of Input: element of the argument
}

// Output is an element of a result.
type Output struct {
	Array int32
	Index int32
	Value Value
}

// Array is an argument: numbers read or written.
type Array struct {
	Name   string
	Len    int
	Result bool // written, not read
	Shared bool // one number for all states when several are evaluated at once
	Place  Place
	Word   int // of AtOffset: the word of the record that holds the offset
}

// Place is where the elements of an argument are in a program that [Tape.Until] or records make a loop.
type Place uint8

// Places.
const (
	InMemory Place = iota // the same for all records
	InRecord              // the record itself, from its first word on
	AtOffset              // at an offset that the record names, among the rows that all records share
)

// Tape is a program under construction. Its zero value is not usable; see [New].
type Tape struct {
	Code    []Instruction
	Outputs []Output
	Arrays  []Array
	Exit    *Exit // nil: a loop ends after its last record

	known map[Instruction]Value
}

// Exit ends a loop over records: at the first one where A ≤ B in any of the states that are evaluated at once.
type Exit struct{ A, B Value }

// New returns an empty tape.
func New() *Tape { return &Tape{known: map[Instruction]Value{}} }

// Input declares an argument of n numbers and returns its elements. A name declared before gives the same elements; with
// another length it panics.
func (t *Tape) Input(name string, n int) []Value {
	array := t.array(name, n, false)
	if t.Arrays[array].Len != n {
		panic(fmt.Sprintf("tape: argument %s has %d elements, not %d", name, t.Arrays[array].Len, n))
	}
	values := make([]Value, n)
	for i := range values {
		values[i] = t.record(Instruction{Op: Input, Array: array, Index: int32(i)})
	}
	return values
}

// Shared declares an argument as Input does, whose numbers are the same for all states where a program is assembled to
// evaluate several at once: a mass, a length.
func (t *Tape) Shared(name string, n int) []Value {
	values := t.Input(name, n)
	t.Arrays[t.array(name, n, false)].Shared = true
	return values
}

// Store makes v the element index of the result of that name. The result is as long as its largest index asks for.
func (t *Tape) Store(name string, index int, v Value) {
	array := t.array(name, 0, true)
	t.Arrays[array].Len = max(t.Arrays[array].Len, index+1)
	t.Outputs = append(t.Outputs, Output{Array: array, Index: int32(index), Value: v})
}

// Record declares the record of a loop, which the program evaluates once for each of a run of records: n numbers from its first word on. They are
// one for all states if shared.
func (t *Tape) Record(n int, shared bool) []Value {
	values := t.Input("record", n)
	a := &t.Arrays[t.array("record", n, false)]
	a.Shared, a.Place = shared, InRecord
	return values
}

// Rows declares an argument of n numbers whose place among the rows of a loop is an offset in bytes, an int32 in a word of the record.
func (t *Tape) Rows(name string, n, word int) []Value {
	values := t.Input(name, n)
	t.place(name, word)
	return values
}

// StoreRows makes values the elements of a result whose place among the rows of a loop is an offset in bytes, an int32 in a word of the record.
func (t *Tape) StoreRows(name string, word int, values ...Value) {
	for i, v := range values {
		t.Store(name, i, v)
	}
	t.place(name, word)
}

func (t *Tape) place(name string, word int) {
	for i := range t.Arrays {
		if a := &t.Arrays[i]; a.Name == name {
			a.Place, a.Word = AtOffset, word
		}
	}
}

// Until ends the loop over records at the first one where a ≤ b in any state. A program has either such an end or results.
func (t *Tape) Until(a, b Value) { t.Exit = &Exit{a, b} }

func (t *Tape) array(name string, n int, result bool) int32 {
	for i, a := range t.Arrays {
		if a.Name != name {
			continue
		}
		if a.Result != result {
			panic("tape: " + name + " is both an argument and a result")
		}
		return int32(i)
	}
	t.Arrays = append(t.Arrays, Array{Name: name, Len: n, Result: result})
	return int32(len(t.Arrays) - 1)
}

// Const returns the number x. Zeros lose their sign.
func (t *Tape) Const(x float64) Value {
	if x == 0 {
		x = 0
	}
	return t.record(Instruction{Op: Const, Number: x})
}

// Number returns the number of v where v is a constant.
func (t *Tape) Number(v Value) (x float64, constant bool) {
	i := &t.Code[v]
	return i.Number, i.Op == Const
}

// Add returns a + b.
func (t *Tape) Add(a, b Value) Value {
	x, constA := t.Number(a)
	y, constB := t.Number(b)
	switch {
	case constA && constB:
		return t.Const(x + y)
	case constA && x == 0:
		return b
	case constB && y == 0:
		return a
	case t.Code[b].Op == Neg:
		return t.Sub(a, t.Code[b].A)
	case t.Code[a].Op == Neg:
		return t.Sub(b, t.Code[a].A)
	}
	return t.record(Instruction{Op: Add, A: min(a, b), B: max(a, b)})
}

// Sub returns a - b.
func (t *Tape) Sub(a, b Value) Value {
	x, constA := t.Number(a)
	y, constB := t.Number(b)
	switch {
	case constA && constB:
		return t.Const(x - y)
	case constB && y == 0:
		return a
	case constA && x == 0:
		return t.Neg(b)
	case a == b:
		return t.Const(0)
	case t.Code[b].Op == Neg:
		return t.Add(a, t.Code[b].A)
	}
	return t.record(Instruction{Op: Sub, A: a, B: b})
}

// Mul returns a * b.
func (t *Tape) Mul(a, b Value) Value {
	x, constA := t.Number(a)
	y, constB := t.Number(b)
	switch {
	case constA && constB:
		return t.Const(x * y)
	case constB:
		return t.scale(a, y)
	case constA:
		return t.scale(b, x)
	case t.Code[a].Op == Neg && t.Code[b].Op == Neg:
		return t.Mul(t.Code[a].A, t.Code[b].A)
	case t.Code[a].Op == Neg:
		return t.Neg(t.Mul(t.Code[a].A, b))
	case t.Code[b].Op == Neg:
		return t.Neg(t.Mul(a, t.Code[b].A))
	}
	return t.record(Instruction{Op: Mul, A: min(a, b), B: max(a, b)})
}

// scale multiplies by a constant; the sign is kept out of it so that a and -a share one product.
func (t *Tape) scale(a Value, x float64) Value {
	switch {
	case x == 0:
		return t.Const(0)
	case x == 1:
		return a
	case x < 0:
		return t.Neg(t.scale(a, -x))
	case t.Code[a].Op == Neg:
		return t.Neg(t.scale(t.Code[a].A, x))
	}
	return t.record(Instruction{Op: Mul, A: a, B: t.Const(x)})
}

// Div returns a / b. A constant divisor must not be zero.
func (t *Tape) Div(a, b Value) Value {
	if y, constant := t.Number(b); constant {
		if y == 0 {
			panic("tape: division by the constant zero")
		}
		if x, constant := t.Number(a); constant {
			return t.Const(x / y)
		}
		if y == 1 {
			return a
		}
	}
	if x, constant := t.Number(a); constant && x == 0 {
		return a
	}
	return t.record(Instruction{Op: Div, A: a, B: b})
}

// Neg returns -a.
func (t *Tape) Neg(a Value) Value {
	i := t.Code[a]
	switch i.Op {
	case Const:
		return t.Const(-i.Number)
	case Neg:
		return i.A
	case Sub:
		return t.Sub(i.B, i.A)
	}
	return t.record(Instruction{Op: Neg, A: a})
}

// Sqrt returns √a.
func (t *Tape) Sqrt(a Value) Value {
	if x, constant := t.Number(a); constant {
		return t.Const(math.Sqrt(x))
	}
	return t.record(Instruction{Op: Sqrt, A: a})
}

// Min returns the lesser of a and b.
func (t *Tape) Min(a, b Value) Value { return t.choose(Min, math.Min, a, b) }

// Max returns the greater of a and b.
func (t *Tape) Max(a, b Value) Value { return t.choose(Max, math.Max, a, b) }

func (t *Tape) choose(op Op, f func(x, y float64) float64, a, b Value) Value {
	x, constA := t.Number(a)
	y, constB := t.Number(b)
	switch {
	case constA && constB:
		return t.Const(f(x, y))
	case a == b:
		return a
	}
	return t.record(Instruction{Op: op, A: min(a, b), B: max(a, b)})
}

// Abs returns |a|.
func (t *Tape) Abs(a Value) Value {
	switch i := t.Code[a]; i.Op {
	case Const:
		return t.Const(math.Abs(i.Number))
	case Neg:
		return t.Abs(i.A)
	case Abs, Sqrt:
		return a
	}
	return t.record(Instruction{Op: Abs, A: a})
}

// Round returns a rounded to the nearest integer, halves to even ones.
func (t *Tape) Round(a Value) Value {
	if x, constant := t.Number(a); constant {
		return t.Const(math.RoundToEven(x))
	}
	return t.record(Instruction{Op: Round, A: a})
}

// Widest returns, in all states, the greatest a of the states that are evaluated at once. Evaluate, which has one state, returns a.
func (t *Tape) Widest(a Value) Value {
	if i := t.Code[a]; i.Op == Const || i.Op == Widest {
		return a
	}
	return t.record(Instruction{Op: Widest, A: a})
}

func (t *Tape) record(i Instruction) Value {
	if v, ok := t.known[i]; ok {
		return v
	}
	t.Code = append(t.Code, i)
	v := Value(len(t.Code) - 1)
	t.known[i] = v
	return v
}
