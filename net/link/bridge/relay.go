package bridge

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/net/link"
)

// relay forwards the packets of one input in its own goroutine.
type relay struct {
	Relay
	mu                 sync.Mutex // guards the ends and the problem
	from               link.Receiver
	to                 []link.Sender
	problem            string
	forwarded, skipped atomic.Uint64
}

// known reports whether one end knows what the relay carries, and passes that to the other ends, which keep their names and priorities.
func (w *relay) known() bool {
	ends := append(pointers(w.To), &w.From)
	i := slices.IndexFunc(ends, func(e *End) bool { return e.Spec.Size > 0 || e.Find != nil && e.Find(&e.Spec) })
	if i < 0 {
		return false
	}
	for _, e := range ends {
		if e.Spec.Size == 0 {
			own := e.Spec
			e.Spec = ends[i].Spec
			e.Spec.Name, e.Spec.Priority = own.Name, own.Priority
		}
	}
	return true
}

func pointers(ends []End) (p []*End) {
	for i := range ends {
		p = append(p, &ends[i])
	}
	return p
}

// open opens the ends.
func (w *relay) open() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	from, err := w.From.Transport.Receive(w.From.Spec)
	if err != nil {
		return fmt.Errorf("bridge %s: %w", w.Name, err)
	}
	w.from = from
	for _, e := range w.To {
		to, err := e.Transport.Send(e.Spec)
		if err != nil {
			return fmt.Errorf("bridge %s: %w", w.Name, err)
		}
		w.to = append(w.to, to)
	}
	return nil
}

func (w *relay) close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	var errs []error
	if w.from != nil {
		errs = append(errs, w.from.Close())
	}
	for _, to := range w.to {
		errs = append(errs, to.Close())
	}
	return errors.Join(errs...)
}

// run relays packets until stop is closed.
func (w *relay) run(stop <-chan struct{}, o Options) {
	osThread, _ := rt.Lock(rt.ThreadOptions{Priority: o.Priority})
	defer osThread.Release()
	if !w.await(stop) {
		return
	}
	packet := make([]byte, w.From.Spec.Size)
	var pause time.Duration
	if w.MaxRate > 0 {
		pause = time.Duration(float64(time.Second) / w.MaxRate)
	}
	next, count := rt.Now(), 0
	for !ended(stop) {
		if rest := time.Duration(next - rt.Now()); rest > 0 {
			if !sleep(stop, rest) {
				return
			}
		}
		stamp, err := w.from.Receive(packet, findPeriod)
		if errors.Is(err, link.ErrTimeout) {
			continue
		} else if err != nil {
			return
		}
		if count++; count < w.Every {
			w.skipped.Add(1)
			continue
		}
		count = 0
		w.forwarded.Add(1) // first: a receiver that has the packet finds it counted
		for _, to := range w.to {
			_ = to.Forward(packet[:stamp.Size], stamp.Age) // its State reports the problem
		}
		next = max(next+int64(pause), rt.Now())
	}
}

// await opens the ends once the packet type is known.
func (w *relay) await(stop <-chan struct{}) bool {
	for w.from == nil {
		if w.known() {
			err := w.open()
			if err == nil {
				return true
			}
			w.mu.Lock()
			w.problem = err.Error()
			w.mu.Unlock()
			return false
		}
		if !sleep(stop, findPeriod) {
			return false
		}
	}
	return true
}

func ended(stop <-chan struct{}) bool {
	select {
	case <-stop:
		return true
	default:
		return false
	}
}

// sleep reports whether the bridge is still open after d.
func sleep(stop <-chan struct{}, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-stop:
		return false
	case <-timer.C:
		return true
	}
}

func (w *relay) counters() Counters {
	w.mu.Lock()
	defer w.mu.Unlock()
	c := Counters{Relay: &w.Relay, Forwarded: w.forwarded.Load(), Skipped: w.skipped.Load()}
	switch {
	case w.problem != "":
		c.Received.Problem = w.problem
	case w.from == nil:
		c.Received.Problem = "no process has opened this link yet, so its packet type is not known"
	default:
		c.Received = w.from.State()
	}
	for _, to := range w.to {
		c.To = append(c.To, to.State())
	}
	return c
}
