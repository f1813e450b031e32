package system_test

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/run"
	"github.com/sinew-robotics/sinew/net/system"
	"github.com/sinew-robotics/sinew/net/thread"
)

const grouped = `system: grouped
threads:
  base: {period: 2ms, priority: 9}
  arm:  {period: 1ms, follow: base, offset: 500us}
  hand: {period: 6ms, follow: arm}
blocks:
  wave: {type: rig.Wave, thread: base, params: {amplitude: 3}}
  arm:  {type: rig.Gain, thread: arm, params: {gain: 0.5}}
  hand: {type: rig.Gain, thread: hand, every: 2, offset: 1, params: {gain: -1.5}}
  back: {type: rig.Sum, thread: base}
links:
  - {link: wave.out -> arm.angle}
  - {link: "back.out -> arm.in", timeout: 20ms}
  - arm.out -> hand.in
  - {link: hand.out -> back.a, every: 2}
  - {link: arm.out -> back.b, delay: true}
`

const spread = `
deploy:
  processes:
    one: {threads: [base]}
    two: {threads: [arm]}
    three: {threads: [hand], needs: [two]}
`

// In virtual time all threads of a system are in one process and in lock-step: its numbers are the same, bit for bit,
// whatever processes its file speaks of.
func TestVirtualTimeGivesTheSameNumbersForAnyProcesses(t *testing.T) {
	dir := write(t, "one.yaml", grouped, "spread.yaml", grouped+spread)
	logs := map[string][]byte{}
	for _, name := range []string{"one", "spread", "again"} {
		file := strings.Replace(name, "again", "spread", 1) + ".yaml"
		s := load(t, filepath.Join(dir, file), system.Options{})
		core := thread.New(s.Net, thread.Options{Until: clock.At(2 * time.Second)})
		path := filepath.Join(dir, name+".csv")
		rec, err := run.StartRecording(s, core.Front(), path)
		if err != nil {
			t.Fatal(err)
		}
		if err := core.RunVirtual(context.Background()); err != nil {
			t.Fatal(err)
		}
		if err := rec.Close(true); err != nil {
			t.Fatal(err)
		}
		if logs[name], err = os.ReadFile(path); err != nil || len(logs[name]) < 10000 {
			t.Fatalf("%d bytes, %v", len(logs[name]), err)
		}
		if sum := find[Sum](t, s, "back").Out.Value(); sum == 0 || math.IsNaN(sum) {
			t.Errorf("the loop gives %v", sum)
		}
	}
	if !slices.Equal(logs["one"], logs["spread"]) || !slices.Equal(logs["spread"], logs["again"]) {
		t.Error("the numbers differ")
	}
}

// Each process of the group sends and receives its ticks.
func TestEachProcessOfAGroupExchangesTicks(t *testing.T) {
	path := filepath.Join(write(t, "spread.yaml", grouped+spread), "spread.yaml")
	whole := load(t, path, system.Options{}).Net
	if b := whole.Ticks; len(b) != 2 || b[0].Leader != "base" || b[0].Follower != "arm" || b[0].Spec.Name != "thread.base.tick" || len(whole.Inlets) != 0 {
		t.Errorf("the whole system has the ticks %+v", b)
	}
	one := load(t, path, system.Options{Process: "one"}).Net
	if b := one.Threads[0].Ticks; b == nil || b.Name != "thread.base.tick" || !slices.Equal(b.To, []string{"two"}) || one.Leader != nil {
		t.Errorf("process one sends %+v and follows %+v", b, one.Leader)
	}
	two := load(t, path, system.Options{Process: "two"}).Net
	if l := two.Leader; l == nil || l.Name != "thread.base.tick" || l.From != "one" || l.Grid != 2*time.Millisecond || l.Shortest != time.Millisecond || two.Threads[0].Ticks == nil {
		t.Errorf("process two follows %+v", l)
	}
	three := load(t, path, system.Options{Process: "three"}).Net
	if l := three.Leader; l == nil || l.Name != "thread.arm.tick" || l.From != "two" || l.Grid != 6*time.Millisecond {
		t.Errorf("process three follows %+v", l)
	}
	bad := filepath.Join(write(t, "bad.yaml", `system: bad
threads: {a: {period: 1ms}, b: {period: 1ms}, c: {period: 1ms, follow: a}, d: {period: 1ms, follow: b}}
deploy: {processes: {one: {threads: [a]}, two: {threads: [b]}, three: {threads: [c, d]}}}
`), "bad.yaml")
	got := errorsOf(t, bad, system.Options{})
	if len(got) != 1 || !strings.Contains(got[0], `thread "d" follows "b", but process "three" follows "a" already: a process has one time`) {
		t.Errorf("got %q", got)
	}
}
