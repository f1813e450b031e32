package block

import (
	"fmt"
	"strconv"
	"unsafe"

	"github.com/sinew-robotics/sinew/internal/lockfree"
)

// LengthError is what [Out.Write] and [Out.Commit] panic with when a value has more elements than its port's most. The thread
// makes it the error of the block. It is made before the first step: the next one of its port takes its place.
type LengthError struct {
	text   []byte // with room for the number at its end
	prefix int
}

// Error names the port, its bound, and the number of elements of the value.
func (e *LengthError) Error() string { return string(e.text) }

// Text returns what Error does without an allocation; it is valid until the next error of the port.
func (e *LengthError) Text() string { return unsafe.String(unsafe.SliceData(e.text), len(e.text)) }

// listBound is the memory of an output whose values have lengths of their own.
type listBound struct {
	most           int
	elem           uintptr
	value, beneath unsafe.Pointer // where the elements of Out.value and Out.beneath lie, whatever its block does to the slices
	err            LengthError
}

// init sets what is known once the port has its memory. ref names the port.
func (b *listBound) init(ref string, most int, value, beneath *sliceHeader) {
	b.most, b.value, b.beneath = most, value.data, beneath.data
	text := fmt.Appendf(nil, "output %s takes at most %d elements (Setup.MaxLen), but the block wrote ", ref, most)
	b.err = LengthError{text: append(make([]byte, 0, len(text)+20), text...), prefix: len(text)}
}

func (b *listBound) base(held bool) unsafe.Pointer {
	if held {
		return b.beneath
	}
	return b.value
}

// check panics for a value of too many elements.
func (b *listBound) check(n int) {
	if n > b.most {
		b.err.text = strconv.AppendInt(b.err.text[:b.err.prefix], int64(n), 10)
		panic(&b.err)
	}
}

// assign copies the elements of a slice to those of the port, whose header is dst.
func (b *listBound) assign(held bool, dst, src *sliceHeader) {
	b.check(src.len)
	base := b.base(held)
	n := uintptr(src.len) * b.elem
	copy(unsafe.Slice((*byte)(base), n), unsafe.Slice((*byte)(src.data), n))
	*dst = sliceHeader{base, src.len, b.most}
}

// settle makes what a block did to its slice the value of the port: elements that lie elsewhere are copied.
func (b *listBound) settle(held bool, h *sliceHeader) {
	if base := b.base(held); h.data == base && h.len <= b.most {
		h.cap = b.most
		return
	}
	made := *h
	*h = sliceHeader{b.base(held), 0, b.most}
	b.assign(held, h, &made)
}

// take takes the next value of a queue into the memory at p.
func take[T any](p *T, q *lockfree.Queue, bounded bool) bool {
	if !bounded {
		return q.Pop(memory(p))
	}
	n, ok := q.PopSome(room(p))
	if elem, _ := isSlice[T](); ok && elem > 0 {
		(*sliceHeader)(unsafe.Pointer(p)).len = n / int(elem)
	}
	return ok
}

// lengthOf returns the length of the slice at p, 0 where it is none.
func lengthOf[T any](p *T) int {
	if _, ok := isSlice[T](); !ok {
		return 0
	}
	return (*sliceHeader)(unsafe.Pointer(p)).len
}
