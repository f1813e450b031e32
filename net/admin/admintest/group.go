package admintest

import (
	"context"
	"math"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/admin"
)

// runGroup checks that the group plant looks like a block: it is listed with its ports, read, tapped, overridden and disabled.
func runGroup(ctx context.Context, t *testing.T, s admin.System) {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	group := func() *admin.Group {
		st, err := s.Structure(ctx)
		must(err)
		return admin.FindGroup(st.Groups, "plant")
	}
	g := group()
	if g == nil || !g.Enabled || g.Levels != 2 || len(g.Ports) != 3 || g.Ports[0].Kind != "input" || g.Ports[0].Behind[0] != "plant.source.in" ||
		g.Ports[2].Type != "float64" || g.Ports[2].Behind[0] != "plant.source.wide[1]" {
		t.Fatalf("group %+v", g)
	}
	if r, err := s.Read(ctx, "plant.second"); err != nil || r.Value != math.Inf(1) {
		t.Errorf("second %+v, %v", r, err)
	}
	must(s.Feed(ctx, "plant.in", 7.0))
	if r, err := s.Read(ctx, "plant.source.in"); err != nil || r.Value != 7.0 {
		t.Errorf("in %+v, %v", r, err)
	}
	if g := group(); !g.Ports[0].Hand {
		t.Errorf("overridden, the port is %+v", g.Ports[0])
	}
	must(s.Release(ctx, "plant.in"))
	if r, err := s.Read(ctx, "plant.in"); err != nil || r.Value != 0.0 {
		t.Errorf("in after its release %+v, %v", r, err)
	}
	for ref, want := range map[string]string{"plant.second": "a part of plant.source.wide", "plant.cuont": `"count"`} {
		if err := s.Feed(ctx, ref, 1.0); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("feed %s: %v, want %q", ref, err, want)
		}
	}
	var n atomic.Int32
	end, err := s.Tap(ctx, "plant.count", 1, func(admin.Sample) { n.Add(1) })
	must(err)
	testkit.Await(t, "samples of a group", func() bool { return n.Load() >= 3 })
	end()
	must(s.Enable(ctx, "plant", false))
	testkit.Await(t, "the group to be disabled", func() bool { return !group().Enabled })
	must(s.Enable(ctx, "plant", true))
	testkit.Await(t, "the group to be enabled", func() bool { return group().Enabled })
}
