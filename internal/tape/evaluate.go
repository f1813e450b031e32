package tape

import (
	"fmt"
	"math"
)

// Evaluate runs the program on numbers: the reference for every way of compiling it. It takes the arguments by name and
// returns the results by name; of a loop it evaluates one record, and the result "exit" is not positive where that ends the loop. It panics on a
// missing argument or one of another length.
func (t *Tape) Evaluate(arguments map[string][]float64) map[string][]float64 {
	results := map[string][]float64{}
	for _, a := range t.Arrays {
		if a.Result {
			results[a.Name] = make([]float64, a.Len)
		} else if len(arguments[a.Name]) != a.Len {
			panic(fmt.Sprintf("tape: argument %s has %d elements, want %d", a.Name, len(arguments[a.Name]), a.Len))
		}
	}
	x := make([]float64, len(t.Code))
	for v, i := range t.Code {
		switch i.Op {
		case Const:
			x[v] = i.Number
		case Input:
			x[v] = arguments[t.Arrays[i.Array].Name][i.Index]
		case Add:
			x[v] = x[i.A] + x[i.B]
		case Sub:
			x[v] = x[i.A] - x[i.B]
		case Mul:
			x[v] = x[i.A] * x[i.B]
		case Div:
			x[v] = x[i.A] / x[i.B]
		case Neg:
			x[v] = -x[i.A]
		case Sqrt:
			x[v] = math.Sqrt(x[i.A])
		case Min:
			x[v] = min(x[i.A], x[i.B])
		case Max:
			x[v] = max(x[i.A], x[i.B])
		case Abs:
			x[v] = math.Abs(x[i.A])
		case Round:
			x[v] = math.RoundToEven(x[i.A])
		case Widest:
			x[v] = x[i.A]
		}
	}
	for _, o := range t.Outputs {
		results[t.Arrays[o.Array].Name][o.Index] = x[o.Value]
	}
	if t.Exit != nil {
		results["exit"] = []float64{x[t.Exit.A] - x[t.Exit.B]}
	}
	return results
}

// Live returns, for each instruction, whether an output or the end of a loop needs it.
func (t *Tape) Live() []bool {
	live := make([]bool, len(t.Code))
	for _, o := range t.Outputs {
		live[o.Value] = true
	}
	if t.Exit != nil {
		live[t.Exit.A], live[t.Exit.B] = true, true
	}
	for v := len(t.Code) - 1; v >= 0; v-- {
		if !live[v] {
			continue
		}
		for _, operand := range t.Code[v].operands() {
			live[operand] = true
		}
	}
	return live
}
