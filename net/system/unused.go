package system

import (
	"fmt"
	"maps"

	"go.yaml.in/yaml/v4"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/diagram"
)

// declaration is a parameter of the system or of a group that is written in its place, and whether anything reads it.
type declaration struct {
	name   string
	key    *yaml.Node
	of     string   // as in `group "arm"`
	others []string // the parameters that its value may be meant for
	added  bool     // an overlay alone has it
	used   bool
}

// declare notes the parameters of a mapping as those of a scope; what describes their owner. The repetitions of a group share theirs.
func (l *loader) declare(s *scope, body *yaml.Node, what string) {
	params := child(body, "params")
	if params == nil || params.Kind != yaml.MappingNode {
		return
	}
	own := map[string]*declaration{}
	maps.Copy(own, s.declared)
	s.declared = own
	whole := l.added[body.Content[keyIndex(body)["params"]]]
	var keys []*yaml.Node
	var base []string // the names that are not the overlay's alone
	for i := 0; i < len(params.Content); i += 2 {
		key := params.Content[i]
		if keys = append(keys, key); !whole && !l.added[key] {
			base = append(base, key.Value)
		}
	}
	for _, key := range keys {
		at := l.source(key)
		if l.declared[at] == nil {
			l.declared[at] = &declaration{name: key.Value, key: key, of: what, others: base, added: whole || l.added[key]}
			l.declaredAt = append(l.declaredAt, at)
		}
		own[key.Value] = l.declared[at]
	}
}

// checkUnused reports the parameters that nothing reads: an error where an overlay alone has one, because it changes nothing, else a
// notice. After other errors, which may hide what reads a parameter, only those are reported whose names are near others.
func (l *loader) checkUnused() {
	faulty := l.faults.Any()
	for _, at := range l.declaredAt {
		d := l.declared[at]
		near := nearest.Name(d.name, d.others)
		switch {
		case d.used, faulty && near == "":
		case d.added && near != "":
			l.fail(d.key, "the %s has no parameter %q to override, and nothing uses it; did you mean %q?", d.of, d.name, near)
		case d.added:
			l.fail(d.key, "the %s has no parameter %q to override, and nothing uses it: remove it, or use it as ${%s}", d.of, d.name, d.name)
		default:
			l.notices = append(l.notices, diagram.Notice{Source: at,
				Text: fmt.Sprintf("nothing uses parameter %q of the %s: remove it, or use it as ${%s}", d.name, d.of, d.name)})
		}
	}
}
