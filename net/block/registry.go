package block

import (
	"fmt"
	"io/fs"
	"maps"
	"reflect"
	"slices"

	"github.com/sinew-robotics/sinew/net/link"
)

// Entry is a type of block that system files can name, or a carrier of links between hosts, which [Carrier] enters.
type Entry struct {
	Type string // as in "servo.PID"
	Doc  string // one sentence
	New  func() Block

	Sources fs.FS // source files of its package, from which tools read the type's doc comment; nil: not embedded

	carrier *link.Carrier // nil: a type of block
}

// Carrier is the entry of a carrier of links between hosts.
func Carrier(c link.Carrier) Entry { return Entry{Type: c.Name, Doc: c.Doc, carrier: &c} }

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

// Registry holds the types of blocks, and the carriers of links between hosts, that system files may use.
type Registry struct {
	entries  map[string]Entry
	carriers map[string]link.Carrier
}

// NewRegistry returns a registry of all the given entries. It panics with a [Misuse] where two have the same name, where a
// type cannot be a block's (a method such as Step never runs, a field cannot be a port, a tag has no meaning), or where a carrier is
// not valid.
func NewRegistry(lists ...[]Entry) *Registry {
	r := &Registry{entries: map[string]Entry{}, carriers: map[string]link.Carrier{}}
	var problems []string
	for _, list := range lists {
		for _, e := range list {
			if e.carrier != nil {
				if _, twice := r.carriers[e.Type]; twice {
					problems = append(problems, fmt.Sprintf("carrier %s is registered twice", e.Type))
				}
				if err := e.carrier.Validate(); err != nil {
					problems = append(problems, err.Error())
				}
				r.carriers[e.Type] = *e.carrier
				continue
			}
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

// Carrier returns the carrier of a name.
func (r *Registry) Carrier(name string) (link.Carrier, bool) {
	c, ok := r.carriers[name]
	return c, ok
}

// Carriers returns the names of all carriers, sorted.
func (r *Registry) Carriers() []string { return slices.Sorted(maps.Keys(r.carriers)) }

// Types returns the names of all types of blocks, sorted.
func (r *Registry) Types() []string {
	names := make([]string, 0, len(r.entries))
	for name := range r.entries {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
