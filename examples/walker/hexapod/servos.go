package hexapod

import (
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// Limits of coxa, femur and tibia, rad: where the segments would touch.
var (
	jointLower = [3]float64{-0.9, -1.2, -2.7}
	jointUpper = [3]float64{0.9, 1.6, -0.2}
)

// Servos protects the three servos of a leg: it keeps angles within the joints' range and within the speed of the
// servos.
//
//	coxa_reading, femur_reading, tibia_reading ─► sense   ─► coxa, femur, tibia
//	coxa_target, femur_target, tibia_target    ─► control ─► coxa_command, femur_command, tibia_command
//
// The first commands are the measured angles, so that nothing jumps when the machine is switched on.
type Servos struct {
	CoxaReading  block.In[float64] `part:"sense" trigger:"yes" unit:"rad" doc:"angle measured by the servo"`
	FemurReading block.In[float64] `part:"sense" unit:"rad" doc:"angle measured by the servo"`
	TibiaReading block.In[float64] `part:"sense" unit:"rad" doc:"angle measured by the servo"`

	Coxa  block.Out[float64] `part:"sense" unit:"rad" doc:"angle of the joint, positive counterclockwise from above"`
	Femur block.Out[float64] `part:"sense" unit:"rad" doc:"angle of the joint, positive upwards"`
	Tibia block.Out[float64] `part:"sense" unit:"rad" doc:"angle of the joint, positive upwards"`

	CoxaTarget  block.In[float64] `part:"control" trigger:"yes" unit:"rad" doc:"target angle of the joint"`
	FemurTarget block.In[float64] `part:"control" unit:"rad" doc:"target angle of the joint"`
	TibiaTarget block.In[float64] `part:"control" unit:"rad" doc:"target angle of the joint"`

	CoxaCommand  block.Out[float64] `part:"control" unit:"rad" doc:"to the servo"`
	FemurCommand block.Out[float64] `part:"control" unit:"rad" doc:"to the servo"`
	TibiaCommand block.Out[float64] `part:"control" unit:"rad" doc:"to the servo"`

	CoxaZero  block.Param[float64] `unit:"rad" doc:"reading at angle 0"`
	FemurZero block.Param[float64] `unit:"rad" doc:"reading at angle 0"`
	TibiaZero block.Param[float64] `unit:"rad" doc:"reading at angle 0"`
	Speed     block.Param[float64] `default:"5" min:"0.01" unit:"rad/s" doc:"maximum rate of a command"`

	angle, command [3]float64
	measured, on   bool
}

// Sense reads the joints.
func (s *Servos) Sense(clock.Tick) error {
	zero := s.zero()
	for i, in := range [3]*block.In[float64]{&s.CoxaReading, &s.FemurReading, &s.TibiaReading} {
		v, _ := in.Read()
		s.angle[i] = v - zero[i]
	}
	s.measured = true
	s.Coxa.Write(s.angle[0])
	s.Femur.Write(s.angle[1])
	s.Tibia.Write(s.angle[2])
	return nil
}

// Control limits the commands.
func (s *Servos) Control(t clock.Tick) error {
	if !s.measured {
		return nil // the angles are not known yet
	}
	if !s.on {
		s.on, s.command = true, s.angle
	}
	zero, most := s.zero(), s.Speed.Value()*t.Seconds()
	for i, in := range [3]*block.In[float64]{&s.CoxaTarget, &s.FemurTarget, &s.TibiaTarget} {
		target, _ := in.Read()
		target = min(max(target, jointLower[i]), jointUpper[i])
		s.command[i] += min(max(target-s.command[i], -most), most)
	}
	s.CoxaCommand.Write(s.command[0] + zero[0])
	s.FemurCommand.Write(s.command[1] + zero[1])
	s.TibiaCommand.Write(s.command[2] + zero[2])
	return nil
}

// zero returns the readings at angle 0.
func (s *Servos) zero() [3]float64 {
	return [3]float64{s.CoxaZero.Value(), s.FemurZero.Value(), s.TibiaZero.Value()}
}
