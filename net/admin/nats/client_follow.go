package nats

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/nats-io/nats.go"

	"github.com/sinew-robotics/sinew/net/admin"
)

// FollowEvents makes sink get the events of the system until end is called: blocks that go into error, processes that
// come and go, what an actor has changed. Sink runs on goroutines of the connections.
func (c *Client) FollowEvents(sink func(admin.Event)) (end func(), err error) {
	return follow(c, "event", sink)
}

// FollowLogs makes sink get the lines that the processes log until end is called. sink runs on goroutines of the connections, one line of a
// connection at a time, and must be quick. It fails if a connection is closed; then sink gets nothing.
func (c *Client) FollowLogs(sink func(admin.LogLine)) (end func(), err error) {
	return follow(c, "log", sink)
}

func follow[T any](c *Client, what string, sink func(T)) (end func(), err error) {
	process := c.only
	if process == "" {
		process = "*"
	}
	var subs []*nats.Subscription
	end = func() {
		for _, s := range subs {
			_ = s.Unsubscribe()
		}
	}
	for _, conn := range c.conns {
		sub, e := conn.Subscribe(subject(c.system, process, what), func(m *nats.Msg) {
			var v T
			if json.Unmarshal(m.Data, &v) == nil {
				sink(v)
			}
		})
		if e != nil {
			err = errors.Join(err, fmt.Errorf("follow the %ss of %s: %w", what, c.system, e))
			continue
		}
		_ = sub.SetPendingLimits(pendingMost, pendingBytes)
		_ = conn.FlushTimeout(dialTimeout) // a server that is away learns of it later
		subs = append(subs, sub)
	}
	if err != nil {
		end()
		return nil, err
	}
	return end, nil
}

// History returns the newest events and log lines of all processes, in the order of their hosts' clocks. Processes that do not
// answer are left out. It fails only if no process answers.
func (c *Client) History(ctx context.Context) (admin.History, error) {
	_, parts, errs := askAll[admin.History](ctx, c, "history")
	if !slices.Contains(errs, nil) {
		return admin.History{}, errors.Join(errs...)
	}
	var whole admin.History
	for _, p := range parts {
		whole.Events = append(whole.Events, p.Events...)
		whole.Lines = append(whole.Lines, p.Lines...)
	}
	slices.SortStableFunc(whole.Events, func(a, b admin.Event) int { return a.At.Compare(b.At) })
	whole.Events = slices.CompactFunc(whole.Events, admin.Event.Same)
	slices.SortStableFunc(whole.Lines, func(a, b admin.LogLine) int { return a.At.Compare(b.At) })
	return whole, nil
}
