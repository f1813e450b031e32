package console

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sinew-robotics/sinew/net/admin"
)

// torqueNames are what the inputs of a simulator are called that take the torques of its joints: one input for all of
// them, or torque1, torque2 and so on.
var torqueNames = []string{"torque", "torques", "tau", "effort", "efforts"}

// drive feeds the torques of a robot's joints by hand. They hold until others come or the connection ends.
func (c *coach) drive(ctx context.Context, r coached, torques []float64, held map[string]coached) error {
	sys, err := c.server.catalog.get(r.system)
	if err != nil {
		return err
	}
	ports, err := sys.torquePorts(ctx, r.Name, len(torques))
	if err != nil {
		return err
	}
	if key := r.system + "\x00" + r.Name; held[key].Name == "" {
		held[key] = r
		c.hold(key, 1)
		c.server.log.Info("console: change", "user", "coach", "method", "torques", "system", r.system, "what", r.Name)
		c.server.publish(Event{System: r.system, Kind: "change", Level: "info", Text: "torques " + r.Name, User: "coach"})
	}
	if len(ports) == 1 && len(torques) != 1 {
		all := make([]any, len(torques))
		for i, x := range torques {
			all[i] = x
		}
		return sys.Feed(ctx, ports[0], all)
	}
	for i, port := range ports {
		if err := sys.Feed(ctx, port, torques[i]); err != nil {
			return err
		}
	}
	return nil
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
		ports, _ := sys.torquePorts(ctx, r.Name, len(r.Joints))
		for _, port := range ports {
			if err := sys.Release(ctx, port); err != nil {
				c.server.log.Warn("console: torques stay", "system", r.system, "port", port, "error", err)
			}
		}
	}
}

// torquePorts returns the inputs of a block that take the torques of n joints.
func (s *shown) torquePorts(ctx context.Context, block string, n int) ([]string, error) {
	st, err := s.Structure(ctx)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(st.Blocks, func(b admin.Block) bool { return b.Name == block })
	if i < 0 {
		return nil, fmt.Errorf("no block %q", block)
	}
	numbered := map[string]int{}
	for _, p := range st.Blocks[i].Ports {
		if p.Kind != "input" {
			continue
		}
		if slices.Contains(torqueNames, p.Name) && s.length(ctx, block+"."+p.Name, p.Type) == n {
			return []string{block + "." + p.Name}, nil
		}
		if stem := strings.TrimRight(p.Name, "0123456789"); stem != p.Name && slices.Contains(torqueNames, stem) {
			numbered[stem]++
		}
	}
	for stem, count := range numbered {
		if count != n {
			continue
		}
		var ports []string
		for k := range n {
			ports = append(ports, block+"."+stem+strconv.Itoa(k+1))
		}
		return ports, nil
	}
	return nil, fmt.Errorf("block %q has no input for the torques of %d joints", block, n)
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
