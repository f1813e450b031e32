package thread

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
)

// Options say how a net is executed. The zero value is the default.
type Options struct {
	Profile int        // measure the blocks' times at every n-th activation; 0 means 32
	Until   clock.Time // stop at this time; 0: run until stopped
}

const defaultProfile = 32

// Core is a net in execution: its threads and what they share with the front.
type Core struct {
	net     *diagram.Net
	options Options
	threads []*thread
	front   *Front
	stop    atomic.Bool
	halted  chan struct{} // closed when the threads have ended
}

// New makes a net ready to run.
func New(net *diagram.Net, o Options) *Core {
	if o.Profile <= 0 {
		o.Profile = defaultProfile
	}
	c := &Core{net: net, options: o, halted: make(chan struct{})}
	for _, plan := range net.Threads {
		c.threads = append(c.threads, newThread(c, plan))
	}
	c.front = newFront(c)
	return c
}

// Front returns the side of the net that tools, scripts and the recorder use.
func (c *Core) Front() *Front { return c.front }

// Net returns the net that is executed.
func (c *Core) Net() *diagram.Net { return c.net }

// Stop ends the run in order: every thread finishes its activation, then all blocks are brought to rest.
// It may be called at any time, from anywhere.
func (c *Core) Stop() { c.stop.Store(true) }

// Stopping reports whether Stop was called, by whomever.
func (c *Core) Stopping() bool { return c.stop.Load() }

// Run executes the net in real time until it is stopped, the context ends or Options.Until is reached. The notices
// say, one line each, which real-time privileges the system did not grant; notify gets them once, before the first
// activation, and may be nil.
func (c *Core) Run(ctx context.Context, notify func(notices []string)) error {
	return c.run(ctx, &realTime{core: c, notify: notify})
}

// RunVirtual executes the net in virtual time, as fast as it goes, until the same ends. The result does not depend
// on the machine: threads that are due at the same time run one after the other, the most urgent first.
func (c *Core) RunVirtual(ctx context.Context) error {
	return c.run(ctx, newVirtualTime(c))
}

// driver executes started threads until the core is stopped.
type driver interface {
	prepare()
	drive()
	clock() clock.Clock
	waiter
}

func (c *Core) run(ctx context.Context, d driver) error {
	if err := c.startBlocks(); err != nil {
		close(c.halted)
		return err
	}
	d.prepare()
	unwatch := context.AfterFunc(ctx, c.Stop)
	d.drive()
	unwatch()
	c.stop.Store(true)
	close(c.halted)
	err := c.stopBlocks(len(c.net.Blocks))
	c.front.finish()
	c.front.tasks.Wait()
	return errors.Join(err, c.front.faultError())
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
