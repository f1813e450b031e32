package servo

import (
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// Cycle is the data of the events that begin and end a control cycle.
type Cycle struct {
	N uint64 `doc:"number of the cycle"`
}

// Sampler emits the event sample at every step: a control cycle begins.
//
//	┌─────────┐
//	│ Sampler ├─► sample
//	└─────────┘
type Sampler struct {
	Sample block.Event[Cycle] `doc:"a control cycle begins: read the sensors"`
}

// Step emits the event.
func (s *Sampler) Step(t clock.Tick) error {
	s.Sample.Emit(Cycle{N: t.N})
	return nil
}
