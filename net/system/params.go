package system

import (
	"cmp"
	"maps"
	"slices"

	"go.yaml.in/yaml/v4"
)

// systemParams returns the parameters of the system, which its blocks and groups use as ${name}: those of the file, with the values
// from the command line; nil if there are none.
func (l *loader) systemParams(n *yaml.Node) map[string]*yaml.Node {
	var params map[string]*yaml.Node
	for _, e := range l.entries(n, "params") {
		if params == nil {
			params = map[string]*yaml.Node{}
		}
		params[e.key.Value] = e.value
	}
	for _, o := range l.overrides {
		if o.block != "" {
			continue
		}
		if o.used = true; params[o.param] == nil {
			l.fail(o.value, "the system has no parameter %q (one of a block is block.%s)%s", o.param, o.param, among(o.param, slices.Sorted(maps.Keys(params))))
			continue
		}
		l.sys.places.covered[o.value] = cmp.Or(l.sys.places.covered[params[o.param]], params[o.param])
		params[o.param] = o.value
	}
	return params
}
