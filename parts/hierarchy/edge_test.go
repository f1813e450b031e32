package hierarchy

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/port"
)

var everyMS = diagram.Thread{Name: "p", Period: time.Millisecond}

// counter writes 1, 2, 3 … times ten and its number to its outputs.
type counter struct {
	Out  []block.Out[float64] `part:"sense"`
	Down []block.Out[float64] `part:"control"`
	n    float64
}

func (c *counter) Sense(clock.Tick) error {
	c.n++
	for i := range c.Out {
		c.Out[i].Write(10*c.n + float64(i+1))
	}
	return nil
}

func (c *counter) Control(clock.Tick) error {
	for i := range c.Down {
		c.Down[i].Write(100*c.n + float64(i+1))
	}
	return nil
}

// sink records its inputs.
type sink struct {
	In   []block.In[float64] `part:"sense"`
	Down []block.In[float64] `part:"control" name:"cmd"`

	got, commands []float64
}

func (s *sink) Sense(clock.Tick) error {
	s.got = s.got[:0]
	for i := range s.In {
		v, _ := s.In[i].Read()
		s.got = append(s.got, v)
	}
	return nil
}

func (s *sink) Control(clock.Tick) error {
	s.commands = s.commands[:0]
	for i := range s.Down {
		v, _ := s.Down[i].Read()
		s.commands = append(s.commands, v)
	}
	return nil
}

func newSink(n, commands int) *sink {
	return &sink{In: make([]block.In[float64], n), Down: make([]block.In[float64], commands)}
}

func TestEdgesCarryWholePartAndPermutation(t *testing.T) {
	h := New("test", levelsOfTest)
	p := h.Part(0, everyMS, levelsOfTest)
	whole, part, permuted, below := newSink(4, 0), newSink(2, 0), newSink(4, 0), newSink(0, 3)
	low := p.Module(0, "low", below, diagram.Place{})
	source := p.Module(1, "source", &counter{Out: make([]block.Out[float64], 4), Down: make([]block.Out[float64], 3)}, diagram.Place{})
	p.Edge(source.SensorOut(), p.Module(2, "whole", whole, diagram.Place{}).SensorIn())
	p.Edge(source.SensorOut().Range(1, 3), p.Module(2, "part", part, diagram.Place{}).SensorIn())
	p.Edge(source.SensorOut().Pick("out3", "out1", "out4", "out2"), p.Module(3, "permuted", permuted, diagram.Place{}).SensorIn())
	p.Edge(source.ControlOut().Range(0, 2), low.ControlIn().Pick("cmd3", "cmd1"))
	p.Edge(source.ControlOut().Range(2, 3), low.ControlIn().Range(1, 2))
	run(t, build(t, h), 2)
	for _, c := range []struct {
		what      string
		got, want []float64
	}{
		{"whole", whole.got, []float64{21, 22, 23, 24}},
		{"part", part.got, []float64{22, 23}},
		{"permuted", permuted.got, []float64{23, 21, 24, 22}},
		{"commands", below.commands, []float64{202, 203, 201}},
	} {
		if !slices.Equal(c.got, c.want) {
			t.Errorf("%s: got %v, expected %v", c.what, c.got, c.want)
		}
	}
}

// listSource and listSink have lists as elements.
type listSource struct {
	Out block.Out[[]float64] `part:"sense"`
}

func (l *listSource) Setup(s *block.Setup) error {
	s.Len(5, &l.Out)
	return nil
}

func (l *listSource) Sense(clock.Tick) error {
	l.Out.Write([]float64{0, 1, 2, 3, 4})
	return nil
}

func (l *listSource) Control(clock.Tick) error { return nil }

type listSink struct {
	In [3]float64           // received
	X  block.In[float64]    `part:"sense"`
	YZ block.In[[2]float64] `part:"sense" name:"yz"`
}

func (l *listSink) Sense(clock.Tick) error {
	x, _ := l.X.Read()
	yz, _ := l.YZ.Read()
	l.In = [3]float64{x, yz[0], yz[1]}
	return nil
}

func (l *listSink) Control(clock.Tick) error { return nil }

// An edge carries a part of an element that is a list, permuted, and a part of a part.
func TestEdgesCarryPartsOfLists(t *testing.T) {
	h := New("test", levelsOfTest)
	p := h.Part(0, everyMS, levelsOfTest)
	source := p.Group(0, "g", levelsOfTest)
	source.Expose(source.Module(0, "m", &listSource{}, diagram.Place{}).SensorOut().Pick("out[1:5]"), "list") // 1 2 3 4
	var s listSink
	sink := p.Module(1, "sink", &s, diagram.Place{})
	p.Edge(source.SensorOut().Pick("list[2]", "list[3,0]"), sink.SensorIn())
	run(t, build(t, h), 1)
	if s.In != [3]float64{3, 4, 1} {
		t.Errorf("got %v, expected 3 4 1", s.In)
	}
}

// A group takes the place of a module, at any depth; one of its inputs may reach several of its members.
func TestGroupLooksLikeAModule(t *testing.T) {
	h := New("test", levelsOfTest)
	p := h.Part(0, everyMS, levelsOfTest)
	a, b := newSink(1, 0), newSink(2, 0)
	outer := p.Group(1, "outer", levelsOfTest)
	inner := outer.Group(0, "inner", levelsOfTest)
	inner.Expose(inner.Module(0, "a", a, diagram.Place{}).SensorIn(), "x")
	outer.Expose(inner.SensorIn())
	outer.Expose(outer.Module(1, "b", b, diagram.Place{}).SensorIn(), "y", "x")
	source := p.Module(0, "source", &counter{Out: make([]block.Out[float64], 2)}, diagram.Place{})
	p.Edge(source.SensorOut(), outer.SensorIn())
	if got := outer.SensorIn().Elements(); len(got) != 2 || got[0].Name != "x" || got[1].Name != "y" {
		t.Errorf("elements %v, expected x and y", got)
	}
	run(t, build(t, h), 1)
	if !slices.Equal(a.got, []float64{11}) || !slices.Equal(b.got, []float64{12, 11}) {
		t.Errorf("got %v and %v", a.got, b.got)
	}
}

func TestElementsHaveNameUnitAndDoc(t *testing.T) {
	h := New("test", levelsOfTest)
	var trace []string
	m := h.Part(0, everyMS, levelsOfTest).Module(0, "m", newProbe("m", &trace, 2, 1, 0, 0), diagram.Place{})
	want := []Element{{"si1", "rad", "from below"}, {"si2", "rad", "from below"}}
	if got := m.SensorIn().Elements(); !slices.Equal(got, want) {
		t.Errorf("got %v, expected %v", got, want)
	}
	if m.Path() != "p.m" || m.Level() != 0 {
		t.Errorf("path %q, level %d", m.Path(), m.Level())
	}
}

// TestBadHierarchiesAreRejected lists every rejected construction with its error.
func TestBadHierarchiesAreRejected(t *testing.T) {
	for name, c := range map[string]struct {
		write func(h *Hierarchy, p *Group, low, high *Module)
		want  string
	}{
		"sensor to control": {func(h *Hierarchy, p *Group, low, high *Module) { p.Edge(low.SensorOut(), high.ControlIn()) },
			"edge from the sensor output of p.low to the control input of p.high: edges lead from a sensor output to a sensor input, or from a control output to a control input"},
		"control to sensor": {func(h *Hierarchy, p *Group, low, high *Module) { p.Edge(high.ControlOut(), low.SensorIn()) }, "edges lead from"},
		"input to input":    {func(h *Hierarchy, p *Group, low, high *Module) { p.Edge(low.SensorIn(), high.SensorIn()) }, "edges lead from"},
		"backwards":         {func(h *Hierarchy, p *Group, low, high *Module) { p.Edge(low.SensorIn(), high.SensorOut()) }, "edges lead from"},
		"sensor down": {func(h *Hierarchy, p *Group, low, high *Module) { p.Edge(high.SensorOut(), low.SensorIn()) },
			"sensor values go to a higher level, not from 1 to 0"},
		"control up": {func(h *Hierarchy, p *Group, low, high *Module) { p.Edge(low.ControlOut(), high.ControlIn()) },
			"control values go to a lower level, not from 0 to 1"},
		"to itself": {func(h *Hierarchy, p *Group, low, high *Module) { p.Edge(low.SensorOut(), low.SensorIn()) }, "not from 0 to 0"},
		"too many":  {func(h *Hierarchy, p *Group, low, high *Module) { p.Edge(low.SensorOut(), high.SensorIn().Range(0, 1)) }, "2 (so1, so2) do not fit 1 (si1)"},
		"no such":   {func(h *Hierarchy, p *Group, low, high *Module) { p.Edge(low.SensorOut().Pick("so9"), high.SensorIn()) }, `the sensor output of p.low has no element "so9"`},
		"no such part": {func(h *Hierarchy, p *Group, low, high *Module) {
			p.Edge(p.Module(0, "l", &listSource{}, diagram.Place{}).SensorOut().Pick("out[1:4]").Pick("out[1:4][3]"), high.SensorIn())
		}, `has no element "out"`},
		"beyond a part": {func(h *Hierarchy, p *Group, low, high *Module) {
			p.Expose(p.Module(0, "l", &listSource{}, diagram.Place{}).SensorOut().Pick("out[1:4]"), "part")
			p.SensorOut().Pick("part[3]")
		}, `has no "part[3]": it has length 3`},
		"beyond a list": {func(h *Hierarchy, p *Group, low, high *Module) {
			p.Edge(p.Module(0, "l", &listSource{}, diagram.Place{}).SensorOut().Pick("out[5]"), high.SensorIn().Range(0, 1))
		}, "p.l.out has elements 0 to 4, not 5"},
		"no brackets": {func(h *Hierarchy, p *Group, low, high *Module) { low.SensorOut().Pick("so1[") }, "does not close"},
		"empty range": {func(h *Hierarchy, p *Group, low, high *Module) { p.Edge(low.SensorOut().Range(1, 1), high.SensorIn()) }, "has elements 0 to 1"},
		"long range":  {func(h *Hierarchy, p *Group, low, high *Module) { p.Edge(low.SensorOut().Range(0, 3), high.SensorIn()) }, "0 to 2 is not a range of it"},
		"into a group": {func(h *Hierarchy, p *Group, low, high *Module) {
			g := p.Group(3, "g", levelsOfTest)
			m := g.Module(0, "m", newProbe("m", new([]string), 2, 0, 0, 0), diagram.Place{})
			p.Edge(low.SensorOut(), m.SensorIn())
		}, "both must be members of p"},
		"into a group, as a link": {func(h *Hierarchy, p *Group, low, high *Module) {
			p.Group(3, "g", levelsOfTest).Module(0, "m", newProbe("m", new([]string), 2, 0, 0, 0), diagram.Place{})
			h.Diagram().Link("p.low.so1 -> p.g.m.si1")
		}, `p.g.m.si1 is inside group "p.g", which is a module for those around it and does not show it`},
		"exposing strangers": {func(h *Hierarchy, p *Group, low, high *Module) { p.Group(0, "g", levelsOfTest).Expose(low.SensorOut()) }, "which is not a member of it"},
		"exposing twice": {func(h *Hierarchy, p *Group, low, high *Module) {
			p.Expose(low.SensorOut())
			p.Expose(high.SensorOut())
		}, `p exposes "so1" of the sensor output of p.high, but its sensor output has a "so1" already`},
		"names for others": {func(h *Hierarchy, p *Group, low, high *Module) { p.Expose(low.SensorOut(), "x") }, "1 names for 2 (so1, so2)"},
		"linked twice": {func(h *Hierarchy, p *Group, low, high *Module) {
			p.Edge(low.SensorOut(), high.SensorIn())
			p.Edge(low.SensorOut(), high.SensorIn())
		}, "is linked already"},
		"above the levels": {func(h *Hierarchy, p *Group, low, high *Module) { p.Module(4, "x", newSink(1, 0), diagram.Place{}) },
			"p.x: level 4 is not between 0 (the lowest) and 3, the levels of p"},
		"below the levels":  {func(h *Hierarchy, p *Group, low, high *Module) { p.Group(-1, "x", 1) }, "p.x: level -1 is not between 0 (the lowest) and 3"},
		"no levels":         {func(h *Hierarchy, p *Group, low, high *Module) { p.Group(0, "x", 0) }, "p.x: 0 levels are not between 1 and 1000"},
		"the name twice":    {func(h *Hierarchy, p *Group, low, high *Module) { p.Group(0, "low", levelsOfTest) }, "p.low exists already"},
		"a name with a dot": {func(h *Hierarchy, p *Group, low, high *Module) { p.Group(0, "a.b", levelsOfTest) }, "wants letters"},
		"a stranger in it": {func(h *Hierarchy, p *Group, low, high *Module) {
			h.Diagram().Add("x", newSink(1, 0), diagram.Place{Thread: "p"})
		}, `block "x" is on the thread of part "p", but is not a module of it`},
		"a part twice":      {func(h *Hierarchy, p *Group, low, high *Module) { h.Part(1, everyMS, levelsOfTest) }, "there twice"},
		"parts and modules": {func(h *Hierarchy, p *Group, low, high *Module) { h.Edge(low.SensorOut(), high.SensorIn()) }, "both must be members of test"},
		"units": {func(h *Hierarchy, p *Group, low, high *Module) {
			p.Edge(low.SensorOut().Range(0, 1), p.Module(1, "v", &volts{}, diagram.Place{}).SensorIn())
		}, "is in rad, but p.v.u is in V"},
		"types": {func(h *Hierarchy, p *Group, low, high *Module) {
			p.Edge(low.SensorOut().Range(0, 1), p.Module(1, "v", &flag{}, diagram.Place{}).SensorIn())
		}, "carries"},
		"what cannot be set": {func(h *Hierarchy, p *Group, low, high *Module) {
			p.Module(1, "v", &volts{}, diagram.Place{Given: port.Given{Params: map[string]any{"x": 1}}})
		}, `has no parameter "x"`},
	} {
		h := New("test", levelsOfTest)
		p := h.Part(0, everyMS, levelsOfTest)
		low := p.Module(0, "low", newProbe("low", new([]string), 2, 2, 2, 2), diagram.Place{})
		high := p.Module(1, "high", newProbe("high", new([]string), 2, 2, 2, 2), diagram.Place{})
		c.write(h, p, low, high)
		if _, err := h.Build(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, expected %q", name, err, c.want)
		}
	}
}

type volts struct {
	U block.In[float64] `part:"sense" unit:"V"`
}

func (*volts) Sense(clock.Tick) error   { return nil }
func (*volts) Control(clock.Tick) error { return nil }

type flag struct {
	On block.In[bool] `part:"sense"`
}

func (*flag) Sense(clock.Tick) error   { return nil }
func (*flag) Control(clock.Tick) error { return nil }

// TestBuildReportsAllErrors builds a hierarchy with several errors.
func TestBuildReportsAllErrors(t *testing.T) {
	h := New("test", levelsOfTest)
	p := h.Part(0, everyMS, levelsOfTest)
	m := p.Module(0, "m", newProbe("m", new([]string), 1, 1, 1, 1), diagram.Place{})
	p.Edge(m.SensorOut(), m.ControlIn())
	p.Edge(m.SensorOut().Pick("nothing"), m.SensorIn())
	h.Diagram().Link("missing.out -> p.m.si1")
	_, err := h.Build()
	for _, want := range []string{"edges lead from", `no element "nothing"`, `no block "missing"`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("expected %q in\n%v", want, err)
		}
	}
}
