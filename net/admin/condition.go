package admin

import (
	"context"

	"github.com/sinew-robotics/sinew/net/port"
	"github.com/sinew-robotics/sinew/net/thread"
)

// Condition is what an operator must see of a system at any time. References and blocks are in the order of the threads; a list
// without entries is empty, not nil.
type Condition struct {
	Held       []string      `json:"held"`        // inputs and outputs with a value of [Driver.Feed], except the inputs "enable" of disabled blocks
	NonFinite  []string      `json:"non_finite"`  // outputs whose value is NaN or infinite, or has such a number in it
	Disabled   []string      `json:"disabled"`    // blocks
	Resting    []string      `json:"resting"`     // blocks without data for longer than their time-out
	Faults     []BlockFault  `json:"faults"`      // blocks in error
	FaultCount uint64        `json:"fault_count"` // how often blocks have gone into error, reset since or not
	Slips      []ThreadSlips `json:"slips"`       // of threads that have missed periods
	Problems   []string      `json:"problems"`    // processes that do not run, or of which nothing is known at present, and why
}

// BlockFault is a block in error.
type BlockFault struct {
	Block string `json:"block"`
	Why   string `json:"why"`
}

// ThreadSlips is how many periods a thread has missed since the system started.
type ThreadSlips struct {
	Process string `json:"process,omitempty"` // "": the system's only one
	Thread  string `json:"thread"`
	Slips   uint64 `json:"slips"`
}

// newCondition returns the condition of a system without anything to report.
func newCondition() *Condition {
	return &Condition{Held: []string{}, NonFinite: []string{}, Disabled: []string{}, Resting: []string{}, Faults: []BlockFault{}, Slips: []ThreadSlips{}, Problems: []string{}}
}

// MergeConditions returns the condition of a system of which parts are the processes.
func MergeConditions(parts ...*Condition) *Condition {
	whole := newCondition()
	for _, c := range parts {
		whole.Held = append(whole.Held, c.Held...)
		whole.NonFinite = append(whole.NonFinite, c.NonFinite...)
		whole.Disabled = append(whole.Disabled, c.Disabled...)
		whole.Resting = append(whole.Resting, c.Resting...)
		whole.Faults = append(whole.Faults, c.Faults...)
		whole.FaultCount += c.FaultCount
		whole.Slips = append(whole.Slips, c.Slips...)
		whole.Problems = append(whole.Problems, c.Problems...)
	}
	return whole
}

// Condition implements [Inspector]. It asks no thread: all of it is in the memory that core and front share.
func (l *Local) Condition(context.Context) (*Condition, error) {
	c := newCondition()
	l.front.EachState(func(b *port.Instance, s thread.BlockState) {
		switch stateOf(s) {
		case StateDisabled:
			c.Disabled = append(c.Disabled, b.Name)
		case StateResting:
			c.Resting = append(c.Resting, b.Name)
		}
		for _, p := range b.Ports {
			if l.front.ByHand(p) && (p != b.Enable || !s.Disabled) { // Driver.Enable holds it
				c.Held = append(c.Held, p.Ref())
			}
			if l.front.NonFinite(p) {
				c.NonFinite = append(c.NonFinite, p.Ref())
			}
		}
	})
	for _, f := range l.front.InError() {
		c.Faults = append(c.Faults, BlockFault{f.Block, f.Why})
	}
	c.FaultCount = l.front.FaultCount()
	l.front.EachSlips(func(name string, slips uint64) {
		c.Slips = append(c.Slips, ThreadSlips{Thread: name, Slips: slips})
	})
	return c, nil
}
