package hexapod

import (
	"math"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Stepper moves one foot: in stance it stays in place on the ground while the body moves over it, in swing it moves
// through the air to the start of its next stance.
//
//	foot_x, foot_y, foot_z, load          ─► sense   ─► contact
//	vx, vy, yaw_rate, height, roll, pitch,
//	swing, swing_time, stance_time        ─► control ─► target_x, target_y, target_z
//
// In stance a foot at p moves in the ground frame, which follows the body, with
//
//	p' = -(v + ω × p)
//
// The stance starts half of its travel ahead of the resting place, so that the foot passes this place in the middle.
// A swing leads from one place on the ground to another, both of which move in the same way: a foot leaves the ground
// and lands with the speed of the ground, whenever it really touches.
type Stepper struct {
	Load    block.In[float64] `part:"sense" trigger:"yes" unit:"N" doc:"force of the ground on the foot, upwards"`
	Contact block.Out[bool]   `part:"sense" doc:"the foot carries"`

	VX         block.In[float64] `part:"control" name:"vx" unit:"m/s" doc:"velocity of the body, forward"`
	VY         block.In[float64] `part:"control" name:"vy" unit:"m/s" doc:"velocity of the body, to the left"`
	YawRate    block.In[float64] `part:"control" unit:"rad/s" doc:"turn of the body, counterclockwise"`
	Height     block.In[float64] `part:"control" unit:"m" doc:"of the body above the ground"`
	Roll       block.In[float64] `part:"control" unit:"rad" doc:"of the body above the ground"`
	Pitch      block.In[float64] `part:"control" unit:"rad" doc:"of the body above the ground"`
	Swing      block.In[float64] `part:"control" trigger:"yes" doc:"completed fraction of the swing: 0 in stance, up to 1 in swing"`
	SwingTime  block.In[float64] `part:"control" unit:"s" doc:"duration of a swing"`
	StanceTime block.In[float64] `part:"control" unit:"s" doc:"from one swing to the next"`

	TargetX block.Out[float64] `part:"control" unit:"m" doc:"of the foot in the body's frame, forward"`
	TargetY block.Out[float64] `part:"control" unit:"m" doc:"of the foot in the body's frame, left"`
	TargetZ block.Out[float64] `part:"control" unit:"m" doc:"of the foot in the body's frame, up"`

	RestX       block.Const[float64] `unit:"m" doc:"resting place of the foot in the ground frame, forward"`
	RestY       block.Const[float64] `unit:"m" doc:"resting place of the foot in the ground frame, left"`
	Lift        block.Param[float64] `default:"0.04" min:"0" max:"0.1" unit:"m" doc:"height to which the foot is lifted"`
	ContactLoad block.Param[float64] `default:"2" min:"0" unit:"N" doc:"load above which a foot carries"`

	x, y         float64 // of the foot in the ground frame
	fromX, fromY float64 // where the swing began
	swinging     bool
}

// Start puts the foot at its resting place.
func (s *Stepper) Start() error {
	s.x, s.y = s.RestX.Value(), s.RestY.Value()
	return nil
}

// Sense reports whether the foot carries.
func (s *Stepper) Sense(clock.Tick) error {
	load, _ := s.Load.Read()
	s.Contact.Write(load > s.ContactLoad.Value())
	return nil
}

// Control advances the foot.
func (s *Stepper) Control(t clock.Tick) error {
	swing, _ := s.Swing.Read()
	dt, lift := t.Seconds(), 0.0
	if swing > 0 {
		lift = s.fly(swing, dt)
	} else {
		s.swinging = false
		s.x, s.y = s.drag(s.x, s.y, dt)
	}
	height, _ := s.Height.Read()
	roll, _ := s.Roll.Read()
	pitch, _ := s.Pitch.Read()
	p := spatial.RPY(roll, pitch, 0).T().MulVec(spatial.Vec3{X: s.x, Y: s.y, Z: lift - height})
	s.TargetX.Write(p.X)
	s.TargetY.Write(p.Y)
	s.TargetZ.Write(p.Z)
	return nil
}

// drag returns the position of a point on the ground after dt, in the ground frame, while the body moves over it.
func (s *Stepper) drag(x, y, dt float64) (float64, float64) {
	vx, _ := s.VX.Read()
	vy, _ := s.VY.Read()
	w, _ := s.YawRate.Read()
	return x - dt*(vx-w*y), y - dt*(vy+w*x)
}

// liftOff is the fraction of a swing for moving straight up, and for moving straight down at its end.
const liftOff = 0.15

// fly puts the foot at fraction s of the swing, and returns its height.
func (s *Stepper) fly(swing, dt float64) (lift float64) {
	if !s.swinging {
		s.swinging, s.fromX, s.fromY = true, s.x, s.y
	}
	s.fromX, s.fromY = s.drag(s.fromX, s.fromY, dt)
	swingTime, _ := s.SwingTime.Read()
	stanceTime, _ := s.StanceTime.Read()
	toX, toY := s.drag(s.RestX.Value(), s.RestY.Value(), -stanceTime/2-(1-swing)*swingTime)
	way := min(max((swing-liftOff)/(1-2*liftOff), 0), 1)
	way *= way * (3 - 2*way)
	s.x = s.fromX + way*(toX-s.fromX)
	s.y = s.fromY + way*(toY-s.fromY)
	sin := math.Sin(math.Pi * swing)
	return s.Lift.Value() * sin * sin
}
