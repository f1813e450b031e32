package main

import (
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
)

// kilobyte is the data sent from thread to thread.
type kilobyte = [128]float64

// relay writes what it reads.
type relay struct {
	In  block.In[kilobyte]
	Out block.Out[kilobyte]
}

func (r *relay) Step(clock.Tick) error {
	v, _ := r.In.Read()
	r.Out.Write(v)
	return nil
}

// ring returns a net of two threads with a block each that sends 1 kB to the other.
func ring() (*diagram.Net, [2]*relay, error) {
	d := diagram.New("ring")
	var relays [2]*relay
	for i, name := range []string{"first", "second"} {
		d.Thread(diagram.Thread{Name: name, Period: time.Millisecond})
		relays[i] = &relay{}
		d.Add(name, relays[i], diagram.Place{Thread: name})
	}
	diagram.Connect(d, &relays[0].Out, &relays[1].In)
	diagram.Connect(d, &relays[1].Out, &relays[0].In)
	net, err := d.Build()
	return net, relays, err
}

// threads measures the link of 1 kB between two threads of one process: the cost of publishing and fetching, and the
// time of the transfer between processors.
func threads() error {
	const turns, repeats = 100_000, 9
	calls, way := rounds{}, rounds{}
	for range repeats {
		net, relays, err := ring()
		if err != nil {
			return err
		}
		calls.add(times{"ns": handOver(net, relays, turns)})
		if net, relays, err = ring(); err != nil {
			return err
		}
		way.add(times{"ns": roundTrip(net, relays, turns) / 2})
	}
	fmt.Println("| 1 kB from thread to thread in one process | |\n|---|---|")
	fmt.Printf("| handing over and taking (target: under 100 ns) | %s |\n", nanos(calls.median("ns")))
	fmt.Printf("| from one processor to another, half of a round trip | %s |\n", nanos(way.median("ns")))
	return nil
}

// tick returns the nominal time of an activation of the threads, which have one period.
func tick(net *diagram.Net, n int) clock.Time {
	return clock.Time(n) * clock.Time(net.Threads[0].Period)
}

// handOver returns the nanoseconds of publishing and fetching together, on one processor.
func handOver(net *diagram.Net, relays [2]*relay, turns int) float64 {
	out, in := net.Threads[0].Phases[0].Exports[0], net.Threads[1].Phases[0].Imports[0]
	begin := rt.Now()
	for i := range turns {
		relays[0].Out.Slot()[0] = float64(i)
		relays[0].Out.Commit()
		out.Publish(tick(net, i))
		in.Fetch(tick(net, i+1))
	}
	return float64(rt.Now()-begin) / float64(turns)
}

// threadBatch is the number of round trips that are timed together, so that the cost of reading the clock is
// negligible.
const threadBatch = 100

// roundTrip returns the median time in nanoseconds of a round trip between two threads that both spin.
func roundTrip(net *diagram.Net, relays [2]*relay, turns int) float64 {
	send := func(i, k int) {
		relays[i].Out.Slot()[0] = float64(k)
		relays[i].Out.Commit()
		net.Threads[i].Phases[0].Exports[0].Publish(tick(net, k))
	}
	receive := func(i, k int) {
		in := net.Threads[i].Phases[0].Imports[0]
		for fresh, _ := in.Fetch(tick(net, k+1)); !fresh; fresh, _ = in.Fetch(tick(net, k+1)) {
		}
	}
	var other sync.WaitGroup
	other.Go(func() {
		runtime.LockOSThread()
		for k := range turns {
			receive(1, k)
			send(1, k)
		}
	})
	begin, batches := rt.Now(), rounds{}
	for k := range turns {
		send(0, k)
		receive(0, k)
		if (k+1)%threadBatch == 0 {
			batches.add(times{"ns": float64(rt.Now()-begin) / threadBatch})
			begin = rt.Now()
		}
	}
	other.Wait()
	return batches.median("ns")
}
