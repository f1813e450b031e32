package coach

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/sinew-robotics/sinew/console/robots"
)

// Torques are a dead man's switch: a system holds them for lease, and the port renews them while a connection that has fed them lives.
const (
	lease       = time.Second
	renewPeriod = lease / 5
)

// drive is a robot that programs drive.
type drive struct {
	robot       robot
	connections int // that drive it; the coach is locked

	mu       sync.Mutex // held while the system is asked, so that it gets the newest of two values last
	torques  []float64  // that are renewed; nil: none
	renewing bool       // a goroutine does
}

// drive feeds the torques of a robot's joints in N m or N. They hold until others come, the connection ends, or the console does not
// renew them for the time of the lease.
func (c *Coach) drive(ctx context.Context, r robot, torques []float64, p *program) error {
	if len(r.Torque) == 0 {
		return fmt.Errorf("robot %q has no input for the torques of %d joints: one that its block shows as %q", r.Name, len(torques), robots.ShowTorque)
	}
	d := c.hold(r, p)
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, err := c.feed(ctx, d.robot, torques); err != nil {
		return err
	}
	d.torques = torques
	if !d.renewing {
		d.renewing = true
		c.work.Go(func() { c.renew(d) })
	}
	return nil
}

// hold returns the drive of a robot, which lasts while the program does.
func (c *Coach) hold(r robot, p *program) *drive {
	key := r.key()
	if d := p.held[key]; d != nil {
		return d
	}
	c.mu.Lock()
	d := c.driving[key]
	if d == nil {
		d = &drive{robot: r}
		c.driving[key] = d
	}
	d.connections++
	c.mu.Unlock()
	p.held[key] = d
	c.programs.drives(p)
	c.options.Log.Info("console: change", "user", "coach", "method", "torques", "system", r.system, "what", r.Name)
	c.options.Driven(r.system, r.Name)
	return d
}

// feed lets a system hold torques for the time of the lease. It reports whether the system did not hold all of them before.
func (c *Coach) feed(ctx context.Context, r robot, torques []float64) (began bool, err error) {
	sys, err := c.options.Systems.System(r.system)
	if err != nil {
		return false, err
	}
	for _, p := range r.Torque {
		var value any = torques[0]
		if !p.Single {
			value = anyOf(torques[:p.Length])
		}
		torques = torques[p.Length:]
		one, err := sys.FeedFor(ctx, p.Ref, value, lease)
		if err != nil {
			return false, err
		}
		began = began || one
	}
	return began, nil
}

func anyOf(numbers []float64) []any {
	list := make([]any, len(numbers))
	for i, x := range numbers {
		list[i] = x
	}
	return list
}

// renew feeds the newest torques of a drive again and again, until there are none.
func (c *Coach) renew(d *drive) {
	ticker := time.NewTicker(renewPeriod)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
		case <-c.ctx.Done():
			return
		}
		if !c.renewOnce(d) {
			return
		}
	}
}

// renewOnce feeds torques for another lease. Those that the system no longer holds, because it was started again, an operator has
// released them or their lease has ended, are not fed again: a program must send them.
func (c *Coach) renewOnce(d *drive) (more bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.torques != nil {
		ctx, cancel := context.WithTimeout(c.ctx, lease)
		began, err := c.feed(ctx, d.robot, d.torques)
		cancel()
		if began {
			c.release(d)
		}
		if began || err != nil {
			d.torques = nil
			c.options.Log.Warn("console: torques of a program have ended", "system", d.robot.system, "robot", d.robot.Name, "error", err)
		}
	}
	d.renewing = d.torques != nil
	return d.renewing
}

// leave ends what a program drives: torques that no other connection feeds are released.
func (c *Coach) leave(d *drive) {
	d.mu.Lock()
	defer d.mu.Unlock()
	c.mu.Lock()
	d.connections--
	last := d.connections == 0
	c.mu.Unlock()
	if !last {
		return
	}
	d.torques = nil
	c.release(d)
	c.mu.Lock()
	defer c.mu.Unlock()
	if d.connections == 0 { // no other program has begun meanwhile
		delete(c.driving, d.robot.key())
	}
}

// release releases the torques of a robot. The drive is locked.
func (c *Coach) release(d *drive) {
	sys, err := c.options.Systems.System(d.robot.system)
	if err != nil {
		return // it has ended
	}
	ctx, cancel := context.WithTimeout(context.Background(), releasePatience)
	defer cancel()
	for _, p := range d.robot.Torque {
		if err := sys.Release(ctx, p.Ref); err != nil {
			c.options.Log.Warn("console: torques stay until their lease ends", "system", d.robot.system, "port", p.Ref, "lease", lease, "error", err)
		}
	}
}
