package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/run"
	"github.com/sinew-robotics/sinew/net/system"
	"github.com/sinew-robotics/sinew/net/thread"
)

// urgent returns a net of small blocks on an urgent thread, one for each subscriber.
func urgent(period string) (*diagram.Net, error) {
	length, err := time.ParseDuration(period)
	if err != nil {
		return nil, err
	}
	d := diagram.New("jitter")
	d.Thread(diagram.Thread{Name: "t", Period: length, Priority: 80})
	for i := range subscribers {
		d.Add(fmt.Sprint("small", i), &small{}, diagram.Place{Thread: "t"})
	}
	return d.Build()
}

// whole runs the thread in this process, under a load: PERIOD TIME LOAD.
func whole(arguments []string) error { return runJitter(arguments, true) }

// front runs the thread in a core of its own, which is this program again with the same arguments: PERIOD TIME LOAD.
func front(arguments []string) error { return runJitter(arguments, false) }

// jitterSystem is the name of the measured system.
const jitterSystem = "bench-jitter"

// runJitter runs the thread while its front produces the load, and prints how late the thread was.
func runJitter(arguments []string, oneProcess bool) error {
	net, err := urgent(arguments[0])
	if err != nil {
		return err
	}
	length, err := time.ParseDuration(arguments[1])
	if err != nil {
		return err
	}
	r, err := run.System(context.Background(), &system.System{Name: jitterSystem, Net: net}, run.Options{OneProcess: oneProcess, Until: length})
	if err != nil {
		return err
	}
	end := func() error { return nil }
	switch arguments[2] {
	case loadGarbage:
		go func() { _ = garbage(nil) }()
	case loadSubscribers:
		if end, err = startSubscribers(net); err != nil {
			return err
		}
	}
	if err := errors.Join(r.Wait(), end()); err != nil {
		return err
	}
	lateness(r.Front).print()
	return nil
}

// lateness returns the quantiles of the thread's lateness, its number of steps, and the number of omitted ones.
func lateness(f *thread.Front) times {
	stats := f.Stats()[0]
	late := stats.Jitter
	t := times{"max": float64(late.Max()), "steps": float64(stats.Activations), "slips": float64(stats.Slips)}
	for name, q := range map[string]float64{"p50": 0.5, "p99": 0.99, "p99.9": 0.999} {
		t[name] = float64(late.Quantile(q))
	}
	return t
}

// garbage allocates 500 MB per second, most of which is not kept.
func garbage([]string) error {
	type node struct {
		next *node
		_    [240]byte
	}
	const live = 100_000 // nodes that are kept for a while, 25 MB for the collector to scan
	kept := make([]*node, live)
	made, begin := 0, time.Now()
	for {
		for range 500_000 / 256 {
			n := &node{next: kept[(made+1)%live]}
			if n.next != nil {
				n.next.next = nil
			}
			kept[made%live] = n
			made++
		}
		if ahead := time.Duration(made)*256*2 - time.Since(begin); ahead > 0 { // 2 ns a byte are 500 MB/s
			time.Sleep(ahead)
		}
	}
}
