// Package janus tests the experiment of this folder: Table 2 of Santini and Lages (2011) in virtual time.
package janus

import (
	"context"
	"encoding/binary"
	"math"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/system"
	"github.com/sinew-robotics/sinew/net/thread"
	"github.com/sinew-robotics/sinew/parts/flow"
	"github.com/sinew-robotics/sinew/parts/servo"
)

// table2 is what moves.star commands: at which time (s) which move (rad) begins, and how long it takes (s).
var table2 = []struct{ at, joint1, joint2, duration float64 }{
	{5, 1, 1, 10}, {17, 2, 2, 9}, {28, 3, 1, 8}, {38, 1, 3, 7}, {47, 4, 4, 5}, {54, 0, 0, 5},
}

// result is what an experiment showed.
type result struct {
	signals map[string]system.Signal
	reached [][2]float64 // positions 2 s after each move has ended, or just before the next one begins
}

// experiment runs the whole sequence in virtual time.
func experiment(t *testing.T, overlays ...string) result {
	t.Helper()
	s, err := system.Load("janus.yaml", system.Options{
		Registry: block.NewRegistry(flow.Blocks(), servo.Blocks()), Overlays: overlays,
	})
	if err != nil {
		t.Fatal(err)
	}
	core := thread.New(s.Net, thread.Options{Until: clock.At(62 * time.Second)})
	recorder, err := s.StartRecording(core, "")
	if err != nil {
		t.Fatal(err)
	}
	operator := operator{t, s.Net, core.Front()}
	var reached [][2]float64
	core.Front().Go(func(p *thread.Participant) {
		for i, m := range table2 {
			wait(t, p, m.at)
			operator.moveTo(p, m.joint1, m.joint2, m.duration)
			end := m.at + m.duration + 2
			if i+1 < len(table2) {
				end = min(end, table2[i+1].at)
			}
			wait(t, p, end-0.05) // the answer takes a cycle
			reached = append(reached, [2]float64{operator.read(p, "joint1", "position"), operator.read(p, "joint2", "position")})
		}
	})
	if err := core.RunVirtual(context.Background()); err != nil {
		t.Fatal(err)
	}
	return result{recorder.Signals(), reached}
}

func wait(t *testing.T, p *thread.Participant, seconds float64) {
	if err := p.Wait(clock.At(time.Duration(seconds*float64(time.Second))), nil); err != nil {
		t.Error(err)
	}
}

// operator does by hand what a script does.
type operator struct {
	t     *testing.T
	net   *diagram.Net
	front *thread.Front
}

func (o operator) block(name string) *block.Instance {
	for _, b := range o.net.Blocks {
		if b.Name == name {
			return b
		}
	}
	o.t.Fatalf("no block %q", name)
	return nil
}

func (o operator) answer(p *thread.Participant, r *thread.Request) []byte {
	if err := p.Wait(0, r.Ready); err != nil {
		o.t.Error(err)
	}
	cdr, err := r.Result()
	if err != nil {
		o.t.Error(err)
	}
	return cdr
}

// moveTo calls generator.moveTo([joint1, joint2], duration).
func (o operator) moveTo(p *thread.Participant, numbers ...float64) {
	generator := o.block("generator")
	move := generator.Operation("moveTo")
	args := make([]byte, move.Args.Size())
	copy(args, []byte{0, 1, 0, 0, 2, 0, 0, 0}) // CDR, little-endian; two positions
	for i, x := range numbers {
		binary.LittleEndian.PutUint64(args[len(args)-8*(len(numbers)-i):], math.Float64bits(x))
	}
	o.answer(p, o.front.Call(generator, move, args))
}

// read returns the number at a port.
func (o operator) read(p *thread.Participant, name, port string) float64 {
	cdr := o.answer(p, o.front.Read(o.block(name).Port(port)))
	if len(cdr) < 8 {
		return math.NaN()
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(cdr[len(cdr)-8:]))
}

// Feature O9: the joints reach all targets, and feedforward tracks clearly better.
func TestTargetsAndTracking(t *testing.T) {
	pid, ff := experiment(t), experiment(t, "janus-feedforward.yaml")
	for name, r := range map[string]result{"PID": pid, "feedforward": ff} {
		if len(r.reached) != len(table2) {
			t.Fatalf("%s: %d of %d moves", name, len(r.reached), len(table2))
		}
		for i, m := range table2 {
			testkit.AllNear(t, name+": reached", r.reached[i][:], []float64{m.joint1, m.joint2}, 2e-3)
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

// The same numbers on every run, and on the threads of Table 1.
func TestRepeatsBitForBit(t *testing.T) {
	for _, controller := range [][]string{nil, {"janus-feedforward.yaml"}} {
		first := experiment(t, controller...)
		same(t, "again", first, experiment(t, controller...))
		same(t, "activities", first, experiment(t, append(controller, "activities.yaml")...))
	}
}

func same(t *testing.T, what string, a, b result) {
	t.Helper()
	for i := range a.reached {
		if a.reached[i] != b.reached[i] {
			t.Errorf("%s: move %d ended at %v, then at %v", what, i+1, a.reached[i], b.reached[i])
		}
	}
	for name, s := range a.signals {
		if s != b.signals[name] {
			t.Errorf("%s: %s is %+v, then %+v", what, name, s, b.signals[name])
		}
	}
}
