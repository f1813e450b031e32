package schema

import (
	"encoding/binary"
	"fmt"
	"reflect"
	"unsafe"
)

// This file encodes and decodes bounded slices, whose values have lengths of their own. CDR writes one element after the
// other, so a value of n elements is a prefix of the longest one, apart from its count: the plan of the longest value serves
// all others, up to where they end.

// bound is the size in CDR of each value of a bounded slice. An element has a member with its largest alignment, from which on
// all elements look alike; so only the first may have a distance of its own from what precedes it.
type bound struct {
	per         int // flat elements on the wire in one element in Go
	one, stride int // size of a value with one element, and what each further one adds
}

// atCount is where the count of a top-level slice stands in CDR, and emptySize the size of a value without elements.
const (
	atCount   = headerSize
	emptySize = atCount + 4
)

// newBound returns the bound of the bounded slice t.
func newBound(t *Type) *bound {
	free := *t
	free.most = 0
	_, per := t.elem.flat()
	one := free.Layout(1).size
	return &bound{per: per, one: one, stride: free.Layout(2).size - one}
}

// size returns the size in CDR of a value with n elements.
func (b *bound) size(n int) int {
	if n == 0 {
		return emptySize
	}
	return b.one + (n-1)*b.stride
}

// Bounded reports whether the layout is that of a bounded slice: then Size is that of the longest value.
func (l *Layout) Bounded() bool { return l.bound != nil }

// SizeOf returns the size in CDR of a value with n elements in its slice: of a bounded slice, at most its most elements; Size
// for all other layouts.
func (l *Layout) SizeOf(n int) int {
	if l.bound == nil {
		return l.size
	}
	return l.bound.size(n)
}

// Of returns the layout of one value of a bounded slice, with the length that it has. It fails as Check does. Any other layout
// it returns itself.
func (l *Layout) Of(cdr []byte) (*Layout, error) {
	if err := l.checkSize(cdr); err != nil || l.bound == nil {
		return l, err
	}
	return l.typ.Layout(int(binary.LittleEndian.Uint32(cdr[atCount:])) / l.bound.per), nil
}

func (l *Layout) encodeBounded(dst []byte, p unsafe.Pointer) int {
	n := (*sliceHeader)(p).len
	if n > l.typ.most {
		return 0
	}
	size := l.bound.size(n)
	if len(dst) < size {
		panic("schema: Encode: the buffer is shorter than the value")
	}
	dst = dst[:size]
	binary.LittleEndian.PutUint32(dst, 0x00000100) // 00 01 00 00
	binary.LittleEndian.PutUint32(dst[atCount:], uint32(n*l.bound.per))
	for _, g := range l.gaps {
		if g.cdr >= size {
			break
		}
		clear(dst[g.cdr:min(g.cdr+g.n, size)])
	}
	for i := range l.runs {
		r := &l.runs[i]
		if r.cdr >= size {
			break
		}
		part := run{r.slice, r.mem, r.cdr, min(r.n, size-r.cdr)}
		copy(dst[r.cdr:], l.memory(p, &part))
	}
	return size
}

func (l *Layout) decodeBounded(p unsafe.Pointer, src []byte) error {
	h := (*sliceHeader)(p)
	if h.cap < l.typ.most {
		return &l.errLength
	}
	if err := l.Check(src); err != nil {
		return err
	}
	h.len = int(binary.LittleEndian.Uint32(src[atCount:])) / l.bound.per
	for i := range l.runs {
		r := &l.runs[i]
		if r.cdr >= len(src) {
			break
		}
		part := run{r.slice, r.mem, r.cdr, min(r.n, len(src)-r.cdr)}
		copy(l.memory(p, &part), src[r.cdr:])
	}
	return nil
}

// checkBounded checks the size of src by its own count.
func (l *Layout) checkBounded(src []byte) error {
	if len(src) < emptySize || len(src) > l.size {
		return &l.errSize
	}
	if src[0] != 0 || src[1] != 1 {
		return &l.errHeader
	}
	wire := binary.LittleEndian.Uint32(src[atCount:])
	switch n := int(wire) / l.bound.per; {
	case n > l.typ.most:
		return &l.errMost
	case int(wire)%l.bound.per != 0:
		return &l.errCount
	case len(src) != l.bound.size(n):
		return &l.errSize
	}
	return nil
}

// ownLength returns the number of flat elements of the list v, which may have up to most.
func (w *writer) ownLength(elem *Type, most, per int, path string, v any) (n int, ok bool) {
	rv := reflect.ValueOf(v)
	_, isStruct := v.(Members)
	if !rv.IsValid() || rv.Kind() != reflect.Slice && rv.Kind() != reflect.Array || isStruct {
		w.fail(path, fmt.Sprintf("a list of at most %d %s", most, elem.Short()), v)
		return 0, false
	}
	if n = rv.Len(); n > most || n%per != 0 {
		wants := fmt.Sprintf("at most %d elements", most)
		if n <= most {
			wants = fmt.Sprintf("a multiple of %d elements", per)
		}
		w.errs = append(w.errs, &ValueError{path, wants, fmt.Sprint(n)})
		return 0, false
	}
	return n, true
}
