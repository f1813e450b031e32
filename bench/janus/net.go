package janus

import (
	"context"
	"fmt"
	"time"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/system"
	"github.com/sinew-robotics/sinew/net/thread"
	"github.com/sinew-robotics/sinew/parts/servo"
)

// Run executes a number of cycles of a system file of this folder in virtual time, with the cards on a bus. It returns the sums of the
// voltages, and the mean duration of a cycle, including the virtual clock.
func Run(path string, cycles int, bus Bus) (sums [2]float64, cycle time.Duration, err error) {
	s, err := system.Load(path, system.Options{Registry: block.NewRegistry(servo.Blocks(), Blocks())})
	if err != nil {
		return sums, 0, err
	}
	for _, b := range s.Net.Blocks {
		if card, ok := b.Block.(*Card); ok {
			card.bus = bus
		}
	}
	core := thread.New(s.Net, thread.Options{Until: clock.At(time.Duration(cycles-1) * 10 * time.Millisecond)})
	begin := time.Now()
	if err := core.RunVirtual(context.Background()); err != nil {
		return sums, 0, err
	}
	elapsed := time.Since(begin)
	for _, st := range core.Front().Stats() {
		if st.Activations == 0 {
			return sums, 0, fmt.Errorf("thread %s did not run", st.Thread)
		}
		cycle = elapsed / time.Duration(st.Activations)
	}
	for _, b := range s.Net.Blocks {
		switch card, _ := b.Block.(*Card); b.Name {
		case "aic01":
			sums[0] = card.sum
		case "aic02":
			sums[1] = card.sum
		}
	}
	return sums, cycle, nil
}
