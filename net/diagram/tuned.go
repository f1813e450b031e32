package diagram

import (
	"maps"
	"slices"

	"github.com/sinew-robotics/sinew/internal/nearest"
)

// Tuned holds values of parameters that were tuned while a net ran, and take the place of those that a program gives its blocks.
type Tuned struct {
	File   string                    // that holds them, and that tools write; absolute
	Values map[string]map[string]any // by block and parameter
	Places map[string]string         // where a block, or a block.param, was written
}

// Tune makes tuned values the defaults of blocks that are added from now on. [Diagram.Build] reports blocks that do not exist.
func (d *Diagram) Tune(t *Tuned) { d.tuned = t }

// withTuned returns the place of a block with its tuned parameters.
func (d *Diagram) withTuned(name string, p Place) Place {
	if d.tuned == nil || d.tuned.Values[name] == nil {
		return p
	}
	params, given := maps.Clone(d.tuned.Values[name]), p.Given.Params
	for key, v := range given {
		if _, tuned := params[key]; !tuned {
			params[key] = v
		}
	}
	p.Given.Params = params
	before := p.ParamSource
	p.ParamSource = func(param string) string {
		if place := d.tuned.Places[name+"."+param]; place != "" {
			return place
		}
		if before != nil {
			return before(param)
		}
		return p.Source
	}
	return p
}

// checkTuned reports tuned parameters of blocks that do not exist.
func (d *Diagram) checkTuned() {
	if d.tuned == nil {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(d.tuned.Values)) {
		if d.byName[name] == nil && !d.broken[name] {
			d.fail(d.tuned.Places[name], "tuned parameters: no block %q%s; remove it from the file", name, nearest.Later(name, d.blockNames))
		}
	}
}
