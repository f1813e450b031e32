package admin

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/sinew-robotics/sinew/net/port"
	"github.com/sinew-robotics/sinew/net/system"
)

// errNoTuned is the error of parameters that cannot be kept.
var errNoTuned = fmt.Errorf("%w, and its program keeps no tuned parameters: give its diagram a file with Tune and system.ReadTuned", ErrNoFile)

// programmed returns the values of parameters that the program has given. The net does not run yet, or in another process.
func (l *Local) programmed() map[*port.Parameter][]byte {
	values := map[*port.Parameter][]byte{}
	for _, b := range l.front.Net().Blocks {
		for _, p := range b.Params {
			if !p.Fixed && p.Layout != nil {
				cdr := make([]byte, p.Layout.Size())
				values[p] = cdr[:p.Encode(cdr)]
			}
		}
	}
	return values
}

// tunedOfProgram returns the parameters of a net that a program built, where they differ from the file of tuned parameters, or, where
// that has none, from those that the program gave.
func (l *Local) tunedOfProgram(ctx context.Context) ([]system.Change, error) {
	path := l.front.Net().Tuned
	if path == "" {
		return nil, errNoTuned
	}
	file, err := system.ReadTuned(path)
	if err != nil {
		return nil, err
	}
	changes := []system.Change{}
	var errs []error
	for _, b := range l.front.Net().Blocks {
		for _, p := range b.Params {
			was, tunable := l.given[p]
			if !tunable {
				continue
			}
			v, err := l.Param(ctx, b.Name+"."+p.Name)
			var now []byte
			if err == nil {
				now, err = p.Layout.FromValue(wrap(p.Type, v))
			}
			if err != nil {
				errs = append(errs, err)
				continue
			}
			if kept, ok := file.Values[b.Name][p.Name]; ok {
				was, _ = p.Layout.FromValue(wrap(p.Type, kept)) // nil, and so changed, where it is written with its unit
			}
			if bytes.Equal(now, was) {
				continue
			}
			exact, err := p.Type.Value(now)
			errs = append(errs, err)
			changes = append(changes, system.Change{Block: b.Name, Param: p.Name, Value: inYAML(p.Type, exact)})
		}
	}
	return changes, errors.Join(errs...)
}

// saveOfProgram returns the file of tuned parameters with changes.
func (l *Local) saveOfProgram(changes []system.Change) (map[string]system.Rewrite, error) {
	path := l.front.Net().Tuned
	if path == "" {
		return nil, errNoTuned
	}
	for _, c := range changes {
		if b := l.blocks[c.Block]; b != nil && !slices.ContainsFunc(b.Params, func(p *port.Parameter) bool { return p.Name == c.Param && !p.Fixed }) {
			return nil, fmt.Errorf("save %s.%s: block %q (%s) has no such parameter", c.Block, c.Param, b.Name, b.Type)
		}
	}
	return system.SaveTuned(path, changes)
}
