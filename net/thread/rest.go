package thread

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/sinew-robotics/sinew/internal/panics"
	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/port"
)

// The limits of starting and stopping blocks: a block that hangs does not prevent the others from stopping.
const (
	startNotice   = 2 * time.Second        // a block that takes longer to start is named
	stopPatience  = 500 * time.Millisecond // then the next block is stopped while this one still stops
	restPatience  = 3 * time.Second        // for all blocks to stop
	closePatience = time.Second            // for all blocks to close

	// LongestStop is the longest time that a core needs to end after a stop request.
	LongestStop = stopGraceMost + restPatience + closePatience
)

// ErrHung is wrapped by the error of a run that ended while a block hung. The block's goroutine is still running and may use
// the net's memory and devices, so the process should end.
var ErrHung = errors.New("it was not brought to rest")

// startBlocks starts the blocks in their order. If one cannot start, those before it are stopped again.
func (c *Core) startBlocks() error {
	for i, b := range c.net.Blocks {
		s, ok := b.Block.(block.Starter)
		if !ok {
			continue
		}
		c.boundary.head.started.Store(rt.Now())
		c.boundary.head.starting.Store(uint32(i + 1))
		if err := c.startBlock(b, s); err != nil {
			rest := c.net.Blocks[:i+1]
			if errors.Is(err, ErrHung) {
				rest = c.net.Blocks[:i]
			}
			return errors.Join(fmt.Errorf("start block %q: %w", b.Name, err), c.stopBlocks(rest))
		}
	}
	c.boundary.head.starting.Store(0)
	return nil
}

// startBlock runs a block's Start. It may take its time, but not when the core stops.
func (c *Core) startBlock(b *port.Instance, s block.Starter) error {
	done := begin(func() error { return panics.Recovered("starting", s.Start) })
	ticker := time.NewTicker(stopLatency)
	defer ticker.Stop()
	var stopped time.Time
	for {
		select {
		case err := <-done:
			return err
		case now := <-ticker.C:
			switch {
			case !c.stopping():
			case stopped.IsZero():
				stopped = now
			case now.Sub(stopped) > stopGraceMost:
				return fmt.Errorf("the system was stopped, and Start has not returned for %v: %w", stopGraceMost, ErrHung)
			}
		}
	}
}

// stopBlocks brings blocks to rest and closes them, the last one first. Those that take too long, fail or panic keep none of
// the others from it; the error names them.
func (c *Core) stopBlocks(blocks []*port.Instance) error {
	backward := slices.Clone(blocks)
	slices.Reverse(backward)
	stop := ending{verb: "stop", end: time.Now().Add(restPatience)}
	for _, b := range backward {
		stop.run(b.Name, func() error { return toRest(b) })
	}
	stop.wait()
	shut := ending{verb: "close", end: time.Now().Add(closePatience)}
	for _, b := range backward {
		closer, ok := b.Block.(block.Closer)
		if ok && !stop.hangs(b.Name) {
			shut.run(b.Name, func() error { return panics.Recovered("closing", closer.Close) })
		}
	}
	shut.wait()
	return errors.Join(append(stop.errs, shut.errs...)...)
}

// ending runs what ends blocks one after the other, and beside one another where one takes long.
type ending struct {
	verb    string
	end     time.Time
	pending []pending
	errs    []error
	hung    []string
}

// pending is what has not returned yet.
type pending struct {
	block string
	done  <-chan error
}

// run begins with one block, and returns when it is done, or after some time.
func (e *ending) run(name string, f func() error) {
	p := pending{name, begin(f)}
	if !e.await(p, min(stopPatience, time.Until(e.end))) {
		e.pending = append(e.pending, p)
	}
}

// wait returns when all are done, or the time is over.
func (e *ending) wait() {
	for _, p := range e.pending {
		if !e.await(p, time.Until(e.end)) {
			e.hung = append(e.hung, p.block)
			e.errs = append(e.errs, fmt.Errorf("%s block %q: it has not returned in time: %w", e.verb, p.block, ErrHung))
		}
	}
}

func (e *ending) await(p pending, patience time.Duration) bool {
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case err := <-p.done:
		if err != nil {
			e.errs = append(e.errs, fmt.Errorf("%s block %q: %w", e.verb, p.block, err))
		}
		return true
	case <-timer.C:
		return false
	}
}

func (e *ending) hangs(name string) bool { return slices.Contains(e.hung, name) }

// begin runs f in a goroutine of its own: f is a block's, and may never return.
func begin(f func() error) <-chan error {
	done := make(chan error, 1)
	go func() { done <- f() }()
	return done
}
