package system

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/diagram"
)

// override is a parameter's value from the command line, which counts instead of the files'.
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
		if !ok || dot <= 0 || err != nil || len(doc.Content) == 0 {
			l.errs = append(l.errs, &diagram.Error{Source: "--param", Err: fmt.Errorf("%q: wants block.param=value", text)})
			continue
		}
		v := doc.Content[0]
		l.own(v, "--param "+text, 0)
		v.Line = 0 // its origin says it all
		l.overrides = append(l.overrides, &override{block: ref[:dot], param: ref[dot+1:], value: v})
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

// checkOverrides tells which values are for blocks that are not there.
func (l *loader) checkOverrides() {
	for _, o := range l.overrides {
		if !o.used {
			l.fail(o.value, "no block %q%s", o.block, nearest.Hint(o.block, l.names))
		}
	}
}
