package system

import (
	"strings"

	"go.yaml.in/yaml/v4"
)

// override is a parameter's value from the command line, which counts instead of the files'. One of the system has no block.
type override struct {
	block, param string
	value        *yaml.Node
	used         bool // there is such a block
}

// readOverrides reads Options.Params.
func (l *loader) readOverrides(params []string) {
	for _, text := range params {
		ref, value, ok := strings.Cut(text, "=")
		dot := strings.LastIndexByte(ref, '.')
		var doc yaml.Node
		err := yaml.Unmarshal([]byte(value), &doc)
		if !ok || dot == 0 || ref == "" || err != nil || len(doc.Content) == 0 {
			l.faults.Addf("--param", "%q: wants block.param=value, or param=value for a parameter of the system", text)
			continue
		}
		v := doc.Content[0]
		l.own(v, "--param "+text, 0)
		v.Line = 0 // its origin is enough
		l.overrides = append(l.overrides, &override{block: ref[:max(dot, 0)], param: ref[dot+1:], value: v})
	}
}

// overridesOf returns the values from the command line for a block, the last of a parameter last.
func (l *loader) overridesOf(block string) (list []*override) {
	for _, o := range l.overrides {
		if o.block == block {
			o.used = true
			list = append(list, o)
		}
	}
	return list
}

// checkOverrides reports values for blocks that do not exist.
func (l *loader) checkOverrides() {
	for _, o := range l.overrides {
		if !o.used {
			l.fail(o.value, "no block %q%s", o.block, among(o.block, l.blockNames))
		}
	}
}
