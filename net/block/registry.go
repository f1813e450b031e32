package block

import (
	"fmt"
	"io/fs"
	"maps"
	"reflect"
	"slices"

	"github.com/sinew-robotics/sinew/net/link"
)

// Entry is a type of block that system files can name, or what carries links: see [Carrier], [Encoding] and [Scheduler].
type Entry struct {
	Type string // as in "servo.PID"
	Doc  string // one sentence
	New  func() Block

	Sources fs.FS // source files of its package, from which tools read the type's doc comment; nil: not embedded

	carries any // *link.Carrier, *link.Encoding or *link.Scheduler; nil: a type of block
}

// Carrier is the entry of a carrier of links between hosts.
func Carrier(c link.Carrier) Entry { return Entry{Type: c.Name, Doc: c.Doc, carries: &c} }

// Encoding is the entry of an encoding of links between processes.
func Encoding(e link.Encoding) Entry { return Entry{Type: e.Name, Doc: e.Doc, carries: &e} }

// Scheduler is the entry of a scheduler of links between hosts.
func Scheduler(s link.Scheduler) Entry { return Entry{Type: s.Name, Doc: s.Doc, carries: &s} }

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

// Registry holds the types of blocks, and the carriers, encodings and schedulers of links, that system files may use.
type Registry struct {
	entries     map[string]Entry
	carriers    map[string]link.Carrier
	encodings   map[string]link.Encoding
	schedulers  map[string]link.Scheduler
	linkEntries []Entry // of carriers, encodings and schedulers
}

// NewRegistry returns a registry of all the given entries. It panics with a [Misuse] where two have the same name, where a
// type cannot be a block's (a method such as Step never runs, a field cannot be a port, a tag has no meaning), or where a carrier,
// an encoding or a scheduler is not valid.
func NewRegistry(lists ...[]Entry) *Registry {
	r := &Registry{
		entries: map[string]Entry{}, carriers: map[string]link.Carrier{}, encodings: map[string]link.Encoding{}, schedulers: map[string]link.Scheduler{},
	}
	var problems []string
	for _, list := range lists {
		for _, e := range list {
			if e.carries != nil {
				problems = append(problems, r.enterLink(e)...)
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

// enterLink enters what carries links, and returns what is wrong with it.
func (r *Registry) enterLink(e Entry) (problems []string) {
	r.linkEntries = append(r.linkEntries, e)
	switch c := e.carries.(type) {
	case *link.Carrier:
		return enter(r.carriers, "carrier", e.Type, *c, c.Validate())
	case *link.Encoding:
		return enter(r.encodings, "encoding", e.Type, *c, c.Validate())
	case *link.Scheduler:
		return enter(r.schedulers, "scheduler", e.Type, *c, c.Validate())
	}
	panic(fmt.Sprintf("block: an entry carries a %T", e.carries))
}

// enter enters x under a name, and returns what is wrong with that.
func enter[T any](all map[string]T, what, name string, x T, invalid error) (problems []string) {
	if _, twice := all[name]; twice {
		problems = append(problems, fmt.Sprintf("%s %s is registered twice", what, name))
	}
	if invalid != nil {
		problems = append(problems, invalid.Error())
	}
	all[name] = x
	return problems
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

// Encoding returns the encoding of a name.
func (r *Registry) Encoding(name string) (link.Encoding, bool) {
	e, ok := r.encodings[name]
	return e, ok
}

// Encodings returns the names of all encodings, sorted.
func (r *Registry) Encodings() []string { return slices.Sorted(maps.Keys(r.encodings)) }

// Scheduler returns the scheduler of a name.
func (r *Registry) Scheduler(name string) (link.Scheduler, bool) {
	s, ok := r.schedulers[name]
	return s, ok
}

// Schedulers returns the names of all schedulers, sorted.
func (r *Registry) Schedulers() []string { return slices.Sorted(maps.Keys(r.schedulers)) }

// LinkEntries returns the entries of carriers, encodings and schedulers, as they were given.
func (r *Registry) LinkEntries() []Entry { return r.linkEntries }

// Types returns the names of all types of blocks, sorted.
func (r *Registry) Types() []string {
	names := make([]string, 0, len(r.entries))
	for name := range r.entries {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
