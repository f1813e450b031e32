package block

import (
	"fmt"
	"reflect"
	"slices"
)

// Entry is a type of block that system files can name.
type Entry struct {
	Type string // as in "servo.PID"
	Doc  string // one sentence
	New  func() Block
}

// Of is the entry of the block type B, a struct: package servo's PID is "servo.PID".
func Of[B any](doc string) Entry {
	return Entry{Type: reflect.TypeFor[B]().String(), Doc: doc, New: func() Block { return new(B) }}
}

// Registry holds the types of blocks that system files may use.
type Registry struct {
	entries map[string]Entry
}

// NewRegistry returns a registry of all the given entries. It panics where two have the same type name.
func NewRegistry(blocks ...[]Entry) *Registry {
	r := &Registry{entries: map[string]Entry{}}
	for _, list := range blocks {
		for _, e := range list {
			if _, twice := r.entries[e.Type]; twice {
				panic(fmt.Sprintf("block: type %s is registered twice", e.Type))
			}
			r.entries[e.Type] = e
		}
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
