package flow

import (
	"fmt"
	"strings"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// Sum adds and subtracts vectors of one length.
//
//	out = ± in1 ± in2 …
//
//	in1 ─► ┌─────┐
//	in2 ─► │ Sum ├─► out
//	    …  └─────┘
//
// It writes once an input has data; inputs without data count as 0. Signs other than + and -, or an empty text, are
// errors.
type Sum struct {
	Signs block.Const[string]   `default:"++" doc:"a + or - for each input"`
	In    []block.In[[]float64] `doc:"a summand"`
	Out   block.Out[[]float64]  `doc:"the sum"`
}

// Setup creates the inputs.
func (m *Sum) Setup(s *block.Setup) error {
	signs := m.Signs.Value()
	if signs == "" || strings.Trim(signs, "+-") != "" {
		return fmt.Errorf("signs is %q: wants a + or - for each input, as in \"+-\"", signs)
	}
	if len(signs) > maxInputs {
		return fmt.Errorf("signs has %d characters: at most %d inputs are possible", len(signs), maxInputs)
	}
	m.In = make([]block.In[[]float64], len(signs))
	same := []block.Sized{&m.Out}
	for i := range m.In {
		same = append(same, &m.In[i])
	}
	s.SameLen(same...)
	return nil
}

// Step writes the sum.
func (m *Sum) Step(clock.Tick) error {
	out := *m.Out.Slot()
	clear(out)
	came := false
	for i := range m.In {
		in, status := m.In[i].Read()
		if status == block.NoData {
			continue
		}
		came = true
		sign := 1.0
		if m.Signs.Value()[i] == '-' {
			sign = -1
		}
		for k, x := range in {
			out[k] += sign * x
		}
	}
	if came {
		m.Out.Commit()
	}
	return nil
}
