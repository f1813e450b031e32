package schema

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
)

// headerSize is the length of the encapsulation header 00 01 00 00 before every CDR value.
const headerSize = 4

// Layout is a Type whose slices have fixed lengths, or a bounded slice. It knows the exact memory and CDR of such values.
// It is immutable and safe to share.
type Layout struct {
	typ     *Type
	lengths []int
	size    int

	// The plan, computed once so that Encode and Decode only copy.
	runs    []run
	gaps    []span // CDR bytes that are not data: padding and empty structs
	bools   []span // CDR bytes that must be 0 or 1
	numbers []numbers
	floats  []floats
	counts  []count
	bound   *bound // of a bounded slice whose values have lengths of their own; nil: all values have one size

	errSize, errHeader, errCount, errBool, errLength, errMost decodeError
}

// run is a range of bytes that is the same in memory and in CDR.
type run struct {
	slice int // index of the slice that contains the memory, -1: the value itself
	mem   uintptr
	cdr   int
	n     int
}

type span struct{ cdr, n int }

// count is the number that precedes a slice.
type count struct {
	cdr    int
	wire   uint32  // as in CDR: flat elements
	header uintptr // offset of the slice header in the value
	length int     // Go elements
}

// Layout fixes the lengths of the slices of t, in the order of the fields (or the one length of a top-level slice).
// A bounded top-level slice needs none: then the layout is that of all its values, each of a length of its own.
// It panics if their number is wrong, one is negative or above its bound, or the value would be larger than MaxSize.
func (t *Type) Layout(lengths ...int) *Layout {
	bounded := t.most > 0 && len(lengths) == 0
	if bounded {
		lengths = []int{t.most}
	}
	if want := t.Slices(); len(lengths) != want {
		panic(fmt.Sprintf("schema: layout of %s wants %d slice lengths, got %d", t.Name(), want, len(lengths)))
	}
	l := &Layout{typ: t, lengths: slices.Clone(lengths)}
	b := builder{l: l, slice: -1, pos: 0}
	b.add(t, 0)
	l.size = headerSize + b.pos
	if bounded {
		l.bound = newBound(t)
	}
	l.errors()
	return l
}

// LayoutOf returns the layout of a Go value, with the lengths of its slices. It fails for types that are not plain data.
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

// Type returns the type of the layout.
func (l *Layout) Type() *Type { return l.typ }

// Lengths returns the lengths of the slices in the order of the fields; of a bounded slice the most elements. Do not
// modify them.
func (l *Layout) Lengths() []int { return l.lengths }

// Size returns the number of bytes of a value in CDR, including the header; of a bounded slice those of its longest value.
func (l *Layout) Size() int { return l.size }

// builder computes a plan by walking the type in the order of the wire.
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
		if length < 0 || length > MaxSize/per || t.most > 0 && length > t.most {
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

// elements adds n values of type t that are contiguous in memory.
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
	} else {
		b.l.addNumbers(numbers{elem.kind, r.cdr, n})
	}
	if elem.kind == Float32 || elem.kind == Float64 {
		b.l.addFloats(floats{r, elem.kind})
	}
	if i := len(b.l.runs) - 1; i >= 0 && b.l.runs[i].continues(r) {
		b.l.runs[i].n += r.n
	} else {
		b.l.runs = append(b.l.runs, r)
	}
	b.advance(r.n)
}

// continues reports whether next follows r in both memory and CDR.
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
