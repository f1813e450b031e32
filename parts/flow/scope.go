package flow

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/port"
)

// Scope shows named signals to operators: its inputs are recorded and summarized by default, and tools list them
// first. It computes nothing.
//
//	signals[0] ─► ┌───────┐
//	signals[1] ─► │ Scope │
//	           …  └───────┘
//
// Its inputs have the names in signals. Empty or duplicate names, and names with characters other than letters,
// digits and _, are errors.
type Scope struct {
	Signals block.Const[[]string] `doc:"names of the inputs"`
	In      []block.In[float64]   `names:"Signals" watch:"yes" doc:"a signal that operators want to see"`
}

// Setup creates the inputs.
func (c *Scope) Setup(*block.Setup) error {
	names := c.Signals.Value()
	if len(names) > maxInputs {
		return fmt.Errorf("signals has %d names: at most %d inputs are possible", len(names), maxInputs)
	}
	for i, name := range names {
		switch {
		case name == "" || name == port.EnableName || strings.ContainsFunc(name, isOdd):
			return fmt.Errorf("signals[%d] is %q: wants a name of letters, digits and _ that is not %q", i, name, port.EnableName)
		case slices.Contains(names[:i], name):
			return fmt.Errorf("signals[%d]: %q exists already", i, name)
		}
	}
	c.In = make([]block.In[float64], len(names))
	return nil
}

func isOdd(r rune) bool {
	return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
}

// Step does nothing. It places the scope after its sources, so that it shows the values of this activation.
func (c *Scope) Step(clock.Tick) error { return nil }
