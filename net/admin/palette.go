package admin

import (
	"fmt"
	"io/fs"
	"math"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/block/inspect"
	"github.com/sinew-robotics/sinew/net/port"
)

// BlockType is a type of block that system files can name, with the ports that it has under its parameters' first values, or
// under those that were given.
type BlockType struct {
	Type       string      `json:"type"`
	Doc        string      `json:"doc,omitempty"`
	Ports      []Port      `json:"ports"`
	Params     []Param     `json:"params"`
	Operations []Operation `json:"operations"`
	Problem    string      `json:"problem,omitempty"` // what it wants before it is complete
}

// palette describes the types of a registry, all or that of a name; what the blocks read is among files.
func palette(registry *block.Registry, files fs.FS, name string, params map[string]any) ([]BlockType, error) {
	if name == "" {
		list := []BlockType{}
		for _, typ := range registry.Types() {
			e, _ := registry.Lookup(typ)
			list = append(list, describeType(e, port.Given{Files: files}))
		}
		return list, nil
	}
	e, ok := registry.Lookup(name)
	if !ok {
		return nil, fmt.Errorf("no block type %q%s", name, nearest.Hint(name, registry.Types()))
	}
	return []BlockType{describeType(e, port.Given{Params: asInFiles(params), Files: files})}, nil
}

// describeType inspects a fresh block.
func describeType(e block.Entry, given port.Given) BlockType {
	instance, errs := new(inspect.Inspector).Inspect(e.Type, e.New(), given)
	d := Describe(instance)
	t := BlockType{Type: e.Type, Doc: e.Doc, Ports: d.Ports, Params: d.Params, Operations: d.Operations}
	for i := range t.Params {
		t.Params[i].Value = Finite(t.Params[i].Value)
	}
	for _, err := range errs {
		t.Problem = err.Error()
	}
	return t
}

// asInFiles makes integers of numbers without a fraction, as a YAML file gives them.
func asInFiles(params map[string]any) map[string]any {
	whole, _ := wholeNumbers(params).(map[string]any)
	return whole
}

func wholeNumbers(v any) any {
	switch x := v.(type) {
	case float64:
		if x == math.Trunc(x) && math.Abs(x) < 1<<53 {
			return int64(x)
		}
	case []any:
		list := make([]any, len(x))
		for i := range x {
			list[i] = wholeNumbers(x[i])
		}
		return list
	case map[string]any:
		m := map[string]any{}
		for k, e := range x {
			m[k] = wholeNumbers(e)
		}
		return m
	}
	return v
}
