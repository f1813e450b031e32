package xacro

import (
	"errors"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/sinew-robotics/sinew/robot/description/document"
)

// errReported ends the evaluation of an expression whose problem the report holds already.
var errReported = errors.New("reported already")

// scope holds the properties, blocks and macros that can be seen at a place. Names are searched outwards.
type scope struct {
	parent     *scope
	properties map[string]*property
	blocks     map[string]*block
	macros     map[string]*macro
	spaces     map[string]*scope // of includes with ns
}

// property is a value, or a text that is evaluated in its scope when it is first asked for.
type property struct {
	value   value
	text    string
	at      document.Position
	pending bool // text is not evaluated yet
	busy    bool // text is being evaluated: a reference now is circular
	wrong   bool // text could not be evaluated, which was reported then
}

// block is a piece of the document that insert_block puts in its place.
type block struct {
	content []document.Node
	raw     bool // not expanded yet
}

func newScope(parent *scope) *scope {
	return &scope{
		parent: parent, properties: map[string]*property{}, blocks: map[string]*block{}, macros: map[string]*macro{}, spaces: map[string]*scope{},
	}
}

// root returns the outermost scope.
func (s *scope) root() *scope {
	for s.parent != nil {
		s = s.parent
	}
	return s
}

// property searches a name, which may lead through namespaces, and returns it with its scope.
func (s *scope) property(name string) (*property, *scope) {
	space, rest, dotted := strings.Cut(name, ".")
	for ; s != nil; s = s.parent {
		if p := s.properties[name]; p != nil {
			return p, s
		}
		if inner := s.spaces[space]; dotted && inner != nil {
			return inner.property(rest)
		}
	}
	return nil, nil
}

// macro searches a name, which may lead through namespaces, and returns it with the scope in which its body stands:
// that of its namespace, or the caller's.
func (s *scope) macro(name string) (*macro, *scope) {
	caller := s
	space, rest, dotted := strings.Cut(name, ".")
	for ; s != nil; s = s.parent {
		if m := s.macros[name]; m != nil {
			return m, caller
		}
		if inner := s.spaces[space]; dotted && inner != nil {
			return inner.macro(rest)
		}
	}
	return nil, nil
}

func (s *scope) block(name string) *block {
	for ; s != nil; s = s.parent {
		if b := s.blocks[name]; b != nil {
			return b
		}
	}
	return nil
}

// propertyNames yields the properties that can be seen.
func (s *scope) propertyNames() iter.Seq[string] {
	return func(yield func(string) bool) {
		for ; s != nil; s = s.parent {
			for name := range s.properties {
				if !yield(name) {
					return
				}
			}
		}
	}
}

// macroNames yields what may be called: the macros that can be seen and the language's own elements.
func (s *scope) macroNames() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, name := range xacroDirectives {
			if !yield(name) {
				return
			}
		}
		for ; s != nil; s = s.parent {
			for name := range s.macros {
				if !yield(name) {
					return
				}
			}
		}
	}
}

// blockNames yields the blocks that can be seen, without their stars.
func (s *scope) blockNames() iter.Seq[string] {
	return func(yield func(string) bool) {
		for ; s != nil; s = s.parent {
			for name := range s.blocks {
				if !yield(strings.TrimLeft(name, "*")) {
					return
				}
			}
		}
	}
}

// evaluation is the environment of an expression at a place.
type evaluation struct {
	*expander
	in *scope
	at document.Position
}

func (e evaluation) variable(name string) (value, bool, error) {
	p, home := e.in.property(name)
	if p == nil {
		return nil, false, nil
	}
	if p.busy {
		return nil, false, errors.New("property " + name + " refers to itself")
	}
	if p.wrong {
		return nil, false, errReported
	}
	if p.pending {
		p.busy = true
		before := e.Count()
		v := e.text(p.text, p.at, home)
		p.busy = false
		if p.wrong = e.Count() != before || e.exhausted; p.wrong {
			return nil, false, errReported
		}
		if s, ok := v.(string); ok {
			v = literal(s)
		}
		p.value, p.pending = v, false
	}
	return p.value, true, nil
}

func (e evaluation) nearest(name string) string {
	return e.Report.Nearest(name, e.in.propertyNames())
}

func (e evaluation) call(name string, args []value) (value, bool, error) {
	switch strings.TrimPrefix(name, "xacro.") {
	case "arg":
		return e.argumentCall(args)
	case "message", "warning":
		return "", true, nil
	case "error", "fatal":
		e.Addf(e.at, "the file reports: %s", format(only(args)))
		return nil, false, errReported
	case "load_yaml":
		uri, isText := only(args).(string)
		if !isText {
			return nil, false, errors.New("load_yaml needs the name of a file")
		}
		v, err := e.loadYAML(uri)
		return v, err == nil, err
	}
	return nil, false, nil
}

func (e evaluation) argumentCall(args []value) (value, bool, error) {
	wanted, ok := only(args).(string)
	if !ok {
		return nil, false, errors.New("arg needs the name of an argument")
	}
	v, ok := e.argument(wanted)
	if !ok {
		return nil, false, errors.New("argument " + wanted + " has no value")
	}
	return literal(v), true, nil
}

// keys returns the keys of a map in order.
func keys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
