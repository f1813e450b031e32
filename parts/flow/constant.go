package flow

import (
	"errors"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// Constant writes its value.
//
//	out = value
//
//	┌──────────┐
//	│ Constant ├─► out
//	└──────────┘
//
// The value can be tuned; its length cannot. An empty value is an error.
type Constant struct {
	Value block.Param[[]float64] `default:"[0]" doc:"the value to write"`
	Out   block.Out[[]float64]   `doc:"the value"`
}

var errEmptyValue = errors.New("value is empty: wants at least one number")

// Setup declares the length of the value.
func (c *Constant) Setup(s *block.Setup) error {
	if len(c.Value.Value()) == 0 {
		return errEmptyValue
	}
	s.Len(len(c.Value.Value()), &c.Out)
	return nil
}

// Step writes the value.
func (c *Constant) Step(clock.Tick) error {
	c.Out.Write(c.Value.Value())
	return nil
}
