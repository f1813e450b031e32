package servo

import (
	"math"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// portCard is a card behind the ports of a joint: no operations.
type portCard struct {
	Counts block.Out[int64]

	counts int64
	silent bool
}

func (c *portCard) Step(clock.Tick) error {
	if !c.silent {
		c.Counts.Write(c.counts)
	}
	return nil
}

// portRig is a joint whose card is behind its ports, sampled and triggered to act in every activation.
func portRig(t testing.TB, joint *Joint, card *portCard) *rig {
	r := newRig(t)
	r.add("card", card)
	r.add("sampler", &Sampler{})
	r.add("joint", joint, "sampler.sample -> joint.sample", "sampler.sample -> joint.act", "card.counts -> joint.displacement_sensor")
	return r
}

func TestJointWorksThroughPortsAlone(t *testing.T) {
	card := &portCard{}
	joint := &Joint{GearRatio: block.NewParam(10.0), Resolution: block.NewParam(100.0), InitialPos: block.NewParam(0.5), ActuatorSign: block.NewParam(-1.0)}
	faults := portRig(t, joint, card).run(10, func(k int) {
		card.counts = int64(25 * k)
		joint.Voltage.Feed(float64(k))
	}, func(k int) {
		if got, want := joint.Position.Value(), 0.5+2*math.Pi*float64(25*k)/1000; math.Abs(got-want) > 1e-12 {
			t.Errorf("step %d: position %v, expected %v", k, got, want)
		}
		if !joint.Power.Value() || joint.VoltageActuator.Value() != -float64(k) {
			t.Errorf("step %d: power %v, %v V", k, joint.Power.Value(), joint.VoltageActuator.Value())
		}
	})
	if len(faults) > 0 {
		t.Error(faults)
	}
	if joint.Power.Value() || joint.VoltageActuator.Value() != 0 {
		t.Errorf("after the end: power %v, %v V", joint.Power.Value(), joint.VoltageActuator.Value())
	}
}

// The card falls silent in step 20; its counts may be 0.05 s old: five periods.
func TestJointWithStaleCountsComesToRest(t *testing.T) {
	card, joint := &portCard{}, &Joint{MaxAge: block.NewParam(0.05)}
	at := -1
	faults := portRig(t, joint, card).run(40, func(k int) {
		card.silent = k >= 20
		joint.Voltage.Feed(3)
	}, func(k int) {
		rests := !joint.Power.Value() && joint.VoltageActuator.Value() == 0
		if rests && at < 0 {
			at = k
		}
		if k < 20 && rests || at >= 0 && !rests {
			t.Errorf("step %d: power %v, %v V", k, joint.Power.Value(), joint.VoltageActuator.Value())
		}
	})
	if len(faults) != 1 || !strings.Contains(faults[0].Why, "older than max_age") || at != 25 {
		t.Errorf("the joint came to rest in step %d, expected 25; faults %v", at, faults)
	}
}

// Programs of other languages may start later than the joint.
func TestJointWaitsForItsFirstCounts(t *testing.T) {
	card, joint := &portCard{silent: true}, &Joint{}
	faults := portRig(t, joint, card).run(60, func(k int) {
		card.silent = k < 30
		joint.Voltage.Feed(3)
	}, func(k int) {
		if on := joint.Power.Value(); on != (k >= 30) || on != (joint.VoltageActuator.Value() == 3) {
			t.Errorf("step %d: power %v, %v V", k, on, joint.VoltageActuator.Value())
		}
	})
	if len(faults) != 0 {
		t.Error(faults)
	}
}

func TestMotorThatIsOffGetsNoVoltage(t *testing.T) {
	card, joint := &portCard{}, &Joint{}
	r := portRig(t, joint, card)
	r.run(30, func(k int) {
		joint.Voltage.Feed(3)
		switch k {
		case 10:
			serve(t, r, "joint", "motorOff")
			if err := joint.motorSet(1); err != errOff {
				t.Errorf("motorSet while the motor is off: %v", err)
			}
		case 20:
			serve(t, r, "joint", "motorOn")
		}
	}, func(k int) {
		if on, wanted := joint.Power.Value(), k < 10 || k >= 20; on != wanted || (joint.VoltageActuator.Value() == 3) != wanted {
			t.Errorf("step %d: power %v, %v V", k, on, joint.VoltageActuator.Value())
		}
	})
}

func TestJointWithoutACardIsRefused(t *testing.T) {
	r := newRig(t)
	r.d.RequireInputs()
	r.add("sampler", &Sampler{})
	r.add("joint", &Joint{}, "sampler.sample -> joint.sample", "sampler.sample -> joint.act")
	if _, err := r.d.Build(); err == nil || !strings.Contains(err.Error(), "displacement_sensor") {
		t.Errorf("a joint without card and without counts: %v", err)
	}
	if err := buildError(t, &Joint{Sampler: block.NewConst(false)}); !strings.Contains(err, "sampler is false and peer_name is not given") {
		t.Errorf("a joint without card and sampler: %q", err)
	}
}
