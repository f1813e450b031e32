package admin

import (
	"context"
	"maps"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/schema"
	"github.com/sinew-robotics/sinew/net/thread"
)

// Structure implements [System].
func (l *Local) Structure(context.Context) (*Structure, error) {
	net := l.front.Net()
	this := l.thisProcess()
	s := &Structure{System: l.name, File: this.File, PID: this.PID, Processes: []Process{this}, Threads: []Thread{}, Blocks: []Block{}, Links: []Link{},
		Groups: l.groupsOf(net), Types: map[string]string{}, Warnings: []string{}}
	threads, from, faults := map[string]string{}, map[*block.Port]string{}, map[string]string{}
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
		e.Thread, e.Fault = threads[b.Name], faults[b.Name]
		e.State, e.Enabled, e.Faults = stateOf(state), !state.Disabled, state.Faults
		for i, p := range b.Ports {
			e.Ports[i].From, e.Ports[i].Hand = from[p], l.front.ByHand(p)
		}
		defineTypes(s.Types, b)
		s.Blocks = append(s.Blocks, e)
	}
	for _, w := range l.front.Warnings() {
		s.Warnings = append(s.Warnings, w.String())
	}
	return s, nil
}

// thisProcess says what is known here of the process: its name and host others know.
func (l *Local) thisProcess() Process {
	p := Process{PID: os.Getpid()}
	if l.files != nil {
		p.File, p.Overlays, p.Params = l.files.Path, l.files.Options.Overlays, l.files.Options.Params
	}
	return p
}

// stateOf says in one word what a block does: what keeps it most from running counts.
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

// groupsOf returns the groups of the system's file and those that the names of the blocks tell, sorted.
func (l *Local) groupsOf(net *diagram.Net) []Group {
	all := map[string]string{}
	for _, b := range net.Blocks {
		for i, c := range b.Name {
			if c == '.' {
				all[b.Name[:i]] = ""
			}
		}
	}
	for _, g := range l.groups {
		all[g.Name] = absolute(g.File)
	}
	list := []Group{}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		list = append(list, Group{Name: name, File: all[name]})
	}
	return list
}

// defineTypes adds the definitions of the structs that a block shows.
func defineTypes(types map[string]string, b *block.Instance) {
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

// Describe says what a block has to show, alone and outside of a system: its thread and links are missing.
func Describe(b *block.Instance) Block {
	e := Block{State: StateRunning, Enabled: true, Name: b.Name, Type: b.Type, Ports: []Port{}, Params: []Param{}, Operations: []Operation{}}
	for _, p := range b.Ports {
		e.Ports = append(e.Ports, Port{Name: p.Name, Kind: p.Kind.String(), Type: typeName(p.Type), Unit: p.Unit, Doc: p.Doc, Watch: p.Watch, Show: p.Show})
	}
	for _, p := range b.Params {
		e.Params = append(e.Params, describeParam(p))
	}
	for _, o := range b.Operations {
		e.Operations = append(e.Operations, describeOperation(o))
	}
	return e
}

func describeParam(p *block.Parameter) Param {
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
func fixedValue(p *block.Parameter) any {
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

func describeOperation(o *block.OperationInfo) Operation {
	d := Operation{Name: o.Name, Doc: o.Doc, Show: o.Show, Args: []Arg{}}
	args := o.Args.Type()
	switch {
	case isNone(args):
	case args.Kind() == schema.Struct:
		for _, f := range args.Fields() {
			d.Args = append(d.Args, Arg{f.Name, typeName(f.Type), f.Unit})
		}
	default:
		d.Args = append(d.Args, Arg{"value", typeName(args), ""})
	}
	if result := o.Result.Type(); !isNone(result) {
		d.Result = typeName(result)
	}
	return d
}

func describeLink(l diagram.LinkPlan) Link {
	d := Link{From: l.From.String(), To: l.To.String(), Every: l.Every, Pause: l.Pause.Seconds(), Delay: l.Delay, Buffer: l.Buffer,
		Timeout: l.Timeout.Seconds()}
	if l.Buffer > 0 {
		d.Overflow = l.Overflow.String()
	}
	return d
}
