package admin

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/sinew-robotics/sinew/net/port"
	"github.com/sinew-robotics/sinew/net/schema"
	"github.com/sinew-robotics/sinew/net/system"
)

// askedAtOnce is how many parameters are asked for at a time: other hosts are far.
const askedAtOnce = 32

// tuned returns the parameters of a running system that have other values than its file gives them, in the order of the file.
func tuned(ctx context.Context, running System, file *system.System) ([]system.Change, error) {
	var refs []string
	var params []*port.Parameter
	var changes []system.Change
	for _, b := range file.Net.Blocks {
		for _, p := range b.Params {
			if !p.Fixed {
				refs, params = append(refs, b.Name+"."+p.Name), append(params, p)
				changes = append(changes, system.Change{Block: b.Name, Param: p.Name})
			}
		}
	}
	errs := make([]error, len(refs))
	slots := make(chan struct{}, askedAtOnce)
	var all sync.WaitGroup
	for i, ref := range refs {
		all.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			v, err := running.Param(ctx, ref)
			if err == nil {
				changes[i].Value, err = changedText(params[i], v)
			}
			errs[i] = err
		})
	}
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(changes, func(c system.Change) bool { return c.Value == "" }), nil
}

// changedText returns the text of a value where it is not the one that the parameter has; else "".
func changedText(p *port.Parameter, v any) (string, error) {
	now, err := p.Layout.FromValue(wrap(p.Type, v))
	if err != nil {
		return "", fmt.Errorf("the running system has another type of parameter %s than its file: %w", p.Name, err)
	}
	was := make([]byte, p.Layout.Size())
	if was = was[:p.Encode(was)]; bytes.Equal(now, was) {
		return "", nil
	}
	exact, err := p.Type.Value(now)
	return inYAML(p.Type, exact), err
}

// inYAML writes a value of a type in one line.
func inYAML(t *schema.Type, v any) string {
	switch x := v.(type) {
	case []any:
		words := make([]string, len(x))
		for i, e := range x {
			words[i] = inYAML(t.Elem(), e)
		}
		return "[" + strings.Join(words, ", ") + "]"
	case schema.Members:
		words := make([]string, len(x))
		for i, e := range x {
			words[i] = e.Name + ": " + inYAML(t.Fields()[i].Type, e.Value)
		}
		return "{" + strings.Join(words, ", ") + "}"
	case float64:
		bits := 64
		if t.Kind() == schema.Float32 {
			bits = 32
		}
		return floatInYAML(x, bits)
	}
	return fmt.Sprint(v)
}

func floatInYAML(x float64, bits int) string {
	switch {
	case math.IsNaN(x):
		return ".nan"
	case math.IsInf(x, 1):
		return ".inf"
	case math.IsInf(x, -1):
		return "-.inf"
	case x != 0 && (math.Abs(x) < 1e-5 || math.Abs(x) >= 1e15):
		return strconv.FormatFloat(x, 'g', -1, bits)
	}
	return strconv.FormatFloat(x, 'f', -1, bits)
}
