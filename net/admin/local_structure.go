package admin

import (
	"cmp"
	"context"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/port"
	"github.com/sinew-robotics/sinew/net/record"
	"github.com/sinew-robotics/sinew/net/schema"
	"github.com/sinew-robotics/sinew/net/system"
	"github.com/sinew-robotics/sinew/net/thread"
)

// Structure implements [System].
func (l *Local) Structure(context.Context) (*Structure, error) {
	net := l.front.Net()
	this := l.thisProcess()
	s := &Structure{System: l.name, File: this.File, PID: this.PID, Processes: []Process{this}, Threads: []Thread{}, Blocks: []Block{}, Links: []Link{}, Calls: []Call{},
		Groups: l.groupsOf(), Foreign: describeForeign(net.Foreign), Types: map[string]string{}, Warnings: []string{}, Notices: noticesOf(net), Unlinked: []string{},
		Watch: l.watch}
	threads, from, faults := map[string]string{}, map[*port.Port]string{}, map[string]string{}
	for _, t := range net.Threads {
		s.Threads = append(s.Threads, Thread{Name: t.Name, Period: t.Period.Seconds(), Priority: t.Priority, Offset: t.Offset.Seconds(), Follow: t.Follow})
		for _, b := range t.Blocks {
			threads[b.Name] = t.Name
		}
	}
	for _, link := range net.Links {
		s.Links = append(s.Links, describeLink(link))
		from[link.Target] = strings.TrimPrefix(from[link.Target]+", "+link.From.String(), ", ")
	}
	for _, f := range l.front.InError() {
		faults[f.Block] = f.Why
	}
	for _, b := range net.Blocks {
		e := Describe(b)
		state := l.front.State(b)
		e.Thread, e.Level, e.Fault = threads[b.Name], net.Levels[b.Name], faults[b.Name]
		e.State, e.Enabled, e.Faults = stateOf(state), !state.Disabled, state.Faults
		for i, p := range b.Ports {
			e.Ports[i].From, e.Ports[i].Hand = from[p], l.front.ByHand(p)
		}
		for _, want := range b.Bindings {
			if c := (Call{b.Name, want.Peer, want.Operation}); !slices.Contains(s.Calls, c) {
				s.Calls = append(s.Calls, c)
			}
		}
		defineTypes(s.Types, b)
		if l.script != nil {
			e.Script = l.script(b.Name)
		}
		s.Blocks = append(s.Blocks, e)
	}
	s.describeGroups()
	for _, u := range net.Unlinked {
		s.Unlinked = append(s.Unlinked, u.String())
	}
	for _, w := range l.front.Warnings() {
		s.Warnings = append(s.Warnings, w.String())
	}
	return s, nil
}

// mostWatched is the greatest number of signals in [Structure.Watch].
const mostWatched = 16

// watchedSignals returns the names of the signals of a net that its system file watches, in the order of its patterns.
func watchedSignals(sys *system.System, net *diagram.Net) []string {
	if len(sys.Watch) == 0 {
		return nil
	}
	var names []string
	for _, b := range net.Blocks {
		for _, p := range b.Ports {
			_, of := sys.Watched(p)
			names = append(names, of...)
		}
	}
	first := func(name string) int {
		return slices.IndexFunc(sys.Watch, func(w record.Pattern) bool { return w.Match(name) })
	}
	slices.SortStableFunc(names, func(a, b string) int { return first(a) - first(b) })
	return names[:min(len(names), mostWatched)]
}

// describeForeign describes the blocks that are programs of their own.
func describeForeign(plans []diagram.ForeignPlan) []Foreign {
	list := []Foreign{}
	for _, f := range plans {
		d := Foreign{Name: f.Name, Process: f.Process, Ports: []ForeignPort{}}
		for _, p := range f.Ports {
			kind := port.Input
			if p.Output {
				kind = port.Output
			}
			d.Ports = append(d.Ports, ForeignPort{p.Name, kind.String()})
		}
		list = append(list, d)
	}
	return list
}

// describeGroups adds to the groups what follows from the present state of their blocks.
func (s *Structure) describeGroups() {
	at, enabled := map[string]*Port{}, map[string]bool{}
	for i := range s.Blocks {
		b := &s.Blocks[i]
		for k, c := range b.Name {
			if c == '.' && b.Enabled {
				enabled[b.Name[:k]] = true
			}
		}
		for k := range b.Ports {
			at[b.Name+"."+b.Ports[k].Name] = &b.Ports[k]
		}
	}
	for i := range s.Groups {
		g := &s.Groups[i]
		g.Enabled = enabled[g.Name]
		for k := range g.Ports {
			ref, _, _ := strings.Cut(g.Ports[k].Behind[0], "[")
			if p := at[ref]; p != nil {
				g.Ports[k].From, g.Ports[k].Hand = p.From, p.Hand
			}
		}
	}
}

// thisProcess describes the process without its name and host, which only its service knows.
func (l *Local) thisProcess() Process {
	p := Process{PID: os.Getpid()}
	if l.files != nil {
		p.File, p.Overlays, p.Params = l.files.Path, l.files.Options.Overlays, l.files.Options.Params
	}
	return p
}

// stateOf returns the state of a block: an error before disabled before resting.
func stateOf(s thread.BlockState) State {
	switch {
	case s.Faulted:
		return StateError
	case s.Disabled:
		return StateDisabled
	case s.Resting:
		return StateResting
	}
	return StateRunning
}

// defineTypes adds the definitions of the structs that a block shows.
func defineTypes(types map[string]string, b *port.Instance) {
	for _, p := range b.Ports {
		defineType(types, p.Type)
	}
	for _, p := range b.Params {
		if p.Type != nil {
			defineType(types, p.Type)
		}
	}
	for _, o := range b.Operations {
		defineType(types, o.Args.Type())
		defineType(types, o.Result.Type())
	}
}

func defineType(types map[string]string, t *schema.Type) {
	switch t.Kind() {
	case schema.Slice, schema.Array:
		defineType(types, t.Elem())
	case schema.Struct:
		if _, known := types[t.Name()]; known || isNone(t) {
			return
		}
		types[t.Name()] = t.Definition()
		for _, f := range t.Fields() {
			defineType(types, f.Type)
		}
	}
}

// Describe describes a block outside of a system: without thread and links.
func Describe(b *port.Instance) Block {
	e := Block{State: StateRunning, Enabled: true, Name: b.Name, Type: b.Type, Ports: []Port{}, Params: []Param{}, Operations: []Operation{}}
	for _, p := range b.Ports {
		e.Ports = append(e.Ports, describePort(p))
	}
	for _, p := range b.Params {
		e.Params = append(e.Params, describeParam(p))
	}
	for _, o := range b.Operations {
		e.Operations = append(e.Operations, describeOperation(o))
	}
	return e
}

func describePort(p *port.Port) Port {
	d := Port{Name: p.Name, Kind: p.Kind.String(), Type: typeName(p.Type), Unit: p.Unit, Doc: p.Doc, Safe: p.Safe, Watch: p.Watch, Show: p.Show, Trigger: p.Trigger, Required: p.Required}
	switch p.Part {
	case port.Sense:
		d.Half = "sense"
	case port.Control:
		d.Half = "control"
	}
	return d
}

func describeParam(p *port.Parameter) Param {
	d := Param{Name: p.Name, Unit: p.Unit, Doc: p.Doc, Fixed: p.Fixed, Type: "string"}
	if p.Type != nil {
		d.Type = typeName(p.Type)
	} else { // what no port can carry
		switch p.Value().(type) {
		case int:
			d.Type = "int64"
		case []string:
			d.Type = "string[]"
		}
	}
	if p.Fixed {
		d.Value = fixedValue(p)
	}
	if !math.IsInf(p.Min, 0) {
		d.Min = &p.Min
	}
	if !math.IsInf(p.Max, 0) {
		d.Max = &p.Max
	}
	return d
}

// fixedValue returns the value of a constant, which never changes while the system runs.
func fixedValue(p *port.Parameter) any {
	if p.Type == nil {
		return p.Value()
	}
	cdr := make([]byte, p.Layout.Size())
	v, err := p.Type.Value(cdr[:p.Encode(cdr)])
	if err != nil {
		return nil
	}
	return plain(v)
}

func describeOperation(o *port.Operation) Operation {
	d := Operation{Name: o.Name, Doc: o.Doc, Show: o.Show, Args: []Arg{}}
	args := o.Args.Type()
	switch {
	case isNone(args):
	case args.Kind() == schema.Struct:
		for _, f := range args.Fields() {
			unit := f.Unit
			if elem, _ := f.Type.Flat(); elem.Kind() == schema.Float64 || elem.Kind() == schema.Float32 { // whole numbers count
				unit = cmp.Or(unit, o.Unit)
			}
			d.Args = append(d.Args, Arg{f.Name, typeName(f.Type), unit})
		}
	default:
		d.Args = append(d.Args, Arg{"value", typeName(args), o.Unit})
	}
	if result := o.Result.Type(); !isNone(result) {
		d.Result = typeName(result)
		if result.Kind() != schema.Struct {
			d.Unit = o.Unit
		}
	}
	return d
}

func describeLink(l diagram.LinkPlan) Link {
	d := Link{From: l.From.String(), To: l.To.String(), Every: l.Every, Pause: l.Pause.Seconds(), Delay: l.Delay, Buffer: l.Buffer,
		Timeout: l.Timeout.Seconds(), Exchange: l.Exchange, Reads: l.Reads(), Ticks: l.Ticks()}
	if l.Buffer > 0 {
		d.Overflow = l.Overflow.String()
	}
	return d
}
