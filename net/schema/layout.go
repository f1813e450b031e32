package schema

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
)

// headerSize is the length of the encapsulation header 00 01 00 00 before every CDR value.
const headerSize = 4

// Layout is a Type whose slices have fixed lengths. It knows the memory and the
// CDR of such values exactly. It is immutable and safe to share.
type Layout struct {
	typ     *Type
	lengths []int
	size    int

	// The plan, worked out once so that Encode and Decode only copy.
	runs   []run
	gaps   []span // CDR bytes that are not data: padding and empty structs
	bools  []span // CDR bytes that must be 0 or 1
	counts []count

	errSize, errHeader, errCount, errBool, errLength error
}

// run is a stretch of bytes that is the same in memory and in CDR.
type run struct {
	slice int // index of the slice in whose array the memory lies, -1: in the value itself
	mem   uintptr
	cdr   int
	n     int
}

type span struct{ cdr, n int }

// count is the number before a slice.
type count struct {
	cdr    int
	wire   uint32  // as it stands in CDR: flat elements
	header uintptr // where the slice header lies in the value
	length int     // Go elements
}

// Layout fixes the lengths of the slices of t, in the order of the fields (or
// the one length of a top-level slice). It panics if their number is wrong, one
// is negative, or the value would be larger than MaxSize.
func (t *Type) Layout(lengths ...int) *Layout {
	if want := t.Slices(); len(lengths) != want {
		panic(fmt.Sprintf("schema: layout of %s wants %d slice lengths, got %d", t.Name(), want, len(lengths)))
	}
	l := &Layout{typ: t, lengths: slices.Clone(lengths)}
	b := builder{l: l, slice: -1, pos: 0}
	b.add(t, 0)
	l.size = headerSize + b.pos
	l.errors()
	return l
}

// LayoutOf is the layout of a Go value: its slices have the lengths that they have in v.
func LayoutOf(v reflect.Value) (*Layout, error) {
	if !v.IsValid() {
		return nil, errors.New("schema: no value: give a valid reflect.Value of plain data")
	}
	t, err := Of(v.Type())
	if err != nil {
		return nil, err
	}
	var lengths []int
	switch t.kind {
	case Slice:
		lengths = append(lengths, v.Len())
	case Struct:
		for i, f := range t.fields {
			if f.Type.kind == Slice {
				lengths = append(lengths, v.Field(i).Len())
			}
		}
	}
	return t.Layout(lengths...), nil
}

// Type is what the layout is a layout of.
func (l *Layout) Type() *Type { return l.typ }

// Lengths are the lengths of the slices in the order of the fields. Do not modify them.
func (l *Layout) Lengths() []int { return l.lengths }

// Size is the number of bytes of a value in CDR, including the header.
func (l *Layout) Size() int { return l.size }

// builder works out a plan by walking the type in the order of the wire.
type builder struct {
	l     *Layout
	slice int // as in run
	pos   int // in CDR after the header
}

func (b *builder) add(t *Type, mem uintptr) {
	switch t.kind {
	case Struct:
		if len(t.fields) == 0 {
			b.gap(1)
		}
		for i := range t.fields {
			b.add(t.fields[i].Type, mem+t.fields[i].offset)
		}
	case Array:
		b.elements(t, 1, mem)
	case Slice:
		b.align(4)
		length := b.l.lengths[len(b.l.counts)]
		_, per := t.elem.flat()
		if length < 0 || length > MaxSize/per {
			b.tooLarge()
		}
		b.l.counts = append(b.l.counts, count{headerSize + b.pos, uint32(length * per), mem, length})
		b.advance(4)
		b.slice = len(b.l.counts) - 1
		b.elements(t.elem, length, 0)
		b.slice = -1
	default:
		b.elements(t, 1, mem)
	}
}

// elements adds n values of type t that lie one after the other in memory.
func (b *builder) elements(t *Type, n int, mem uintptr) {
	elem, per := t.flat()
	n *= per
	if n == 0 {
		return
	}
	if elem.kind == Struct {
		for i := range n {
			b.add(elem, mem+uintptr(i)*elem.memory())
		}
		return
	}
	size := elem.kind.Size()
	if n > MaxSize/size {
		b.tooLarge()
	}
	b.align(size)
	r := run{b.slice, mem, headerSize + b.pos, n * size}
	if elem.kind == Bool {
		b.l.bools = append(b.l.bools, span{r.cdr, r.n})
	}
	if i := len(b.l.runs) - 1; i >= 0 && b.l.runs[i].continues(r) {
		b.l.runs[i].n += r.n
	} else {
		b.l.runs = append(b.l.runs, r)
	}
	b.advance(r.n)
}

// continues reports whether next follows r in memory and in CDR alike.
func (r run) continues(next run) bool {
	return r.slice == next.slice && r.mem+uintptr(r.n) == next.mem && r.cdr+r.n == next.cdr
}

func (b *builder) align(size int) {
	if rest := b.pos % size; rest != 0 {
		b.gap(size - rest)
	}
}

func (b *builder) gap(n int) {
	b.l.gaps = append(b.l.gaps, span{headerSize + b.pos, n})
	b.advance(n)
}

func (b *builder) advance(n int) {
	b.pos += n
	if b.pos > MaxSize {
		b.tooLarge()
	}
}

func (b *builder) tooLarge() {
	panic(fmt.Sprintf("schema: layout of %s with slice lengths %v: lengths must not be negative, nor the value larger than %d bytes", b.l.typ.Name(), b.l.lengths, MaxSize))
}
