// Package bridge relays links: between the shared memory of a host and the network, from one input to several
// outputs, or at a reduced rate.
//
// A bridge has relays. Each takes the packets of one receiving end and forwards them, with their age, to one or
// more sending ends. A pair of bridges on two hosts forms virtual wires between them (Bäuml and Hirzinger 2006,
// section III). The caller chooses the transports.
//
// # Goroutines
//
//	goroutine           started by  owner   bound   end
//	one for each relay  Open        Bridge  relays  Close
package bridge

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/sinew-robotics/sinew/net/link"
)

// Relay forwards the packets of one input to its outputs.
type Relay struct {
	Name string // for counters and errors, as "plant.position -> lab:plant.position"
	From End
	To   []End // at least one
	// Every forwards only each n-th packet; 0 and 1 forward every packet.
	Every int
	// MaxRate limits the forwarded packets, in 1/s; 0 means no limit. The newest packet is always forwarded, possibly
	// delayed.
	MaxRate float64
}

// End describes one end of a relay.
type End struct {
	Host      string         // for counters: where the link leads; "" is this host
	Transport link.Transport // that the end is opened on
	Spec      link.Spec      // name, size and schema of the link
	// Find completes the Spec if the bridge does not know what the link carries. It returns false until another end
	// exists on the transport. nil means that the Spec is complete.
	Find func(*link.Spec) bool
}

// Options configure how a bridge runs.
type Options struct {
	Priority int // of the relays' threads, from 1 to 99; 0: not real-time
}

// Bridge relays packets until it is closed.
type Bridge struct {
	relays []*relay
	stop   chan struct{}
	work   sync.WaitGroup
}

// findPeriod is how often a relay looks for a link whose packets it does not know yet, and checks whether the bridge
// was closed.
const findPeriod = 50 * time.Millisecond

// Open starts relaying. It fails if an end cannot be opened or already exists; ends with a Find may appear later.
func Open(relays []Relay, o Options) (*Bridge, error) {
	if err := checkCycles(relays); err != nil {
		return nil, err
	}
	b := &Bridge{stop: make(chan struct{})}
	for i := range relays {
		w := &relay{Relay: relays[i]}
		if w.Every < 0 || w.MaxRate < 0 {
			return nil, errors.Join(fmt.Errorf("bridge %s: Every and MaxRate must not be negative", w.Name), b.Close())
		}
		b.relays = append(b.relays, w)
		if w.known() {
			if err := w.open(); err != nil {
				return nil, errors.Join(err, b.Close())
			}
		}
	}
	for _, w := range b.relays {
		b.work.Go(func() { w.run(b.stop, o) })
	}
	return b, nil
}

// checkCycles returns an error if packets would return to where they started.
func checkCycles(relays []Relay) error {
	type place struct {
		transport link.Transport
		name      string
	}
	leads := map[place][]place{}
	for _, w := range relays {
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
			return fmt.Errorf("bridge: packets would loop: %s", strings.Join(path, " -> "))
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

// Close stops relaying and closes the ends. The transports stay open.
func (b *Bridge) Close() error {
	close(b.stop)
	b.work.Wait()
	var errs []error
	for _, w := range b.relays {
		errs = append(errs, w.close())
	}
	return errors.Join(errs...)
}

// Counters are the statistics of a relay.
type Counters struct {
	Relay     *Relay
	Received  link.State   // of the input
	Forwarded uint64       // packets given to the outputs
	Skipped   uint64       // packets dropped by Every; those dropped by MaxRate are in Received.Lost
	To        []link.State // of the outputs, in the order of Relay.To
}

// Counters returns the statistics of each relay since it was opened.
func (b *Bridge) Counters() (all []Counters) {
	for _, w := range b.relays {
		all = append(all, w.counters())
	}
	return all
}
