package flow

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// Scope shows named signals to operators: its inputs are recorded and summed up by default, and tools show them
// first. It calculates nothing.
//
//	signals[0] ─► ┌───────┐
//	signals[1] ─► │ Scope │
//	           …  └───────┘
//
// Its inputs have the names in signals. Names that are empty, given twice or hold other characters than letters,
// digits and _ are refused.
type Scope struct {
	Signals block.Const[[]string] `doc:"names of the inputs"`
	In      []block.In[float64]   `names:"Signals" watch:"yes" doc:"a signal that operators want to see"`
}

// Setup makes the inputs.
func (c *Scope) Setup(*block.Setup) error {
	names := c.Signals.Value()
	for i, name := range names {
		switch {
		case name == "" || name == block.EnableName || strings.ContainsFunc(name, isOdd):
			return fmt.Errorf("signals[%d] is %q: wants a name of letters, digits and _ that is not %q", i, name, block.EnableName)
		case slices.Contains(names[:i], name):
			return fmt.Errorf("signals[%d]: there is an %q already", i, name)
		}
	}
	c.In = make([]block.In[float64], len(names))
	return nil
}

func isOdd(r rune) bool {
	return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
}

// Step does nothing. It gives the scope its place behind its sources: so it shows what they wrote in this activation.
func (c *Scope) Step(clock.Tick) error { return nil }
