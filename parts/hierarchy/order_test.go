package hierarchy

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/thread"
)

// run executes a net in virtual time for n activations of its 1 ms threads.
func run(t *testing.T, net *diagram.Net, n int) {
	t.Helper()
	core := thread.New(net, thread.Options{Until: clock.At(time.Duration(n)*time.Millisecond - 1)})
	if err := core.RunVirtual(context.Background()); err != nil {
		t.Fatal(err)
	}
}

func build(t *testing.T, h *Hierarchy) *diagram.Net {
	t.Helper()
	net, err := h.Build()
	if err != nil {
		t.Fatal(err)
	}
	return net
}

// The order of two nested groups, written out.
func TestOrderStepByStep(t *testing.T) {
	var trace []string
	h := New("test")
	part := h.Part(0, diagram.Thread{Name: "p", Period: time.Millisecond})
	add := func(g *Group, level int, name string) *Module {
		return g.Module(level, name, newProbe(name, &trace, 1, 1, 1, 1), diagram.Place{})
	}
	top := add(part, 2, "top") // made first, and yet the last to sense
	arm := part.Group(1, "arm")
	shoulder := add(arm, 1, "shoulder")
	elbow := add(arm, 0, "elbow")
	add(arm, 0, "wrist")
	arm.Edge(elbow.SensorOut(), shoulder.SensorIn())
	arm.Edge(shoulder.ControlOut(), elbow.ControlIn())
	arm.Expose(shoulder.SensorOut())
	arm.Expose(shoulder.ControlIn())
	add(part, 1, "base")
	add(part, 0, "bus")
	part.Edge(arm.SensorOut(), top.SensorIn())
	part.Edge(top.ControlOut(), arm.ControlIn())
	run(t, build(t, h), 1)
	want := []string{
		"bus.sense", "elbow.sense", "wrist.sense", "shoulder.sense", "base.sense", "top.sense",
		"top.control", "shoulder.control", "elbow.control", "wrist.control", "base.control", "bus.control",
	}
	if !slices.Equal(trace, want) {
		t.Errorf("executed\n%v, expected\n%v", trace, want)
	}
}

// Random hierarchies, nested up to three deep, against the published algorithm: the same modules in the same order,
// and the same values to the last bit.
func TestOrderAndValuesAsPublished(t *testing.T) {
	r := testkit.Rand(t)
	modules := 0
	for range 200 {
		var got, want []string
		h := New("test")
		part := h.Part(0, diagram.Thread{Name: "p", Period: time.Millisecond})
		root := &unit{name: "p", trace: &want}
		g := &grower{r: r, got: &got, want: &want}
		g.grow(part, root, 3)
		net := build(t, h)
		const cycles = 5
		run(t, net, cycles)
		for range cycles {
			root.cycle()
		}
		if !slices.Equal(got, want) {
			t.Fatalf("executed\n%v, expected\n%v", got, want)
		}
		modules += len(g.probes)
		g.compare(t)
	}
	if modules < 1000 {
		t.Errorf("only %d modules: the test shows too little", modules)
	}
}

// Random nets of parts at different levels and rates, each with groups in it, against the published cycle of a part.
func TestPartsAsPublished(t *testing.T) {
	r := testkit.Rand(t)
	for range 100 {
		var got, want []string
		h := New("net")
		g := &grower{r: r, got: &got, want: &want}
		n := &publishedNet{unit: unit{name: "net", trace: &want}, sent: map[*unit][kinds][]float64{}}
		var parts []twin
		for k := range 1 + r.IntN(4) {
			name, level, period := fmt.Sprintf("p%d", k), r.IntN(levelsOfTest), []int{1, 2, 5}[r.IntN(3)]
			part := h.Part(level, diagram.Thread{Name: name, Period: time.Duration(period) * time.Millisecond, Priority: 90 - k})
			u := &unit{name: name, level: level, trace: &want}
			g.grow(part, u, 1)
			n.parts, n.period = append(n.parts, u), append(n.period, period)
			parts = append(parts, twin{&part.Member, u})
		}
		g.joinAll(&h.root, &n.unit, parts)
		net := build(t, h)
		const ms = 12
		run(t, net, ms)
		for k := range ms {
			n.tick(k)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("executed\n%v, expected\n%v", got, want)
		}
		g.compare(t)
	}
}

// grower makes a random group twice: with this package, and as units.
type grower struct {
	r         *rand.Rand
	got, want *[]string
	probes    []*probe
	units     []*unit
}

// twin is a member in both forms.
type twin struct {
	*Member
	u *unit
}

func (g *grower) grow(group *Group, u *unit, depth int) {
	var all []twin
	for k := range 1 + g.r.IntN(4) {
		level, name := g.r.IntN(levelsOfTest), fmt.Sprintf("m%d", k)
		m := twin{u: &unit{name: u.name + "." + name, level: level, trace: g.want}}
		u.members = append(u.members, m.u)
		if depth > 0 && g.r.IntN(3) == 0 {
			inner := group.Group(level, name)
			g.grow(inner, m.u, depth-1)
			m.Member = &inner.Member
		} else {
			n := func() int { return g.r.IntN(4) }
			p := newProbe(m.u.name, g.got, n(), n(), n(), n())
			m.Member = &group.Module(level, name, p, diagram.Place{}).Member
			g.probes, g.units = append(g.probes, p), append(g.units, m.u)
			for k := range kinds {
				m.u.vectors[k] = make([]float64, len(m.vectors[k]))
			}
		}
		all = append(all, m)
	}
	g.joinAll(group, u, all)
}

// compare holds the outputs of all modules against those of their twins.
func (g *grower) compare(t *testing.T) {
	t.Helper()
	for i, p := range g.probes {
		for _, v := range []struct {
			kind kind
			out  []block.Out[float64]
		}{{sensorOut, p.SensorOut}, {controlOut, p.ControlOut}} {
			for n, want := range g.units[i].vectors[v.kind] {
				if got := v.out[n].Value(); got != want {
					t.Fatalf("%s: element %d of its %v is %v, expected %v", p.name, n, v.kind, got, want)
				}
			}
		}
	}
}

func (g *grower) joinAll(group *Group, u *unit, all []twin) {
	g.join(group, u, all, sensorIn, sensorOut, func(from, to int) bool { return from < to })
	g.join(group, u, all, controlIn, controlOut, func(from, to int) bool { return from > to })
}

// join gives each input a source among the members that may give it one, or exposes it, and exposes some outputs.
func (g *grower) join(group *Group, u *unit, all []twin, in, out kind, may func(from, to int) bool) {
	for _, to := range all {
		for n, e := range to.vectors[in] {
			target := to.vector(in).Pick(e.name)
			sources := []spot{}
			vectors := []Vector{}
			for _, from := range all {
				for n, e := range from.vectors[out] {
					if may(from.level, to.level) {
						sources = append(sources, spot{from.u, out, n})
						vectors = append(vectors, from.vector(out).Pick(e.name))
					}
				}
			}
			switch pick := g.r.IntN(4); {
			case pick == 0: // stays open
			case pick == 1 || len(sources) == 0:
				at := g.r.IntN(len(u.vectors[in]) + 1) // several inputs may share one
				if at == len(u.vectors[in]) {
					u.vectors[in] = append(u.vectors[in], 0)
				}
				group.Expose(target, fmt.Sprintf("in%d", at))
				u.edges = append(u.edges, copying{spot{u, in, at}, spot{to.u, in, n}})
			default:
				k := g.r.IntN(len(sources))
				group.Edge(vectors[k], target)
				u.edges = append(u.edges, copying{sources[k], spot{to.u, in, n}})
			}
		}
	}
	for _, from := range all {
		for n, e := range from.vectors[out] {
			if g.r.IntN(2) == 0 {
				group.Expose(from.vector(out).Pick(e.name), fmt.Sprintf("out%d", len(u.vectors[out])))
				u.edges = append(u.edges, copying{spot{from.u, out, n}, spot{u, out, len(u.vectors[out])}})
				u.vectors[out] = append(u.vectors[out], 0)
			}
		}
	}
}
