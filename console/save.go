package console

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/system"
)

type saveRequest struct {
	System string `json:"system"`
	DryRun bool   `json:"dry_run"`
}

// save writes tuned parameters back into the system's files, comments and layout untouched, and returns what that
// changes; with dry_run it only tells.
func (s *Server) save(ctx context.Context, c *call, a saveRequest) (any, error) {
	c.changed(a.System, "dry_run=%v", a.DryRun)
	if a.DryRun {
		c.quiet = true
	}
	sys, err := s.catalog.get(a.System)
	if err != nil {
		return nil, err
	}
	path, err := s.placeOf(ctx, a.System)
	if err != nil {
		return nil, err
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	file, err := system.Load(path, system.Options{Registry: s.options.Registry})
	if err != nil {
		return nil, fmt.Errorf("save the parameters of %s: %w", a.System, err)
	}
	changes, err := tuned(ctx, sys, file)
	if err != nil || len(changes) == 0 {
		return map[string]string{"diff": ""}, err
	}
	texts, err := file.SaveParams(changes)
	if err != nil {
		return nil, err
	}
	changed, err := system.Diff(filepath.Dir(path), texts)
	if err != nil {
		return nil, err
	}
	if !a.DryRun {
		if err := system.Write(texts); err != nil {
			return nil, err
		}
	}
	return map[string]string{"diff": changed}, nil
}

// tuned returns the parameters that have other values than the file gives them.
func tuned(ctx context.Context, running admin.System, file *system.System) ([]system.Change, error) {
	var all []*block.Parameter
	var refs []system.Change
	for _, b := range file.Net.Blocks {
		for _, p := range b.Params {
			if !p.Fixed {
				all, refs = append(all, p), append(refs, system.Change{Block: b.Name, Param: p.Name})
			}
		}
	}
	errs := make([]error, len(all))
	inParallel(len(all), func(i int) {
		refs[i].Value, errs[i] = tunedValue(ctx, running, refs[i], all[i])
	})
	return slices.DeleteFunc(refs, func(c system.Change) bool { return c.Value == "" }), errors.Join(errs...)
}

// tunedValue returns the value that a parameter has in the running system, as YAML; "" where it is that of the file.
func tunedValue(ctx context.Context, running admin.System, c system.Change, p *block.Parameter) (string, error) {
	now, err := running.Param(ctx, c.Block+"."+c.Param)
	if err != nil {
		return "", err
	}
	cdr := make([]byte, p.Layout.Size())
	was, err := p.Type.Value(cdr[:p.Encode(cdr)])
	if err != nil {
		return "", err
	}
	if text := inYAML(now); text != inYAML(was) {
		return text, nil
	}
	return "", nil
}

// inYAML writes the value of a parameter in one line of YAML.
func inYAML(v any) string {
	switch x := v.(type) {
	case float64:
		switch unwritable(x) {
		case "NaN":
			return ".nan"
		case "+Inf":
			return ".inf"
		case "-Inf":
			return "-.inf"
		}
		return strconv.FormatFloat(x, 'g', -1, 64)
	case []any:
		words := make([]string, len(x))
		for i, e := range x {
			words[i] = inYAML(e)
		}
		return "[" + strings.Join(words, ", ") + "]"
	case map[string]any:
		var words []string
		for _, k := range slices.Sorted(maps.Keys(x)) {
			words = append(words, k+": "+inYAML(x[k]))
		}
		return "{" + strings.Join(words, ", ") + "}"
	}
	return fmt.Sprint(v)
}
