package flow

import (
	"fmt"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// Logic combines truth values.
//
//	out = in1 ∘ in2 ∘ …,   ∘ one of and, or, xor, nand, nor;   out = ¬in1 for not
//
//	in1 ─► ┌───────┐
//	in2 ─► │ Logic ├─► out
//	    …  └───────┘
//
// Of more than two inputs xor is true where an odd number is true; nand and nor are the negated and and or. It writes once
// all inputs have data. Those that close a loop or come from another thread may begin without: they count as false until their first
// value, and sinew check -v lists them. An input that is not linked counts as false. Another operator, and not with more than one
// input, are errors.
type Logic struct {
	Operator block.Const[string] `default:"and" doc:"and, or, xor, nand, nor or not"`
	N        block.Const[int]    `default:"2" min:"1" max:"1000" doc:"number of inputs"`
	In       []block.In[bool]    `missing:"false" doc:"a truth value"`
	Out      block.Out[bool]     `doc:"the result"`

	combine func(trues, all int) bool
	late    []bool // inputs that may have no data while others do
}

// Setup creates the inputs.
func (l *Logic) Setup(*block.Setup) error {
	switch op := l.Operator.Value(); op {
	case "and":
		l.combine = func(trues, all int) bool { return trues == all }
	case "nand":
		l.combine = func(trues, all int) bool { return trues != all }
	case "or":
		l.combine = func(trues, _ int) bool { return trues > 0 }
	case "nor":
		l.combine = func(trues, _ int) bool { return trues == 0 }
	case "xor":
		l.combine = func(trues, _ int) bool { return trues%2 == 1 }
	case "not":
		if l.N.Value() != 1 {
			return fmt.Errorf("operator is not and n is %d: wants n = 1", l.N.Value())
		}
		l.combine = func(trues, _ int) bool { return trues == 0 }
	default:
		return fmt.Errorf("operator is %q: wants and, or, xor, nand, nor or not", op)
	}
	l.In, l.late = make([]block.In[bool], l.N.Value()), make([]bool, l.N.Value())
	return nil
}

// Start looks which inputs may have no data at first.
func (l *Logic) Start() error {
	lateOf(l.In, l.late)
	return nil
}

// Step writes the result.
func (l *Logic) Step(clock.Tick) error {
	trues, waits := 0, false
	for i := range l.In {
		in, status := l.In[i].Read()
		if in {
			trues++
		}
		waits = waits || status == block.NoData && !l.late[i]
	}
	if waits {
		return nil
	}
	l.Out.Write(l.combine(trues, len(l.In)))
	return nil
}
