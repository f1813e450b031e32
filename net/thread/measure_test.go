package thread

import (
	"context"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
)

// twoWay passes values on, in Sense from in to out and in Control from back to done.
type twoWay struct {
	In   block.In[float64]  `part:"sense" trigger:"yes"`
	Out  block.Out[float64] `part:"sense"`
	Back block.In[float64]  `part:"control" trigger:"yes"`
	Done block.Out[float64] `part:"control"`
}

func (r *twoWay) Sense(clock.Tick) error {
	v, _ := r.In.Read()
	r.Out.Write(v)
	return nil
}

func (r *twoWay) Control(clock.Tick) error {
	v, _ := r.Back.Read()
	r.Done.Write(v)
	return nil
}

// A step of a triggered thread that runs twice in a cycle has the times of both executions.
func TestStepThatRunsTwiceInACycleHasBothTimes(t *testing.T) {
	d := diagram.New("test")
	d.Thread(diagram.Thread{Name: "first", Period: time.Millisecond, Priority: 3})
	d.Thread(diagram.Thread{Name: "twice", Triggered: true, Priority: 2})
	d.Thread(diagram.Thread{Name: "middle", Triggered: true, Priority: 1})
	d.Add("first", &counter{}, diagram.Place{Thread: "first"})
	d.Add("always", &free{}, diagram.Place{Thread: "twice"})
	d.Add("twice", &twoWay{}, diagram.Place{Thread: "twice"})
	d.Add("middle", &adder{}, diagram.Place{Thread: "middle"})
	d.Link("first.out -> twice.in")
	d.Link("twice.out -> middle.in")
	d.Link("middle.sum -> twice.back")
	net, err := d.Build()
	if err != nil {
		t.Fatal(err)
	}
	core := New(net, Options{Until: clock.At(33 * time.Millisecond)})
	if err := core.RunVirtual(context.Background()); err != nil {
		t.Fatal(err)
	}
	for _, s := range core.Front().Stats() {
		for _, k := range s.Steps {
			if k.Block != "always" {
				if k.Again[1] != 0 {
					t.Errorf("%s.%v runs once in a cycle, and has the times of two executions: %v", k.Block, k.Part, k.Again)
				}
				continue
			}
			if !(k.Begin < k.End && k.End <= k.Again[0] && k.Again[0] < k.Again[1]) {
				t.Errorf("%s runs from %v to %v and again from %v to %v", k.Block, k.Begin, k.End, k.Again[0], k.Again[1])
			}
		}
	}
}

// In real time the core stops in the cycle that begins at Until, before triggered threads have run: it is not measured.
func TestLastCycleOfARunIsNotMeasured(t *testing.T) {
	const until = 20 * time.Millisecond
	d := diagram.New("test")
	d.Thread(diagram.Thread{Name: "first", Period: time.Millisecond})
	d.Add("first", &counter{}, diagram.Place{Thread: "first"})
	net, err := d.Build()
	if err != nil {
		t.Fatal(err)
	}
	core := New(net, Options{Until: clock.At(until), Profile: 1})
	if err := core.Run(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	if s := core.Front().Stats()[0]; s.Start == 0 || s.Measured >= clock.At(until) {
		t.Errorf("measured last: the cycle at %v, started at %d", s.Measured, s.Start)
	}
}

// free runs whenever its thread does.
type free struct{}

func (free) Step(clock.Tick) error { return nil }

// A triggered thread runs twice in a cycle, for Sense and for Control, with another thread in between. All of them measure the
// same cycles, and a step is measured only when it runs.
func TestThreadsMeasureTheSameCycles(t *testing.T) {
	for _, cycles := range []int{1, 33, 40, 1000} {
		d := diagram.New("test")
		d.Thread(diagram.Thread{Name: "first", Period: time.Millisecond, Priority: 3})
		d.Thread(diagram.Thread{Name: "other", Period: 5 * time.Millisecond, Offset: 2 * time.Millisecond, Priority: 3})
		d.Thread(diagram.Thread{Name: "ends", Triggered: true, Priority: 2})
		d.Thread(diagram.Thread{Name: "middle", Triggered: true, Priority: 1})
		for name, b := range map[string]block.Block{"first": &counter{}, "other": &counter{}, "ends": &twoWay{}, "middle": &adder{}} {
			d.Add(name, b, diagram.Place{Thread: name})
		}
		d.Link("first.out -> ends.in")
		d.Link("ends.out -> middle.in")
		d.Link("middle.sum -> ends.back")
		net, err := d.Build()
		if err != nil {
			t.Fatal(err)
		}
		core := New(net, Options{Until: clock.At(time.Duration(cycles-1)*time.Millisecond + 1)})
		if err := core.RunVirtual(context.Background()); err != nil {
			t.Fatal(err)
		}
		stats := map[string]Stats{}
		for _, s := range core.Front().Stats() {
			stats[s.Thread] = s
		}
		first, ends, middle := stats["first"], stats["ends"], stats["middle"]
		if first.Measured != ends.Measured || first.Measured != middle.Measured || first.Start == 0 {
			t.Fatalf("%d cycles: measured at %v, %v and %v", cycles, first.Measured, ends.Measured, middle.Measured)
		}
		var at []int64 // ends of the steps on the machine's clock, in the order of the cycle
		for _, e := range []struct {
			s    Stats
			step int
		}{{first, 0}, {ends, 0}, {middle, 0}, {ends, 1}} {
			k := e.s.Steps[e.step]
			if k.End <= k.Begin {
				t.Fatalf("%d cycles: %s.%v runs from %v to %v", cycles, k.Block, k.Part, k.Begin, k.End)
			}
			at = append(at, e.s.Start+int64(k.Begin), e.s.Start+int64(k.End))
		}
		for i := 1; i < len(at); i++ {
			if at[i] < at[i-1] {
				t.Errorf("%d cycles: the steps do not follow one another: %v", cycles, at)
				break
			}
		}
		measured := first.Steps[0].Time.Count()
		if most := uint64(cycles/32 + 2); measured > most {
			t.Errorf("%d cycles: %d were measured, expected at most %d", cycles, measured, most)
		}
		for i, k := range ends.Steps {
			if n := k.Time.Count(); n != measured {
				t.Errorf("%d cycles: step %d of the thread that runs twice was measured %d times, expected %d", cycles, i, n, measured)
			}
		}
	}
}
