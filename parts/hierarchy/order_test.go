package hierarchy

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
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

// TestNestedGroupsRunInPublishedOrder spells out the order of two nested groups.
func TestNestedGroupsRunInPublishedOrder(t *testing.T) {
	var trace []string
	h := New("test", levelsOfTest)
	part := h.Part(0, diagram.Thread{Name: "p", Period: time.Millisecond}, levelsOfTest)
	add := func(g *Group, level int, name string) *Module {
		return g.Module(level, name, newProbe(name, &trace, 1, 1, 1, 1), diagram.Place{})
	}
	top := add(part, 2, "top") // added first, but the last to sense
	arm := part.Group(1, "arm", levelsOfTest)
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

// Random hierarchies, nested up to three levels deep, are compared with the published algorithm: the same modules run
// in the same order and produce the same values to the last bit.
func TestOrderAndValuesMatchThePublishedAlgorithm(t *testing.T) { compareGroups(t, false, 5) }

// The same with the published flags: half of the modules are executed only when new values have arrived, and all write only now
// and then. Executed steps and passed values are compared.
func TestChangedFlagsMatchThePublishedAlgorithm(t *testing.T) { compareGroups(t, true, 20) }

func compareGroups(t *testing.T, flags bool, cycles int) {
	r := testkit.Rand(t)
	modules, executed, full := 0, 0, 0
	for range 200 {
		var got, want []string
		h := New("test", levelsOfTest)
		part := h.Part(0, diagram.Thread{Name: "p", Period: time.Millisecond}, levelsOfTest)
		root := &unit{name: "p", trace: &want}
		g := &grower{r: r, got: &got, want: &want, flags: flags}
		g.grow(part, root, 3)
		net := build(t, h)
		run(t, net, cycles)
		for range cycles {
			root.sense()
			root.control()
		}
		if !slices.Equal(got, want) {
			t.Fatalf("executed\n%v, expected\n%v", got, want)
		}
		modules += len(g.probes)
		executed += len(got)
		full += 2 * cycles * len(g.probes)
		g.compare(t)
	}
	if modules < 300 {
		t.Errorf("only %d modules: too few for the test", modules)
	}
	if flags != (executed < full*9/10) || executed < full/4 {
		t.Errorf("flags %v: %d of %d possible executions: the test shows nothing", flags, executed, full)
	}
}

// Random nets of parts at different levels and rates, each with groups, are compared with the published cycle of a
// part. In virtual time no part runs between Sense and Control of another:
// TestHigherPartActsWhileALowerOneSensesAndControls is about that.
func TestPartsMatchThePublishedCycle(t *testing.T) { compareParts(t, false) }

// The same with the published flags, which also pass from part to part.
func TestChangedFlagsPassBetweenParts(t *testing.T) { compareParts(t, true) }

func compareParts(t *testing.T, flags bool) {
	r := testkit.Rand(t)
	for range 100 {
		var got, want []string
		h := New("net", levelsOfTest)
		g := &grower{r: r, got: &got, want: &want, flags: flags}
		n := &publishedNet{unit: unit{name: "net", trace: &want}, passed: map[spot]passed{}}
		var parts []counterpart
		for k := range 1 + r.IntN(4) {
			name, level, period := fmt.Sprintf("p%d", k), r.IntN(levelsOfTest), []int{1, 2, 5}[r.IntN(3)]
			part := h.Part(level, diagram.Thread{Name: name, Period: time.Duration(period) * time.Millisecond, Priority: 90 - k}, levelsOfTest)
			u := &unit{name: name, level: level, trace: &want}
			g.grow(part, u, 1)
			n.parts, n.period = append(n.parts, u), append(n.period, period)
			parts = append(parts, counterpart{&part.Member, u})
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

// grower builds a random group twice: with this package, and as units.
type grower struct {
	r         *rand.Rand
	got, want *[]string
	probes    []tested
	flags     bool // some modules are executed, and some write, only now and then
	units     []*unit
}

// counterpart is a member in both forms.
type counterpart struct {
	*Member
	u *unit
}

func (g *grower) grow(group *Group, u *unit, depth int) {
	var all []counterpart
	for k := range 1 + g.r.IntN(4) {
		level, name := g.r.IntN(levelsOfTest), fmt.Sprintf("m%d", k)
		m := counterpart{u: &unit{name: u.name + "." + name, level: level, trace: g.want}}
		u.members = append(u.members, m.u)
		if depth > 0 && g.r.IntN(3) == 0 {
			inner := group.Group(level, name, levelsOfTest)
			g.grow(inner, m.u, depth-1)
			m.Member = &inner.Member
		} else {
			n := func() int { return g.r.IntN(4) }
			var p tested
			if m.u.flagged = g.flags && g.r.IntN(2) == 0; m.u.flagged {
				p = newFlaggedProbe(m.u.name, g.got, n(), n(), n(), n())
			} else {
				p = newProbe(m.u.name, g.got, n(), n(), n(), n())
			}
			if g.flags {
				m.u.every = 1 + g.r.IntN(3)
				p.mixes().every = m.u.every
			}
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

// compare compares the outputs of all modules with those of their counterparts.
func (g *grower) compare(t *testing.T) {
	t.Helper()
	for i, p := range g.probes {
		for kind, out := range p.outputs() {
			for n, want := range g.units[i].vectors[kind] {
				if got := out[n].Value(); got != want {
					t.Fatalf("%s: element %d of its %v is %v, expected %v", p.mixes().name, n, kind, got, want)
				}
			}
		}
	}
}

func (g *grower) joinAll(group *Group, u *unit, all []counterpart) {
	g.join(group, u, all, sensorIn, sensorOut, func(from, to int) bool { return from < to })
	g.join(group, u, all, controlIn, controlOut, func(from, to int) bool { return from > to })
}

// join connects each input to a possible source, or exposes it, and exposes some outputs.
func (g *grower) join(group *Group, u *unit, all []counterpart, in, out kind, may func(from, to int) bool) {
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
			case pick == 0: // stays unconnected
			case pick == 1 || len(sources) == 0:
				at := g.r.IntN(len(u.vectors[in]) + 1) // several inputs may share one
				if at == len(u.vectors[in]) {
					u.vectors[in] = append(u.vectors[in], 0)
				}
				group.Expose(target, fmt.Sprintf("in%d", at))
				u.edges = append(u.edges, &copying{from: spot{u, in, at}, to: spot{to.u, in, n}})
			default:
				k := g.r.IntN(len(sources))
				group.Edge(vectors[k], target)
				u.edges = append(u.edges, &copying{from: sources[k], to: spot{to.u, in, n}})
			}
		}
	}
	for _, from := range all {
		for n, e := range from.vectors[out] {
			if g.r.IntN(2) == 0 {
				group.Expose(from.vector(out).Pick(e.name), fmt.Sprintf("out%d", len(u.vectors[out])))
				u.edges = append(u.edges, &copying{from: spot{from.u, out, n}, to: spot{u, out, len(u.vectors[out])}})
				u.vectors[out] = append(u.vectors[out], 0)
			}
		}
	}
}
