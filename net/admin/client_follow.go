package admin

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go"
)

// FollowEvents makes sink get the events of the system until end is called: blocks that fall in error, processes that
// come and go, what somebody has changed. Sink runs on goroutines of the connections.
func (c *Client) FollowEvents(sink func(Event)) (end func(), err error) {
	return follow(c, "event", sink)
}

// FollowLogs makes sink get the lines that the processes log until end is called.
func (c *Client) FollowLogs(sink func(LogLine)) (end func(), err error) {
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
