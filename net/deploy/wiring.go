package deploy

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/sinew-robotics/sinew/internal/lockfree"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/link"
)

// Routes says which transport leads to a process.
type Routes interface {
	To(process string) (link.Transport, error)
}

// Single routes to all processes by one transport: those of one host.
type Single struct{ Transport link.Transport }

// To implements [Routes].
func (s Single) To(string) (link.Transport, error) { return s.Transport, nil }

// Wiring is the open ends of a net's links to other processes.
//
// Goroutines: one for each inlet that triggers a thread, until Close.
type Wiring struct {
	senders   []Sending
	receivers []Receiving
	stop      chan struct{}
	waiting   sync.WaitGroup
}

// Sending is an open sending end.
type Sending struct {
	Wire diagram.Wire
	link.Sender
}

// Receiving is an open receiving end.
type Receiving struct {
	Wire diagram.Wire
	link.Receiver
}

// Wire opens the links of a net to other processes and binds its outlets and inlets to them, before it runs. trigger makes a
// triggered thread run because something has come for it; it may be nil where no thread is triggered.
func Wire(net *diagram.Net, routes Routes, trigger func(thread int)) (*Wiring, error) {
	w := &Wiring{stop: make(chan struct{})}
	err := w.open(net, routes, trigger)
	if err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return w, nil
}

func (w *Wiring) open(net *diagram.Net, routes Routes, trigger func(int)) error {
	for _, o := range net.Outlets {
		opened := map[link.Transport]bool{}
		for _, process := range o.To {
			transport, err := routes.To(process)
			if err != nil {
				return fmt.Errorf("link %s to process %q: %w", o.Name, process, err)
			}
			if opened[transport] {
				continue // one sender serves all receivers of a transport
			}
			opened[transport] = true
			tx, err := transport.Send(specOf(&o.Wire))
			if err != nil {
				return fmt.Errorf("link %s to process %q: %w", o.Name, process, err)
			}
			w.senders = append(w.senders, Sending{o.Wire, tx})
			o.Bind(func(packet []byte) { _ = tx.Send(packet) }) // its state tells what is wrong
		}
	}
	for _, i := range net.Inlets {
		transport, err := routes.To(i.From)
		if err != nil {
			return fmt.Errorf("link %s from process %q: %w", i.Name, i.From, err)
		}
		rx, err := transport.Receive(specOf(&i.Wire))
		if err != nil {
			return fmt.Errorf("link %s from process %q: %w", i.Name, i.From, err)
		}
		w.receivers = append(w.receivers, Receiving{i.Wire, rx})
		if i.Wakes {
			w.wake(i, rx, trigger)
			continue
		}
		i.Bind(func(packet []byte) bool {
			_, ok := rx.TryReceive(packet)
			return ok
		})
	}
	return nil
}

func specOf(w *diagram.Wire) link.Spec {
	return link.Spec{Name: w.Name, Schema: w.Type.Definition(), Size: w.Size, Depth: w.Depth, Overflow: w.Overflow}
}

// wakeDepth is how many packets may wait between the goroutine that receives them and the thread that they trigger.
const wakeDepth = 16

// wake receives for an inlet in a goroutine, which triggers the inlet's thread.
func (w *Wiring) wake(i *diagram.Inlet, rx link.Receiver, trigger func(int)) {
	depth := max(i.Depth, wakeDepth)
	q := lockfree.NewQueue(lockfree.Memory(lockfree.QueueSize(i.Size, depth)), i.Size, depth, i.Overflow)
	i.Bind(q.Pop)
	thread, packet := i.Thread, make([]byte, i.Size)
	w.waiting.Go(func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		for {
			select {
			case <-w.stop:
				return
			default:
			}
			_, err := rx.Receive(packet, 100*time.Millisecond)
			if errors.Is(err, link.ErrClosed) {
				return
			}
			if err == nil {
				q.Push(packet)
				trigger(thread)
			}
		}
	})
}

// Senders returns the open sending ends, Receivers the receiving ones; their states may be asked at any time.
func (w *Wiring) Senders() []Sending { return w.senders }

// Receivers returns the open receiving ends.
func (w *Wiring) Receivers() []Receiving { return w.receivers }

// Close closes all ends.
func (w *Wiring) Close() error {
	close(w.stop)
	w.waiting.Wait()
	var errs []error
	for _, s := range w.senders {
		errs = append(errs, s.Close())
	}
	for _, r := range w.receivers {
		errs = append(errs, r.Close())
	}
	return errors.Join(errs...)
}
