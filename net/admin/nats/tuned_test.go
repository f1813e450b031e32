package nats_test

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/admin/nats"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/system"
	"github.com/sinew-robotics/sinew/net/thread"
)

// dials has parameters of many types.
type dials struct {
	Axis  block.Param[[3]float64] `default:"0,0,0"`
	Half  block.Param[float32]    `default:"0.1"`
	Steps block.Param[int64]      `default:"2000000"`
	On    block.Param[bool]
	Gains block.Param[[]float64]
	At    block.Param[struct{ X, Y float64 }] `max:"inf"`
}

func (d *dials) Step(clock.Tick) error { return nil }

// TestTunedParametersAreThoseThatDifferFromTheFile: untouched parameters are not tuned, whatever their type; those that were are written so that the file gives
// them again.
func TestTunedParametersAreThoseThatDifferFromTheFile(t *testing.T) {
	ownFolder(t)
	ctx := context.Background()
	registry := block.NewRegistry([]block.Entry{{Type: "test.Dials", Doc: "Parameters.", New: func() block.Block { return new(dials) }}})
	path := filepath.Join(t.TempDir(), "dials.yaml")
	text := "system: dials\nthreads: {t: {period: 1ms}}\nblocks:\n  a: {type: test.Dials, params: {gains: 2}} # one\n  b: {type: test.Dials, params: {at: {x: 1, y: 2}}}\n"
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	sys, err := system.Load(path, system.Options{Registry: registry})
	if err != nil {
		t.Fatal(err)
	}
	core := thread.New(sys.Net, thread.Options{})
	done := make(chan error, 1)
	go func() { done <- core.Run(ctx, nil) }()
	t.Cleanup(func() { core.Stop(); <-done })
	running := admin.NewLocal(core.Front(), sys)
	running.CheckWith(admin.LocalChecker{Registry: registry})
	hub := openHub(t, "dials")
	join(t, hub.Address(), nats.Identity{System: "dials", File: path}, running)
	remote := dialed(t)(nats.Dial("dials"))
	tuned := func(s admin.System) []system.Change {
		t.Helper()
		list, err := s.Tuned(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	for _, s := range []admin.System{running, remote} {
		if list := tuned(s); len(list) != 0 {
			t.Errorf("untouched parameters: %+v", list)
		}
	}
	for name, values := range map[string]map[string]any{
		"a": {"axis": []any{0.0, 1.5, 0.0}, "half": 0.3, "steps": 3000000.0, "gains": 4.0},
		"b": {"on": true, "at": map[string]any{"x": 1.0, "y": math.Inf(1)}},
	} {
		if err := remote.SetParams(ctx, name, values); err != nil {
			t.Fatal(err)
		}
	}
	var want []system.Change
	for _, c := range [][3]string{{"a", "axis", "[0, 1.5, 0]"}, {"a", "half", "0.3"}, {"a", "steps", "3000000"}, {"a", "gains", "[4]"},
		{"b", "on", "true"}, {"b", "at", "{x: 1, y: .inf}"}} {
		want = append(want, system.Change{Block: c[0], Param: c[1], Value: c[2]})
	}
	for _, s := range []admin.System{running, remote} {
		if list := tuned(s); !reflect.DeepEqual(list, want) {
			t.Errorf("tuned %+v", list)
		}
	}
	texts, err := remote.SaveParams(ctx, want)
	if err != nil {
		t.Fatal(err)
	}
	saved := strings.NewReplacer("{gains: 2}", "{gains: 4, axis: [0, 1.5, 0], half: 0.3, steps: 3000000}", "y: 2}}", "y: .inf}, on: true}").Replace(text)
	if texts[path].Text != saved {
		t.Errorf("saved\n%s\nwant\n%s", texts[path].Text, saved)
	}
	if err := system.Write(t.Context(), texts); err != nil {
		t.Fatal(err)
	}
	if list := tuned(remote); len(list) != 0 {
		t.Errorf("after saving: %+v", list)
	}
}

// A net that a program builds has no system file: tuned parameters go to the file that its diagram was given.
func TestTunedParametersOfAProgramGoToItsFile(t *testing.T) {
	ownFolder(t)
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "tuned.yaml")
	build := func() (*dials, *thread.Core) {
		t.Helper()
		file, err := system.ReadTuned(path)
		if err != nil {
			t.Fatal(err)
		}
		d, b := diagram.New("dials"), &dials{}
		d.Tune(file)
		d.Thread(diagram.Thread{Name: "t", Period: time.Millisecond})
		d.Add("a", b, diagram.Place{Thread: "t"})
		net, err := d.Build()
		if err != nil {
			t.Fatal(err)
		}
		return b, thread.New(net, thread.Options{})
	}
	_, core := build()
	running := admin.NewLocal(core.Front(), nil)
	done := make(chan error, 1)
	go func() { done <- core.Run(ctx, nil) }()
	t.Cleanup(func() { core.Stop(); <-done })
	hub := openHub(t, "dials")
	join(t, hub.Address(), nats.Identity{System: "dials"}, running)
	remote := dialed(t)(nats.Dial("dials"))
	if err := remote.SetParams(ctx, "a", map[string]any{"half": 0.3, "at": map[string]any{"x": 1.0, "y": math.Inf(1)}}); err != nil {
		t.Fatal(err)
	}
	changes, err := remote.Tuned(ctx)
	if err != nil || len(changes) != 2 {
		t.Fatalf("tuned %+v, %v", changes, err)
	}
	texts, err := remote.SaveParams(ctx, changes)
	if err == nil {
		err = system.Write(ctx, texts)
	}
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := build(); again.Half.Value() != 0.3 || again.At.Value().X != 1 || !math.IsInf(again.At.Value().Y, 1) {
		t.Errorf("after a restart half is %v, at %v", again.Half.Value(), again.At.Value())
	}
}
