package mobile

import (
	"errors"
	"fmt"
	"math"
)

// Differential is a vehicle with a wheel, or a row of coupled wheels that do not slip, on each side: they roll and do not slide sideways.
//
//	forward = (left + right)/2,   turn = (right - left)/Track      with left and right the ways of the wheels
//
// Siegwart et al. 2011, section 3.2.
type Differential struct {
	LeftRadius, RightRadius float64 // of the wheels, m
	Track                   float64 // distance of their points of contact, m

	Noise float64 // variance of a wheel's way for each metre of it, m²/m
}

// Step returns the displacement, and its covariance, while the wheels turned by the given angles (rad).
func (v Differential) Step(left, right float64) (Displacement, Covariance) {
	l, r := v.LeftRadius*left, v.RightRadius*right
	var c Covariance
	c.addOuter(v.Noise*math.Abs(l), [3]float64{0.5, 0, -1 / v.Track})
	c.addOuter(v.Noise*math.Abs(r), [3]float64{0.5, 0, 1 / v.Track})
	return Displacement{Forward: (l + r) / 2, Turn: (r - l) / v.Track}, c
}

// Wheels returns the speeds of the wheels (rad/s) that give the vehicle a speed (m/s) and a rate of turn (rad/s).
func (v Differential) Wheels(forward, turn float64) (left, right float64) {
	return (forward - turn*v.Track/2) / v.LeftRadius, (forward + turn*v.Track/2) / v.RightRadius
}

// Check reports all that is wrong with the dimensions.
func (v Differential) Check() error {
	return errors.Join(
		positive("radius of the left wheel", v.LeftRadius), positive("radius of the right wheel", v.RightRadius),
		positive("track", v.Track), notNegative("noise", v.Noise))
}

// Tracked is a vehicle on two tracks, or with several wheels on each side that cannot be steered: it turns by skidding. Seen from the vehicle, the
// ground under each track turns about a centre that stays nearly where it is on one kind of ground:
//
//	turn = (right - left)/(LeftCentre - RightCentre)
//	forward = (right LeftCentre - left RightCentre)/(LeftCentre - RightCentre),   left = -turn Centre
//
// with left and right the ways of the tracks over the ground, radius · angle · (1 - slip). Tracks that did not skid would have their centres at ±
// half the track; skidding moves them outwards, by a factor from 1.3 to 2.5 for most vehicles. To measure them, turn on the spot: LeftCentre -
// RightCentre = (right - left)/(angle turned).
//
// Martínez et al. 2005, equations 3 to 5.
type Tracked struct {
	LeftRadius, RightRadius float64 // of the sprockets, with half the thickness of the track, m
	LeftCentre, RightCentre float64 // y of the centres of rotation of the tracks, m: LeftCentre > RightCentre
	Centre                  float64 // x of the centre of rotation of the vehicle, m; 0 where the weight is in the middle
	LeftSlip, RightSlip     float64 // share of a track's way that is lost to longitudinal slip, below 1; negative where the track is dragged

	Noise float64 // variance of a track's way for each metre of it, m²/m
}

// Step returns the displacement, and its covariance, while the sprockets turned by the given angles (rad).
func (v Tracked) Step(left, right float64) (Displacement, Covariance) {
	l, r := v.LeftRadius*(1-v.LeftSlip)*left, v.RightRadius*(1-v.RightSlip)*right
	w := 1 / (v.LeftCentre - v.RightCentre)
	turn := (r - l) * w
	var c Covariance
	c.addOuter(v.Noise*math.Abs(l), [3]float64{-v.RightCentre * w, v.Centre * w, -w})
	c.addOuter(v.Noise*math.Abs(r), [3]float64{v.LeftCentre * w, -v.Centre * w, w})
	return Displacement{Forward: (r*v.LeftCentre - l*v.RightCentre) * w, Left: -turn * v.Centre, Turn: turn}, c
}

// Wheels returns the speeds of the sprockets (rad/s) that give the vehicle a speed (m/s) and a rate of turn (rad/s).
func (v Tracked) Wheels(forward, turn float64) (left, right float64) {
	return (forward - turn*v.LeftCentre) / (v.LeftRadius * (1 - v.LeftSlip)), (forward - turn*v.RightCentre) / (v.RightRadius * (1 - v.RightSlip))
}

// Check reports all that is wrong with the dimensions.
func (v Tracked) Check() error {
	errs := []error{
		positive("radius of the left sprocket", v.LeftRadius), positive("radius of the right sprocket", v.RightRadius), notNegative("noise", v.Noise),
	}
	if !finite(v.Centre) || !finite(v.LeftCentre) || !finite(v.RightCentre) || v.LeftCentre <= v.RightCentre {
		errs = append(errs, fmt.Errorf("centres of rotation at %v (left), %v (right), %v: must be finite, the left one greater than the right one", v.LeftCentre, v.RightCentre, v.Centre))
	}
	for _, slip := range []float64{v.LeftSlip, v.RightSlip} {
		if !finite(slip) || slip >= 1 {
			errs = append(errs, fmt.Errorf("slip %v: must be below 1", slip))
		}
	}
	return errors.Join(errs...)
}

// Ackermann is a vehicle whose front wheels steer and whose rear wheels do not, such as a car. Its frame is in the middle of the rear axle; a single
// wheel in the middle of the front axle stands for both front ones.
//
//	forward = way,   turn = way tan(steering)/Wheelbase      with way the mean of the rear wheels
//
// Siegwart et al. 2011, section 3.2. With encoders at both rear wheels it is also a [Differential], which needs no steering angle.
type Ackermann struct {
	Radius    float64 // of the rear wheels, m
	Wheelbase float64 // distance of the axles, m

	Noise         float64 // variance of the way for each metre of it, m²/m
	SteeringNoise float64 // variance of the steering angle, times the way over which its error stays the same, rad² m
}

// Step returns the displacement, and its covariance, while the rear wheels turned by an angle (rad, their mean) with the front wheel steered by
// another (rad, positive to the left, below π/2).
func (v Ackermann) Step(turned, steering float64) (Displacement, Covariance) {
	way, tan := v.Radius*turned, math.Tan(steering)
	var c Covariance
	c.addOuter(v.Noise*math.Abs(way), [3]float64{1, 0, tan / v.Wheelbase})
	c.addOuter(v.SteeringNoise*math.Abs(way), [3]float64{0, 0, (1 + tan*tan) / v.Wheelbase})
	return Displacement{Forward: way, Turn: way * tan / v.Wheelbase}, c
}

// Wheels returns the speed of the rear wheels (rad/s) and the steering angle (rad) that give the vehicle a speed (m/s, not 0) and a rate of turn
// (rad/s). At a speed of 0 the wheels point to the side of the turn, and the vehicle does not move.
func (v Ackermann) Wheels(forward, turn float64) (speed, steering float64) {
	if forward < 0 {
		return forward / v.Radius, math.Atan2(-v.Wheelbase*turn, -forward)
	}
	return forward / v.Radius, math.Atan2(v.Wheelbase*turn, forward)
}

// Check reports all that is wrong with the dimensions.
func (v Ackermann) Check() error {
	return errors.Join(positive("radius", v.Radius), positive("wheelbase", v.Wheelbase),
		notNegative("noise", v.Noise), notNegative("noise of the steering", v.SteeringNoise))
}

// Mecanum is a vehicle with four wheels whose rollers are at 45° and form an X seen from above through the wheels' tops: it moves in all directions.
//
//	forward = r/4 (a + b + c + d)                            a  front left,  b  front right
//	left    = r/4 (-a + b + c - d)                           c  rear left,   d  rear right
//	turn    = r/4 (-a + b - c + d)/(Length/2 + Width/2)
//
// P. F. Muir, C. P. Neuman, Kinematic Modeling for Feedback Control of an Omnidirectional Wheeled Mobile Robot, IEEE ICRA 1987; Siegwart et al.
// 2011, section 3.2.
type Mecanum struct {
	Radius        float64 // of the wheels, m
	Length, Width float64 // distances of the axles, and of the wheels of an axle, m

	Noise float64 // variance of a wheel's way for each metre of it, m²/m
}

// Step returns the displacement, and its covariance, while the wheels turned by the given angles (rad).
func (v Mecanum) Step(frontLeft, frontRight, rearLeft, rearRight float64) (Displacement, Covariance) {
	var d [3]float64
	var c Covariance
	for i, angle := range [...]float64{frontLeft, frontRight, rearLeft, rearRight} {
		u := v.share(i)
		way := v.Radius * angle
		for k := range d {
			d[k] += u[k] * way
		}
		c.addOuter(v.Noise*math.Abs(way), u)
	}
	return Displacement{d[0], d[1], d[2]}, c
}

// share returns the displacement for a metre of wheel i alone.
func (v Mecanum) share(i int) [3]float64 {
	left, turn := 0.25, 0.5/(v.Length+v.Width)
	if i == 0 || i == 3 {
		left = -left
	}
	if i%2 == 0 {
		turn = -turn
	}
	return [3]float64{0.25, left, turn}
}

// Wheels returns the speeds of the wheels (rad/s) that give the vehicle a velocity: displacement in a second.
func (v Mecanum) Wheels(d Displacement) (frontLeft, frontRight, rearLeft, rearRight float64) {
	turn := d.Turn * (v.Length + v.Width) / 2
	return (d.Forward - d.Left - turn) / v.Radius, (d.Forward + d.Left + turn) / v.Radius,
		(d.Forward + d.Left - turn) / v.Radius, (d.Forward - d.Left + turn) / v.Radius
}

// Check reports all that is wrong with the dimensions.
func (v Mecanum) Check() error {
	return errors.Join(positive("radius", v.Radius), positive("length", v.Length), positive("width", v.Width), notNegative("noise", v.Noise))
}

func positive(what string, x float64) error {
	if !finite(x) || x <= 0 {
		return fmt.Errorf("%s %v m: must be finite and positive", what, x)
	}
	return nil
}

func notNegative(what string, x float64) error {
	if !finite(x) || x < 0 {
		return fmt.Errorf("%s %v: must be finite and not negative", what, x)
	}
	return nil
}
