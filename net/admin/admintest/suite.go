// Package admintest is the conformance suite that every [admin.System] passes: the one in this process and the clients of control
// planes. [Run] checks a running system, [RunFiles] what it knows of its files.
package admintest

import (
	"context"
	"math"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/admin"
)

// Run checks what s, a system with the [Source] plant.source, answers to each request of [admin.System], and stops it.
func Run(t *testing.T, s admin.System) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), testkit.Patience())
	defer cancel()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	refuse := func(err error, words ...string) {
		t.Helper()
		for _, w := range words {
			if err == nil || !strings.Contains(err.Error(), w) {
				t.Errorf("error %v, wants %q", err, w)
			}
		}
	}
	set := func(name string, v any) error {
		return s.SetParams(ctx, "plant.source", map[string]any{name: v})
	}

	st, err := s.Structure(ctx)
	must(err)
	at := slices.IndexFunc(st.Blocks, func(b admin.Block) bool { return b.Name == "plant.source" })
	b := st.Blocks[at]
	if b.Name != "plant.source" || b.Thread != "main" || len(b.Params) != 4 || len(b.Operations) != 2 || st.PID != os.Getpid() {
		t.Errorf("structure %+v", st)
	}
	if i := slices.IndexFunc(b.Ports, func(p admin.Port) bool { return p.Name == "out" }); b.Ports[i].Show != "count" {
		t.Errorf("port %+v", b.Ports[i])
	}
	if !b.Enabled || b.State != admin.StateRunning || st.Types["admintest_msgs/msg/Move"] == "" || len(st.Groups) == 0 || st.Groups[len(st.Groups)-1].Name != "plant" {
		t.Errorf("structure %+v", st)
	}
	if o := b.Operations[0]; o.Args[0].Unit != "m" || o.Args[1].Unit != "s" || o.Unit != "m" {
		t.Errorf("units of an operation %+v", o)
	}
	if p := b.Params[0]; p.Name != "gain" || p.Unit != "V" || *p.Max != 10 || p.Type != "float64" {
		t.Errorf("parameter %+v", p)
	}

	must(set("gain", 3.0))
	must(set("size", 4.0)) // JSON knows no whole numbers
	if v, err := s.Param(ctx, "plant.source.gain"); err != nil || v != 3.0 {
		t.Errorf("gain %v, %v", v, err)
	}
	for _, one := range []any{5.0, []any{5.0}} { // one element stands for all
		must(set("weights", []any{1.0, 2.0, 3.0}))
		must(set("weights", one))
		if v, err := s.Param(ctx, "plant.source.weights"); err != nil || !slices.Equal(v.([]any), []any{5.0, 5.0, 5.0}) {
			t.Errorf("weights %v, %v", v, err)
		}
	}
	refuse(set("weights", []any{1.0, 2.0}), "plant.source.weights")
	refuse(set("gain", 11.0), "plant.source.gain", "11", "10")
	refuse(set("gain", math.NaN()), "plant.source.gain", "NaN")
	refuse(set("gain", "much"), "plant.source.gain", "float64")
	refuse(set("size", 1.5), "plant.source.size", "int32")
	refuse(set("gian", 1.0), "gian", `"gain"`)
	refuse(set("limit", 1.0), "limit", "fixed")
	refuse(s.SetParams(ctx, "plant.source", map[string]any{"gain": -1.0, "size": 0, "nothing": 1}), "gain", "size", "nothing")
	if v, err := s.Param(ctx, "plant.source.limit"); err != nil || v != math.Inf(1) {
		t.Errorf("limit %v, %v", v, err)
	}

	if v, err := s.Call(ctx, "plant.source.move", []any{[]any{1.0, 2.0}, 3.0}, nil); err != nil || v != 6.0 {
		t.Errorf("move = %v, %v", v, err)
	}
	if v, err := s.Call(ctx, "plant.source.move", []any{[]any{1.0, 2.0}}, map[string]any{"duration": 4.0}); err != nil || v != 7.0 {
		t.Errorf("move = %v, %v", v, err)
	}
	call := func(op string, args ...any) error { _, err := s.Call(ctx, "plant.source."+op, args, nil); return err }
	refuse(call("mvoe"), "mvoe", "move")
	refuse(call("move", []any{1.0, 2.0}, 0.0), "wanted")
	refuse(call("move", []any{1.0}, 1.0), "plant.source.move", "positions")
	refuse(call("move"), "positions")
	_, err = s.Call(ctx, "plant.source.move", []any{[]any{1.0, 2.0}}, map[string]any{"duratoin": 4.0})
	refuse(err, "duration")

	must(s.Feed(ctx, "plant.source.in", 5.0))
	if r, err := s.Read(ctx, "plant.source.in"); err != nil || r.Value != 5.0 {
		t.Errorf("in %+v, %v", r, err)
	}
	must(s.Release(ctx, "plant.source.in"))
	if r, err := s.Read(ctx, "plant.source.in"); err != nil || r.Value != 0.0 {
		t.Errorf("in after its release %+v, %v", r, err)
	}
	refuse(s.Feed(ctx, "plant.source.in", "x"), "plant.source.in")
	runByHand(ctx, t, s)
	runCondition(ctx, t, s)
	runGroup(ctx, t, s)
	wide, err := s.Read(ctx, "plant.source.wide")
	must(err)
	if v := wide.Value.([]any); !math.IsNaN(v[0].(float64)) || v[1] != math.Inf(1) || wide.Age < wideAge {
		t.Errorf("wide %v, %v old", v, wide.Age)
	}
	_, err = s.Read(ctx, "plant.source.uot")
	refuse(err, "uot", `"out"`)
	_, err = s.Read(ctx, "plant.sorce.out")
	refuse(err, "plant.sorce", "plant.source")
	_, err = s.Read(ctx, "out")
	refuse(err, "block.name")

	for _, port := range []string{"out", "tick"} {
		var n atomic.Int32
		end, err := s.Tap(ctx, "plant.source."+port, 2, func(x admin.Sample) {
			if x.Value.(float64) > 0 {
				n.Add(1)
			}
		})
		must(err)
		testkit.Await(t, "samples of "+port, func() bool { return n.Load() >= 3 })
		end()
	}

	var aged atomic.Int32
	end, err := s.Tap(ctx, "plant.source.wide", 1, func(x admin.Sample) {
		if x.Age == wideAge {
			aged.Add(1)
		}
	})
	must(err)
	testkit.Await(t, "samples with the age of their acquisition", func() bool { return aged.Load() >= 3 })
	end()

	must(call("fail"))
	testkit.Await(t, "a fault", func() bool {
		st, err := s.Structure(ctx)
		return err == nil && st.Blocks[at].Fault != "" && st.Blocks[at].State == admin.StateError
	})
	var c *admin.Condition
	testkit.Await(t, "the condition with the error", func() bool {
		var err error
		c, err = s.Condition(ctx)
		return err == nil && slices.Equal(c.Faults, []admin.BlockFault{{Block: "plant.source", Why: errWanted.Error()}})
	})
	if c.FaultCount != 1 {
		t.Errorf("condition in error %+v", c)
	}
	must(s.Reset(ctx, "plant.source"))
	before, err := s.Read(ctx, "plant.source.out")
	must(err)
	testkit.Await(t, "steps after the reset", func() bool {
		r, err := s.Read(ctx, "plant.source.out")
		return err == nil && r.Count > before.Count
	})
	refuse(s.Reset(ctx, "plant.sourec"), "plant.source")
	stats, err := s.Statistics(ctx)
	must(err)
	if st, err := s.Structure(ctx); err != nil || st.Blocks[at].Fault != "" || st.Blocks[at].Faults != 1 || st.Blocks[at].State != admin.StateRunning {
		t.Errorf("after the reset %+v, %v", st.Blocks[at], err)
	}
	if len(stats.Threads) != len(st.Threads) || len(stats.Faults) != 0 || stats.FaultCount != 1 {
		t.Errorf("statistics %+v", stats)
	}
	must(s.Stop(ctx))
}
