package nats

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/sinew-robotics/sinew/net/admin"
)

const (
	renewPeriod  = TapLease / 4
	pendingMost  = 1024 // messages of a subscription that wait for its sink
	pendingBytes = 8 << 20
)

// Tap implements [System]. All sinks of a process run on one goroutine, one after another: they must be quick. While one takes
// long, samples are lost and counted.
func (c *Client) Tap(ctx context.Context, ref string, every int, sink func(admin.Sample)) (func(), error) {
	if g, err := c.groupPort(ctx, ref); g != nil {
		return g.Tap(ctx, c, every, sink)
	} else if err != nil {
		return nil, err
	}
	dot := strings.LastIndexByte(ref, '.')
	if dot <= 0 {
		return nil, fmt.Errorf("%q: wants block.name", ref)
	}
	m, err := c.route(ctx, ref[:dot])
	if err != nil {
		return nil, err
	}
	s := c.stream(m.name)
	t := s.add(tapOrder{Ref: ref, Every: max(every, 1)}, sink)
	if err := s.begin(ctx, t); err != nil {
		s.forget(t)
		return nil, err
	}
	return sync.OnceFunc(func() { s.end(t) }), nil
}

// stream returns the stream of a process.
func (c *Client) stream(process string) *stream {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.streams[process]
	if s == nil {
		s = newStream(c, process)
		c.streams[process] = s
	}
	return s
}

// keep prolongs the taps until the client is closed, and looks for processes that are back.
func (c *Client) keep() {
	ticker := time.NewTicker(renewPeriod)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
		case <-c.look:
			_ = c.within(c.find)
		case <-c.ctx.Done():
			return
		}
		c.mu.Lock()
		all := slices.Collect(maps.Values(c.streams))
		c.mu.Unlock()
		for _, s := range all {
			s.prolong()
		}
	}
}

// within runs do for a limited time, and not beyond the client's end.
func (c *Client) within(do func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(c.ctx, dialTimeout)
	defer cancel()
	return do(ctx)
}

// lookSoon makes keep look for processes and prolong the taps now: a process or connection is back.
func (c *Client) lookSoon() {
	select {
	case c.look <- struct{}{}:
	default:
	}
}

// event follows the coming and going of processes.
func (c *Client) event(m *nats.Msg) {
	var e admin.Event
	if json.Unmarshal(m.Data, &e) != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	p := c.members[e.Process]
	if p == nil {
		return
	}
	switch e.Kind {
	case admin.EventStarted:
		back := *p
		back.ended = false
		c.members[e.Process] = &back
		c.lookSoon()
	case admin.EventStopped:
		gone := *p
		gone.ended = true
		c.members[e.Process] = &gone
		for _, other := range c.members {
			if !other.ended {
				return
			}
		}
		c.end()
	}
}
