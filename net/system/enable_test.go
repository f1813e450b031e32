package system_test

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/system"
	"github.com/sinew-robotics/sinew/net/thread"
)

// counter counts its steps, from 1: a state that Restart puts back.
type counter struct {
	In  block.In[float64]
	Out block.Out[float64]
	Dt  block.Out[float64]
	n   float64
}

func (c *counter) Step(t clock.Tick) error {
	c.n++
	c.Out.Write(c.n)
	c.Dt.Write(t.Dt.Seconds())
	return nil
}

func (c *counter) Restart() { c.n = 0 }

// gate writes true in the steps that its parameter names; before the first of after it writes nothing.
type gate struct {
	On    block.Param[[]float64] `default:"[]"`
	Quiet block.Param[int64]     `default:"0"`
	Out   block.Out[bool]
	n     int64
}

func (g *gate) Step(clock.Tick) error {
	if g.n >= g.Quiet.Value() {
		g.Out.Write(slices.Contains(g.On.Value(), float64(g.n)))
	}
	g.n++
	return nil
}

// book notes what it reads in each step.
type book struct {
	A, B  block.In[float64]
	pages [][2]float64
}

func (b *book) Step(clock.Tick) error {
	if len(b.pages) < cap(b.pages) {
		x, _ := b.A.Read()
		y, _ := b.B.Read()
		b.pages = append(b.pages, [2]float64{x, y})
	}
	return nil
}

// fragile cannot begin again.
type fragile struct {
	Out block.Out[float64] `safe:"-1"`
}

func (f *fragile) Step(clock.Tick) error { f.Out.Write(1); return nil }

func (f *fragile) Restart() { panic("wanted") }

func enableRegistry() *block.Registry {
	return block.NewRegistry([]block.Entry{
		{Type: "rig.Counter", Doc: "Counts.", New: func() block.Block { return new(counter) }},
		{Type: "rig.Gate", Doc: "Enables.", New: func() block.Block { return new(gate) }},
		{Type: "rig.Fragile", Doc: "Cannot begin again.", New: func() block.Block { return new(fragile) }},
		{Type: "rig.Book", Doc: "Notes.", New: func() block.Block { return &book{pages: make([][2]float64, 0, 64)} }},
	})
}

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

func loadEnabled(t *testing.T, text string) (*system.System, error) {
	t.Helper()
	return system.Load(filepath.Join(write(t, "main.yaml", text), "main.yaml"), system.Options{Registry: enableRegistry()})
}

func runCycles(t *testing.T, s *system.System, d time.Duration) {
	t.Helper()
	core := thread.New(s.Net, thread.Options{})
	core.Front().Go(func(p *thread.Participant) {
		defer core.Front().Stop()
		if err := p.Wait(clock.At(d), nil); err != nil {
			t.Error(err)
		}
	})
	if err := core.RunVirtual(context.Background()); err != nil {
		t.Fatal(err)
	}
}

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
		s, err := loadEnabled(t, strings.NewReplacer("POLICY", c.policy, "INNER", c.inner, "QUIET", "0").Replace(enabledSystem))
		if err != nil {
			t.Fatal(err)
		}
		runCycles(t, s, 95*time.Millisecond)
		pages := bookOf(s).pages
		for i := range c.a {
			if pages[i] != [2]float64{c.a[i], c.b[i]} {
				t.Errorf("on_enable %s, in it %s: step %d reads %v, want %v and %v", c.policy, c.inner, i, pages[i], c.a[i], c.b[i])
			}
		}
	}
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
	runCycles(t, s, 35*time.Millisecond)
	for i, want := range []float64{1, 1, 2, 2} {
		if got := bookOf(s).pages[i][0]; got != want {
			t.Errorf("step %d: %v, want %v", i, got, want)
		}
	}
	for _, g := range s.Net.Groups {
		if g.Name == "outer" && (len(g.Ports[0].Ends) != 1 || g.Ports[0].Ends[0].String() != "outer.g.a.enable") {
			t.Errorf("behind outer.run is %v, want outer.g.a.enable", g.Ports[0].Ends)
		}
	}
}

func bookOf(s *system.System) *book {
	for _, b := range s.Net.Blocks {
		if x, ok := b.Block.(*book); ok {
			return x
		}
	}
	return nil
}

// Before the first value a group is enabled, as each block is.
func TestGroupIsEnabledBeforeTheFirstValue(t *testing.T) {
	s, err := loadEnabled(t, strings.NewReplacer("POLICY", "hold", "INNER", "hold", "QUIET", "4").Replace(enabledSystem))
	if err != nil {
		t.Fatal(err)
	}
	runCycles(t, s, 95*time.Millisecond)
	for i, want := range []float64{1, 2, 3, 4, 5, 6, 7, 7, 7, 8} {
		if got := bookOf(s).pages[i][0]; got != want {
			t.Errorf("step %d: %v, want %v", i, got, want)
		}
	}
}

func TestEnabledGroupAllocatesNothing(t *testing.T) {
	testkit.NoAllocsPerCycle(t, 20, 60, func(cycles int) (n uint64) {
		text := strings.NewReplacer("POLICY", "reset", "INNER", "null", "QUIET", "0", "[0, 1, 4, 5, 6, 9]", "[5, 7, 9, 11, 25, 27, 35, 40]").Replace(enabledSystem)
		s, err := loadEnabled(t, text)
		if err != nil {
			t.Fatal(err)
		}
		core := thread.New(s.Net, thread.Options{})
		core.Front().Go(func(p *thread.Participant) {
			defer core.Front().Stop()
			_ = p.Wait(clock.At(15*time.Millisecond), nil) // what is set up once
			n = testkit.Mallocs(func() { _ = p.Wait(clock.At(time.Duration(10*cycles+5)*time.Millisecond), nil) })
		})
		if err := core.RunVirtual(context.Background()); err != nil {
			t.Fatal(err)
		}
		return n
	})
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
	for name, c := range map[string][2]string{
		"thread":    {"  g: {thread: tt, blocks: {a: {type: rig.Counter, thread: t}}}\n", `5:15: group "g": no thread "tt"`},
		"every":     {"  g: {thread: t, every: 0, blocks: {a: {type: rig.Counter}}}\n", `5:25: every`},
		"policy":    {"  g: {thread: t, on_enable: restart, blocks: {a: {type: rig.Counter}}}\n", `on_enable wants hold or reset, got "restart"`},
		"inside":    {"  g: {thread: t, blocks: {a: {type: rig.Gate}}, ports: {o: a.out}}\nlinks: [g.o -> g.enable]\n", `could not enable the group again`},
		"twice":     {"  g: {thread: t, blocks: {a: {type: rig.Counter}}}\nlinks: [gate.out -> g.enable, more.out -> g.enable]\n", `linked already`},
		"nested":    {"  g: {thread: t, groups: {h: {blocks: {a: {type: rig.Counter}}}}, links: []}\nlinks: [gate.out -> g.enable, more.out -> g.h.a.enable]\n", `block follows one condition`},
		"number":    {"  g: {thread: t, blocks: {a: {type: rig.Counter}}}\nlinks: [num.out -> g.enable]\n", `takes std_msgs/msg/Bool: flow.Compare makes a truth value of a number`},
		"no blocks": {"  g: {blocks: {}}\nlinks: [gate.out -> g.enable]\n", `no blocks to enable`},
	} {
		_, err := loadEnabled(t, head+c[0])
		if err == nil || !strings.Contains(err.Error(), c[1]) {
			t.Errorf("%s: error\n%v\nwant %s", name, err, c[1])
		}
	}
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
	if err == nil || !strings.Contains(err.Error(), `block "g.a" is in error: panic: wanted (enable_test.go:`) {
		t.Errorf("error %v", err)
	}
	if x := find[fragile](t, s, "g.a").Out.Value(); x != -1 {
		t.Errorf("the output of the block in error is %v, want its safe value, -1", x)
	}
	if n := find[counter](t, s, "g.b").Out.Value(); n != 3 {
		t.Errorf("the other block made %v steps after it was enabled again, want 3", n)
	}
}
