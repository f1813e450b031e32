package flow

import (
	"errors"
	"fmt"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// Lookup is a function given by a table, with straight lines between its points.
//
//	out = y[j] + (in - x[j]) (y[j+1] - y[j])/(x[j+1] - x[j]),   x[j] ≤ in ≤ x[j+1]
//
//	      ┌────────┐
//	in ─► │ Lookup ├─► out
//	      └────────┘
//
// Outside the table the first or last value holds, or its first or last line continues (extrapolate). Fewer than two points,
// different lengths of x and y, and x that do not rise are errors, as is another word for outside.
type Lookup struct {
	X       block.Param[[]float64] `default:"[0, 1]" doc:"rising arguments"`
	Y       block.Param[[]float64] `default:"[0, 1]" doc:"the value for each"`
	Outside block.Const[string]    `default:"hold" doc:"hold or extrapolate"`
	In      block.In[[]float64]    `doc:"arguments"`
	Out     block.Out[[]float64]   `doc:"the value for each element"`
}

var (
	errTable  = errors.New("x and y: wants at least two arguments, and as many values")
	errRising = errors.New("x does not rise: each argument must be greater than the one before")
)

// Setup checks the table and declares the length of in.
func (l *Lookup) Setup(s *block.Setup) error {
	s.SameLen(&l.In, &l.Out)
	if o := l.Outside.Value(); o != "hold" && o != "extrapolate" {
		return fmt.Errorf("outside is %q: wants hold or extrapolate", o)
	}
	return l.CheckParams()
}

// CheckParams rejects tables that are no function.
func (l *Lookup) CheckParams() error {
	x := l.X.Value()
	if len(x) < 2 || len(l.Y.Value()) != len(x) {
		return errTable
	}
	for i := range x[1:] {
		if !(x[i+1] > x[i]) {
			return errRising
		}
	}
	return nil
}

// Step looks the values up.
func (l *Lookup) Step(clock.Tick) error {
	in, status := l.In.Read()
	if status == block.NoData {
		return nil
	}
	out, x, y := *l.Out.Slot(), l.X.Value(), l.Y.Value()
	last := len(x) - 1
	for i, u := range in {
		if l.Outside.Value() == "hold" {
			u = min(max(u, x[0]), x[last])
		}
		low, high := 0, last // bisection
		for high-low > 1 {
			if mid := (low + high) / 2; u >= x[mid] {
				low = mid
			} else {
				high = mid
			}
		}
		if u == x[high] { // exactly, not but for rounding
			out[i] = y[high]
			continue
		}
		out[i] = y[low] + (u-x[low])*(y[high]-y[low])/(x[high]-x[low])
	}
	l.Out.Commit()
	return nil
}
