package janus

import (
	"context"
	"io"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/run"
	"github.com/sinew-robotics/sinew/net/script"
	"github.com/sinew-robotics/sinew/net/system"
	"github.com/sinew-robotics/sinew/net/thread"
	"github.com/sinew-robotics/sinew/parts/flow"
	"github.com/sinew-robotics/sinew/parts/servo"
)

// table2 lists the moves of moves.star, after Table 2 of the paper: start time (s), targets (rad), and duration (s).
var table2 = []struct{ at, joint1, joint2, duration float64 }{
	{5, 1, 1, 10}, {17, 2, 2, 9}, {28, 3, 1, 8}, {38, 1, 3, 7}, {47, 4, 4, 5}, {54, 0, 0, 5},
}

// result is the result of an experiment.
type result struct {
	signals map[string]run.Signal
	reached [][]float64 // positions 2 s after the end of each move, or just before the next one starts
}

// experiment runs the system with its script in virtual time.
func experiment(t *testing.T, overlays ...string) (r result) {
	t.Helper()
	return beside(t, nil, overlays...)
}

// beside is experiment with what each is called beside it, each millisecond; nil: nothing.
func beside(t *testing.T, each func() error, overlays ...string) (r result) {
	t.Helper()
	s, err := system.Load("janus.yaml", system.Options{
		Registry: block.NewRegistry(flow.Blocks(), servo.Blocks()), Overlays: overlays,
	})
	if err != nil {
		t.Fatal(err)
	}
	core := thread.New(s.Net, thread.Options{})
	recorder, err := run.StartRecording(s, core.Front(), "")
	if err != nil {
		t.Fatal(err)
	}
	moves, err := script.Load(os.DirFS("."), s.Script)
	if err != nil {
		t.Fatal(err)
	}
	local := admin.NewLocal(core.Front(), s)
	core.Front().Go(func(p *thread.Participant) {
		if err := moves.Run(local.As(p), io.Discard); err != nil {
			t.Error(err)
		}
	})
	core.Front().Go(func(p *thread.Participant) { r.reached = watch(t, p, local.As(p)) })
	if each != nil {
		core.Front().Go(func(p *thread.Participant) {
			for k := 1; k < 62000 && p.Wait(clock.At(time.Duration(k)*time.Millisecond), nil) == nil; k++ {
				if err := each(); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	if err := core.RunVirtual(context.Background()); err != nil {
		t.Fatal(err)
	}
	if end := core.Front().Now(); end != clock.At(62*time.Second) {
		t.Errorf("the script ended at %v", end)
	}
	r.signals = recorder.Signals()
	return r
}

// watch records the joint positions after each move.
func watch(t *testing.T, p *thread.Participant, janus *admin.Local) (reached [][]float64) {
	for i, m := range table2 {
		end := m.at + m.duration + 2
		if i+1 < len(table2) {
			end = min(end, table2[i+1].at)
		}
		if err := p.Wait(clock.At(time.Duration((end-0.05)*float64(time.Second))), nil); err != nil { // the results arrive a cycle later
			t.Error(err)
		}
		var q []float64
		for _, port := range []string{"joint1.position", "joint2.position"} {
			reading, err := janus.Read(context.Background(), port)
			if err != nil {
				t.Error(err)
				return reached
			}
			q = append(q, reading.Value.(float64))
		}
		reached = append(reached, q)
	}
	return reached
}

// Feature O9: the joints reach all targets, and feedforward improves tracking clearly.
func TestFeedforwardImprovesTracking(t *testing.T) {
	pid, ff := experiment(t), experiment(t, "janus-feedforward.yaml")
	for name, r := range map[string]result{"PID": pid, "feedforward": ff} {
		if len(r.reached) != len(table2) {
			t.Fatalf("%s: %d of %d moves", name, len(r.reached), len(table2))
		}
		for i, m := range table2 {
			testkit.AllNear(t, name+": reached", r.reached[i], []float64{m.joint1, m.joint2}, 2e-3)
		}
		for _, signal := range []string{"scope.error1", "scope.error2"} {
			s := r.signals[signal]
			t.Logf("%-12s %s: rms %.2f mrad, max %.2f mrad", name, signal, 1e3*s.RMS, 1e3*s.MaxAbs)
		}
	}
	for _, signal := range []string{"scope.error1", "scope.error2"} {
		if p, f := pid.signals[signal].RMS, ff.signals[signal].RMS; f > p/2 {
			t.Errorf("%s: rms %v with feedforward, %v without: expected less than half", signal, f, p)
		}
	}
}

// The results are the same on every run, and on the threads of Table 1.
func TestRunsRepeatBitForBit(t *testing.T) {
	for _, controller := range [][]string{nil, {"janus-feedforward.yaml"}} {
		first := experiment(t, controller...)
		same(t, "again", first, experiment(t, controller...))
		same(t, "activities", first, experiment(t, append(controller, "activities.yaml")...))
	}
}

func same(t *testing.T, what string, a, b result) {
	t.Helper()
	for i := range a.reached {
		if !slices.Equal(a.reached[i], b.reached[i]) {
			t.Errorf("%s: move %d ended at %v, then at %v", what, i+1, a.reached[i], b.reached[i])
		}
	}
	for name, s := range a.signals {
		if s != b.signals[name] {
			t.Errorf("%s: %s is %+v, then %+v", what, name, s, b.signals[name])
		}
	}
}
