package hexapod

import (
	"errors"
	"math"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// Velocity is a commanded velocity of the body.
type Velocity struct {
	VX      float64 `name:"vx" unit:"m/s" doc:"forward"`
	VY      float64 `name:"vy" unit:"m/s" doc:"to the left"`
	YawRate float64 `unit:"rad/s" doc:"turn, counterclockwise"`
}

func (v Velocity) finite() bool {
	sum := v.VX + v.VY + v.YawRate
	return !math.IsNaN(sum) && !math.IsInf(sum, 0)
}

// The states of [Locomotion].
const (
	Lying = iota
	Rising
	Standing
	Walking
	Lowering
)

// Locomotion executes the operator's commands: it makes the machine stand up, lie down, and walk while it stands.
//
//	height, roll, pitch, stepping ─► sense   ─► state, tilt
//	vx, vy, yaw_rate              ─► control ─► walk_vx, walk_vy, walk_yaw_rate, want_height, want_roll, want_pitch
//
//	standUp, lieDown, walk(vx, vy, yaw_rate)
//
// The inputs are for a joystick; the velocity of the last call of walk is added to them. Velocities change no faster
// than the body can follow. A machine that tilts too far stops.
type Locomotion struct {
	Height   block.In[float64]  `part:"sense" unit:"m" doc:"of the body above the ground, measured"`
	Roll     block.In[float64]  `part:"sense" trigger:"yes" unit:"rad" doc:"of the body, measured"`
	Pitch    block.In[float64]  `part:"sense" unit:"rad" doc:"of the body, measured"`
	Stepping block.In[bool]     `part:"sense" doc:"legs are being swung"`
	State    block.Out[int64]   `part:"sense" doc:"0 lying, 1 rising, 2 standing, 3 walking, 4 lowering"`
	Tilt     block.Out[float64] `part:"sense" watch:"yes" unit:"rad" doc:"angle of the body to the level"`

	VX      block.In[float64] `part:"control" name:"vx" unit:"m/s" doc:"of a joystick: forward"`
	VY      block.In[float64] `part:"control" name:"vy" unit:"m/s" doc:"of a joystick: to the left"`
	YawRate block.In[float64] `part:"control" unit:"rad/s" doc:"of a joystick: turn, counterclockwise"`

	WalkVX      block.Out[float64] `part:"control" name:"walk_vx" safe:"0" unit:"m/s" doc:"velocity of the body, forward"`
	WalkVY      block.Out[float64] `part:"control" name:"walk_vy" safe:"0" unit:"m/s" doc:"velocity of the body, to the left"`
	WalkYawRate block.Out[float64] `part:"control" safe:"0" unit:"rad/s" doc:"turn of the body, counterclockwise"`
	WantHeight  block.Out[float64] `part:"control" unit:"m" doc:"of the body above the ground"`
	WantRoll    block.Out[float64] `part:"control" unit:"rad" doc:"of the body"`
	WantPitch   block.Out[float64] `part:"control" unit:"rad" doc:"of the body"`

	StandUp block.Operation[block.None, block.None] `doc:"rise from the ground and stand"`
	LieDown block.Operation[block.None, block.None] `doc:"stop, and let the body down to the ground"`
	Walk    block.Operation[Velocity, block.None]   `doc:"walk with this velocity until the next command"`

	StandHeight  block.Param[float64] `default:"0.12" min:"0.06" max:"0.18" unit:"m" doc:"of the standing body above the ground"`
	LieHeight    block.Const[float64] `default:"0.02" unit:"m" doc:"commanded to the legs of a lying body: below the height at which the belly touches the ground"`
	Rise         block.Param[float64] `default:"0.05" min:"0.005" max:"0.2" unit:"m/s" doc:"speed of standing up and lying down"`
	LeanRoll     block.Param[float64] `default:"0" min:"-0.3" max:"0.3" unit:"rad" doc:"roll of the standing body"`
	LeanPitch    block.Param[float64] `default:"0" min:"-0.3" max:"0.3" unit:"rad" doc:"pitch of the standing body"`
	Acceleration block.Param[float64] `default:"0.2" min:"0.01" max:"2" unit:"m/s²" doc:"maximum change of the velocity"`
	MaxTilt      block.Param[float64] `default:"0.4" min:"0.05" max:"1.5" unit:"rad" doc:"tilt beyond which the machine stops walking"`

	state    int64
	height   float64
	tilt     float64
	stepping bool
	wanted   Velocity // by the operation
	now      Velocity
}

var (
	errNotStanding = errors.New("walk: the machine does not stand: call standUp first, and wait until state is 2")
	errVelocity    = errors.New("walk: a velocity is not a finite number")
	errStands      = errors.New("standUp: the machine does not lie")
)

// Setup starts with the machine lying.
func (d *Locomotion) Setup(*block.Setup) error {
	d.height = d.LieHeight.Value()
	d.StandUp.Handle(func(block.None) (block.None, error) { return block.None{}, d.standUp() })
	d.LieDown.Handle(func(block.None) (block.None, error) { return block.None{}, d.lieDown() })
	d.Walk.Handle(func(v Velocity) (block.None, error) { return block.None{}, d.walk(v) })
	return nil
}

func (d *Locomotion) standUp() error {
	if d.state != Lying && d.state != Lowering {
		return errStands
	}
	d.state = Rising
	return nil
}

func (d *Locomotion) lieDown() error {
	d.wanted = Velocity{}
	if d.state != Lying {
		d.state = Lowering
	}
	return nil
}

func (d *Locomotion) walk(v Velocity) error {
	switch {
	case !v.finite():
		return errVelocity
	case d.state != Standing && d.state != Walking:
		return errNotStanding
	}
	d.wanted = v
	return nil
}

// Sense reports the state of the machine.
func (d *Locomotion) Sense(clock.Tick) error {
	roll, _ := d.Roll.Read()
	pitch, _ := d.Pitch.Read()
	d.stepping, _ = d.Stepping.Read()
	d.tilt = math.Acos(math.Cos(roll) * math.Cos(pitch))
	d.State.Write(d.state)
	d.Tilt.Write(d.tilt)
	return nil
}

// Control moves height and velocity towards their targets.
func (d *Locomotion) Control(t clock.Tick) error {
	v := d.wish()
	d.now.VX = approach(d.now.VX, v.VX, d.Acceleration.Value()*t.Seconds())
	d.now.VY = approach(d.now.VY, v.VY, d.Acceleration.Value()*t.Seconds())
	d.now.YawRate = approach(d.now.YawRate, v.YawRate, d.Acceleration.Value()/farthest*t.Seconds())
	moves := d.now != Velocity{} || d.stepping
	rise := d.Rise.Value() * t.Seconds()
	switch d.state {
	case Rising, Standing, Walking:
		d.height = approach(d.height, d.StandHeight.Value(), rise)
		switch {
		case d.state == Rising && d.height != d.StandHeight.Value():
		case moves:
			d.state = Walking
		default:
			d.state = Standing
		}
	case Lowering:
		if !moves {
			d.height = approach(d.height, d.LieHeight.Value(), rise)
		}
		if d.height == d.LieHeight.Value() {
			d.state = Lying
		}
	}
	lean := 0.0
	if d.state == Standing || d.state == Walking {
		lean = 1
	}
	d.WalkVX.Write(d.now.VX)
	d.WalkVY.Write(d.now.VY)
	d.WalkYawRate.Write(d.now.YawRate)
	d.WantHeight.Write(d.height)
	d.WantRoll.Write(lean * d.LeanRoll.Value())
	d.WantPitch.Write(lean * d.LeanPitch.Value())
	return nil
}

// wish returns the commanded velocity.
func (d *Locomotion) wish() Velocity {
	if d.state != Standing && d.state != Walking || d.tilt > d.MaxTilt.Value() {
		return Velocity{}
	}
	v := d.wanted
	if x, status := d.VX.Read(); status != block.NoData {
		v.VX += x
	}
	if y, status := d.VY.Read(); status != block.NoData {
		v.VY += y
	}
	if w, status := d.YawRate.Read(); status != block.NoData {
		v.YawRate += w
	}
	if !v.finite() {
		return Velocity{} // a broken joystick
	}
	return v
}

// approach returns x moved towards target by no more than step.
func approach(x, target, step float64) float64 {
	return x + min(max(target-x, -step), step)
}
