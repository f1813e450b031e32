package hexapod

import (
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Posture controls height and tilt of the body.
//
//	foot_x1 … foot_z6, contact1 … 6, imu_roll, imu_pitch ─► sense   ─► height, roll, pitch, feet_down
//	want_height, want_roll, want_pitch                   ─► control ─► set_height, set_roll, set_pitch
//
// The height is measured through the feet that carry. An integral term compensates the tilt caused by the compliance
// of the legs; it pauses while fewer than three feet carry.
type Posture struct {
	FootX    []block.In[float64] `part:"sense" unit:"m" doc:"of a foot in the body's frame, forward"`
	FootY    []block.In[float64] `part:"sense" unit:"m" doc:"of a foot in the body's frame, left"`
	FootZ    []block.In[float64] `part:"sense" unit:"m" doc:"of a foot in the body's frame, up"`
	Contact  []block.In[bool]    `part:"sense" doc:"a foot carries"`
	IMURoll  block.In[float64]   `part:"sense" name:"imu_roll" unit:"rad" doc:"of the body, measured"`
	IMUPitch block.In[float64]   `part:"sense" name:"imu_pitch" unit:"rad" doc:"of the body, measured"`

	Height   block.Out[float64] `part:"sense" watch:"yes" unit:"m" doc:"of the body above the feet that carry; 0 if none does"`
	Roll     block.Out[float64] `part:"sense" unit:"rad" doc:"of the body"`
	Pitch    block.Out[float64] `part:"sense" unit:"rad" doc:"of the body"`
	FeetDown block.Out[float64] `part:"sense" doc:"number of feet that carry"`

	WantHeight block.In[float64] `part:"control" trigger:"yes" unit:"m" doc:"of the body above the ground"`
	WantRoll   block.In[float64] `part:"control" unit:"rad" doc:"of the body; level by default"`
	WantPitch  block.In[float64] `part:"control" unit:"rad" doc:"of the body; level by default"`

	SetHeight block.Out[float64] `part:"control" unit:"m" doc:"to the legs"`
	SetRoll   block.Out[float64] `part:"control" unit:"rad" doc:"to the legs"`
	SetPitch  block.Out[float64] `part:"control" unit:"rad" doc:"to the legs"`

	Ki    block.Param[float64] `default:"1.5" min:"0" max:"10" unit:"1/s" doc:"rate at which an unwanted tilt is corrected"`
	Limit block.Param[float64] `default:"0.15" min:"0" max:"0.5" unit:"rad" doc:"maximum correction of the tilt"`

	roll, pitch, down           float64
	rollIntegral, pitchIntegral float64
}

// Setup creates the ports.
func (p *Posture) Setup(*block.Setup) error {
	n := len(Legs)
	p.FootX, p.FootY, p.FootZ = make([]block.In[float64], n), make([]block.In[float64], n), make([]block.In[float64], n)
	p.Contact = make([]block.In[bool], n)
	return nil
}

// Sense computes height and tilt.
func (p *Posture) Sense(clock.Tick) error {
	p.roll, _ = p.IMURoll.Read()
	p.pitch, _ = p.IMUPitch.Read()
	level := spatial.RPY(p.roll, p.pitch, 0)
	sum := 0.0
	p.down = 0
	for i := range p.Contact {
		x, _ := p.FootX[i].Read()
		y, _ := p.FootY[i].Read()
		z, _ := p.FootZ[i].Read()
		if carries, _ := p.Contact[i].Read(); carries {
			sum -= level.MulVec(spatial.Vec3{X: x, Y: y, Z: z}).Z
			p.down++
		}
	}
	p.Height.Write(sum / max(p.down, 1))
	p.Roll.Write(p.roll)
	p.Pitch.Write(p.pitch)
	p.FeetDown.Write(p.down)
	return nil
}

// Control corrects the wanted tilt by the measured one.
func (p *Posture) Control(t clock.Tick) error {
	height, _ := p.WantHeight.Read()
	roll, _ := p.WantRoll.Read()
	pitch, _ := p.WantPitch.Read()
	if p.down >= 3 {
		k, most := p.Ki.Value()*t.Seconds(), p.Limit.Value()
		p.rollIntegral = min(max(p.rollIntegral+k*(roll-p.roll), -most), most)
		p.pitchIntegral = min(max(p.pitchIntegral+k*(pitch-p.pitch), -most), most)
	}
	p.SetHeight.Write(height)
	p.SetRoll.Write(roll + p.rollIntegral)
	p.SetPitch.Write(pitch + p.pitchIntegral)
	return nil
}
