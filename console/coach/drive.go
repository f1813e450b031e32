package coach

import (
	"context"
	"fmt"

	"github.com/sinew-robotics/sinew/console/robots"
)

// drive feeds the torques of a robot's joints in N m or N. They hold until others come or the connection ends.
func (c *Coach) drive(ctx context.Context, r robot, torques []float64, held map[string]robot) error {
	sys, err := c.options.Systems.System(r.system)
	if err != nil {
		return err
	}
	if len(r.Torque) == 0 {
		return fmt.Errorf("robot %q has no input for the torques of %d joints: one that its block shows as %q", r.Name, len(torques), robots.ShowTorque)
	}
	if key := r.key(); held[key].Name == "" {
		held[key] = r
		c.hold(key, 1)
		c.options.Log.Info("console: change", "user", "coach", "method", "torques", "system", r.system, "what", r.Name)
		c.options.Driven(r.system, r.Name)
	}
	for _, p := range r.Torque {
		var value any = torques[0]
		if !p.Single {
			value = anyOf(torques[:p.Length])
		}
		torques = torques[p.Length:]
		if err := sys.Feed(ctx, p.Ref, value); err != nil {
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

// hold adds to the number of connections that drive a robot and returns it.
func (c *Coach) hold(key string, more int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.driving[key] += more
	return c.driving[key]
}

// releaseAll releases the torques that no other connection feeds.
func (c *Coach) releaseAll(held map[string]robot) {
	ctx, cancel := context.WithTimeout(context.Background(), releasePatience)
	defer cancel()
	for key, r := range held {
		if c.hold(key, -1) > 0 {
			continue
		}
		sys, err := c.options.Systems.System(r.system)
		if err != nil {
			continue // it has ended
		}
		for _, p := range r.Torque {
			if err := sys.Release(ctx, p.Ref); err != nil {
				c.options.Log.Warn("console: torques stay", "system", r.system, "port", p.Ref, "error", err)
			}
		}
	}
}
