package flow

import (
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// Compare reports whether a number is above a threshold.
//
//	out = in > threshold;   once true it stays until in < threshold - hysteresis
//
//	       in ─► ┌─────────┐
//	threshold ─► │ Compare ├─► out
//	             └─────────┘
//
// Nothing is written before the first number; where it is not comparable (NaN), out stays. Its output switches blocks on and off by
// their input enable, or goes to [Logic].
type Compare struct {
	Level      block.Param[float64] `doc:"the threshold while the input threshold has no data"`
	Hysteresis block.Param[float64] `min:"0" doc:"how far below the threshold in must fall before out is false again"`
	In         block.In[float64]    `doc:"a number"`
	Threshold  block.In[float64]    `missing:"the parameter level" doc:"the number to compare with; if not linked, the parameter level is used"`
	Out        block.Out[bool]      `doc:"in is above the threshold"`

	above bool
}

// Start forgets the comparison before.
func (c *Compare) Start() error {
	c.Restart()
	return nil
}

// Restart implements [block.Restarter].
func (c *Compare) Restart() { c.above = false }

// Step compares.
func (c *Compare) Step(clock.Tick) error {
	in, status := c.In.Read()
	if status == block.NoData {
		return nil
	}
	threshold, status := c.Threshold.Read()
	if status == block.NoData {
		threshold = c.Level.Value()
	}
	switch {
	case in > threshold:
		c.above = true
	case in <= threshold && in >= threshold-c.Hysteresis.Value() && c.Hysteresis.Value() > 0: // as it was
	case in <= threshold:
		c.above = false
	}
	c.Out.Write(c.above)
	return nil
}
