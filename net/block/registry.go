package block

import (
	"fmt"
	"io/fs"
	"reflect"
	"slices"
)

// Entry is a type of block that system files can name.
type Entry struct {
	Type string // as in "servo.PID"
	Doc  string // one sentence
	New  func() Block

	Sources fs.FS // source files of its package, from which tools read the type's doc comment; nil: not embedded
}

// Of is the entry of the block type B, a struct: package servo's PID is "servo.PID".
func Of[B any](doc string) Entry {
	return Entry{Type: reflect.TypeFor[B]().String(), Doc: doc, New: func() Block { return new(B) }}
}

// WithSources returns the entries with the source files of their package, so that tools show the doc comments of its types:
//
//	//go:embed *.go
//	var sources embed.FS
func WithSources(sources fs.FS, entries ...Entry) []Entry {
	for i := range entries {
		entries[i].Sources = sources
	}
	return entries
}

// Registry holds the types of blocks that system files may use.
type Registry struct {
	entries map[string]Entry
}

// NewRegistry returns a registry of all the given entries. It panics with a [Misuse] where two have the same type name, or where a
// type cannot be a block's: a method such as Step never runs, a field cannot be a port, a tag has no meaning.
func NewRegistry(blocks ...[]Entry) *Registry {
	r := &Registry{entries: map[string]Entry{}}
	var problems []string
	for _, list := range blocks {
		for _, e := range list {
			if _, twice := r.entries[e.Type]; twice {
				problems = append(problems, fmt.Sprintf("block type %s is registered twice", e.Type))
			}
			r.entries[e.Type] = e
			problems = append(problems, checkType(reflect.TypeOf(e.New()))...)
		}
	}
	if problems != nil {
		panic(&Misuse{problems})
	}
	return r
}

// Lookup returns the entry of a type.
func (r *Registry) Lookup(typ string) (Entry, bool) {
	e, ok := r.entries[typ]
	return e, ok
}

// Types returns the names of all types, sorted.
func (r *Registry) Types() []string {
	names := make([]string, 0, len(r.entries))
	for name := range r.entries {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
