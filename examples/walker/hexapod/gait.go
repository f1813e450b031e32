package hexapod

import (
	"math"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// pattern defines when in a cycle each leg swings: after the duty of the cycle, earlier by its offset. D. M. Wilson,
// Insect walking (Annual Review of Entomology 11, 1966) describes the three. The duties are slightly above 1/2, 2/3
// and 5/6, so that all feet are down for a moment between two swings.
type pattern struct {
	duty   float64
	offset [len(Legs)]float64 // of left front, middle, rear, right front, middle, rear
}

var patterns = [...]pattern{
	{0.55, [...]float64{0, 0.5, 0, 0.5, 0, 0.5}},                         // tripod
	{0.70, [...]float64{0, 1.0 / 3, 2.0 / 3, 2.0 / 3, 0, 1.0 / 3}},       // tetrapod
	{0.85, [...]float64{3.0 / 6, 4.0 / 6, 5.0 / 6, 0, 1.0 / 6, 2.0 / 6}}, // wave, on each side from the rear forward
}

// Gait decides which legs swing.
//
//	feet_down        ─► sense   ─► stepping
//	vx, vy, yaw_rate ─► control ─► leg_vx, leg_vy, leg_yaw_rate, leg_swing_time, stance_time, swing_rate, swing1 … swing6
//
// It steps while a velocity is commanded, and one cycle longer, which returns all feet to their resting places. The
// parameter gait may be changed while the machine walks: the change takes effect when all feet are down. The cycle
// pauses while fewer than three feet carry.
type Gait struct {
	FeetDown block.In[float64] `part:"sense" doc:"number of feet that carry"`
	Stepping block.Out[bool]   `part:"sense" doc:"legs are being swung"`

	VX      block.In[float64] `part:"control" name:"vx" trigger:"yes" unit:"m/s" doc:"velocity of the body, forward"`
	VY      block.In[float64] `part:"control" name:"vy" unit:"m/s" doc:"velocity of the body, to the left"`
	YawRate block.In[float64] `part:"control" unit:"rad/s" doc:"turn of the body, counterclockwise"`

	LegVX        block.Out[float64]   `part:"control" name:"leg_vx" unit:"m/s" doc:"velocity of the body, forward"`
	LegVY        block.Out[float64]   `part:"control" name:"leg_vy" unit:"m/s" doc:"velocity of the body, to the left"`
	LegYawRate   block.Out[float64]   `part:"control" unit:"rad/s" doc:"turn of the body, counterclockwise"`
	LegSwingTime block.Out[float64]   `part:"control" unit:"s" doc:"duration of a swing"`
	StanceTime   block.Out[float64]   `part:"control" unit:"s" doc:"from one swing of a leg to the next"`
	SwingRate    block.Out[float64]   `part:"control" unit:"1/s" doc:"rate at which swings advance"`
	Swing        []block.Out[float64] `part:"control" doc:"completed fraction of a leg's swing: 0 in stance, up to 1 in swing"`

	Gait      block.Param[int64]   `default:"0" min:"0" max:"2" doc:"0 tripod: three legs swing together; 1 tetrapod: two; 2 wave: one"`
	SwingTime block.Param[float64] `default:"0.4" min:"0.1" max:"2" unit:"s" doc:"time of a leg in the air"`
	Stride    block.Param[float64] `default:"0.12" min:"0" max:"0.2" unit:"m" doc:"maximum travel of a foot in stance: faster commands are slowed down"`

	gait    int64
	phase   float64 // of the cycle, 0 to 1
	idle    float64 // cycles since the last command to move
	moving  bool
	waiting bool // fewer than three feet carry
}

// Setup creates the ports.
func (g *Gait) Setup(*block.Setup) error {
	g.Swing = make([]block.Out[float64], len(Legs))
	g.idle = 1
	return nil
}

// Sense reports whether the legs step.
func (g *Gait) Sense(clock.Tick) error {
	down, status := g.FeetDown.Read()
	g.waiting = status != block.NoData && down < 3
	g.Stepping.Write(g.moving)
	return nil
}

// Control advances the cycle.
func (g *Gait) Control(t clock.Tick) error {
	vx, _ := g.VX.Read()
	vy, _ := g.VY.Read()
	w, _ := g.YawRate.Read()
	if vx != 0 || vy != 0 || w != 0 {
		g.idle = 0
	}
	if g.allDown() {
		g.gait = g.Gait.Value()
		if g.moving = g.idle < 1; !g.moving {
			g.phase = 0
		}
	}
	p := &patterns[g.gait]
	cycle := g.SwingTime.Value() / (1 - p.duty)
	if g.moving && !g.waiting {
		step := t.Seconds() / cycle
		g.phase = math.Mod(g.phase+step, 1)
		g.idle += step
	}
	stance, rate := cycle*p.duty, 1/g.SwingTime.Value()
	k := g.slow(vx, vy, w, stance)
	if g.waiting {
		k, rate = 0, 0
	}
	g.LegVX.Write(k * vx)
	g.LegVY.Write(k * vy)
	g.LegYawRate.Write(k * w)
	g.LegSwingTime.Write(g.SwingTime.Value())
	g.StanceTime.Write(stance)
	g.SwingRate.Write(rate)
	for i := range g.Swing {
		g.Swing[i].Write(p.swing(i, g.phase))
	}
	return nil
}

// allDown reports whether no leg swings.
func (g *Gait) allDown() bool {
	for i := range Legs {
		if patterns[g.gait].swing(i, g.phase) > 0 {
			return false
		}
	}
	return true
}

// swing returns the completed fraction of a leg's swing at a phase of the cycle: 0 in stance.
func (p *pattern) swing(leg int, phase float64) float64 {
	at := math.Mod(phase+p.offset[leg], 1)
	return max(at-p.duty, 0) / (1 - p.duty)
}

// farthest is the distance from the middle of the body of the resting foot that a turn moves most.
const farthest = 0.36 // m

// slow returns the factor by which a velocity must be reduced so that no foot travels more than a stride.
func (g *Gait) slow(vx, vy, w, stance float64) float64 {
	way := (math.Hypot(vx, vy) + math.Abs(w)*farthest) * stance
	if way <= g.Stride.Value() {
		return 1
	}
	return g.Stride.Value() / way
}
