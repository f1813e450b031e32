package thread

import (
	"errors"
	"testing"

	"github.com/sinew-robotics/sinew/internal/lockfree"
	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
)

// odometer counts its steps: both halves of its state belong to one step.
type odometer struct {
	Gain  block.Param[float64] `default:"2" persist:"yes"`
	Out   block.Out[float64]
	turns [2]int64  `persist:"yes"`
	list  []float64 `persist:"yes"`
	fails bool
}

func (o *odometer) Setup(*block.Setup) error {
	if o.list == nil {
		o.list = make([]float64, 3)
	}
	return nil
}

func (o *odometer) Step(clock.Tick) error {
	o.turns[0]++
	if o.fails {
		return errors.New("half of a step")
	}
	o.turns[1]++
	o.list[2] = float64(o.turns[1])
	return nil
}

func (o *odometer) Stop() error { o.list[0] = -1; return nil }

// keptNet is a net of an odometer and, in another thread, a block that keeps nothing.
func keptNet(t *testing.T, o *odometer) *diagram.Net {
	d := diagram.New("test")
	d.Thread(diagram.Thread{Name: "main", Period: 1000000})
	d.Thread(diagram.Thread{Name: "other", Period: 1000000})
	d.Add("odometer", o, diagram.Place{Thread: "main"})
	d.Add("counter", &counter{}, diagram.Place{Thread: "other"})
	net, err := d.Build()
	if err != nil {
		t.Fatal(err)
	}
	return net
}

// kept returns what the front knows, by name.
func kept(t *testing.T, f *Front) (values map[string]any, changed bool) {
	list, changed := f.Kept()
	values = map[string]any{}
	for _, v := range list {
		if v.CDR == nil {
			continue
		}
		value, err := v.Of.Type.Value(v.CDR)
		if err != nil {
			t.Fatal(err)
		}
		values[v.Of.Name] = value
	}
	return values, changed
}

func TestFrontGetsKeptValuesOfOneActivation(t *testing.T) {
	o := &odometer{}
	core := New(keptNet(t, o), Options{})
	th, f := core.threads[0], core.Front()
	if values, changed := kept(t, f); len(values) > 0 || changed {
		t.Errorf("before the first activation: %v, %v", values, changed)
	}
	for now := range clock.Time(5) {
		th.activate(now)
	}
	values, changed := kept(t, f)
	turns, list := values["turns"].([]any), values["list"].([]any)
	if !changed || values["gain"] != 2.0 || turns[0] != int64(5) || turns[1] != int64(5) || list[2] != 5.0 {
		t.Errorf("after five activations: %v, changed %v", values, changed)
	}
	if _, changed := kept(t, f); changed {
		t.Error("nothing was activated, and something has changed")
	}
	now := clock.Time(10)
	testkit.NoAllocs(t, 5000, func() {
		now++
		th.activate(now)
	})
}

// A block in error may have left half of a step behind: what it had before counts.
func TestKeptValuesOfABlockInErrorAreThoseFromBefore(t *testing.T) {
	o := &odometer{}
	core := New(keptNet(t, o), Options{})
	th, f := core.threads[0], core.Front()
	th.activate(0)
	o.fails = true
	th.activate(1)
	th.activate(2)
	values, _ := kept(t, f)
	if turns := values["turns"].([]any); turns[0] != int64(1) || turns[1] != int64(1) || o.turns[0] != 2 {
		t.Errorf("the front keeps %v of a block at %v", turns, o.turns)
	}
}

func TestKeptValuesAreThoseAfterStop(t *testing.T) {
	o := &odometer{}
	core := New(keptNet(t, o), Options{Until: 10000000})
	if err := core.RunVirtual(t.Context()); err != nil {
		t.Fatal(err)
	}
	values, _ := kept(t, core.Front())
	if list, ok := values["list"].([]any); !ok || list[0] != -1.0 || list[2] != float64(o.turns[1]) {
		t.Errorf("the front keeps %v of a block at %+v", values, o)
	}
}

// The front may start again: it finds what the core has published before.
func TestNewFrontGetsKeptValuesOfARunningCore(t *testing.T) {
	o := &odometer{}
	net := keptNet(t, o)
	mem := lockfree.Memory(BoundarySize(net))
	first, err := LayBoundary(net, mem)
	if err != nil {
		t.Fatal(err)
	}
	core := NewCore(net, first, Options{})
	core.threads[0].activate(0)
	again, err := LayBoundary(net, mem)
	if err != nil {
		t.Fatal(err)
	}
	if values, _ := kept(t, NewFront(net, again)); values["gain"] != 2.0 {
		t.Errorf("the new front got %v", values)
	}
}
