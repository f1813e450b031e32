package system_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/thread"
)

const enabledSystem = `system: s
threads: {t: {period: 10ms}, u: {period: 10ms}}
blocks:
  gate: {type: rig.Gate, thread: t, params: {on: [0, 1, 4, 5, 6, 9], quiet: QUIET}}
  book: {type: rig.Book, thread: t}
groups:
  g:
    thread: t
    on_enable: POLICY
    blocks: {a: {type: rig.Counter}}
    groups:
      h: {blocks: {b: {type: rig.Counter}}, on_enable: INNER}
links: [gate.out -> g.enable, g.a.out -> book.a, g.h.b.out -> book.b]
`

// Bäuml and Hirzinger, aRD, 2006, line 178 of the text: "the enabling/disabling and triggering of subsystems is supported to control the execution of
// its blocks by means of input from other blocks", of Simulink models.
//
// The numbers are those that Simulink documents for a discrete counter in an enabled subsystem with the control signal 1 1 0 0 1 1 1 0 0 1:
// outputs are held while it is disabled; with states "held" it goes on where it was, with "reset" it begins with the initial value.
func TestGroupFollowsSimulinksEnabledSubsystem(t *testing.T) {
	held := []float64{1, 2, 2, 2, 3, 4, 5, 5, 5, 6}
	reset := []float64{1, 2, 2, 2, 1, 2, 3, 3, 3, 1}
	for _, c := range []struct {
		policy, inner string
		a, b          []float64
	}{
		{"hold", "null", held, held}, {"null", "null", held, held}, {"reset", "null", reset, reset},
		{"reset", "hold", reset, held}, {"hold", "reset", held, reset},
	} {
		s := mustLoad(t, strings.NewReplacer("POLICY", c.policy, "INNER", c.inner, "QUIET", "0").Replace(enabledSystem))
		readsPages(t, "on_enable "+c.policy+", in it "+c.inner, s, c.a, c.b)
	}
}

// In Simulink an enabled subsystem is executed while its control signal is above zero, whatever it is below, and NaN is not above.
func TestNumberEnablesWhileItIsAboveZero(t *testing.T) {
	held := []float64{1, 2, 2, 2, 3, 3, 4, 4, 5, 6}
	for what, links := range map[string]string{
		"group": "num.out -> g.enable", "blocks": "num.out -> g.a.enable, num.out -> g.h.b.enable",
	} {
		text := strings.NewReplacer("POLICY", "hold", "INNER", "null", "QUIET", "0", "gate.out -> g.enable", links,
			"  book:", "  num: {type: rig.Numbers, thread: t, params: {values: [1, 1e-300, 0, -1, 2, -99, 1, -0.0, 3, 1e30]}}\n  book:").Replace(enabledSystem)
		readsPages(t, what, mustLoad(t, text), held, held)
	}
	readsPages(t, "reset", mustLoad(t, strings.NewReplacer("POLICY", "reset", "INNER", "null", "QUIET", "0", "gate.out -> g.enable", "num.out -> g.enable",
		"  book:", "  num: {type: rig.Numbers, thread: t, params: {values: [1, 1, 0, 1]}}\n  book:").Replace(enabledSystem)), []float64{1, 2, 2, 1}, []float64{1, 2, 2, 1})
}

// NaN is not above 0, and is named once for all blocks that it disables.
func TestConditionThatIsNotANumberIsNamed(t *testing.T) {
	s := mustLoad(t, strings.NewReplacer("POLICY", "hold", "INNER", "null", "QUIET", "0", "gate.out -> g.enable", "num.out -> g.enable",
		"  book:", "  num: {type: rig.Numbers, thread: t, params: {values: [-99]}}\n  book:").Replace(enabledSystem))
	core := thread.New(s.Net, thread.Options{})
	var named []string
	core.Front().Go(func(p *thread.Participant) {
		defer core.Front().Stop()
		_ = p.Wait(clock.At(95*time.Millisecond), nil)
		for _, w := range core.Front().Warnings() {
			named = append(named, w.String())
		}
	})
	if err := core.RunVirtual(context.Background()); err != nil {
		t.Fatal(err)
	}
	want := []string{`num.out, which enables block "g.a" and 1 more, is not a finite number: while it is NaN nothing there is executed`}
	if !slices.Equal(named, want) || len(bookOf(s).pages) == 0 || bookOf(s).pages[5] != [2]float64{} {
		t.Errorf("warnings are %q, want %q; the book is %v", named, want, bookOf(s).pages)
	}
}

// As in Simulink an enabled subsystem in another is executed while both are enabled.
func TestBlockWithSeveralConditionsRunsWhileAllHold(t *testing.T) {
	const more = "  more: {type: rig.Gate, thread: t, params: {on: [0, 1, 2, 4, 6, 8, 9]}}\n  num: {type: rig.Numbers, thread: t, params: {values: [1, -1, 1, 1]}}\n  book:"
	for _, c := range []struct {
		links string
		a, b  []float64
	}{ // gate holds in the steps 0, 1, 4, 5, 6 and 9
		{"gate.out -> g.enable, more.out -> g.h.enable", []float64{1, 2, 2, 2, 3, 4, 5, 5, 5, 6}, []float64{1, 2, 2, 2, 3, 3, 4, 4, 4, 5}},
		{"more.out -> g.h.b.enable, gate.out -> g.enable", []float64{1, 2, 2, 2, 3, 4, 5, 5, 5, 6}, []float64{1, 2, 2, 2, 3, 3, 4, 4, 4, 5}},
		{"gate.out -> g.enable, more.out -> g.h.enable, num.out -> g.h.b.enable", []float64{1, 2, 2, 2, 3, 4, 5, 5, 5, 6}, []float64{1, 1, 1, 1, 2, 2, 3, 3, 3, 3}},
	} {
		s := mustLoad(t, strings.NewReplacer("POLICY", "hold", "INNER", "null", "QUIET", "0", "gate.out -> g.enable", c.links, "  book:", more).Replace(enabledSystem))
		readsPages(t, c.links, s, c.a, c.b)
	}
	allocatesNothing(t, strings.NewReplacer("POLICY", "hold", "INNER", "null", "QUIET", "0",
		"gate.out -> g.enable", "gate.out -> g.enable, more.out -> g.h.enable, num.out -> g.h.b.enable", "  book:", more).Replace(enabledSystem))
}

// An operator's disable is one more condition.
func TestHandDisablesABlockWithSeveralConditions(t *testing.T) {
	s := mustLoad(t, strings.NewReplacer("POLICY", "hold", "INNER", "null", "QUIET", "0", "gate.out -> g.enable", "num.out -> g.enable",
		"  book:", "  num: {type: rig.Numbers, thread: t, params: {values: [1]}}\n  book:").Replace(enabledSystem))
	for _, b := range s.Net.Blocks {
		if b.Name == "g.a" {
			if err := b.Enable.Feed([]byte{0, 1, 0, 0, 0}); err != nil {
				t.Fatal(err)
			}
		}
	}
	readsPages(t, "disabled by hand", s, []float64{0, 0, 0}, []float64{1, 2, 3})
}

// A port of the group around stands for the enable input of a group in it, as for any other port.
func TestEnableThroughAPortOfTheGroupAround(t *testing.T) {
	s, err := loadEnabled(t, `system: s
threads: {t: {period: 10ms}}
blocks: {gate: {type: rig.Gate, params: {on: [0, 2]}}, book: {type: rig.Book}}
groups:
  outer:
    groups: {g: {blocks: {a: {type: rig.Counter}}, ports: {out: a.out}}}
    ports: {run: g.enable, out: g.out}
links: [gate.out -> outer.run, outer.out -> book.a]
`)
	if err != nil {
		t.Fatal(err)
	}
	readsPages(t, "through a port", s, []float64{1, 1, 2, 2}, nil)
	for _, g := range s.Net.Groups {
		if g.Name == "outer" && (len(g.Ports[0].Ends) != 1 || g.Ports[0].Ends[0].String() != "outer.g.a.enable") {
			t.Errorf("behind outer.run is %v, want outer.g.a.enable", g.Ports[0].Ends)
		}
	}
}

// Before the first value a group is enabled, as each block is.
func TestGroupIsEnabledBeforeTheFirstValue(t *testing.T) {
	s := mustLoad(t, strings.NewReplacer("POLICY", "hold", "INNER", "hold", "QUIET", "4").Replace(enabledSystem))
	pages := []float64{1, 2, 3, 4, 5, 6, 7, 7, 7, 8}
	readsPages(t, "quiet for four steps", s, pages, pages)
}

func TestEnabledGroupAllocatesNothing(t *testing.T) {
	allocatesNothing(t, strings.NewReplacer("POLICY", "reset", "INNER", "null", "QUIET", "0", "[0, 1, 4, 5, 6, 9]", "[5, 7, 9, 11, 25, 27, 35, 40]").Replace(enabledSystem))
}

func TestMembersInheritThreadAndEvery(t *testing.T) {
	s, err := loadEnabled(t, `system: s
threads: {t: {period: 10ms}, u: {period: 10ms}}
groups:
  g:
    thread: t
    every: 3
    blocks: {a: {type: rig.Counter}, b: {type: rig.Counter, thread: u, every: 2}}
    groups:
      h: {blocks: {c: {type: rig.Counter}}}
      k: {thread: u, every: 5, blocks: {d: {type: rig.Counter}}}
`)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, p := range s.Net.Threads {
		for _, step := range p.Steps {
			got[step.Block.Name] = p.Name + string(rune('0'+step.Every))
		}
	}
	for name, want := range map[string]string{"g.a": "t3", "g.b": "u2", "g.h.c": "t3", "g.k.d": "u5"} {
		if got[name] != want {
			t.Errorf("block %s runs as %s, want %s", name, got[name], want)
		}
	}
}

func TestMistakesInEnabledGroups(t *testing.T) {
	const head = "system: s\nthreads: {t: {period: 10ms}, u: {period: 10ms}}\nblocks: {gate: {type: rig.Gate, thread: t}, more: {type: rig.Gate, thread: t}, num: {type: rig.Counter, thread: t}}\ngroups:\n"
	mistakes{
		"thread":    {"  g: {thread: tt, blocks: {a: {type: rig.Counter, thread: t}}}\n", `5:15: group "g": no thread "tt"`},
		"every":     {"  g: {thread: t, every: 0, blocks: {a: {type: rig.Counter}}}\n", `5:25: every`},
		"policy":    {"  g: {thread: t, on_enable: restart, blocks: {a: {type: rig.Counter}}}\n", `on_enable wants hold or reset, got "restart"`},
		"inside":    {"  g: {thread: t, blocks: {a: {type: rig.Gate}}, ports: {o: a.out}}\nlinks: [g.o -> g.enable]\n", `could not enable the group again`},
		"twice":     {"  g: {thread: t, blocks: {a: {type: rig.Counter}}}\nlinks: [gate.out -> g.enable, more.out -> g.enable]\n", `linked already`},
		"enable":    {"  g: {thread: t, blocks: {a: {type: rig.Counter}}}\nlinks: [gate.out -> g.enbale]\n", `group "g" has no port "enbale"; did you mean "enable"?`},
		"trigger":   {"  g: {thread: t, blocks: {a: {type: rig.Counter}}, ports: {out: a.out}}\nlinks: [gate.out -> g.triger]\n", `group "g" has no port "triger"; did you mean "trigger"?`},
		"no blocks": {"  g: {blocks: {}}\nlinks: [gate.out -> g.enable]\n", `no blocks to enable`},
	}.check(t, head)
}

func TestRestartThatPanicsPutsItsBlockInErrorAlone(t *testing.T) {
	s, err := loadEnabled(t, `system: s
threads: {t: {period: 10ms}}
blocks:
  gate: {type: rig.Gate, thread: t, params: {on: [0, 1, 3, 4, 5]}}
groups:
  g:
    thread: t
    on_enable: reset
    blocks: {a: {type: rig.Fragile}, b: {type: rig.Counter}}
links: [gate.out -> g.enable]
`)
	if err != nil {
		t.Fatal(err)
	}
	err = thread.New(s.Net, thread.Options{Until: clock.At(50 * time.Millisecond)}).RunVirtual(context.Background())
	if err == nil || !strings.Contains(err.Error(), `block "g.a" is in error: panic: wanted (gates_test.go:`) {
		t.Errorf("error %v", err)
	}
	if x := find[fragile](t, s, "g.a").Out.Value(); x != -1 {
		t.Errorf("the output of the block in error is %v, want its safe value, -1", x)
	}
	if n := find[counter](t, s, "g.b").Out.Value(); n != 3 {
		t.Errorf("the other block made %v steps after it was enabled again, want 3", n)
	}
}
