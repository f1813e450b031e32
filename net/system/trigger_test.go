package system_test

import (
	"strings"
	"testing"
	"time"
)

const triggeredSystem = `system: s
threads: {t: {period: 10ms}, u: {period: 10ms, follow: t}}
blocks:
  gate: {type: rig.Gate, thread: t, params: {on: [1, 2, 5, 7, 8, 9]}}
  open: {type: rig.Gate, thread: t, params: {on: [0, 1, 2, 3, 4, 5, 6, 9]}}
  book: {type: rig.Book, thread: t}
groups:
  g:
    thread: WHERE
    blocks: {a: {type: rig.Counter}}
    groups:
      h: {blocks: {b: {type: rig.Counter}}}
links: [gate.out -> g.trigger, g.a.out -> book.a, g.h.b.DATA -> book.b]
`

// Bäuml and Hirzinger, aRD, 2006, line 178 of the text: "the enabling/disabling and triggering of subsystems is supported".
//
// As in Simulink's triggered subsystem of type rising: outputs and states are held between triggers, and with an enable input a rise counts
// only while the subsystem is enabled. Unlike there, one sample of false before a rise is enough.
func TestTriggeredGroupRunsOnceForEachRise(t *testing.T) {
	for _, c := range []struct {
		name, where, data, more string
		a, b                    []float64
	}{
		{"counts", "t", "out", "", []float64{0, 1, 1, 1, 1, 2, 2, 3, 3, 3}, []float64{0, 1, 1, 1, 1, 2, 2, 3, 3, 3}},
		{"time since the last rise", "t", "dt", "", []float64{0, 1, 1, 1, 1, 2, 2, 3, 3, 3}, []float64{0, 0.02, 0.02, 0.02, 0.02, 0.04, 0.04, 0.02, 0.02, 0.02}},
		{"another thread", "u", "out", "", []float64{0, 0, 0, 1, 1, 1, 1, 2, 2, 3}, []float64{0, 0, 0, 1, 1, 1, 1, 2, 2, 3}},
		{"a rise while disabled is not made up for", "t", "out", ", open.out -> g.enable", []float64{0, 1, 1, 1, 1, 2, 2, 2, 2, 2}, []float64{0, 1, 1, 1, 1, 2, 2, 2, 2, 2}},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.NewReplacer("WHERE", c.where, "DATA", c.data, "-> book.b]", "-> book.b"+c.more+"]").Replace(triggeredSystem)
			readsPages(t, c.name, mustLoad(t, text), c.a, c.b)
		})
	}
}

func TestTriggerThroughAPortOfTheGroupAround(t *testing.T) {
	s, err := loadEnabled(t, `system: s
threads: {t: {period: 10ms}}
blocks: {gate: {type: rig.Gate, params: {on: [1, 3]}}, book: {type: rig.Book}}
groups:
  outer:
    groups: {g: {blocks: {a: {type: rig.Counter}}, ports: {out: a.out}}}
    ports: {go: g.trigger, out: g.out}
links: [gate.out -> outer.go, outer.out -> book.a]
`)
	if err != nil {
		t.Fatal(err)
	}
	readsPages(t, "through a port", s, []float64{0, 1, 1, 2}, nil)
}

// A thread that is triggered itself runs when the value comes; the group in it runs at its rise.
func TestTriggeredGroupInATriggeredThread(t *testing.T) {
	s, err := loadEnabled(t, strings.NewReplacer("u: {period: 10ms, follow: t}", "u: {triggered: true}", "WHERE", "u", "DATA", "out").Replace(triggeredSystem))
	if err != nil {
		t.Fatal(err)
	}
	runCycles(t, s, 95*time.Millisecond)
	if pages := bookOf(s).pages; pages[len(pages)-1][0] != 3 {
		t.Errorf("the group ran %v times in %d cycles, want 3", pages[len(pages)-1][0], len(pages))
	}
}

func TestTriggeredGroupAllocatesNothing(t *testing.T) {
	allocatesNothing(t, strings.NewReplacer("WHERE", "t", "DATA", "out", "[1, 2, 5, 7, 8, 9]", "[5, 7, 9, 11, 25, 27, 35, 40]").Replace(triggeredSystem))
}

func TestMistakesInTriggersOfGroups(t *testing.T) {
	const head = "system: s\nthreads: {t: {period: 10ms}}\nblocks: {gate: {type: rig.Gate}, book: {type: rig.Book}}\n"
	mistakes{
		"number":   {"groups: {g: {blocks: {a: {type: rig.Counter}, b: {type: rig.Counter}}}, k: {blocks: {c: {type: rig.Counter}}}}\nlinks: [g.b.out -> k.trigger]\n", "k.c.trigger takes std_msgs/msg/Bool: flow.Compare makes a truth value of a number"},
		"itself":   {"groups: {g: {blocks: {a: {type: rig.Gate}}}}\nlinks: [g.a.out -> g.trigger]\n", `block "g.a" is in group "g" itself: it would run only after it has triggered itself`},
		"twice":    {"groups: {g: {blocks: {a: {type: rig.Counter}}}}\nlinks: [gate.out -> g.trigger, gate.out -> g.trigger]\n", "linked already"},
		"buffered": {"groups: {g: {blocks: {a: {type: rig.Counter}}}}\nlinks: [{link: gate.out -> g.trigger, buffer: 4}]\n", "the input trigger of group \"g\" takes one truth value, the newest"},
		"block":    {"links: [gate.out -> book.trigger]\n", `no port "trigger"`},
	}.check(t, head)
}
