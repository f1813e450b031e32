// Package catalog describes block types with their mathematics, parameters, ports and operations: as text for a terminal, and as a
// section of the page docs/reference/blocks.md.
//
// The mathematics is the doc comment of the type, read from the sources that its package embeds ([block.WithSources]).
package catalog

import (
	"fmt"
	"io/fs"
	"math"
	"strings"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/block/inspect"
	"github.com/sinew-robotics/sinew/net/port"
)

// Type is the description of a block type, with the ports that it has under its parameters' defaults; a count n is 2.
type Type struct {
	Type       string      `json:"type"`
	Doc        string      `json:"doc"`             // one sentence
	About      string      `json:"about,omitempty"` // the doc comment, as written; "" if its package embeds no sources
	Params     []Param     `json:"params"`
	Ports      []Port      `json:"ports"`
	Operations []Operation `json:"operations"`
}

// Param is a parameter or constant.
type Param struct {
	Name    string `json:"name"`
	Type    string `json:"type"`
	Default string `json:"default,omitempty"`
	Bounds  string `json:"bounds,omitempty"` // "0 to 1", "from 0" or "to 1"; "": none
	Unit    string `json:"unit,omitempty"`
	Fixed   bool   `json:"fixed,omitempty"` // it cannot be tuned
	Doc     string `json:"doc,omitempty"`
}

// Port is an input, output, event or handler.
type Port struct {
	Name    string `json:"name"`
	Kind    string `json:"kind"`
	Type    string `json:"type"`
	Unit    string `json:"unit,omitempty"`
	Trigger bool   `json:"trigger,omitempty"` // new data there make the block run
	Doc     string `json:"doc,omitempty"`
}

// Operation is a function that others call.
type Operation struct {
	Name string `json:"name"`
	Unit string `json:"unit,omitempty"` // of arguments and a result that have none of their own
	Doc  string `json:"doc,omitempty"`
}

// Describe returns the description of a block type.
func Describe(e block.Entry) Type {
	var in inspect.Inspector
	given := port.Given{Params: map[string]any{}, Files: noFiles{}}
	i, _ := in.Inspect("it", e.New(), given)
	if i.Param("n") != nil {
		given.Params["n"] = 2
	}
	i, _ = in.Inspect("it", e.New(), given) // files and peers are missing, which its ports do not need
	fresh, _ := in.Inspect("it", e.New(), port.Given{Files: noFiles{}})
	t := Type{Type: e.Type, Doc: e.Doc, About: about(e), Params: []Param{}, Ports: []Port{}, Operations: []Operation{}}
	for _, p := range i.Params {
		t.Params = append(t.Params, Param{
			Name: p.Name, Type: strings.ReplaceAll(fmt.Sprintf("%T", p.Value()), "|", " "), Default: value(fresh.Param(p.Name).Value()),
			Bounds: bounds(p), Unit: p.Unit, Fixed: p.Fixed, Doc: p.Doc,
		})
	}
	for _, p := range i.Ports {
		if p != i.Enable {
			t.Ports = append(t.Ports, Port{p.Name, p.Kind.String(), fmt.Sprint(p.Type.GoType()), p.Unit, p.Trigger, p.Doc})
		}
	}
	for _, o := range i.Operations {
		t.Operations = append(t.Operations, Operation{o.Name, o.Unit, o.Doc})
	}
	for _, o := range i.Absent {
		t.Operations = append(t.Operations, Operation{o.Name, o.Unit, o.Doc + "; absent by default" + i.WhyOmitted(o.Name)})
	}
	return t
}

// value writes a default; nothing where it is empty.
func value(v any) string {
	if text := fmt.Sprint(v); text != "[]" {
		return text
	}
	return ""
}

func bounds(p *port.Parameter) string {
	switch low, high := !math.IsInf(p.Min, 0), !math.IsInf(p.Max, 0); {
	case low && high:
		return fmt.Sprintf("%v to %v", p.Min, p.Max)
	case low:
		return fmt.Sprintf("from %v", p.Min)
	case high:
		return fmt.Sprintf("to %v", p.Max)
	}
	return ""
}

// noFiles is a folder without files: a type is described without those of a system.
type noFiles struct{}

func (noFiles) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}
