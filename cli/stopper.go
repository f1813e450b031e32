package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/sinew-robotics/sinew/net/run"
)

const (
	stopHint   = time.Second     // a run that takes longer to stop prints how to end it by force
	forceGrace = 2 * time.Second // for the front to end after its core was ended by force
)

// stopper ends a run: Ctrl-C, SIGTERM, or the key of a view. The first of them ends its context, the second asks for force.
type stopper struct {
	context.Context
	cancel context.CancelFunc
	force  chan struct{} // closed by the second
	asked  atomic.Int32
}

// newStopper returns a stopper that hears signals until release is called.
//
// Goroutine: one, until release.
func newStopper(parent context.Context) (s *stopper, release func()) {
	s = &stopper{force: make(chan struct{})}
	s.Context, s.cancel = context.WithCancel(parent)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	released := make(chan struct{})
	go func() {
		for {
			select {
			case <-signals:
				s.stop()
			case <-released:
				return
			}
		}
	}()
	return s, func() {
		signal.Stop(signals)
		close(released)
		s.cancel()
	}
}

// stop asks for the end: in order, the second time by force.
func (s *stopper) stop() {
	switch s.asked.Add(1) {
	case 1:
		s.cancel()
	case 2:
		close(s.force)
	}
}

// watch prints how to end a run by force if it takes long to stop, and ends it when it is asked to: it kills the threads, and
// after a grace period the process. done stops watching.
//
// Goroutine: one, until done.
func (s *stopper) watch(r *run.Running, out io.Writer) (done func()) {
	ended := make(chan struct{})
	go func() {
		select {
		case <-s.Done():
		case <-ended:
			return
		}
		hint := time.NewTimer(stopHint)
		defer hint.Stop()
		for {
			select {
			case <-hint.C:
				fmt.Fprintf(out, "sinew: %s is stopping: it waits for its blocks to come to rest; a second Ctrl-C ends it by force\n", r.Name)
			case <-s.force:
				fmt.Fprintf(out, "sinew: %s was asked to stop twice: %s; its blocks may not have been brought to rest\n", r.Name, r.Kill())
				select {
				case <-ended:
				case <-time.After(forceGrace):
					os.Exit(1)
				}
				return
			case <-ended:
				return
			}
		}
	}()
	return func() { close(ended) }
}
