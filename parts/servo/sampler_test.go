package servo

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// cycleListener notes the cycles that begin, by the activation in which it hears of them.
type cycleListener struct {
	Sample block.Handler[Cycle]
	at     []int
	cycles []uint64
}

func (l *cycleListener) Step(t clock.Tick) error {
	for c, ok := l.Sample.Take(); ok; c, ok = l.Sample.Take() {
		l.at, l.cycles = append(l.at, int(t.N)), append(l.cycles, c.N)
	}
	return nil
}

// level is a truth value for each activation; after the last one it does not write.
type level struct {
	Out    block.Out[bool]
	values []bool
}

func (l *level) Step(t clock.Tick) error {
	if int(t.N) < len(l.values) {
		l.Out.Write(l.values[t.N])
	}
	return nil
}

func samplerRig(t testing.TB, links ...string) (*rig, *Sampler, *cycleListener, *level) {
	r, sampler, heard, trigger := newRig(t), &Sampler{}, &cycleListener{}, &level{}
	r.add("trigger", trigger)
	r.add("sampler", sampler)
	r.add("listener", heard, "sampler.sample -> listener.sample")
	r.link(links...)
	return r, sampler, heard, trigger
}

func TestSamplerBeginsACycleAtEveryStep(t *testing.T) {
	r, _, heard, _ := samplerRig(t)
	r.run(4, nil, nil)
	if want := []int{0, 1, 2, 3}; !slices.Equal(heard.at, want) || !slices.Equal(heard.cycles, []uint64{0, 1, 2, 3}) {
		t.Errorf("cycles %v at %v, expected one in each of %v", heard.cycles, heard.at, want)
	}
}

// "The Sampler is configured to generate periodic Events, but it could be configured to generate aperiodic Events as well."
func TestTriggerBeginsACycleWhenItBecomesTrue(t *testing.T) {
	r, _, heard, trigger := samplerRig(t, "trigger.out -> sampler.trigger")
	trigger.values = []bool{false, true, true, false, false, true, false, true}
	r.run(12, nil, nil)
	if want := []int{1, 5, 7}; !slices.Equal(heard.at, want) || !slices.Equal(heard.cycles, []uint64{0, 1, 2}) {
		t.Errorf("cycles %v at %v, expected %v", heard.cycles, heard.at, want)
	}
}

func TestLinkedTriggerWithoutDataBeginsNoCycle(t *testing.T) {
	r, _, heard, _ := samplerRig(t, "trigger.out -> sampler.trigger")
	r.run(5, nil, nil)
	if len(heard.at) != 0 {
		t.Errorf("cycles began at %v without a trigger", heard.at)
	}
}

func TestSampleBeginsACycleOfADisabledSampler(t *testing.T) {
	r, _, heard, trigger := samplerRig(t, "trigger.out -> sampler.enable")
	trigger.values = make([]bool, 10)
	var results []uint64
	r.run(10, func(k int) {
		if k == 3 || k == 6 {
			results = append(results, binary.LittleEndian.Uint64(serveWith(t, r, "sampler", "sample")[4:]))
		}
	}, nil)
	if want := []int{3, 6}; !slices.Equal(heard.at, want) || !slices.Equal(heard.cycles, results) || !slices.Equal(results, []uint64{0, 1}) {
		t.Errorf("cycles %v at %v, sample returned %v; expected two cycles at %v", heard.cycles, heard.at, results, want)
	}
}

func TestSamplerDoesNotAllocate(t *testing.T) {
	r, sampler, _, _ := samplerRig(t, "trigger.out -> sampler.trigger")
	r.start()
	value := false
	testkit.NoAllocs(t, 100, func() {
		value = !value
		sampler.Trigger.Feed(value)
		if err := sampler.Step(tick); err != nil {
			t.Fatal(err)
		}
		sampler.begin()
	})
}
