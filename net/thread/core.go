package thread

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
)

// Options say how a net is executed. The zero value is the default.
type Options struct {
	Profile int        // measure the blocks' times at every n-th activation; 0 means 32
	Pinned  bool       // sleep without leaving the scheduler: for a process whose collector is off
	Until   clock.Time // stop at this time; 0: run until stopped
}

const defaultProfile = 32

// Core is a net in execution: its threads.
type Core struct {
	net      *diagram.Net
	options  Options
	boundary *Boundary
	threads  []*thread
	front    *Front // of this process
}

// New makes a net ready to run, with core and front in this process.
func New(net *diagram.Net, o Options) *Core {
	b := NewBoundary(net)
	c := NewCore(net, b, o)
	c.front = NewFront(net, b)
	return c
}

// NewCore makes a net ready to run for a front in another process, with which it shares the boundary.
func NewCore(net *diagram.Net, b *Boundary, o Options) *Core {
	if o.Profile <= 0 {
		o.Profile = defaultProfile
	}
	c := &Core{net: net, options: o, boundary: b}
	for i, plan := range net.Threads {
		c.threads = append(c.threads, newThread(c, plan, b.edges[i]))
	}
	if net.Lead != nil {
		c.threads[net.Lead.Thread].pace = &pace{lead: net.Lead, told: &b.head.pace}
	}
	return c
}

// Front returns the side of the net that tools, scripts and the recorder use; nil after [NewCore].
func (c *Core) Front() *Front { return c.front }

// Stop ends the run in order: every thread finishes its activation, then all blocks are brought to rest.
// It may be called at any time, from anywhere.
func (c *Core) Stop() { c.boundary.head.stop.Store(1) }

// Trigger makes a triggered thread run because something has come for it from another process. It may be called from any
// goroutine while the core runs in real time.
func (c *Core) Trigger(thread int) {
	if base := c.boundary.head.base.Load(); base != 0 {
		c.threads[thread].trigger(clock.Time(max(rt.Now()-base, 1)))
	}
}

// stopping reports whether Stop was called, by whomever.
func (c *Core) stopping() bool { return c.boundary.head.stop.Load() != 0 }

// Run executes the net in real time until it is stopped, the context ends or Options.Until is reached. The notices
// say, one line each, which real-time privileges the system did not grant; notify gets them once, as the threads
// begin, and may be nil.
func (c *Core) Run(ctx context.Context, notify func(notices []string)) error {
	served := make(chan error, 1)
	go func() { served <- c.Serve(ctx) }()
	err := c.front.Follow(nil, notify)
	if failed := <-served; failed != nil { // the front knows only its text
		err = errors.Join(failed, c.front.faultError())
	}
	return err
}

// Serve executes the net in real time as Run does, and leaves what a front does to the process that shares the boundary.
func (c *Core) Serve(ctx context.Context) (err error) {
	head := c.boundary.head
	defer func() {
		if err != nil {
			head.failure.set(err.Error())
		}
		head.state.Store(coreEnded)
	}()
	if err := c.startBlocks(); err != nil {
		return err
	}
	defer context.AfterFunc(ctx, c.Stop)()
	var reporter sync.WaitGroup
	ended := make(chan struct{})
	reporter.Go(func() { c.reportLinks(ended) })
	r := &realTime{core: c}
	r.drive()
	close(ended)
	reporter.Wait()
	return c.stopBlocks(len(c.net.Blocks))
}

// RunVirtual executes the net in virtual time, as fast as it goes, until the same ends. The result does not depend
// on the machine: threads that are due at the same time run one after the other, the most urgent first.
func (c *Core) RunVirtual(ctx context.Context) error {
	if err := c.startBlocks(); err != nil {
		c.front.end()
		return err
	}
	defer context.AfterFunc(ctx, c.Stop)()
	c.serveWaiting()
	newVirtualTime(c).drive()
	c.Stop()
	err := c.stopBlocks(len(c.net.Blocks))
	c.front.end()
	return errors.Join(err, c.front.faultError())
}

// serveWaiting answers what was asked before the threads run, such as the recorder's taps.
func (c *Core) serveWaiting() {
	for _, t := range c.threads {
		t.serveMail(MailboxBytes)
	}
}

// startBlocks starts the blocks in their order. Where one cannot start, those before it are stopped again.
func (c *Core) startBlocks() error {
	for i, b := range c.net.Blocks {
		s, ok := b.Block.(block.Starter)
		if !ok {
			continue
		}
		if err := s.Start(); err != nil {
			return errors.Join(fmt.Errorf("start block %q: %w", b.Name, err), c.stopBlocks(i+1))
		}
	}
	return nil
}

// stopBlocks brings the first n blocks to rest and closes them, the last one first.
func (c *Core) stopBlocks(n int) error {
	var errs []error
	backward := slices.Clone(c.net.Blocks[:n])
	slices.Reverse(backward)
	for _, b := range backward {
		if err := toRest(b); err != nil {
			errs = append(errs, fmt.Errorf("stop block %q: %w", b.Name, err))
		}
	}
	for _, b := range backward {
		if closer, ok := b.Block.(block.Closer); ok {
			if err := closer.Close(); err != nil {
				errs = append(errs, fmt.Errorf("close block %q: %w", b.Name, err))
			}
		}
	}
	return errors.Join(errs...)
}

// broadcast wakes everybody who waits for a change.
type broadcast struct {
	mu sync.Mutex
	ch chan struct{}
}

// next returns a channel that the coming send closes.
func (b *broadcast) next() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ch == nil {
		b.ch = make(chan struct{})
	}
	return b.ch
}

func (b *broadcast) send() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ch != nil {
		close(b.ch)
		b.ch = nil
	}
}
