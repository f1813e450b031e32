package hierarchy

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/system"
	"github.com/sinew-robotics/sinew/net/thread"
)

// tunable is a module with parameters.
type tunable struct {
	Gain block.Param[float64]    `default:"5" min:"0" max:"100" unit:"1/s"`
	Pose block.Param[[3]float64] `max:"10"`
	Out  block.Out[float64]      `part:"sense"`
}

func (m *tunable) Sense(clock.Tick) error   { m.Out.Write(m.Gain.Value()); return nil }
func (m *tunable) Control(clock.Tick) error { return nil }

// tuned builds a part with one tunable module and the file of tuned parameters at a path.
func tuned(path string) (*tunable, *diagram.Net, error) {
	file, err := system.ReadTuned(path)
	if err != nil {
		return nil, nil, err
	}
	h, m := New("test", 1), &tunable{Gain: block.NewParam(6.0)}
	h.Diagram().Tune(file)
	h.Part(0, everyMS, 1).Module(0, "m", m, diagram.Place{})
	net, err := h.Build()
	return m, net, err
}

// inRun runs a net in virtual time while do uses it.
func inRun(t *testing.T, net *diagram.Net, do func(context.Context, *admin.Local)) {
	t.Helper()
	core := thread.New(net, thread.Options{Until: clock.At(time.Second)})
	local := admin.NewLocal(core.Front(), nil)
	core.Front().Go(func(pt *thread.Participant) {
		defer core.Front().Stop()
		do(context.Background(), local.As(pt))
	})
	if err := core.RunVirtual(context.Background()); err != nil {
		t.Fatal(err)
	}
}

// "After this tuning the best value for each parameter can be compiled in as default value" (section 2.1): here it is saved in a
// file beside the program.
func TestTunedValuesBecomeTheDefaults(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tuned.yaml")
	save := func(ctx context.Context, sys *admin.Local) (changed int) {
		t.Helper()
		changes, err := sys.Tuned(ctx)
		if err != nil {
			t.Fatal(err)
		}
		files, err := sys.SaveParams(ctx, changes)
		if err == nil && len(changes) > 0 {
			err = system.Write(ctx, files)
		}
		if err != nil {
			t.Error(err)
		}
		return len(changes)
	}
	_, net, err := tuned(path)
	if err != nil {
		t.Fatal(err)
	}
	inRun(t, net, func(ctx context.Context, sys *admin.Local) {
		if n := save(ctx, sys); n != 0 {
			t.Errorf("%d changes before any", n)
		}
		if err := sys.SetParams(ctx, "p.m", map[string]any{"gain": 7.5, "pose": []any{1.0, 2.0, 3.0}}); err != nil {
			t.Error(err)
		}
		if n := save(ctx, sys); n != 2 {
			t.Errorf("%d changes, want 2", n)
		}
		if n := save(ctx, sys); n != 0 {
			t.Errorf("%d changes after they were saved", n)
		}
	})
	text, _ := os.ReadFile(path)
	if want := "p.m: {gain: 7.5, pose: [1, 2, 3]}\n"; !strings.HasPrefix(string(text), "# Tuned parameters") || !strings.HasSuffix(string(text), want) {
		t.Errorf("the file is\n%s, want %s", text, want)
	}
	if err := os.WriteFile(path, append(text, []byte("# of Monday\n")...), 0o666); err != nil {
		t.Fatal(err)
	}
	m, net, err := tuned(path)
	if err != nil {
		t.Fatal(err)
	}
	if m.Gain.Value() != 7.5 || m.Pose.Value() != [3]float64{1, 2, 3} {
		t.Errorf("gain %v, pose %v after a restart", m.Gain.Value(), m.Pose.Value())
	}
	inRun(t, net, func(ctx context.Context, sys *admin.Local) { // back to the program's value
		if err := sys.SetParams(ctx, "p.m", map[string]any{"gain": 6.0}); err != nil {
			t.Error(err)
		}
		if n := save(ctx, sys); n != 1 {
			t.Errorf("%d changes, want 1", n)
		}
	})
	if text, _ := os.ReadFile(path); !strings.Contains(string(text), "p.m: {gain: 6, pose: [1, 2, 3]}") || !strings.Contains(string(text), "# of Monday") {
		t.Errorf("the file is\n%s", text)
	}
}

func TestWrongTunedParametersAreReportedWithTheirPlace(t *testing.T) {
	for text, want := range map[string]string{
		"p.m: {gain: 101}":    "tuned.yaml:1:13: block \"p.m\": gain is 101",
		"p.m: {gian: 1}":      `tuned.yaml:1:13: block "p.m": hierarchy.tunable has no parameter "gian"; did you mean "gain"?`,
		"# x\np.n: {gain: 1}": `tuned.yaml:2:1: tuned parameters: no block "p.n"; did you mean "p.m"?`,
		"- 1":                 "tuned.yaml:1:1: a file of tuned parameters wants a mapping",
		"p.m: {gain: [":       "tuned.yaml:1:13: not YAML",
	} {
		path := filepath.Join(t.TempDir(), "tuned.yaml")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, _, err := tuned(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func TestProgramWithoutAFileSavesNothing(t *testing.T) {
	h := New("test", 1)
	h.Part(0, everyMS, 1).Module(0, "m", &tunable{}, diagram.Place{})
	inRun(t, build(t, h), func(ctx context.Context, sys *admin.Local) {
		if _, err := sys.Tuned(ctx); err == nil || !strings.Contains(err.Error(), "system.ReadTuned") {
			t.Errorf("error %v, want one with the remedy", err)
		}
	})
}
