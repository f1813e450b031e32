package hierarchy

import (
	"context"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/thread"
)

// Tools see modules as blocks, with descriptions and units of elements. They can override an input and release it,
// and stop one module while the others continue.
func TestToolsSeeModulesAsBlocks(t *testing.T) {
	var trace []string
	h := New("test", levelsOfTest)
	p := h.Part(0, everyMS, levelsOfTest)
	g := p.Group(1, "g", levelsOfTest)
	low, high := newProbe("low", &trace, 0, 1, 0, 0), newProbe("high", &trace, 1, 1, 0, 0)
	a, b := p.Module(0, "low", low, diagram.Place{}), g.Module(0, "high", high, diagram.Place{})
	g.Expose(b.SensorIn())
	p.Edge(a.SensorOut(), g.SensorIn())
	core := thread.New(build(t, h), thread.Options{Until: clock.At(time.Second)})
	local := admin.NewLocal(core.Front(), nil)
	core.Front().Go(func(pt *thread.Participant) {
		defer core.Front().Stop()
		ctx, sys := context.Background(), local.As(pt)
		check := func(err error) {
			t.Helper()
			if err != nil {
				t.Error(err)
			}
		}
		wait := func() { check(pt.Wait(core.Front().Now().Add(5*time.Millisecond), nil)) }
		s, err := sys.Structure(ctx)
		check(err)
		if len(s.Blocks) != 2 || s.Blocks[1].Name != "p.g.high" || s.Blocks[1].Ports[0].From != "p.low.so1" ||
			s.Blocks[1].Ports[0].Unit != "rad" || s.Blocks[1].Ports[0].Doc != "from below" {
			t.Errorf("the structure is %+v", s.Blocks)
		}
		check(sys.Feed(ctx, "p.g.high.si1", 42.0))
		wait()
		if v := high.SensorIn[0].Value(); v != 42 {
			t.Errorf("overridden by 42, the input is %v", v)
		}
		check(sys.Release(ctx, "p.g.high.si1"))
		wait()
		if v := high.SensorIn[0].Value(); v != low.SensorOut[0].Value() {
			t.Errorf("released, the input is %v, expected %v", v, low.SensorOut[0].Value())
		}
		check(sys.Feed(ctx, "p.low.enable", false))
		wait()
		trace = trace[:0]
		wait()
		for _, step := range trace {
			if step != "high.sense" && step != "high.control" {
				t.Errorf("with low stopped, %s is executed", step)
			}
		}
		if len(trace) == 0 {
			t.Error("with low stopped, nothing is executed")
		}
	})
	if err := core.RunVirtual(context.Background()); err != nil {
		t.Fatal(err)
	}
}
