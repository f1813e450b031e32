// Package bridge relays links: between the shared memory of a host and the network, from one input to several outputs, at a
// lower rate.
//
// A bridge has wires. Each takes the packets of one receiving end and gives them to one or more sending ends, with their age.
// A pair of bridges on two hosts makes virtual wires between them (Bäuml and Hirzinger 2006, section III); which transports
// they join is the caller's.
//
// # Goroutines
//
//	goroutine          owner   bound  end
//	one for each wire  Bridge  wires  Close
package bridge

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/sinew-robotics/sinew/net/link"
)

// Wire is one input with its outputs.
type Wire struct {
	Name string // for counters and errors, as "plant.position -> lab:plant.position"
	From End
	To   []End
	// Every n-th packet goes on; 0 and 1: each.
	Every int
	// MaxRate is how many packets a second go on at most; 0: all. The newest one always arrives, when its turn has come.
	MaxRate float64
}

// End opens one end of a wire.
type End struct {
	Host      string // for counters: where the link leads; "" is this host
	Transport link.Transport
	Spec      link.Spec
	// Find completes the Spec where the bridge does not know what the link carries: it reports false until somebody on the
	// transport does. nil: the Spec is complete.
	Find func(*link.Spec) bool
}

// Options are how a bridge is executed.
type Options struct {
	Priority int // of the wires' threads; 0: as any other
}

// Bridge relays until it is closed.
type Bridge struct {
	wires []*wire
	stop  chan struct{}
	work  sync.WaitGroup
}

// findPeriod is how often a wire looks for a link whose packets it does not know yet, and for the end of the bridge.
const findPeriod = 50 * time.Millisecond

// Open begins to relay. Ends that are there already, or that cannot be, are errors; those that are to come are not.
func Open(wires []Wire, o Options) (*Bridge, error) {
	if err := checkCycles(wires); err != nil {
		return nil, err
	}
	b := &Bridge{stop: make(chan struct{})}
	for i := range wires {
		w := &wire{Wire: wires[i]}
		if w.Every < 0 || w.MaxRate < 0 {
			return nil, errors.Join(fmt.Errorf("bridge %s: a rate is not negative", w.Name), b.Close())
		}
		b.wires = append(b.wires, w)
		if w.known() {
			if err := w.open(); err != nil {
				return nil, errors.Join(err, b.Close())
			}
		}
	}
	for _, w := range b.wires {
		b.work.Go(func() { w.run(b.stop, o) })
	}
	return b, nil
}

// checkCycles fails where packets would come back to where they began.
func checkCycles(wires []Wire) error {
	type place struct {
		transport link.Transport
		name      string
	}
	leads := map[place][]place{}
	for _, w := range wires {
		from := place{w.From.Transport, w.From.Spec.Name}
		for _, to := range w.To {
			leads[from] = append(leads[from], place{to.Transport, to.Spec.Name})
		}
	}
	const open, done = 1, 2
	state := map[place]int{}
	var visit func(p place, path []string) error
	visit = func(p place, path []string) error {
		path = append(path, p.name)
		switch state[p] {
		case open:
			return fmt.Errorf("bridge: packets would go in a circle: %s", strings.Join(path, " -> "))
		case done:
			return nil
		}
		state[p] = open
		for _, next := range leads[p] {
			if err := visit(next, path); err != nil {
				return err
			}
		}
		state[p] = done
		return nil
	}
	for p := range leads {
		if err := visit(p, nil); err != nil {
			return err
		}
	}
	return nil
}

// Close ends the relaying and closes the ends. The transports stay open.
func (b *Bridge) Close() error {
	close(b.stop)
	b.work.Wait()
	var errs []error
	for _, w := range b.wires {
		errs = append(errs, w.close())
	}
	return errors.Join(errs...)
}

// Counters is what a wire has done.
type Counters struct {
	Wire      *Wire
	Received  link.State
	Forwarded uint64
	Skipped   uint64 // left out by Every; what MaxRate leaves out is among Received.Lost
	To        []link.State
}

// Counters returns what each wire has done so far.
func (b *Bridge) Counters() (all []Counters) {
	for _, w := range b.wires {
		all = append(all, w.counters())
	}
	return all
}
