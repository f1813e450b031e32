package system_test

import (
	"context"
	"math"
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

// numbers writes one of its values after the other; -99 stands for NaN, which no file can give.
type numbers struct {
	Values block.Param[[]float64] `default:"[]"`
	Out    block.Out[float64]
	n      int
}

func (n *numbers) Step(clock.Tick) error {
	v := n.Values.Value()[n.n%len(n.Values.Value())]
	if v == -99 {
		v = math.NaN()
	}
	n.Out.Write(v)
	n.n++
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
		{Type: "rig.Numbers", Doc: "Enables by numbers.", New: func() block.Block { return new(numbers) }},
		{Type: "rig.Fragile", Doc: "Cannot begin again.", New: func() block.Block { return new(fragile) }},
		{Type: "rig.Book", Doc: "Notes.", New: func() block.Block { return &book{pages: make([][2]float64, 0, 64)} }},
	})
}

func loadEnabled(t *testing.T, text string) (*system.System, error) {
	t.Helper()
	return system.Load(filepath.Join(write(t, "main.yaml", text), "main.yaml"), system.Options{Registry: enableRegistry()})
}

func mustLoad(t *testing.T, text string) *system.System {
	t.Helper()
	s, err := loadEnabled(t, text)
	if err != nil {
		t.Fatal(err)
	}
	return s
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

func bookOf(s *system.System) *book {
	for _, b := range s.Net.Blocks {
		if x, ok := b.Block.(*book); ok {
			return x
		}
	}
	return nil
}

// readsPages runs ten cycles of a system and compares what its book reads in each of them.
func readsPages(t *testing.T, what string, s *system.System, a, b []float64) {
	t.Helper()
	runCycles(t, s, time.Duration(len(a))*10*time.Millisecond-5*time.Millisecond)
	pages := bookOf(s).pages
	for i := range a {
		want := [2]float64{a[i]}
		if b != nil {
			want[1] = b[i]
		}
		if pages[i] != want {
			t.Errorf("%s: step %d reads %v, want %v", what, i, pages[i], want)
		}
	}
}

// allocatesNothing compares the allocations of a short and a long run of a system.
func allocatesNothing(t *testing.T, text string) {
	t.Helper()
	testkit.NoAllocsPerCycle(t, 20, 60, func(cycles int) (n uint64) {
		s := mustLoad(t, text)
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

// mistakes are texts behind the head of a system, by name, and a part of the error of each.
type mistakes map[string][2]string

func (m mistakes) check(t *testing.T, head string) {
	t.Helper()
	for name, c := range m {
		if _, err := loadEnabled(t, head+c[0]); err == nil || !strings.Contains(err.Error(), c[1]) {
			t.Errorf("%s: error\n%v\nwant %s", name, err, c[1])
		}
	}
}
