package servo

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/block/inspect"
	"github.com/sinew-robotics/sinew/net/diagram"
)

// A joint with a fake card, as the text of section 3.1 describes it.

// jointRig is a joint with a fake card, sampled and triggered to act in every activation.
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
		sum, before := offset, 0.0
		r.run(5, func(int) { card.reading = Reading{Counts: random.Int64N(1e6) - 5e5, Index: 77, Marked: true} }, func(int) {
			moved := sign * 2 * math.Pi * float64(card.reading.Counts) / (counts * gear)
			testkit.Near(t, "position", joint.Position.Value(), offset+moved, 1e-12)
			testkit.Near(t, "displacement", joint.Displacement.Value(), moved-before, 1e-9)
			testkit.Near(t, "index", joint.Index.Value(), offset+sign*2*math.Pi*77/(counts*gear), 1e-12)
			// "The displacement of the joint is also integrated with the initial condition given by the InitialPos Property"
			sum += joint.Displacement.Value()
			testkit.Near(t, "integral of the displacements", sum, joint.Position.Value(), 1e-9)
			before = moved
		})
	}
}

// "The sensorRead Method returns the displacement of the joint of the robot, compensating for the wiring and the reduction",
// and "updates the Displacement, Position and Index Data Ports".
func TestSensorReadReturnsTheCompensatedDisplacement(t *testing.T) {
	card, joint := &fakeCard{}, &Joint{
		PeerName: block.NewConst("card"), Sampler: block.NewConst(false), SensorSign: block.NewParam(-1.0),
		GearRatio: block.NewParam(100.0), Resolution: block.NewParam(2000.0), InitialPos: block.NewParam(0.5),
	}
	r := newRig(t)
	r.add("card", card)
	r.add("joint", joint)
	counts := []int64{5000, 7000, 7000, -1000}
	r.run(len(counts), func(k int) {
		card.reading = Reading{Counts: counts[k], Index: counts[k] / 2, Marked: true}
		before := int64(0)
		if k > 0 {
			before = counts[k-1]
		}
		const count = 2 * math.Pi / 200_000
		testkit.Near(t, "result", serveFloat(t, r, "joint", "sensorRead"), -count*float64(counts[k]-before), 1e-12)
		testkit.Near(t, "displacement", joint.Displacement.Value(), -count*float64(counts[k]-before), 1e-12)
		testkit.Near(t, "position", joint.Position.Value(), 0.5-count*float64(counts[k]), 1e-12)
		testkit.Near(t, "index", joint.Index.Value(), 0.5-count*float64(counts[k]/2), 1e-12)
	}, nil)
}

func TestJointVelocityFollowsTheCounts(t *testing.T) {
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
	joint := &Joint{PeerName: block.NewConst("card"), Resolution: block.NewParam(100.0), Sampler: block.NewConst(false)}
	r := newRig(t)
	r.add("card", card)
	r.add("joint", joint, "card.displacement -> joint.displacement_sensor")
	r.run(6, func(k int) {
		if k%2 == 0 {
			card.Displacement.Write(int64(25 * k))
		}
	}, func(k int) {
		testkit.Near(t, "position", joint.Position.Value(), 2*math.Pi*float64(k-k%2)/4, 1e-12)
		if n := *inspect.PortOf(&joint.Position).Count(); n != uint64(k/2+1) {
			t.Errorf("step %d: position was written %d times", k, n)
		}
	})
}

// indexCard writes counts at the index mark alone, and answers the joint with nothing new.
type indexCard struct {
	fakeCard
	Mark block.Out[int64]
}

// "In a similar way, the value in the IndexSensor* Data Port received from the component specified by the PeerName Property is used to
// update the value made available at the Index Data Port" (3.1): by the gear, the sign and the initial position, as the position is.
func TestIndexSensorUpdatesTheIndexAlone(t *testing.T) {
	card := &indexCard{}
	joint := &Joint{
		PeerName: block.NewConst("card"), Sampler: block.NewConst(false), Resolution: block.NewParam(100.0),
		GearRatio: block.NewParam(2.0), SensorSign: block.NewParam(-1.0), InitialPos: block.NewParam(0.5),
	}
	r := newRig(t)
	r.add("card", card)
	r.add("joint", joint, "card.mark -> joint.index_sensor")
	r.run(6, func(k int) {
		if k%2 == 0 {
			card.Mark.Write(int64(25 * k))
		}
	}, func(k int) {
		testkit.Near(t, "index", joint.Index.Value(), 0.5-2*math.Pi*float64(25*(k-k%2))/200, 1e-12)
		if n := *inspect.PortOf(&joint.Index).Count(); n != uint64(k/2+1) {
			t.Errorf("step %d: the index was written %d times", k, n)
		}
		if n := *inspect.PortOf(&joint.Position).Count(); n != 0 {
			t.Errorf("step %d: the position was written %d times", k, n)
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

func TestJointActsOnlyOnTheEvent(t *testing.T) {
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
	whole := []string{"0 V", "actuatorOn", "brakeRelease", "0 V", "brakeApply", "actuatorOff"}
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

func TestJointOperationsMapToThoseOfItsPeer(t *testing.T) {
	card, joint := &fakeCard{}, &Joint{ActuatorSign: block.NewParam(-1.0)}
	r := jointRig(t, joint, card)
	r.run(10, func(k int) {
		switch k {
		case 2:
			serve(t, r, "joint", "brakeApply")
		case 4:
			serve(t, r, "joint", "brakeRelease")
		case 6:
			serve(t, r, "joint", "motorOff")
		case 8:
			serve(t, r, "joint", "motorOn")
			serveWith(t, r, "joint", "motorSet", 2.5)
			if card.volts != -2.5 || joint.VoltageActuator.Value() != -2.5 {
				t.Errorf("motorSet(2.5) with actuator_sign -1 sets %v V", card.volts)
			}
		}
	}, nil)
	want := []string{
		"0 V", "actuatorOn", "brakeRelease", "brakeApply", "brakeRelease",
		"0 V", "brakeApply", "actuatorOff", "0 V", "actuatorOn", "brakeRelease",
		"0 V", "brakeApply", "actuatorOff",
	}
	if !slices.Equal(card.log, want) {
		t.Errorf("got      %v\nexpected %v", card.log, want)
	}
}

// bareCard is a card of a joint without a brake.
type bareCard struct {
	ActuatorOn  block.Operation[block.None, block.None]
	ActuatorOff block.Operation[block.None, block.None]
	ActuatorSet block.Operation[float64, block.None]
	SensorRead  block.Operation[block.None, Reading]
	log         []string
}

func (c *bareCard) Setup(*block.Setup) error {
	note := func(what string) func(block.None) (block.None, error) {
		return func(block.None) (block.None, error) {
			c.log = append(c.log, what)
			return block.None{}, nil
		}
	}
	c.ActuatorOn.Handle(note("actuatorOn"))
	c.ActuatorOff.Handle(note("actuatorOff"))
	c.ActuatorSet.Handle(func(float64) (block.None, error) { return block.None{}, nil })
	c.SensorRead.Handle(func(block.None) (Reading, error) { return Reading{}, nil })
	return nil
}

// "They are only exported if the Brake Property confirms that the specific joint has a brake."
func TestBrakeOperationsExistOnlyWithABrake(t *testing.T) {
	r := newRig(t)
	card := &bareCard{}
	r.add("card", card)
	r.add("joint", &Joint{PeerName: block.NewConst("card"), Brake: block.NewConst(false), Sampler: block.NewConst(false)})
	r.run(3, nil, nil)
	if !slices.Equal(card.log, []string{"actuatorOn", "actuatorOff"}) {
		t.Errorf("got %v", card.log)
	}
	for _, b := range r.net.Blocks {
		for _, name := range []string{"brakeApply", "brakeRelease"} {
			if b.Name == "joint" && b.Operation(name) != nil {
				t.Errorf("a joint without a brake has the operation %s", name)
			}
		}
	}
	r = newRig(t)
	r.add("card", &bareCard{})
	r.add("joint", &Joint{PeerName: block.NewConst("card")})
	if _, err := r.d.Build(); err == nil || !strings.Contains(err.Error(), `has no operation "brakeApply"`) {
		t.Errorf("a card without a brake for a joint with one: %v", err)
	}
	r = newRig(t)
	r.add("card", &fakeCard{})
	r.add("joint", &Joint{PeerName: block.NewConst("card"), Brake: block.NewConst(false)})
	r.add("caller", &brakeCaller{})
	if _, err := r.d.Build(); err == nil || !strings.Contains(err.Error(), `has no operation "brakeApply": its parameter brake is false`) {
		t.Errorf("a call of the brake that is not there: %v", err)
	}
}

// brakeCaller calls the brake of a joint.
type brakeCaller struct {
	apply block.Caller[block.None, block.None]
}

func (c *brakeCaller) Setup(s *block.Setup) error {
	block.Bind(s, &c.apply, "joint", "brakeApply")
	return nil
}

// "Sampler: Indicate whether the Joint component should try to connect to the Sample and Act Events."
func TestJointWithoutSamplerHasNoEvents(t *testing.T) {
	for port, from := range map[string]string{"sample": "sampler.sample", "act": "sampler.sample", "voltage": "pid.out"} {
		r := newRig(t)
		r.add("card", &fakeCard{})
		r.add("sampler", &Sampler{})
		r.add("pid", &PID{})
		r.add("joint", &Joint{PeerName: block.NewConst("card"), Sampler: block.NewConst(false)}, from+" -> joint."+port)
		if _, err := r.d.Build(); err == nil || !strings.Contains(err.Error(), `has no port "`+port+`": its parameter sampler is false`) {
			t.Errorf("a link to joint.%s: %v", port, err)
		}
	}
	card, joint := &fakeCard{}, &Joint{PeerName: block.NewConst("card"), Sampler: block.NewConst(false)}
	r := newRig(t)
	r.add("card", card)
	r.add("joint", joint)
	r.run(5, func(int) { joint.Voltage.Feed(3) }, func(k int) {
		if card.volts != 0 {
			t.Errorf("step %d: the card got %v V without the event act", k, card.volts)
		}
	})
}

// A block that would wait forever for the Sampler is an error of a system file; without a sampler the joint needs none of its inputs.
func TestMissingLinksOfTheCycleAreErrors(t *testing.T) {
	r := newRig(t)
	r.d.RequireInputs()
	r.add("card", &fakeCard{})
	r.add("joint", &Joint{PeerName: block.NewConst("card")})
	r.add("sensor", &SensorNMux{})
	r.add("controller", &ControllerNPID{})
	r.add("feedforward", &ControllerNPIDFF{})
	r.add("actuator", &ActuatorNDemux{})
	_, err := r.d.Build()
	if err == nil {
		t.Fatal("the net was built")
	}
	for _, port := range []string{"joint.sample", "joint.act", "joint.voltage", "sensor.sample", "sensor.displacement1", "controller.sample", "feedforward.out_model", "actuator.sample"} {
		if !strings.Contains(err.Error(), port) {
			t.Errorf("no error names %s", port)
		}
	}
	r = newRig(t)
	r.d.RequireInputs()
	r.add("card", &fakeCard{})
	r.add("joint", &Joint{PeerName: block.NewConst("card"), Sampler: block.NewConst(false)})
	if _, err := r.d.Build(); err != nil {
		t.Errorf("a joint without a sampler: %v", err)
	}
}

// serve calls an operation without arguments, as the thread does for a tool.
func serve(t testing.TB, r *rig, name, operation string) { serveWith(t, r, name, operation) }

func serveFloat(t testing.TB, r *rig, name, operation string) float64 {
	return math.Float64frombits(binary.LittleEndian.Uint64(serveWith(t, r, name, operation)[4:]))
}

// serveWith calls an operation with numbers as arguments and returns its result in CDR, little-endian.
func serveWith(t testing.TB, r *rig, name, operation string, args ...float64) []byte {
	t.Helper()
	for _, b := range r.net.Blocks {
		if b.Name == name {
			op := b.Operation(operation)
			cdr := []byte{0, 1, 0, 0}
			for _, x := range args {
				cdr = binary.LittleEndian.AppendUint64(cdr, math.Float64bits(x))
			}
			cdr = append(cdr, make([]byte, op.Args.Size()-len(cdr))...)
			result := make([]byte, op.Result.Size())
			if _, err := op.Serve(cdr, result); err != nil {
				t.Error(err)
			}
			return result
		}
	}
	t.Fatal("no block ", name)
	return nil
}

func TestJointNamesAMissingCard(t *testing.T) {
	for _, c := range []struct{ peer, want string }{
		{"crad", `no block "crad"; did you mean "card"?`},
		{"sampler", `servo.Sampler has no operation "actuatorOn"`},
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

func TestCardInAnotherThreadIsRejected(t *testing.T) {
	r := newRig(t)
	r.d.Thread(diagram.Thread{Name: "other", Period: period})
	r.d.Add("card", &fakeCard{}, diagram.Place{Thread: "other"})
	r.add("joint", &Joint{PeerName: block.NewConst("card")})
	_, err := r.try(1, nil, nil)
	if !errors.Is(err, block.ErrOtherThread) || !strings.Contains(fmt.Sprint(err), `through "card"`) {
		t.Errorf("got %v", err)
	}
}
