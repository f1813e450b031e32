package main

import (
	"context"
	"fmt"
	"time"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/run"
	"github.com/sinew-robotics/sinew/net/system"
	"github.com/sinew-robotics/sinew/net/thread"
	"github.com/sinew-robotics/sinew/parts/flow"
	"github.com/sinew-robotics/sinew/parts/servo"
	"github.com/sinew-robotics/sinew/parts/torque"
)

// fast measures the 62 s of the experiment of Janus in virtual time. The joints hold their position: a cycle costs
// the same as in motion.
func fast() error {
	const experiment = 62 * time.Second
	fmt.Println("| 62 s of Janus in virtual time, robot simulated (target: under 1 s) | ratio | takes |")
	fmt.Println("|---|---|---|")
	for _, c := range []struct {
		name     string
		overlays []string
	}{
		{"PID", nil}, {"PID and feedforward", []string{"examples/janus/janus-feedforward.yaml"}},
		{"PID, a thread for each activity", []string{"examples/janus/activities.yaml"}},
	} {
		d, err := best(3, func() (time.Duration, error) {
			begin := time.Now()
			s, err := system.Load("examples/janus/janus.yaml", system.Options{
				Registry: block.NewRegistry(flow.Blocks(), servo.Blocks(), torque.Blocks()), Overlays: c.overlays,
			})
			if err != nil {
				return 0, err
			}
			core := thread.New(s.Net, thread.Options{Until: clock.At(experiment)})
			if _, err := run.StartRecording(s, core.Front(), ""); err != nil {
				return 0, err
			}
			err = core.RunVirtual(context.Background())
			return time.Since(begin), err
		})
		if err != nil {
			return err
		}
		fmt.Printf("| %s | %.0f times real time | %.2f s |\n", c.name, experiment.Seconds()/d.Seconds(), d.Seconds())
	}
	return nil
}
