package hexapod

import (
	"math"
	"slices"
	"testing"
)

// It lies on its belly, stands up, and lies down again at the same place.
func TestMachineStandsUpAndLiesDown(t *testing.T) {
	try(t, func(r *trial) {
		near(t, "height of the lying body", r.Robot.sim.Q()[2], 0.035, 0.003)
		if n := r.Posture.FeetDown.Value(); n != 0 {
			t.Errorf("%v feet carry while it lies on its belly", n)
		}
		r.order(r.Locomotion.standUp)
		r.until(Standing, 4)
		if r.worst.tilt > 0.05 {
			t.Errorf("it tilted by %.3f rad while it stood up", r.worst.tilt)
		}
		near(t, "height of the standing body", r.Robot.sim.Q()[2], r.Locomotion.StandHeight.Value()+footRadius, 0.005)
		near(t, "the height that it measures", r.Posture.Height.Value(), r.Robot.sim.Q()[2]-footRadius, 0.003)
		r.look()
		r.wait(5)
		r.upright()
		x, y, heading := r.pose()
		near(t, "creeping", math.Hypot(x, y), 0, 0.002)
		near(t, "turning", heading, 0, 0.005)
		r.order(r.Locomotion.lieDown)
		r.until(Lying, 4)
		r.wait(0.5)
		near(t, "height of the lying body", r.Robot.sim.Q()[2], 0.035, 0.003)
	})
}

// It walks more than half a metre in each direction, in each gait, upright, and close to the commanded path.
func TestMachineWalksInEachGait(t *testing.T) {
	for gait, c := range []struct {
		name    string
		v       Velocity
		seconds float64
	}{
		{"tripod", Velocity{VX: 0.12}, 6},
		{"tetrapod", Velocity{VY: -0.08}, 8.5},
		{"wave", Velocity{VX: -0.04}, 16},
	} {
		t.Run(c.name, func(t *testing.T) {
			try(t, func(r *trial) {
				r.Gait.Gait.Set(int64(gait))
				r.stand()
				r.walk(c.v, c.seconds)
				r.upright()
				x, y, heading := r.pose()
				near(t, "way ahead", x, c.v.VX*c.seconds, 0.01+0.03*math.Abs(c.v.VX*c.seconds))
				near(t, "way to the left", y, c.v.VY*c.seconds, 0.01+0.03*math.Abs(c.v.VY*c.seconds))
				near(t, "heading", heading, 0, 0.03)
				if way := math.Hypot(x, y); way < 0.5 {
					t.Errorf("it walked %.3f m only", way)
				}
			})
		})
	}
}

func TestMachineTurnsInPlace(t *testing.T) {
	for _, rate := range []float64{0.3, -0.3} {
		try(t, func(r *trial) {
			r.stand()
			r.walk(Velocity{YawRate: rate}, 6)
			r.upright()
			x, y, heading := r.pose()
			near(t, "heading", heading, rate*6, 0.05)
			near(t, "way", math.Hypot(x, y), 0, 0.01)
		})
	}
}

// Walking ahead and turning simultaneously is a circle: half of it leads to the opposite side.
func TestMachineWalksACircle(t *testing.T) {
	try(t, func(r *trial) {
		r.stand()
		const v, w = 0.08, 0.2
		r.walk(Velocity{VX: v, YawRate: w}, 12)
		r.upright()
		x, y, heading := r.pose()
		near(t, "heading", math.Remainder(heading-12*w, 2*math.Pi), 0, 0.1)
		near(t, "distance to the middle of the circle", math.Hypot(x, y-v/w), v/w, 0.02)
	})
}

// The gait, and the command with it, may be changed while it walks.
func TestGaitMayChangeWhileWalking(t *testing.T) {
	try(t, func(r *trial) {
		r.stand()
		for k := range 12 {
			r.Gait.Gait.Set(int64((k * 2) % 3))
			angle := float64(k)
			r.order(func() error { return r.Locomotion.walk(Velocity{0.08 * math.Cos(angle), 0.08 * math.Sin(angle), 0.1}) })
			r.wait(1.7)
		}
		r.walk(Velocity{}, 1)
		r.upright()
		for i := range Legs {
			if m := r.Robot.sim.Q()[baseQ+3*i]; math.Abs(m) > 0.1 {
				t.Errorf("%s rests with the coxa at %.3f rad", Legs[i], m)
			}
		}
	})
}

// A commanded lean is reached despite the compliance of the legs.
func TestMachineLeansAsCommanded(t *testing.T) {
	try(t, func(r *trial) {
		r.stand()
		r.Locomotion.LeanRoll.Set(0.1)
		r.Locomotion.LeanPitch.Set(-0.15)
		r.Locomotion.StandHeight.Set(0.1)
		r.wait(5)
		near(t, "roll", r.Robot.Roll.Value(), 0.1, 0.005)
		near(t, "pitch", r.Robot.Pitch.Value(), -0.15, 0.005)
		near(t, "height", r.Robot.sim.Q()[2], 0.1+footRadius, 0.006)
	})
}

// It continues to walk after a strong push.
func TestMachineWithstandsAPush(t *testing.T) {
	try(t, func(r *trial) {
		r.stand()
		r.order(func() error { return r.Locomotion.walk(Velocity{VX: 0.1}) })
		r.wait(2)
		v := slices.Clone(r.Robot.sim.V())
		v[1] += 0.6 // m/s to the side, of 4.6 kg
		r.Robot.sim.SetState(r.Robot.sim.Q(), v)
		r.wait(3)
		if r.worst.tilt > 0.3 {
			t.Errorf("it tilted by %.3f rad", r.worst.tilt)
		}
		r.look()
		r.wait(3)
		r.upright()
	})
}

func TestImpossibleCommandsAreRejected(t *testing.T) {
	try(t, func(r *trial) {
		if err := r.Locomotion.walk(Velocity{VX: 0.1}); err != errNotStanding {
			t.Errorf("walking while lying: %v", err)
		}
		r.stand()
		if err := r.Locomotion.standUp(); err != errStands {
			t.Errorf("standing up twice: %v", err)
		}
		for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			if err := r.Locomotion.walk(Velocity{YawRate: bad}); err != errVelocity {
				t.Errorf("walking with %v: %v", bad, err)
			}
		}
		// A command faster than the legs can follow is limited to what they can.
		r.walk(Velocity{VX: 1e6, VY: -1e6, YawRate: 1e6}, 3)
		r.upright()
	})
}

// Inputs that are not finite, and velocities that are not possible, do not break it.
func TestMachineSurvivesBadInput(t *testing.T) {
	try(t, func(r *trial) {
		r.stand()
		for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			r.Locomotion.VX.Feed(bad)
			r.wait(0.5)
			r.upright()
		}
		r.Locomotion.VX.Feed(-1e300)
		r.wait(2)
		r.upright()
		r.Locomotion.VX.Release()
		r.until(Standing, 8)
		for i, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e300, -1e300} {
			r.Robot.Command[3*i].Feed(bad)
			r.Robot.Command[3*i+1].Feed(bad)
		}
		r.wait(2)
		for _, q := range r.Robot.sim.Q() {
			if math.IsNaN(q) || math.Abs(q) > 10 {
				t.Fatalf("the machine is at %v", r.Robot.sim.Q())
			}
		}
	})
}

// Lifted off the ground in the middle of a step, it waits; back on the ground, it continues to walk.
func TestMachineWaitsInTheAir(t *testing.T) {
	try(t, func(r *trial) {
		r.stand()
		r.order(func() error { return r.Locomotion.walk(Velocity{VX: 0.1}) })
		r.wait(2)
		for range 50 {
			r.hang(0.3)
			r.wait(0.02)
		}
		before := r.Gait.phase
		for range 50 {
			r.hang(0.3)
			r.wait(0.02)
		}
		if r.Gait.phase != before {
			t.Error("it steps in the air")
		}
		r.wait(1)
		r.look()
		x, _, _ := r.pose()
		r.wait(3)
		r.upright()
		if now, _, _ := r.pose(); now < x+0.2 {
			t.Errorf("set down, it walked %.3f m in 3 s", now-x)
		}
	})
}
