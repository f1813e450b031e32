package hierarchy

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/thread"
)

// A group behaves like a module when accessed from the outside (section 2.2), while it runs: it is listed with its four vectors,
// inspected, tapped, overridden and stopped.
func TestRunningGroupLooksLikeAModule(t *testing.T) {
	var trace []string
	h := New("test", 1)
	p := h.Part(0, everyMS, 2)
	g := p.Group(1, "g", 2)
	low, high := newProbe("low", &trace, 1, 1, 1, 1), newProbe("high", &trace, 1, 1, 1, 1)
	base := p.Module(0, "base", newProbe("base", &trace, 0, 1, 1, 0), diagram.Place{})
	a, b := g.Module(0, "low", low, diagram.Place{}), g.Module(1, "high", high, diagram.Place{})
	g.Edge(b.ControlOut(), a.ControlIn())
	g.Expose(a.SensorIn(), "angle")
	g.Expose(b.SensorIn(), "angle") // one input for two modules
	g.Expose(b.SensorOut(), "pose")
	g.Expose(b.ControlIn(), "target")
	g.Expose(a.ControlOut(), "torque")
	p.Edge(base.SensorOut(), g.SensorIn())
	p.Edge(g.ControlOut(), base.ControlIn())
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
		group := func() *admin.Group {
			s, err := sys.Structure(ctx)
			check(err)
			return admin.FindGroup(s.Groups, "p.g")
		}
		wait()
		s := group()
		var vectors []string
		for _, p := range s.Ports {
			vectors = append(vectors, p.Half+" "+p.Kind+" "+p.Name+" "+p.Doc)
		}
		if want := []string{"sense input angle from below", "sense output pose to above", "control input target from above", "control output torque to below"}; !slices.Equal(vectors, want) {
			t.Errorf("vectors %q, want %q", vectors, want)
		}
		if s.Level != 1 || s.Levels != 2 || !s.Enabled || s.Ports[0].From != "p.base.so1" || s.Ports[0].Unit != "rad" || !slices.Equal(s.Ports[0].Behind, []string{"p.g.low.si1", "p.g.high.si1"}) {
			t.Errorf("group %+v", s)
		}
		check(sys.Feed(ctx, "p.g.angle", 42.0))
		wait()
		if x, y := low.SensorIn[0].Value(), high.SensorIn[0].Value(); x != 42 || y != 42 {
			t.Errorf("overridden by 42, the inputs are %v and %v", x, y)
		}
		check(sys.Release(ctx, "p.g.angle"))
		samples := 0
		end, err := sys.Tap(ctx, "p.g.pose", 1, func(admin.Sample) { samples++ })
		check(err)
		wait()
		end()
		if samples < 4 {
			t.Errorf("%d samples of the group's output in 5 cycles", samples)
		}
		if r, err := sys.Read(ctx, "p.g.pose"); err != nil || r.Count < 10 || r.Value == 0.0 {
			t.Errorf("pose %+v, %v", r, err)
		}
		check(sys.Enable(ctx, "p.g", false))
		wait()
		trace = trace[:0]
		wait()
		if slices.ContainsFunc(trace, func(step string) bool { return step != "base.sense" && step != "base.control" }) || len(trace) == 0 || group().Enabled {
			t.Errorf("with the group disabled, executed: %v", trace)
		}
		check(sys.Enable(ctx, "p.g", true))
		wait()
		if !group().Enabled {
			t.Error("the group is not enabled again")
		}
	})
	if err := core.RunVirtual(context.Background()); err != nil {
		t.Fatal(err)
	}
}
