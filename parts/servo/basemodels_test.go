package servo

import (
	"slices"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/block/inspect"
)

// ownSensor, ownController and ownActuator extend the base models as a user's own types do.
type ownSensor struct {
	Sensor
	reads int
}

func (o *ownSensor) SampleNow(Cycle) error {
	o.reads++
	o.State.Write([]float64{float64(o.reads), 0})
	return nil
}

type ownController struct {
	Controller
	Gain block.Param[float64]
}

func (o *ownController) ControllerNow() error {
	o.Act.Write([]float64{o.Gain.Value() * o.Sensor.Value()[0]})
	return nil
}

type ownActuator struct {
	Actuator
	applied []float64
	armed   []bool
}

func (o *ownActuator) ActNow(act []float64) error {
	o.applied = append(o.applied, act[0])
	o.armed = append(o.armed, o.Armed())
	o.Disarm()
	return nil
}

// "The Sample Event just enables the Controller and Actuator and does not cause any activity … However, the Sample Event enables
// Sensor and should then write the sensor measurements … This write will activate the Controller which will generate the act and
// will activate the Actuator" (section 3).
func TestOwnTypesInheritTheSamplingPolicy(t *testing.T) {
	r := newRig(t)
	sensor, controller, actuator := &ownSensor{}, &ownController{Gain: block.NewParam(2.0)}, &ownActuator{}
	from := &source{length: 1}
	from.write = func(k int) {
		if k%2 == 0 {
			from.Sample.Emit(Cycle{N: uint64(k)})
		}
	}
	r.add("from", from)
	r.add("sensor", sensor, "from.sample -> sensor.sample")
	r.add("controller", controller, "from.sample -> controller.sample", "sensor.sensor -> controller.sensor")
	r.add("actuator", actuator, "from.sample -> actuator.sample", "controller.act -> actuator.act")
	if faults := r.run(8, nil, nil); faults != nil {
		t.Fatal(faults)
	}
	if !slices.Equal(actuator.applied, []float64{2, 4, 6, 8}) || !slices.Equal(actuator.armed, []bool{true, true, true, true}) {
		t.Errorf("8 cycles with 4 samples applied %v, armed %v", actuator.applied, actuator.armed)
	}
}

// "By default, this function just sets a flag indicating that an Event from the Sampler was received" (section 3), and the functions that the
// other ports call do nothing.
func TestBaseModelsAloneOnlySetTheirFlag(t *testing.T) {
	r := newRig(t)
	sensor, controller, actuator := &Sensor{}, &Controller{}, &Actuator{}
	from := &source{numbers: 1, length: 2}
	from.write = func(k int) {
		if k == 2 {
			from.Sample.Emit(Cycle{N: 7})
		}
		if k == 4 {
			from.Vector.Write([]float64{1, 2})
		}
	}
	r.add("from", from)
	r.add("sensor", sensor, "from.sample -> sensor.sample")
	r.add("controller", controller, "from.sample -> controller.sample", "from.vector -> controller.sensor")
	r.add("actuator", actuator, "from.sample -> actuator.sample", "from.vector[0] -> actuator.act[0]")
	r.run(6, nil, func(k int) {
		// "The Sample Event just enables the Controller and Actuator and does not cause any activity": they look at it when a vector comes.
		if sensor.Armed() != (k >= 2) || actuator.Armed() != (k >= 4) || controller.Armed() {
			t.Errorf("step %d: the flags are %v, %v and %v", k, sensor.Armed(), controller.Armed(), actuator.Armed())
		}
		if n := *inspect.PortOf(&sensor.State).Count() + *inspect.PortOf(&controller.Act).Count(); n != 0 {
			t.Errorf("step %d: they have written %d times", k, n)
		}
	})
	for _, a := range []*Arming{&sensor.Arming, &controller.Arming, &actuator.Arming} {
		if c := a.Disarm(); c.N != 7 {
			t.Errorf("a flag is of cycle %d", c.N)
		}
	}
}

func TestControllerIgnoresMeasurementsWithoutASample(t *testing.T) {
	r := newRig(t)
	controller, actuator := &ownController{Gain: block.NewParam(1.0)}, &ownActuator{}
	from := &source{length: 2}
	from.write = func(k int) {
		if k == 3 || k == 4 {
			from.Sample.Emit(Cycle{N: uint64(k)})
		}
		if k != 3 && k != 5 {
			from.Vector.Write([]float64{float64(k), 0})
		}
	}
	r.add("from", from)
	r.add("controller", controller, "from.sample -> controller.sample", "from.vector -> controller.sensor")
	r.add("actuator", actuator, "controller.act -> actuator.act")
	r.run(8, nil, nil)
	if !slices.Equal(actuator.applied, []float64{4}) {
		t.Errorf("samples at 3 and 4, measurements at 0 1 2 4 6 7: commands %v, expected one, at 4", actuator.applied)
	}
	if !slices.Equal(actuator.armed, []bool{false}) {
		t.Error("an actuator without a sample is armed")
	}
}

// wrongSensor has a SampleNow with another signature.
type wrongSensor struct{ Sensor }

func (*wrongSensor) SampleNow() {}

func TestAnExtensionWithAnotherSignatureIsAnError(t *testing.T) {
	if got := buildError(t, &wrongSensor{}); !strings.Contains(got, "wants SampleNow(servo.Cycle) error") {
		t.Errorf("got %q", got)
	}
}

// forgetful has a Setup that does not call that of its base model.
type forgetful struct{ Sensor }

func (*forgetful) Setup(*block.Setup) error { return nil }

func TestAForgottenSetupIsAFault(t *testing.T) {
	r := newRig(t)
	r.add("sampler", &Sampler{})
	r.add("b", &forgetful{}, "sampler.sample -> b.sample")
	if faults := r.run(3, nil, nil); len(faults) != 1 || !strings.Contains(faults[0].Why, "the Setup of the embedded base model was not called") {
		t.Errorf("faults %v", faults)
	}
}
