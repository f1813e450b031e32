package admin

import (
	"context"
	"math"
	"os"
	"strings"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/schema"
)

// Structure implements [System].
func (l *Local) Structure(context.Context) (*Structure, error) {
	net := l.front.Net()
	s := &Structure{System: l.name, File: l.file, PID: os.Getpid(), Processes: []Process{}, Threads: []Thread{}, Blocks: []Block{}, Links: []Link{}}
	threads, from, faults := map[string]string{}, map[*block.Port]string{}, map[string]string{}
	for _, t := range net.Threads {
		s.Threads = append(s.Threads, Thread{Name: t.Name, Period: t.Period.Seconds(), Priority: t.Priority})
		for _, b := range t.Blocks {
			threads[b.Name] = t.Name
		}
	}
	for _, link := range net.Links {
		s.Links = append(s.Links, describeLink(link))
		from[link.Target] = strings.TrimPrefix(from[link.Target]+", "+link.From.String(), ", ")
	}
	for _, f := range l.front.Faults() {
		faults[f.Block] = f.Why
	}
	for _, b := range net.Blocks {
		e := Describe(b)
		e.Thread, e.Fault = threads[b.Name], faults[b.Name]
		for i, p := range b.Ports {
			e.Ports[i].From = from[p]
		}
		s.Blocks = append(s.Blocks, e)
	}
	return s, nil
}

// Describe says what a block has to show, alone and outside of a system: its thread and links are missing.
func Describe(b *block.Instance) Block {
	e := Block{Name: b.Name, Type: b.Type, Ports: []Port{}, Params: []Param{}, Operations: []Operation{}}
	for _, p := range b.Ports {
		e.Ports = append(e.Ports, Port{Name: p.Name, Kind: p.Kind.String(), Type: typeName(p.Type), Unit: p.Unit, Doc: p.Doc})
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
	d := Operation{Name: o.Name, Doc: o.Doc, Args: []Arg{}}
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
	d := Link{From: l.From.String(), To: l.To.String(), Every: l.Every, Pause: l.Pause.Seconds(), Delay: l.Delay, Buffer: l.Buffer}
	if l.Buffer > 0 {
		d.Overflow = l.Overflow.String()
	}
	return d
}
