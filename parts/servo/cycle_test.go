package servo

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/net/block"
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

func TestSensorWaitsForAll(t *testing.T) {
	for _, n := range []int{1, 2, 7, 40} {
		r := newRig(t)
		mux := &SensorNMux{N: block.NewConst(n)}
		r.add("sampler", &Sampler{})
		r.add("mux", mux, "sampler.sample -> mux.sample")
		want := make([]float64, 2*n)
		written := uint64(0)
		r.run(20, func(k int) {
			for i := range n {
				mux.Position[i].Feed(float64(k + i))
				if k%3 == 1 && i == n-1 {
					continue // one of them is late in every third cycle, and misses it
				}
				mux.Velocity[i].Feed(-float64(k + i))
			}
		}, func(k int) {
			if k%3 != 1 {
				written++
				for i := range n {
					want[i], want[n+i] = float64(k+i), -float64(k+i)
				}
				if !slices.Equal(mux.Sensor.Value(), want) {
					t.Errorf("n = %d, step %d: sensor = %v, expected %v", n, k, mux.Sensor.Value(), want)
				}
			}
			if c := *block.PortOf(&mux.Sensor).Count(); c != written {
				t.Errorf("n = %d, step %d: written %d times, expected %d", n, k, c, written)
			}
		})
	}
}

func TestSensorWritesOnceForEachSample(t *testing.T) {
	r := newRig(t)
	mux := &SensorNMux{}
	r.add("mux", mux)
	r.run(3, func(int) {
		mux.Position[0].Feed(1)
		mux.Velocity[0].Feed(1)
	}, nil)
	if c := *block.PortOf(&mux.Sensor).Count(); c != 0 {
		t.Errorf("without a sample it wrote %d times", c)
	}
}

func TestActuatorLetsAllActAtOnce(t *testing.T) {
	for _, n := range []int{1, 2, 7, 40} {
		r := newRig(t)
		act := make([]float64, n)
		demux, acted := &ActuatorNDemux{N: block.NewConst(n)}, []uint64{}
		r.add("sampler", &Sampler{})
		r.add("demux", demux, "sampler.sample -> demux.sample")
		r.add("listener", &listener{heard: func(c Cycle) {
			acted = append(acted, c.N)
			for i := range n {
				if got := demux.Voltage[i].Value(); got != act[i] {
					t.Errorf("n = %d, cycle %d: voltage%d = %v, expected %v", n, c.N, i+1, got, act[i])
				}
			}
		}}, "demux.acted -> listener.event")
		r.run(9, func(k int) {
			if k%4 == 2 {
				return // no command in this cycle
			}
			for i := range act {
				act[i] = float64(100*k + i)
			}
			demux.Act.Feed(act)
		}, nil)
		if !slices.Equal(acted, []uint64{0, 1, 3, 4, 5, 7, 8}) {
			t.Errorf("n = %d: acted in the cycles %v", n, acted)
		}
	}
}

func TestActuatorIsSilentWithoutASample(t *testing.T) {
	r := newRig(t)
	demux := &ActuatorNDemux{}
	r.add("demux", demux)
	r.run(3, func(int) { demux.Act.Feed([]float64{5}) }, nil)
	if c := *block.PortOf(&demux.Acted).Count(); c != 0 || demux.Voltage[0].Value() != 0 {
		t.Errorf("acted %d times, voltage1 = %v", c, demux.Voltage[0].Value())
	}
}

func TestControllerSplitsAndCollects(t *testing.T) {
	for _, n := range []int{1, 2, 7, 40} {
		r := newRig(t)
		c := &ControllerNPID{N: block.NewConst(n)}
		r.add("controller", c)
		for i := 1; i <= n; i++ {
			pid := fmt.Sprintf("pid%d", i)
			r.add(pid, &PID{Ki: block.NewParam(1.0)},
				fmt.Sprintf("controller.ref%d -> %s.ref", i, pid), fmt.Sprintf("controller.sen%d -> %s.sen", i, pid),
				fmt.Sprintf("%s.out -> controller.u%d", pid, i))
		}
		reference, sensor := make([]float64, 3*n), make([]float64, 2*n)
		r.run(3, func(k int) {
			for i := range n {
				sensor[i], reference[i] = float64(i), float64(2*i)
			}
			c.Sensor.Feed(sensor)
			if k > 0 {
				c.Reference.Feed(reference)
			}
		}, func(k int) {
			for i := range n {
				// Before a reference has come, the joints are to stay where they are.
				e := float64(i) * float64(min(k, 1))
				if c.Error[i].Value() != e {
					t.Errorf("n = %d, step %d: error%d = %v, expected %v", n, k, i+1, c.Error[i].Value(), e)
				}
				if u := math.Min(e*float64(k), 24); c.Act.Value()[i] != u {
					t.Errorf("n = %d, step %d: act[%d] = %v, expected %v", n, k, i, c.Act.Value()[i], u)
				}
			}
		})
	}
}

func TestFeedforwardIsAddedBeforeTheLimit(t *testing.T) {
	c := &ControllerNPIDFF{ControllerNPID: ControllerNPID{N: block.NewConst(3)}, Limit: block.NewParam(10.0)}
	r := newRig(t)
	r.add("controller", c)
	r.run(3, func(k int) {
		c.Sensor.Feed(make([]float64, 6))
		for i, u := range []float64{1, 9, -9} {
			c.U[i].Feed(u)
		}
		if k > 0 {
			c.Feedforward.Feed([]float64{2, 4, -4})
		}
	}, func(k int) {
		want := [][]float64{{1, 9, -9}, {3, 10, -10}, {3, 10, -10}}[k]
		if !slices.Equal(c.Act.Value(), want) {
			t.Errorf("step %d: act = %v, expected %v", k, c.Act.Value(), want)
		}
	})
}

func TestHowManyJoints(t *testing.T) {
	for _, b := range []block.Block{
		&SensorNMux{N: block.NewConst(0)}, &ActuatorNDemux{N: block.NewConst(0)}, &ControllerNPID{N: block.NewConst(0)},
		&ControllerNPIDFF{ControllerNPID: ControllerNPID{N: block.NewConst(0)}}, &Generator{N: block.NewConst(0)},
		&BridgeRef{N: block.NewConst(0)},
	} {
		if got := buildError(t, b); !strings.Contains(got, "n is 0: wants at least 1") {
			t.Errorf("%T: %q", b, got)
		}
	}
}
