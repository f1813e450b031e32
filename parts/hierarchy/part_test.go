package hierarchy

import (
	"slices"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
)

// relay is executed only after new data, and counts its executions.
type relay struct {
	In  block.In[float64]  `part:"sense" trigger:"yes"`
	Out block.Out[float64] `part:"sense"`
	Cmd block.In[float64]  `part:"control" trigger:"yes"`
	Set block.Out[float64] `part:"control"`

	senses, controls int
}

func (r *relay) Sense(clock.Tick) error {
	r.senses++
	v, _ := r.In.Read()
	r.Out.Write(v + 1)
	return nil
}

func (r *relay) Control(clock.Tick) error {
	r.controls++
	v, _ := r.Cmd.Read()
	r.Set.Write(v - 1)
	return nil
}

// source writes at every n-th execution only.
type source struct {
	Out   block.Out[float64] `part:"sense"`
	Cmd   block.In[float64]  `part:"control"`
	every int
	n     int
	got   []float64
}

func (s *source) Sense(clock.Tick) error {
	if s.n++; s.n%s.every == 0 {
		s.Out.Write(float64(s.n))
	}
	return nil
}

func (s *source) Control(clock.Tick) error {
	if v, status := s.Cmd.Read(); status == block.NewData {
		s.got = append(s.got, v)
	}
	return nil
}

// mirror returns sensor values as commands.
type mirror struct {
	In  block.In[float64]  `part:"sense" trigger:"yes"`
	Set block.Out[float64] `part:"control"`
	got float64
	new bool
}

func (m *mirror) Sense(clock.Tick) error {
	m.got, _ = m.In.Read()
	m.new = true
	return nil
}

func (m *mirror) Control(clock.Tick) error {
	if m.new {
		m.Set.Write(m.got)
	}
	m.new = false
	return nil
}

// TestChangedFlagsSkipWork checks that modules are executed, and edges carry data, only after new data: M2.
func TestChangedFlagsSkipWork(t *testing.T) {
	h := New("test", levelsOfTest)
	p := h.Part(0, everyMS, levelsOfTest)
	src, mid := &source{every: 5}, &relay{}
	low := p.Module(0, "low", src, diagram.Place{})
	relay := p.Module(1, "relay", mid, diagram.Place{})
	top := p.Module(2, "top", &mirror{}, diagram.Place{})
	p.Edge(low.SensorOut(), relay.SensorIn())
	p.Edge(relay.SensorOut(), top.SensorIn())
	p.Edge(top.ControlOut(), relay.ControlIn())
	p.Edge(relay.ControlOut(), low.ControlIn())
	run(t, build(t, h), 20)
	if mid.senses != 4 || mid.controls != 4 {
		t.Errorf("in 20 cycles with 4 new values: %d senses and %d controls", mid.senses, mid.controls)
	}
	if !slices.Equal(src.got, []float64{5, 10, 15, 20}) {
		t.Errorf("came back: %v", src.got)
	}
}

// ladder returns three parts above one another, the highest ten times slower. With processes, each runs in its own.
func ladder(src *source, mid *relay, top *mirror, process string, processes bool) *Hierarchy {
	h := New("test", levelsOfTest)
	thread := func(name string, period time.Duration, priority int) diagram.Thread {
		t := diagram.Thread{Name: name, Period: period, Priority: priority}
		if processes {
			t.Process = name
		}
		return t
	}
	lower := h.Part(0, thread("lower", time.Millisecond, 3), levelsOfTest)
	middle := h.Part(1, thread("middle", time.Millisecond, 2), levelsOfTest)
	higher := h.Part(2, thread("higher", 10*time.Millisecond, 1), levelsOfTest)
	l, m, t := lower.Module(0, "m", src, diagram.Place{}), middle.Module(0, "m", mid, diagram.Place{}), higher.Module(0, "m", top, diagram.Place{})
	lower.Expose(l.SensorOut())
	lower.Expose(l.ControlIn())
	middle.Expose(m.SensorIn())
	middle.Expose(m.SensorOut())
	middle.Expose(m.ControlIn())
	middle.Expose(m.ControlOut())
	higher.Expose(t.SensorIn())
	higher.Expose(t.ControlOut())
	h.Edge(lower.SensorOut(), middle.SensorIn())
	h.Edge(middle.SensorOut(), higher.SensorIn())
	h.Edge(higher.ControlOut(), middle.ControlIn())
	h.Edge(middle.ControlOut(), lower.ControlIn())
	h.Diagram().Process(process)
	return h
}

// Each part passes sensor values on after Sense, and commands after Control: sensor values climb within a millisecond, since
// lower parts are more urgent here, and commands descend with the parts' next cycles.
func TestPartsExchangeValuesInOneProcess(t *testing.T) {
	src, mid, top := &source{every: 1}, &relay{}, &mirror{}
	run(t, build(t, ladder(src, mid, top, "", false)), 25)
	if want := []float64{1, 11, 21}; !slices.Equal(src.got, want) {
		t.Errorf("came down: %v, expected %v", src.got, want)
	}
	if mid.senses != 25 || mid.controls != 3 {
		t.Errorf("the middle part sensed %d times in 25 ms, and controlled %d times for 3 commands", mid.senses, mid.controls)
	}
}

// The same parts, each in its own process: what one part sends matches what the others receive.
func TestPartsExchangeValuesBetweenProcesses(t *testing.T) {
	var sent, taken []string
	for _, process := range []string{"lower", "middle", "higher"} {
		net := build(t, ladder(&source{every: 1}, &relay{}, &mirror{}, process, true))
		if len(net.Threads) != 1 || net.Threads[0].Name != process {
			t.Errorf("process %s has %d threads", process, len(net.Threads))
		}
		for _, o := range net.Outlets {
			for _, to := range o.To {
				sent = append(sent, o.From+" sends "+o.Name+" to "+to)
			}
		}
		for _, i := range net.Inlets {
			taken = append(taken, i.From+" sends "+i.Name+" to "+i.To)
		}
	}
	slices.Sort(sent)
	slices.Sort(taken)
	want := []string{"higher sends higher.m.set to middle", "lower sends lower.m.out to middle",
		"middle sends middle.m.out to higher", "middle sends middle.m.set to lower"}
	if !slices.Equal(sent, want) || !slices.Equal(taken, want) {
		t.Errorf("sent %q, taken %q, expected %q", sent, taken, want)
	}
}

func TestCyclesAllocateNothing(t *testing.T) {
	testkit.NoAllocsPerCycle(t, 500, 5000, func(cycles int) uint64 {
		net := build(t, ladder(&source{every: 1, got: make([]float64, 0, 1000)}, &relay{}, &mirror{}, "", false))
		return testkit.Mallocs(func() { run(t, net, cycles) })
	})
}
