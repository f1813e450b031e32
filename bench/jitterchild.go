package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/thread"
)

// urgent is a net of small blocks on an urgent thread, one for each subscriber.
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

// until reads the time at which a run ends.
func until(text string) clock.Time {
	length, err := time.ParseDuration(text)
	if err != nil {
		panic(err) // this program has written it
	}
	return clock.At(length)
}

// whole runs the thread in this process, under a load: PERIOD TIME LOAD.
func whole(arguments []string) error {
	net, err := urgent(arguments[0])
	if err != nil {
		return err
	}
	core := thread.New(net, thread.Options{Until: until(arguments[1])})
	return underLoad(core.Front(), arguments[2], func() error { return core.Run(context.Background(), tell) })
}

// front starts a core in another process, is its front, under a load: PERIOD TIME LOAD.
func front(arguments []string) error {
	net, err := urgent(arguments[0])
	if err != nil {
		return err
	}
	path := filepath.Join(rt.SharedFolder, fmt.Sprintf("sinew-bench-%d.core", os.Getpid()))
	shared, err := rt.CreateShared(path, thread.BoundarySize(net))
	if err != nil {
		return err
	}
	defer os.Remove(path)
	defer shared.Close()
	boundary, err := thread.LayBoundary(net, shared.Bytes())
	if err != nil {
		return err
	}
	f := thread.NewFront(net, boundary)
	core := pinnedChild("core", arguments[0], arguments[1], path)
	core.Stderr = os.Stderr
	if err := core.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- core.Wait() }()
	var exit error
	alive := func() bool {
		select {
		case exit = <-ended:
			return false
		default:
			return true
		}
	}
	return underLoad(f, arguments[2], func() error { return errors.Join(f.Follow(alive, tell), exit) })
}

// core executes the thread as sinew's process for it does: PERIOD TIME PATH.
func core(arguments []string) error {
	net, err := urgent(arguments[0])
	if err != nil {
		return err
	}
	shared, err := rt.OpenShared(arguments[2])
	if err != nil {
		return err
	}
	defer shared.Close()
	boundary, err := thread.LayBoundary(net, shared.Bytes())
	if err != nil {
		return err
	}
	debug.SetGCPercent(-1)
	return thread.NewCore(net, boundary, thread.Options{Until: until(arguments[1]), Pinned: true}).Serve(context.Background())
}

func tell(notices []string) {
	for _, n := range notices {
		fmt.Fprintln(os.Stderr, "notice:", n)
	}
}

// lateness returns the quantiles of the thread's, its steps, and how many it left out.
func lateness(f *thread.Front) times {
	stats := f.Stats()[0]
	late := stats.Jitter
	t := times{"max": float64(late.Max()), "steps": float64(stats.Activations), "slips": float64(stats.Slips)}
	for name, q := range map[string]float64{"p50": 0.5, "p99": 0.99, "p99.9": 0.999} {
		t[name] = float64(late.Quantile(q))
	}
	return t
}

// underLoad follows a run while its front does what the load says, and prints how late the thread was.
func underLoad(f *thread.Front, load string, follow func() error) error {
	switch load {
	case loadGarbage:
		go func() { _ = garbage(nil) }()
	case loadSubscribers:
		end, err := attachSubscribers(f)
		if err != nil {
			return err
		}
		defer func() {
			if err := end(); err != nil {
				fmt.Fprintln(os.Stderr, err)
			}
		}()
	}
	if err := follow(); err != nil {
		return err
	}
	lateness(f).print()
	return nil
}

// garbage allocates 500 MB a second, most of which nobody keeps.
func garbage([]string) error {
	type node struct {
		next *node
		_    [240]byte
	}
	const live = 100_000 // nodes that are kept for a while, 25 MB for the collector to follow
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
