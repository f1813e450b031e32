package diagram

import (
	"maps"
	"slices"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/port"
	"github.com/sinew-robotics/sinew/net/schema"
)

// foreign is a block that is a program of its own, in any language.
type foreign struct {
	name, process string
	in, out       []string
}

// Foreign places a block that is a program of its own: a process, with ports of the given names. Its ports have the types of
// what they are linked to.
func (d *Diagram) Foreign(name, process string, in, out []string, source string) {
	switch {
	case d.byName[name] != nil || d.foreign[name] != nil:
		d.fail(source, "block %q is there twice", name)
	case len(in)+len(out) > MaxForeignPorts:
		d.fail(source, "block %q: a foreign program has at most %d ports", name, MaxForeignPorts)
		d.Broken(name)
	case len(d.foreign) == MaxForeign:
		d.fail(source, "block %q: a net has at most %d foreign programs", name, MaxForeign)
		d.Broken(name)
	default:
		d.foreign[name] = &foreign{name, process, in, out}
	}
}

// foreignPlans returns the foreign blocks with the links of their ports.
func (d *Diagram) foreignPlans() (plans []ForeignPlan) {
	to := map[string][]*link{}
	for _, l := range d.links {
		if l.to == nil {
			to[l.To.Block] = append(to[l.To.Block], l)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(d.foreign)) {
		f := d.foreign[name]
		plan := ForeignPlan{Name: name, Process: f.process}
		for _, port := range f.out {
			plan.Ports = append(plan.Ports, ForeignPort{Name: port, Link: name + "." + port, Output: true})
		}
		for _, l := range to[name] {
			plan.Ports = append(plan.Ports, ForeignPort{Name: l.To.Port, Link: d.linkName(l)})
		}
		plans = append(plans, plan)
	}
	return plans
}

// resolveForeign finds the ends of a link of which at least one is a port of a foreign block.
func (d *Diagram) resolveForeign(l *link) bool {
	ok := true
	side := func(e End, output bool) *port.Port {
		f := d.foreign[e.Block]
		if f == nil {
			p := d.find(l, e)
			if ok = ok && p != nil; p != nil && p.Kind.IsSource() != output {
				d.fail(l.Source, "link %v: %s is an %v", l, e, p.Kind)
				ok = false
			}
			return p
		}
		names, what := f.in, "input"
		if output {
			names, what = f.out, "output"
		}
		if !slices.Contains(names, e.Port) {
			d.fail(l.Source, "link %v: the foreign block %q has no %s %q%s", l, e.Block, what, e.Port, nearest.Later(e.Port, func() []string { return names }))
			ok = false
		}
		if e.Elements != nil {
			d.fail(l.Source, "link %v: of a foreign block's port only all of it can be linked", l)
			ok = false
		}
		return nil
	}
	l.from, l.to = side(l.From, true), side(l.To, false)
	return ok
}

// checkForeign reports what a link to a foreign block cannot carry.
func (d *Diagram) checkForeign(l *link) {
	p := l.from
	if p == nil {
		p = l.to
	}
	if p == nil {
		return // between two foreign blocks: they know themselves
	}
	if p.Type.Kind() == schema.Slice && p.Len() == 0 {
		d.fail(l.Source, "link %v: its number of elements is unknown: set the length of %s", l, p.Ref())
	}
	if l.Encode != nil {
		d.fail(l.Source, "link %v: a foreign program reads and writes values as they are: leave encode out", l)
	}
	if l.Timeout > 0 && l.to == nil {
		d.fail(l.Source, "link %v: the program of %s itself asks how old what it receives is: a time-out is for the inputs of blocks", l, l.To.Block)
	}
	if l.Delay || l.Every > 1 || l.Pause > 0 || l.From.Elements != nil || l.To.Elements != nil {
		d.fail(l.Source, "link %v: a link of a foreign block carries whole values, each when it comes", l)
	}
}
