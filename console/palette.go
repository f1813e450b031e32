package console

import (
	"context"
	"fmt"
	"math"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/system"
)

// blockType is a registered type of block, as the palette of the net editor shows it: with the ports that it has under
// its parameters' first values, or under those that were given.
type blockType struct {
	Type       string            `json:"type"`
	Doc        string            `json:"doc,omitempty"`
	Ports      []admin.Port      `json:"ports"`
	Params     []admin.Param     `json:"params"`
	Operations []admin.Operation `json:"operations"`
	Problem    string            `json:"problem,omitempty"` // what it wants before it is complete
}

type typesRequest struct {
	System string         `json:"system"`
	Type   string         `json:"type"` // only this one
	Params map[string]any `json:"params"`
}

// types returns the registered types of blocks; where one is named only that, as it is with the given parameters.
func (s *Server) types(ctx context.Context, _ *call, a typesRequest) (any, error) {
	if a.Type != "" {
		e, ok := s.options.Registry.Lookup(a.Type)
		if !ok {
			return nil, fmt.Errorf("no block type %q%s", a.Type, nearest.Hint(a.Type, s.options.Registry.Types()))
		}
		given := block.Given{Params: whole(a.Params), Files: system.Folder(".")}
		if dir, err := s.folderOf(ctx, a.System); err == nil {
			given.Files = system.Folder(dir)
		}
		return []blockType{describe(e, given)}, nil
	}
	s.palette.Do(func() {
		s.allTypes = []blockType{}
		for _, name := range s.options.Registry.Types() {
			e, _ := s.options.Registry.Lookup(name)
			s.allTypes = append(s.allTypes, describe(e, block.Given{Files: system.Folder(".")}))
		}
	})
	return s.allTypes, nil
}

// whole makes integers of numbers without a fraction, as a YAML file gives them.
func whole(params map[string]any) map[string]any {
	for k, v := range params {
		params[k] = wholeValue(admin.Number(v))
	}
	return params
}

func wholeValue(v any) any {
	switch x := v.(type) {
	case float64:
		if x == math.Trunc(x) && math.Abs(x) < 1<<53 {
			return int64(x)
		}
	case []any:
		for i := range x {
			x[i] = wholeValue(x[i])
		}
	case map[string]any:
		for k := range x {
			x[k] = wholeValue(x[k])
		}
	}
	return v
}

// describe inspects a fresh block of a type.
func describe(e block.Entry, given block.Given) blockType {
	t := blockType{Type: e.Type, Doc: e.Doc, Ports: []admin.Port{}, Params: []admin.Param{}, Operations: []admin.Operation{}}
	instance, errs := new(block.Inspector).Inspect(e.Type, e.New(), given)
	for _, err := range errs {
		t.Problem = err.Error()
	}
	d := admin.Describe(instance)
	t.Ports, t.Params, t.Operations = d.Ports, d.Params, d.Operations
	return t
}
