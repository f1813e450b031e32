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
// It writes once all inputs have data. Those that close a loop or come from another thread may begin without: they count as 0 until
// their first value, once one input has data, and sinew check -v lists them. An input that is not linked counts as 0. Signs other than
// + and -, or an empty text, are errors.
type Sum struct {
	Signs block.Const[string]   `default:"++" doc:"a + or - for each input"`
	In    []block.In[[]float64] `missing:"0" doc:"a summand"`
	Out   block.Out[[]float64]  `doc:"the sum"`

	late []bool // inputs that may have no data while others do
	has  []bool // inputs that have data
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
	m.In, m.late, m.has = make([]block.In[[]float64], len(signs)), make([]bool, len(signs)), make([]bool, len(signs))
	same := []block.Sized{&m.Out}
	for i := range m.In {
		same = append(same, &m.In[i])
	}
	s.SameLen(same...)
	return nil
}

// Start looks which inputs may have no data at first.
func (m *Sum) Start() error {
	lateOf(m.In, m.late)
	return nil
}

// Step writes the sum.
func (m *Sum) Step(clock.Tick) error {
	came := false
	for i := range m.In {
		_, status := m.In[i].Read()
		m.has[i] = status != block.NoData
		if !m.has[i] && !m.late[i] {
			return nil
		}
		came = came || m.has[i]
	}
	if !came {
		return nil
	}
	out := *m.Out.Slot()
	clear(out)
	for i := range m.In {
		if !m.has[i] {
			continue
		}
		sign := 1.0
		if m.Signs.Value()[i] == '-' {
			sign = -1
		}
		for k, x := range m.In[i].Value() {
			out[k] += sign * x
		}
	}
	m.Out.Commit()
	return nil
}
