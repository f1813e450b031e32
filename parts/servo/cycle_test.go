package servo

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/block/inspect"
	"github.com/sinew-robotics/sinew/net/clock"
)

func TestSamplerCounts(t *testing.T) {
	r := newRig(t)
	var got []uint64
	last := &listener{heard: func(c Cycle) { got = append(got, c.N) }}
	r.add("sampler", &Sampler{})
	r.add("listener", last, "sampler.sample -> listener.event")
	r.run(4, nil, nil)
	if !slices.Equal(got, []uint64{0, 1, 2, 3}) {
		t.Errorf("got %v", got)
	}
}

// listener hears events.
type listener struct {
	Event block.Handler[Cycle]
	heard func(Cycle)
}

func (l *listener) Setup(*block.Setup) error {
	l.Event.Handle(l.heard)
	return nil
}

func newMux(n int) *SensorNMux { return &SensorNMux{Sensor: Sensor{N: block.NewConst(n)}} }
func newDemux(n int) *ActuatorNDemux {
	return &ActuatorNDemux{Actuator: Actuator{N: block.NewConst(n)}}
}
func newNPID(n int) *ControllerNPID {
	return &ControllerNPID{Controller: Controller{N: block.NewConst(n)}}
}
func newNPIDFF(n int) *ControllerNPIDFF { return &ControllerNPIDFF{ControllerNPID: *newNPID(n)} }

// source writes what a test wants at each step.
type source struct {
	Out    []block.Out[float64]
	Vector block.Out[[]float64]
	Sample block.Event[Cycle]

	numbers, length int
	write           func(k int)
}

func (s *source) Setup(u *block.Setup) error {
	s.Out = make([]block.Out[float64], s.numbers)
	u.Len(s.length, &s.Vector)
	return nil
}

func (s *source) Step(t clock.Tick) error {
	s.write(int(t.N))
	return nil
}

// The sampling policy of section 3.2: SensorNMux writes "after all 2N Data Ports have been written to following a Sample Event".
func TestSensorWritesOnceWhenAllHaveComeSinceTheSample(t *testing.T) {
	for _, n := range []int{1, 2, 7, 40} {
		r := newRig(t)
		mux, want, written := newMux(n), make([]float64, 2*n), uint64(0)
		from := &source{numbers: 2 * n}
		from.write = func(k int) {
			if k%4 != 2 { // in every fourth cycle there is no sample
				from.Sample.Emit(Cycle{N: uint64(k)})
			}
			for i := range from.Out {
				if k%4 == 1 && i == 2*n-1 {
					continue // in every fourth cycle one of them is late, and comes in the next, which has no sample
				}
				from.Out[i].Write(float64(k + i))
			}
		}
		r.add("from", from)
		r.add("mux", mux, "from.sample -> mux.sample")
		for i := range n {
			r.link(fmt.Sprintf("from.out%d -> mux.position%d", i+1, i+1), fmt.Sprintf("from.out%d -> mux.displacement%d", n+i+1, i+1))
		}
		r.run(24, nil, func(k int) {
			if k%4 != 1 { // in cycle 2 comes what was missing in cycle 1
				written++
				for i := range want {
					want[i] = float64(k + i)
				}
			}
			if got := mux.State.Value(); !slices.Equal(got, want) {
				t.Errorf("n = %d, step %d: sensor = %v, expected %v", n, k, got, want)
			}
			if c := *inspect.PortOf(&mux.State).Count(); c != written {
				t.Errorf("n = %d, step %d: written %d times, expected %d", n, k, c, written)
			}
		})
	}
}

func TestSensorIsSilentWithoutASample(t *testing.T) {
	r := newRig(t)
	mux := newMux(1)
	r.add("mux", mux)
	r.run(3, func(int) {
		mux.Position[0].Feed(1)
		mux.Displacement[0].Feed(1)
	}, nil)
	if c := *inspect.PortOf(&mux.State).Count(); c != 0 {
		t.Errorf("without a sample it wrote %d times", c)
	}
}

func TestAPositionGivenByHandKeepsTheSensorAlive(t *testing.T) {
	r := newRig(t)
	mux := newMux(1)
	r.add("sampler", &Sampler{})
	r.add("mux", mux, "sampler.sample -> mux.sample")
	r.run(5, func(k int) {
		if k == 0 {
			mux.Position[0].Feed(1)
			mux.Displacement[0].Feed(2)
		}
	}, nil)
	if c := *inspect.PortOf(&mux.State).Count(); c != 5 {
		t.Errorf("with values by hand it wrote %d times in 5 cycles", c)
	}
}

// "It demultiplexes the act vector, and writes the values to the N Data Ports. Then, if a Sample Event has occurred since the
// last Act Event, a new Act is generated" (3.2).
func TestActuatorAlwaysWritesVoltagesAndActsOnceASample(t *testing.T) {
	for _, n := range []int{1, 2, 7, 40} {
		r := newRig(t)
		demux, act, acted := newDemux(n), make([]float64, n), []uint64{}
		from := &source{length: n}
		from.write = func(k int) {
			if k != 0 && k%3 != 2 { // commands of cycles 0, 2, 5, … come without a sample
				from.Sample.Emit(Cycle{N: uint64(k)})
			}
			if k%4 == 3 {
				return // no command in this cycle
			}
			for i := range act {
				act[i] = float64(100*k + i)
			}
			from.Vector.Write(act)
		}
		r.add("from", from)
		r.add("demux", demux, "from.sample -> demux.sample", "from.vector -> demux.act")
		r.add("listener", &listener{heard: func(c Cycle) { acted = append(acted, c.N) }}, "demux.acted -> listener.event")
		r.run(9, nil, func(k int) {
			for i := range n {
				if got := demux.Voltage[i].Value(); got != act[i] {
					t.Errorf("n = %d, step %d: voltage%d = %v, expected %v", n, k, i+1, got, act[i])
				}
			}
		})
		// Cycle 3 has a sample and no command: the next command, in cycle 4, acts for the newest sample.
		if !slices.Equal(acted, []uint64{1, 4, 6, 7}) {
			t.Errorf("n = %d: acted in the cycles %v", n, acted)
		}
	}
}

// rigOfPIDs adds a controller of n joints with its PIDs, which answer in the same cycle.
func rigOfPIDs(t *testing.T, controller block.Block, n int) (*rig, *source) {
	r := newRig(t)
	from := &source{length: 2 * n}
	r.add("from", from)
	r.add("controller", controller, "from.sample -> controller.sample", "from.vector -> controller.sensor")
	for i := 1; i <= n; i++ {
		pid := fmt.Sprintf("pid%d", i)
		r.add(pid, &PID{Ki: block.NewParam(1.0)},
			fmt.Sprintf("controller.ref%d -> %s.ref", i, pid), fmt.Sprintf("controller.sen%d -> %s.sen", i, pid),
			fmt.Sprintf("%s.out -> controller.out%d", pid, i))
	}
	return r, from
}

// The control cycle of section 3.3.2.
func TestControllerSplitsAndCollectsAfterASample(t *testing.T) {
	for _, n := range []int{1, 2, 7, 40} {
		c := newNPID(n)
		r, from := rigOfPIDs(t, c, n)
		reference, sensor, steps := make([]float64, 3*n), make([]float64, 2*n), 0
		from.write = func(k int) {
			if k%2 == 0 { // in every second cycle the measurement comes without a sample, and is not controlled
				from.Sample.Emit(Cycle{N: uint64(k)})
			}
			for i := range n {
				sensor[i], reference[i] = float64(i), float64(2*i)
			}
			from.Vector.Write(sensor)
		}
		r.run(6, func(k int) {
			if k > 0 {
				c.Reference.Feed(reference)
			}
		}, func(k int) {
			if k%2 == 0 {
				steps++
			}
			if got := *inspect.PortOf(&c.Act).Count(); got != uint64(steps) {
				t.Errorf("n = %d, step %d: %d commands, expected %d", n, k, got, steps)
			}
			for i := range n {
				// Before a reference has come, the joints stay where they are.
				e := float64(i) * float64(min(steps-1, 1))
				if c.Error[i].Value() != e {
					t.Errorf("n = %d, step %d: error%d = %v, expected %v", n, k, i+1, c.Error[i].Value(), e)
				}
				if u := math.Min(e*float64(steps-1), 24); c.Act.Value()[i] != u {
					t.Errorf("n = %d, step %d: act[%d] = %v, expected %v", n, k, i, c.Act.Value()[i], u)
				}
			}
		})
	}
}

func TestControllerNamesThePIDThatDoesNotAnswer(t *testing.T) {
	for want, cut := range map[string]string{
		"out2 has not come in 10 cycles":      "pid2",
		"out_model has not come in 10 cycles": "model",
	} {
		c := newNPIDFF(2)
		r, from := rigOfPIDs(t, c, 2)
		r.add("model", &echoVector{}, "controller.in_model -> model.in", "model.out -> controller.out_model")
		from.write = func(k int) {
			from.Sample.Emit(Cycle{N: uint64(k)})
			from.Vector.Write(make([]float64, 4))
		}
		r.add("gate", &gate{}, "gate.on -> "+cut+".enable")
		counts := []uint64{}
		faults := r.run(30, nil, func(int) { counts = append(counts, *inspect.PortOf(&c.Act).Count()) })
		if len(faults) != 1 || !strings.Contains(faults[0].Why, want) {
			t.Errorf("without %s: faults %v, expected %q", cut, faults, want)
		}
		if counts[4] != 5 || counts[14] != 5 || !slices.Equal(c.Act.Value(), []float64{0, 0}) {
			t.Errorf("without %s: commands %v, at last %v", cut, counts, c.Act.Value())
		}
	}
}

// gate is on for five steps.
type gate struct{ On block.Out[bool] }

func (g *gate) Step(t clock.Tick) error {
	g.On.Write(t.N < 5)
	return nil
}

// echoVector is a model whose voltages are the first elements of the reference.
type echoVector struct {
	In  block.In[[]float64] `trigger:"yes"`
	Out block.Out[[]float64]
}

func (e *echoVector) Setup(s *block.Setup) error {
	s.Len(6, &e.In)
	s.Len(2, &e.Out)
	return nil
}

func (e *echoVector) Step(clock.Tick) error {
	v, _ := e.In.Read()
	e.Out.Write(v[:2])
	return nil
}

// Section 3.4.2: positions, velocities and accelerations go to in_model; the model's answer is added to the PIDs'.
func TestFeedforwardGoesThroughTheControllersModelPorts(t *testing.T) {
	c := newNPIDFF(2)
	c.Limit = block.NewParam(10.0)
	r, from := rigOfPIDs(t, c, 2)
	r.add("model", &echoVector{}, "controller.in_model -> model.in", "model.out -> controller.out_model")
	reference := []float64{3, 30, 5, 6, 7, 8}
	from.write = func(k int) {
		from.Sample.Emit(Cycle{N: uint64(k)})
		from.Vector.Write([]float64{1, 28, 0, 0})
	}
	r.run(3, func(k int) {
		if k > 0 {
			c.Reference.Feed(reference)
		}
	}, func(k int) {
		model := [][]float64{{1, 28, 0, 0, 0, 0}, reference, reference}[k]
		if got := c.InModel.Value(); !slices.Equal(got, model) {
			t.Errorf("step %d: in_model = %v, expected %v", k, got, model)
		}
		// PIDs of ki = 1 alone answer 0, 2, 4 to the errors 0, 2, 2.
		if want := [][]float64{{1, 10}, {5, 10}, {7, 10}}[k]; !slices.Equal(c.Act.Value(), want) {
			t.Errorf("step %d: act = %v, expected %v", k, c.Act.Value(), want)
		}
	})
}

func TestBlocksOfNJointsNeedOneJoint(t *testing.T) {
	for _, b := range []block.Block{
		newMux(0), newDemux(0), newNPID(0), newNPIDFF(0), &Generator{N: block.NewConst(0)}, &BridgeRef{N: block.NewConst(0)},
	} {
		if got := buildError(t, b); !strings.Contains(got, "n is 0: wants at least 1") {
			t.Errorf("%T: %q", b, got)
		}
	}
}
