package admin

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nuid"
)

const (
	renewPeriod  = TapLease / 4
	pendingMost  = 1024 // messages of a tap that wait for its sink
	pendingBytes = 8 << 20
)

// clientTap is a tap of this client.
type clientTap struct {
	client  *Client
	process string
	lease   request
	sink    func(Sample)
	sub     *nats.Subscription

	run string // of the samples, and the number of the last one: only the subscription's goroutine touches them
	seq uint64

	away bool // the last time it was not prolonged: only the client's keeper touches it
}

// Tap implements [System]. The sink runs on a goroutine of the tap; while it takes long, samples are lost and counted.
func (c *Client) Tap(ctx context.Context, ref string, every int, sink func(Sample)) (func(), error) {
	dot := strings.LastIndexByte(ref, '.')
	if dot <= 0 {
		return nil, fmt.Errorf("%q: wants block.name", ref)
	}
	m, err := c.route(ctx, ref[:dot])
	if err != nil {
		return nil, err
	}
	if m.conn == nil {
		return nil, c.absent(m)
	}
	t := &clientTap{client: c, process: m.name, sink: sink, lease: request{Ref: ref, Every: max(every, 1), Client: nuid.Next()}}
	t.sub, err = m.conn.Subscribe(tapSubject(c.system, m.name, ref, t.lease.Every), func(m *nats.Msg) {
		var b telemetry
		if json.Unmarshal(m.Data, &b) == nil {
			t.take(b)
		}
	})
	if err != nil {
		return nil, fmt.Errorf("tap %s: %w", ref, err)
	}
	_ = t.sub.SetPendingLimits(pendingMost, pendingBytes)
	if err := t.ask(ctx); err != nil {
		_ = t.sub.Unsubscribe()
		return nil, err
	}
	c.mu.Lock()
	c.taps[t] = true
	c.mu.Unlock()
	return t.end, nil
}

// ask begins or prolongs the tap.
func (t *clientTap) ask(ctx context.Context) error {
	return t.client.ask(ctx, t.client.now(t.process), "tap", t.lease, nil)
}

// take gives samples to the sink that it did not have yet, and counts those that are missing.
func (t *clientTap) take(b telemetry) {
	if t.run != b.Run {
		t.run, t.seq = b.Run, 0
	}
	for _, s := range b.Samples {
		if s.Seq <= t.seq {
			continue
		}
		if t.seq > 0 {
			t.client.lost.Add(s.Seq - t.seq - 1)
		}
		t.seq = s.Seq
		s.Value = Number(s.Value)
		t.sink(s.Sample)
	}
}

// prolong tells when the tap is lost, and when it is back: it is asked again and again.
func (t *clientTap) prolong(err error) {
	if t.client.ctx.Err() != nil || (err != nil) == t.away {
		return
	}
	if t.away = err != nil; t.away {
		t.client.tell(fmt.Sprintf("tap %s waits: %v", t.lease.Ref, err))
	} else {
		t.client.tell(fmt.Sprintf("tap %s goes on", t.lease.Ref))
	}
}

func (t *clientTap) end() {
	t.client.mu.Lock()
	_, open := t.client.taps[t]
	delete(t.client.taps, t)
	t.client.mu.Unlock()
	if !open {
		return
	}
	_ = t.sub.Unsubscribe()
	ctx, cancel := context.WithTimeout(context.Background(), dialTimeout)
	defer cancel()
	_ = t.client.ask(ctx, t.client.now(t.process), "untap", t.lease, nil) // else the lease ends by itself
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
		all := slices.Collect(maps.Keys(c.taps))
		c.mu.Unlock()
		for _, t := range all {
			t.prolong(c.within(t.ask))
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
	var e Event
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
	case "started":
		back := *p
		back.ended = false
		c.members[e.Process] = &back
		c.lookSoon()
	case "stopped":
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
