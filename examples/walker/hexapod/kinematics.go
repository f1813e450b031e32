package hexapod

import (
	"math"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// Kinematics computes the position of the foot from the angles of the joints, and the angles for a target position.
//
//	coxa, femur, tibia           ─► sense   ─► foot_x, foot_y, foot_z, miss
//	target_x, target_y, target_z ─► control ─► coxa_target, femur_target, tibia_target
//
// If a target is out of reach, the leg stretches towards it; miss is the remaining distance.
type Kinematics struct {
	Coxa  block.In[float64] `part:"sense" trigger:"yes" unit:"rad" doc:"angle of the joint"`
	Femur block.In[float64] `part:"sense" unit:"rad" doc:"angle of the joint"`
	Tibia block.In[float64] `part:"sense" unit:"rad" doc:"angle of the joint"`

	FootX block.Out[float64] `part:"sense" unit:"m" doc:"of the foot in the body's frame, forward"`
	FootY block.Out[float64] `part:"sense" unit:"m" doc:"of the foot in the body's frame, left"`
	FootZ block.Out[float64] `part:"sense" unit:"m" doc:"of the foot in the body's frame, up"`
	Miss  block.Out[float64] `part:"sense" unit:"m" doc:"distance of the last target from the reachable space"`

	TargetX block.In[float64] `part:"control" trigger:"yes" unit:"m" doc:"target of the foot, forward"`
	TargetY block.In[float64] `part:"control" unit:"m" doc:"target of the foot, left"`
	TargetZ block.In[float64] `part:"control" unit:"m" doc:"target of the foot, up"`

	CoxaTarget  block.Out[float64] `part:"control" unit:"rad" doc:"to the servo"`
	FemurTarget block.Out[float64] `part:"control" unit:"rad" doc:"to the servo"`
	TibiaTarget block.Out[float64] `part:"control" unit:"rad" doc:"to the servo"`

	X   block.Const[float64] `unit:"m" doc:"where the coxa's axis is in the body, forward"`
	Y   block.Const[float64] `unit:"m" doc:"where the coxa's axis is in the body, left"`
	Yaw block.Const[float64] `unit:"rad" doc:"direction of the leg in the body at coxa angle 0, counterclockwise from ahead"`

	CoxaLength  block.Const[float64] `default:"0.06" min:"0" unit:"m"`
	FemurLength block.Const[float64] `default:"0.12" min:"0.01" unit:"m"`
	TibiaLength block.Const[float64] `default:"0.18" min:"0.01" unit:"m"`

	leg  Leg
	miss float64
}

// Setup reads the geometry.
func (k *Kinematics) Setup(*block.Setup) error {
	k.leg = Leg{k.X.Value(), k.Y.Value(), k.Yaw.Value(), k.CoxaLength.Value(), k.FemurLength.Value(), k.TibiaLength.Value()}
	return nil
}

// Sense computes the position of the foot.
func (k *Kinematics) Sense(clock.Tick) error {
	coxa, _ := k.Coxa.Read()
	femur, _ := k.Femur.Read()
	tibia, _ := k.Tibia.Read()
	x, y, z := k.leg.Foot(coxa, femur, tibia)
	k.FootX.Write(x)
	k.FootY.Write(y)
	k.FootZ.Write(z)
	k.Miss.Write(k.miss)
	return nil
}

// Control computes the angles for the target.
func (k *Kinematics) Control(clock.Tick) error {
	x, _ := k.TargetX.Read()
	y, _ := k.TargetY.Read()
	z, _ := k.TargetZ.Read()
	coxa, femur, tibia, miss := k.leg.Angles(x, y, z)
	k.miss = miss
	k.CoxaTarget.Write(coxa)
	k.FemurTarget.Write(femur)
	k.TibiaTarget.Write(tibia)
	return nil
}

// Leg is the geometry of a leg: position (m) and direction (rad) of the coxa's axis in the body, and the lengths of
// its segments (m). Coxa, femur and tibia move in one vertical plane, which the coxa turns.
type Leg struct{ X, Y, Yaw, Coxa, Femur, Tibia float64 }

// Foot returns the position of the foot in the body's frame.
func (l Leg) Foot(coxa, femur, tibia float64) (x, y, z float64) {
	reach := l.Coxa + l.Femur*math.Cos(femur) + l.Tibia*math.Cos(femur+tibia)
	sin, cos := math.Sincos(l.Yaw + coxa)
	return l.X + reach*cos, l.Y + reach*sin, l.Femur*math.Sin(femur) + l.Tibia*math.Sin(femur+tibia)
}

// Angles returns the joint angles for a position of the foot in the body's frame, with the knee up, by the law of
// cosines; miss is the distance of the position from the reachable space.
func (l Leg) Angles(x, y, z float64) (coxa, femur, tibia, miss float64) {
	dx, dy := x-l.X, y-l.Y
	coxa = math.Remainder(math.Atan2(dy, dx)-l.Yaw, 2*math.Pi)
	reach := math.Hypot(dx, dy) - l.Coxa
	d := math.Hypot(reach, z)
	far := min(max(d, math.Abs(l.Femur-l.Tibia)), l.Femur+l.Tibia)
	miss = math.Abs(d - far)
	knee := (l.Femur*l.Femur + l.Tibia*l.Tibia - far*far) / (2 * l.Femur * l.Tibia)
	tibia = math.Acos(min(max(knee, -1), 1)) - math.Pi
	hip := (l.Femur*l.Femur + far*far - l.Tibia*l.Tibia) / (2 * l.Femur * far)
	femur = math.Atan2(z, reach) + math.Acos(min(max(hip, -1), 1))
	return coxa, femur, tibia, miss
}
