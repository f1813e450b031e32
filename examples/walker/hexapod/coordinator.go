package hexapod

import (
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// Coordinator leads the six legs. The body's part runs slowly, the legs run fast: between two commands of the body
// the coordinator continues with the last one.
//
//	                                           ┌───────────┐
//	vx, vy, yaw_rate, height, roll, pitch,   ─►│  control  │ ─► the same, in steps of this part
//	swing_time, stance_time                    │           │
//	swing_rate, swing1 … swing6              ─►│           │ ─► leg_swing1 … leg_swing6
//	                                           └───────────┘
type Coordinator struct {
	VX         block.In[float64]   `part:"control" name:"vx" unit:"m/s" doc:"velocity of the body, forward"`
	VY         block.In[float64]   `part:"control" name:"vy" unit:"m/s" doc:"velocity of the body, to the left"`
	YawRate    block.In[float64]   `part:"control" unit:"rad/s" doc:"turn of the body, counterclockwise"`
	Height     block.In[float64]   `part:"control" unit:"m" doc:"of the body above the ground"`
	Roll       block.In[float64]   `part:"control" unit:"rad" doc:"of the body above the ground"`
	Pitch      block.In[float64]   `part:"control" unit:"rad" doc:"of the body above the ground"`
	SwingTime  block.In[float64]   `part:"control" unit:"s" doc:"duration of a swing"`
	StanceTime block.In[float64]   `part:"control" unit:"s" doc:"from one swing of a leg to the next"`
	SwingRate  block.In[float64]   `part:"control" unit:"1/s" doc:"rate at which swings advance"`
	Swing      []block.In[float64] `part:"control" doc:"completed fraction of a leg's swing: 0 in stance, up to 1 in swing"`

	LegVX         block.Out[float64]   `part:"control" name:"leg_vx" unit:"m/s" doc:"velocity of the body, forward"`
	LegVY         block.Out[float64]   `part:"control" name:"leg_vy" unit:"m/s" doc:"velocity of the body, to the left"`
	LegYawRate    block.Out[float64]   `part:"control" unit:"rad/s" doc:"turn of the body, counterclockwise"`
	LegHeight     block.Out[float64]   `part:"control" unit:"m" doc:"of the body above the ground"`
	LegRoll       block.Out[float64]   `part:"control" unit:"rad" doc:"of the body above the ground"`
	LegPitch      block.Out[float64]   `part:"control" unit:"rad" doc:"of the body above the ground"`
	LegSwingTime  block.Out[float64]   `part:"control" unit:"s" doc:"duration of a swing"`
	LegStanceTime block.Out[float64]   `part:"control" unit:"s" doc:"from one swing of a leg to the next"`
	LegSwing      []block.Out[float64] `part:"control" doc:"completed fraction of a leg's swing"`

	height, roll, pitch ramp
	swing               [len(Legs)]float64
}

// Setup creates the ports.
func (c *Coordinator) Setup(*block.Setup) error {
	c.Swing, c.LegSwing = make([]block.In[float64], len(Legs)), make([]block.Out[float64], len(Legs))
	return nil
}

// Sense does nothing.
func (c *Coordinator) Sense(clock.Tick) error { return nil }

// Control forwards new values, and extrapolates the others. It writes nothing before the first command of the body.
func (c *Coordinator) Control(t clock.Tick) error {
	height, status := c.Height.Read()
	if status == block.NoData {
		return nil
	}
	roll, _ := c.Roll.Read()
	pitch, _ := c.Pitch.Read()
	c.LegHeight.Write(c.height.follow(height, t))
	c.LegRoll.Write(c.roll.follow(roll, t))
	c.LegPitch.Write(c.pitch.follow(pitch, t))
	rate, _ := c.SwingRate.Read()
	for i := range c.Swing {
		swing, status := c.Swing[i].Read()
		switch {
		case status == block.NewData:
			c.swing[i] = swing
		case c.swing[i] > 0:
			c.swing[i] = min(c.swing[i]+rate*t.Seconds(), 1)
		}
		c.LegSwing[i].Write(c.swing[i])
	}
	pass(&c.VX, &c.LegVX)
	pass(&c.VY, &c.LegVY)
	pass(&c.YawRate, &c.LegYawRate)
	pass(&c.SwingTime, &c.LegSwingTime)
	pass(&c.StanceTime, &c.LegStanceTime)
	return nil
}

// pass forwards a new value.
func pass(in *block.In[float64], out *block.Out[float64]) {
	if v, status := in.Read(); status == block.NewData {
		out.Write(v)
	}
}

// ramp smooths values that arrive rarely.
type ramp struct {
	value float64
	set   bool
}

const rampTime = 0.02 // s: the time constant is a period of the body's part

func (r *ramp) follow(target float64, t clock.Tick) float64 {
	if !r.set {
		r.value, r.set = target, true
	}
	r.value += (target - r.value) * min(t.Seconds()/rampTime, 1)
	return r.value
}
