package thread

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/exchange"
	"github.com/sinew-robotics/sinew/net/pace"
	"github.com/sinew-robotics/sinew/net/port"
)

// Options configure how a net is executed. The zero value is the default.
type Options struct {
	Profile int        // measure the blocks' times in every n-th cycle; 0 means 32
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
	front    *Front       // of this process
	base     atomic.Int64 // of system time, on the machine's clock; 0 before the threads begin
	measured atomic.Int64 // 1 + nominal time of the cycle that the threads measure
	chooser  int          // index of the thread that chooses it
	last     clock.Time   // beginning of the cycle in which the core stops and triggered threads may not run; 0: not known
}

// setBase sets the instant at which system time is 0, and reports it to the front.
func (c *Core) setBase(base int64) {
	c.base.Store(base)
	c.boundary.head.base.Store(base)
}

// leaderTime relates the time here to that of the leader in another process. In virtual time nothing is exchanged with other processes.
func (c *Core) leaderTime() exchange.LeaderTime {
	if c.net.Leader == nil {
		return exchange.LeaderTime{}
	}
	p := &c.boundary.head.pace
	return exchange.LeaderTime{Ahead: time.Duration(p.Shift.Load()), Free: p.Free.Load() == 1}
}

// New prepares a net to run, with core and front in this process.
func New(net *diagram.Net, o Options) *Core {
	b := NewBoundary(net)
	c := NewCore(net, b, o)
	c.front = NewFront(net, b)
	return c
}

// NewCore prepares a net to run for a front in another process, with which it shares the boundary.
func NewCore(net *diagram.Net, b *Boundary, o Options) *Core {
	if o.Profile <= 0 {
		o.Profile = defaultProfile
	}
	c := &Core{net: net, options: o, boundary: b, chooser: chooser(net.Threads)}
	for i, plan := range net.Threads {
		c.threads = append(c.threads, newThread(c, plan, b.edges[i]))
	}
	if net.Leader != nil {
		c.threads[net.Leader.Thread].pace = pace.NewLoop(net.Leader, &b.head.pace)
	}
	return c
}

// Front returns the side of the net that tools, scripts and the recorder use; nil after [NewCore].
func (c *Core) Front() *Front { return c.front }

// Stop ends the run in order: every thread finishes its activation, then all blocks are brought to rest. It may be called at
// any time, from any goroutine.
func (c *Core) Stop() { c.boundary.head.stop.Store(stopAsked) }

// Trigger runs the triggered thread of that index in the net because data from another process has arrived for it. It may be
// called from any goroutine while the core runs in real time.
func (c *Core) Trigger(thread int) {
	if base := c.base.Load(); base != 0 {
		c.threads[thread].trigger(clock.Time(max(rt.Now()-base, 1)))
	}
}

// stopping reports whether Stop was called, here or by a front.
func (c *Core) stopping() bool { return c.boundary.head.stop.Load() == stopAsked }

// RunVirtual executes the net in virtual time, as fast as possible, until one of the same ends. The result does not depend on
// the machine: threads that are due at the same time run one after the other, in the order of their priority.
func (c *Core) RunVirtual(ctx context.Context) error {
	defer context.AfterFunc(ctx, c.Stop)()
	if err := c.startBlocks(); err != nil {
		c.front.end()
		return err
	}
	c.serveWaiting(0)
	hung := newVirtualTime(c).run()
	c.Stop()
	err := c.comeToRest(hung)
	c.front.end()
	return errors.Join(err, c.front.faultError())
}

// serveWaiting answers what was asked before the threads run, such as the recorder's taps.
func (c *Core) serveWaiting(now clock.Time) {
	for _, t := range c.threads {
		t.serveMail(MailboxBytes, now)
	}
}

// comeToRest stops and closes the blocks of all threads that have ended. The others are named.
func (c *Core) comeToRest(hung []*thread) error {
	c.endActivities(hung)
	var errs []error
	left := map[*port.Instance]bool{}
	for _, t := range hung {
		var names []string
		for _, b := range t.plan.Blocks {
			left[b] = true
			names = append(names, b.Name)
		}
		errs = append(errs, fmt.Errorf("%s: %w (blocks %s)", hang(t.plan, encodeHang(t)), ErrHung, strings.Join(names, ", ")))
	}
	var rest []*port.Instance
	for _, b := range c.net.Blocks {
		if !left[b] {
			rest = append(rest, b)
		}
	}
	err := c.stopBlocks(rest)
	if !errors.Is(err, ErrHung) { // else a block still runs and may write its values
		c.publishKept(hung)
	}
	return errors.Join(append(errs, err)...)
}

// broadcast wakes all goroutines that wait for a change.
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
