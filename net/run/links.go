package run

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
	"github.com/sinew-robotics/sinew/net/exchange"
	"github.com/sinew-robotics/sinew/net/link"
	"github.com/sinew-robotics/sinew/net/thread"
)

// links are the open ends of a net's links to the other processes of its system on this host.
//
// Goroutines: one for each inlet that triggers a thread, until close.
type links struct {
	ends    []io.Closer
	stop    chan struct{}
	waiting sync.WaitGroup
}

// connect opens the links of a net to other processes and binds its outlets and inlets to them. trigger makes a triggered thread run
// because something has come for it; it may be nil where no thread is triggered.
func connect(net *diagram.Net, transport link.Transport, trigger func(thread int)) (*links, error) {
	l := &links{stop: make(chan struct{})}
	if err := l.open(net, transport, trigger); err != nil {
		return nil, errors.Join(err, l.close())
	}
	return l, nil
}

func (l *links) open(net *diagram.Net, transport link.Transport, trigger func(int)) error {
	for _, o := range net.Outlets {
		tx, err := transport.Send(o.Link())
		if err != nil {
			return fmt.Errorf("link %s to %s: %w", o.Name, strings.Join(o.To, ", "), err)
		}
		l.ends = append(l.ends, tx)
		o.Bind(tx)
	}
	for _, i := range net.Inlets {
		rx, err := transport.Receive(i.Link())
		if err != nil {
			return fmt.Errorf("link %s from %s: %w", i.Name, i.From, err)
		}
		l.ends = append(l.ends, rx)
		if i.Wakes {
			i.Bind(l.wake(i, rx, trigger))
		} else {
			i.Bind(rx)
		}
	}
	return nil
}

// wakeDepth is how many packets may wait between the goroutine that receives them and the thread that they trigger.
const wakeDepth = 16

// wakeHeader precedes a packet in the queue: when it was sent, ns since begin.
const wakeHeader = 8

// waking is the receiver of an inlet that triggers its thread: it returns what a goroutine has received.
type waking struct {
	link.Receiver // no Taker: the queue has copied the packet
	queue         *lockfree.Queue
	begin         time.Time
	out           []byte
}

// TryReceive implements [exchange.Receiver].
func (r *waking) TryReceive(packet []byte) (link.Stamp, bool) {
	n, ok := r.queue.PopSome(r.out)
	if !ok {
		return link.Stamp{}, false
	}
	copy(packet, r.out[wakeHeader:n])
	return link.Stamp{Size: n - wakeHeader, Age: time.Since(r.begin) - time.Duration(binary.LittleEndian.Uint64(r.out))}, true
}

// wake receives for an inlet in a goroutine, which triggers the inlet's thread.
func (l *links) wake(i *exchange.Inlet, rx link.Receiver, trigger func(int)) *waking {
	size := wakeHeader + i.Link().Size
	r := &waking{rx, exchange.NewQueue(size, max(i.Depth, wakeDepth), i.Overflow), time.Now(), make([]byte, size)}
	target, in := i.Thread, make([]byte, size)
	l.waiting.Go(func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		for {
			select {
			case <-l.stop:
				return
			default:
			}
			stamp, err := rx.Receive(in[wakeHeader:], 100*time.Millisecond)
			if errors.Is(err, link.ErrClosed) {
				return
			}
			if err == nil {
				binary.LittleEndian.PutUint64(in, uint64(time.Since(r.begin)-stamp.Age))
				r.queue.Push(in[:wakeHeader+stamp.Size])
				trigger(target)
			}
		}
	})
	return r
}

// closeAfter closes the links of threads that have ended with err. A thread that hangs may still send: its links go with the process.
func (l *links) closeAfter(err error) {
	if !errors.Is(err, thread.ErrHung) {
		_ = l.close()
	}
}

// close closes all ends.
func (l *links) close() error {
	close(l.stop)
	l.waiting.Wait()
	var errs []error
	for _, end := range l.ends {
		errs = append(errs, end.Close())
	}
	return errors.Join(errs...)
}
