package servo

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/diagram"
)

// jointRig is a joint with a fake card, sampled and told to act in every activation.
func jointRig(t testing.TB, joint *Joint, card *fakeCard) *rig {
	joint.PeerName = block.NewConst("card")
	r := newRig(t)
	r.add("card", card)
	r.add("sampler", &Sampler{})
	r.add("joint", joint, "sampler.sample -> joint.sample", "sampler.sample -> joint.act")
	return r
}

func TestJointTurnsCountsIntoItsOwnUnits(t *testing.T) {
	random := testkit.Rand(t)
	for range 20 {
		sign, gear, counts, offset := 1.0, 1+200*random.Float64(), float64(4*(1+random.IntN(1000))), random.NormFloat64()
		if random.IntN(2) == 0 {
			sign = -1
		}
		card := &fakeCard{}
		joint := &Joint{
			SensorSign: block.NewParam(sign), GearRatio: block.NewParam(gear),
			Resolution: block.NewParam(counts), InitialPos: block.NewParam(offset),
		}
		r := jointRig(t, joint, card)
		r.run(5, func(int) { card.reading = Reading{Counts: random.Int64N(1e6) - 5e5, Index: 77, Marked: true} }, func(int) {
			moved := sign * 2 * math.Pi * float64(card.reading.Counts) / (counts * gear)
			testkit.Near(t, "position", joint.Position.Value(), offset+moved, 1e-12)
			testkit.Near(t, "displacement", joint.Displacement.Value(), moved, 1e-9)
			testkit.Near(t, "index", joint.Index.Value(), offset+sign*2*math.Pi*77/(counts*gear), 1e-12)
		})
	}
}

func TestJointVelocity(t *testing.T) {
	card := &fakeCard{}
	joint := &Joint{Resolution: block.NewParam(1e6)}
	const speed = 0.7 // rad/s
	r := jointRig(t, joint, card)
	r.run(100, func(k int) {
		card.reading.Counts = int64(math.Round(speed * float64(k) * period.Seconds() * 1e6 / (2 * math.Pi)))
	}, func(k int) {
		if k == 0 && joint.Velocity.Value() != 0 {
			t.Errorf("velocity at first = %v", joint.Velocity.Value())
		}
		if k > 20 {
			testkit.Near(t, "velocity", joint.Velocity.Value(), speed, 1e-3)
		}
	})
}

// The card's output comes through a link: no sample is needed.
func TestJointReadsItsPort(t *testing.T) {
	card := &fakeCard{}
	joint := &Joint{PeerName: block.NewConst("card"), Resolution: block.NewParam(100.0)}
	r := newRig(t)
	r.add("card", card)
	r.add("joint", joint, "card.displacement -> joint.displacement_sensor")
	r.run(6, func(k int) {
		if k%2 == 0 {
			card.Displacement.Write(int64(25 * k))
		}
	}, func(k int) {
		testkit.Near(t, "position", joint.Position.Value(), 2*math.Pi*float64(k-k%2)/4, 1e-12)
		if n := *block.PortOf(&joint.Position).Count(); n != uint64(k/2+1) {
			t.Errorf("step %d: position was written %d times", k, n)
		}
	})
}

func TestJointSendsVoltageWithItsSign(t *testing.T) {
	for _, sign := range []float64{1, -1} {
		card, joint := &fakeCard{}, &Joint{ActuatorSign: block.NewParam(sign)}
		r := jointRig(t, joint, card)
		r.run(5, func(k int) { joint.Voltage.Feed(float64(k)) }, func(k int) {
			if card.volts != sign*float64(k) || joint.VoltageActuator.Value() != card.volts {
				t.Errorf("step %d: card got %v V, voltage_actuator = %v", k, card.volts, joint.VoltageActuator.Value())
			}
		})
	}
}

func TestJointActsOnlyWhenToldTo(t *testing.T) {
	card, joint := &fakeCard{}, &Joint{PeerName: block.NewConst("card")}
	r := newRig(t)
	r.add("card", card)
	r.add("joint", joint)
	r.run(5, func(int) { joint.Voltage.Feed(3) }, func(k int) {
		if card.volts != 0 {
			t.Errorf("step %d: the card got %v V without the event act", k, card.volts)
		}
	})
}

func TestJointComesToRest(t *testing.T) {
	whole := []string{"0 V", "motorOn", "brakeRelease", "0 V", "brakeApply", "motorOff"}
	card, joint := &fakeCard{}, &Joint{}
	jointRig(t, joint, card).run(5, func(int) { joint.Voltage.Feed(3) }, nil)
	if !slices.Equal(card.log, whole) {
		t.Errorf("a run: %v, expected %v", card.log, whole)
	}
	for what, harm := range map[string]func(*fakeCard, *Joint){
		"not a finite number": func(_ *fakeCard, j *Joint) { j.Voltage.Feed(math.NaN()) },
		"bus is silent":       func(c *fakeCard, _ *Joint) { c.failure = errors.New("bus is silent") },
	} {
		card, joint := &fakeCard{}, &Joint{}
		faults := jointRig(t, joint, card).run(5, func(k int) {
			joint.Voltage.Feed(3)
			if k == 2 {
				harm(card, joint)
			}
		}, func(k int) {
			if k >= 2 && (card.volts != 0 || joint.VoltageActuator.Value() != 0 || !slices.Equal(card.log[:6], whole)) {
				t.Errorf("%s: %v V after %v", what, card.volts, card.log)
			}
		})
		if len(faults) != 1 || !strings.Contains(faults[0].Why, what) {
			t.Errorf("%s: faults %v", what, faults)
		}
	}
}

func TestBrakeHoldsOnDemandAndWhileTheMotorIsOff(t *testing.T) {
	card, joint := &fakeCard{}, &Joint{}
	r := jointRig(t, joint, card)
	r.run(10, func(k int) {
		joint.Voltage.Feed(1)
		switch k {
		case 2:
			joint.Brake.Set(true)
		case 4:
			joint.Brake.Set(false)
		case 6:
			serve(t, r, "joint", "motorOff")
		case 8:
			serve(t, r, "joint", "motorOn")
		}
	}, nil)
	want := []string{
		"0 V", "motorOn", "brakeRelease", "brakeApply", "brakeRelease",
		"0 V", "brakeApply", "motorOff", "0 V", "motorOn", "brakeRelease",
		"0 V", "brakeApply", "motorOff",
	}
	if !slices.Equal(card.log, want) {
		t.Errorf("got      %v\nexpected %v", card.log, want)
	}
}

// serve calls an operation without arguments, as the thread does for a tool.
func serve(t testing.TB, r *rig, name, operation string) {
	t.Helper()
	for _, b := range r.net.Blocks {
		if b.Name == name {
			op := b.Operation(operation)
			args := append([]byte{0, 1, 0, 0}, make([]byte, op.Args.Size()-4)...) // CDR, little-endian
			if _, err := op.Serve(args, make([]byte, op.Result.Size())); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestJointWithoutACard(t *testing.T) {
	for _, c := range []struct{ peer, want string }{
		{"", "peer_name is not given"},
		{"crad", `no block "crad"; did you mean "card"?`},
		{"sampler", `servo.Sampler has no operation "motorOn"`},
	} {
		r := newRig(t)
		r.add("card", &fakeCard{})
		r.add("sampler", &Sampler{})
		r.add("joint", &Joint{PeerName: block.NewConst(c.peer)})
		if _, err := r.d.Build(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("peer_name %q: got %v, expected %q", c.peer, err, c.want)
		}
	}
	if got := buildError(t, &Joint{PeerName: block.NewConst("b"), SensorSign: block.NewParam(0.5)}); !strings.Contains(got, "are 1 or -1") {
		t.Errorf("sensor_sign 0.5: %q", got)
	}
}

func TestCardInAnotherThread(t *testing.T) {
	r := newRig(t)
	r.d.Thread(diagram.Thread{Name: "other", Period: period})
	r.d.Add("card", &fakeCard{}, diagram.Place{Thread: "other"})
	r.add("joint", &Joint{PeerName: block.NewConst("card")})
	_, err := r.try(1, nil, nil)
	if !errors.Is(err, block.ErrOtherThread) || !strings.Contains(fmt.Sprint(err), `through "card"`) {
		t.Errorf("got %v", err)
	}
}
