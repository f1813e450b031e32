package deploy

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/sinew-robotics/sinew/internal/lockfree"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/link"
)

// Wiring is the open ends of a net's links to other processes.
//
// Goroutines: one for each inlet that triggers a thread, until Close.
type Wiring struct {
	ends    []io.Closer
	stop    chan struct{}
	waiting sync.WaitGroup
}

// Wire opens the links of a net to other processes and binds its outlets and inlets to them, before it runs. trigger makes a
// triggered thread run because something has come for it; it may be nil where no thread is triggered.
func Wire(net *diagram.Net, transport link.Transport, trigger func(thread int)) (*Wiring, error) {
	w := &Wiring{stop: make(chan struct{})}
	err := w.open(net, transport, trigger)
	if err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return w, nil
}

func (w *Wiring) open(net *diagram.Net, transport link.Transport, trigger func(int)) error {
	for _, o := range net.Outlets {
		tx, err := transport.Send(specOf(&o.Wire))
		if err != nil {
			return fmt.Errorf("link %s to %s: %w", o.Name, strings.Join(o.To, ", "), err)
		}
		w.ends = append(w.ends, tx)
		send := func(packet []byte) { _ = tx.Send(packet) } // its state tells what is wrong
		o.Bind(send, func() diagram.WireState { return diagram.WireState(tx.State()) })
	}
	for _, i := range net.Inlets {
		rx, err := transport.Receive(specOf(&i.Wire))
		if err != nil {
			return fmt.Errorf("link %s from %s: %w", i.Name, i.From, err)
		}
		w.ends = append(w.ends, rx)
		receive := func(packet []byte) (time.Duration, bool) {
			stamp, ok := rx.TryReceive(packet)
			return stamp.Age, ok
		}
		if i.Wakes {
			receive = w.wake(i, rx, trigger)
		}
		i.Bind(receive, func() diagram.WireState { return diagram.WireState(rx.State()) })
	}
	return nil
}

func specOf(w *diagram.Wire) link.Spec {
	return link.Spec{Name: w.Name, Schema: w.Type.Definition(), Size: w.Size, Depth: w.Depth, Overflow: w.Overflow}
}

// wakeDepth is how many packets may wait between the goroutine that receives them and the thread that they trigger.
const wakeDepth = 16

// wake receives for an inlet in a goroutine, which triggers the inlet's thread, and returns where the packets come out with their age.
func (w *Wiring) wake(i *diagram.Inlet, rx link.Receiver, trigger func(int)) func(packet []byte) (time.Duration, bool) {
	const header = 8 // when the packet was sent, ns since begin
	begin, depth, size := time.Now(), max(i.Depth, wakeDepth), header+i.Size
	q := lockfree.NewQueue(lockfree.Memory(lockfree.QueueSize(size, depth)), size, depth, i.Overflow)
	thread, in, out := i.Thread, make([]byte, size), make([]byte, size)
	w.waiting.Go(func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		for {
			select {
			case <-w.stop:
				return
			default:
			}
			stamp, err := rx.Receive(in[header:], 100*time.Millisecond)
			if errors.Is(err, link.ErrClosed) {
				return
			}
			if err == nil {
				binary.LittleEndian.PutUint64(in, uint64(time.Since(begin)-stamp.Age))
				q.Push(in)
				trigger(thread)
			}
		}
	})
	return func(packet []byte) (time.Duration, bool) {
		if !q.Pop(out) {
			return 0, false
		}
		copy(packet, out[header:])
		return time.Since(begin) - time.Duration(binary.LittleEndian.Uint64(out)), true
	}
}

// Close closes all ends.
func (w *Wiring) Close() error {
	close(w.stop)
	w.waiting.Wait()
	var errs []error
	for _, end := range w.ends {
		errs = append(errs, end.Close())
	}
	return errors.Join(errs...)
}
