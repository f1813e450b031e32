package console

import (
	"context"
	"encoding/json"
	"fmt"
	"time"
)

// drive feeds the torques of a robot's joints by hand. They hold until others come or the connection ends.
func (c *coach) drive(ctx context.Context, r coached, torques []float64, held map[string]coached) error {
	sys, err := c.server.catalog.get(r.system)
	if err != nil {
		return err
	}
	if len(r.torque) == 0 {
		return fmt.Errorf("robot %q has no input for the torques of %d joints: one that its block shows as %q", r.Name, len(torques), showTorque)
	}
	if key := r.system + "\x00" + r.Name; held[key].Name == "" {
		held[key] = r
		c.hold(key, 1)
		c.server.log.Info("console: change", "user", "coach", "method", "torques", "system", r.system, "what", r.Name)
		c.server.publish(Event{System: r.system, Kind: "change", Level: "info", Text: "torques " + r.Name, User: "coach"})
	}
	for _, p := range r.torque {
		var value any = torques[0]
		if !p.single {
			value = anyOf(torques[:p.length])
		}
		torques = torques[p.length:]
		if err := sys.Feed(ctx, p.ref, value); err != nil {
			return err
		}
	}
	return nil
}

func anyOf(numbers []float64) []any {
	list := make([]any, len(numbers))
	for i, x := range numbers {
		list[i] = x
	}
	return list
}

// hold counts the connections that drive a robot and returns how many there are.
func (c *coach) hold(key string, more int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.driving[key] += more
	return c.driving[key]
}

// releaseAll gives the torques back that a connection was the last one to feed.
func (c *coach) releaseAll(held map[string]coached) {
	ctx, cancel := context.WithTimeout(context.Background(), listPatience)
	defer cancel()
	for key, r := range held {
		if c.hold(key, -1) > 0 {
			continue
		}
		sys, err := c.server.catalog.get(r.system)
		if err != nil {
			continue // it has ended
		}
		for _, p := range r.torque {
			if err := sys.Release(ctx, p.ref); err != nil {
				c.server.log.Warn("console: torques stay", "system", r.system, "port", p.ref, "error", err)
			}
		}
	}
}

// show tells pages of poses that programs have set, the newest ones, at most so often as a screen shows them.
func (c *coach) show() {
	ticker := time.NewTicker(coachRate)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
		case <-c.server.ctx.Done():
			return
		}
		c.mu.Lock()
		poses := c.poses
		c.poses = map[string]coachPose{}
		c.mu.Unlock()
		for _, p := range poses {
			data, err := json.Marshal(p)
			if err != nil {
				continue
			}
			for _, page := range c.server.sessions.list() {
				if !page.slow() {
					_ = c.server.broker.conn.Publish(page.subject("coach"), data)
				}
			}
		}
	}
}
