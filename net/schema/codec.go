package schema

import (
	"encoding/binary"
	"errors"
	"fmt"
	"unsafe"
)

// Errors of Decode, to be tested with errors.Is.
var (
	ErrSize   = errors.New("wrong number of bytes")
	ErrHeader = errors.New("no little-endian CDR header 00 01")
	ErrCount  = errors.New("a slice length differs from the layout's")
	ErrBool   = errors.New("a bool that is neither 0 nor 1")
	ErrLength = errors.New("a slice in memory does not have the length of the layout")
	ErrMost   = errors.New("a bounded slice has more elements than its bound")
)

// decodeError is an error of Decode. It is stored in its layout, because Decode must not allocate, and formatted on
// demand: a net has a layout for each of its ports, and most never fail.
type decodeError struct {
	layout *Layout
	cause  error
}

func (e *decodeError) Error() string {
	l := e.layout
	if l.bound != nil {
		return fmt.Sprintf("schema: decoding %s (at most %d bytes, %d elements): %v", l.typ.Name(), l.size, l.typ.most, e.cause)
	}
	return fmt.Sprintf("schema: decoding %s (%d bytes, slice lengths %v): %v", l.typ.Name(), l.size, l.lengths, e.cause)
}

func (e *decodeError) Unwrap() error { return e.cause }

// errors creates the errors of Decode in advance.
func (l *Layout) errors() {
	l.errSize, l.errHeader, l.errCount = decodeError{l, ErrSize}, decodeError{l, ErrHeader}, decodeError{l, ErrCount}
	l.errBool, l.errLength, l.errMost = decodeError{l, ErrBool}, decodeError{l, ErrLength}, decodeError{l, ErrMost}
}

// sliceHeader is the memory layout of a Go slice.
type sliceHeader struct {
	data     unsafe.Pointer
	len, cap int
}

// Encode writes the value at p as CDR to dst and returns its size: Size, or that of this value of a bounded slice. p points
// to a value of the layout's Go type. If a slice there does not have the length of the layout, or more elements than its
// bound, Encode writes nothing and returns 0. It panics if dst is shorter than the size or the Type has no Go memory; it does
// not allocate.
func (l *Layout) Encode(dst []byte, p unsafe.Pointer) int {
	l.mustHaveMemory()
	if l.bound != nil {
		return l.encodeBounded(dst, p)
	}
	if len(dst) < l.size {
		panic("schema: Encode: the buffer is shorter than Layout.Size")
	}
	if !l.fits(p) {
		return 0
	}
	dst = dst[:l.size]
	binary.LittleEndian.PutUint32(dst, 0x00000100) // 00 01 00 00
	for _, c := range l.counts {
		binary.LittleEndian.PutUint32(dst[c.cdr:], c.wire)
	}
	for _, g := range l.gaps {
		clear(dst[g.cdr : g.cdr+g.n])
	}
	for i := range l.runs {
		r := &l.runs[i]
		copy(dst[r.cdr:r.cdr+r.n], l.memory(p, r))
	}
	return l.size
}

// Decode reads CDR into the value at p, whose slices already have the lengths of the layout; a bounded slice has room for its
// most elements and gets the length of the data. It is strict: it rejects data of another size or other slice lengths, or a
// bool other than 0 and 1, with a preallocated error and leaves the value unchanged. It does not allocate.
func (l *Layout) Decode(p unsafe.Pointer, src []byte) error {
	l.mustHaveMemory()
	if l.bound != nil {
		return l.decodeBounded(p, src)
	}
	if !l.fits(p) {
		return &l.errLength
	}
	if err := l.Check(src); err != nil {
		return err
	}
	for i := range l.runs {
		r := &l.runs[i]
		copy(l.memory(p, r), src[r.cdr:r.cdr+r.n])
	}
	return nil
}

// Check returns the error that Decode would return for src. It does not allocate.
func (l *Layout) Check(src []byte) error {
	if err := l.checkSize(src); err != nil {
		return err
	}
	for _, s := range l.bools {
		for _, b := range src[min(s.cdr, len(src)):min(s.cdr+s.n, len(src))] {
			if b > 1 {
				return &l.errBool
			}
		}
	}
	return nil
}

// checkSize checks the size of src, its header and the counts of its slices.
func (l *Layout) checkSize(src []byte) error {
	if l.bound != nil {
		return l.checkBounded(src)
	}
	if len(src) != l.size {
		return &l.errSize
	}
	if src[0] != 0 || src[1] != 1 {
		return &l.errHeader
	}
	for i := range l.counts {
		c := &l.counts[i]
		if binary.LittleEndian.Uint32(src[c.cdr:]) != c.wire {
			return &l.errCount
		}
	}
	return nil
}

// fits reports whether the slices of the value at p have the lengths of the layout.
func (l *Layout) fits(p unsafe.Pointer) bool {
	for i := range l.counts {
		c := &l.counts[i]
		if (*sliceHeader)(unsafe.Add(p, c.header)).len != c.length {
			return false
		}
	}
	return true
}

// memory returns the memory of a run as bytes.
func (l *Layout) memory(p unsafe.Pointer, r *run) []byte {
	if r.slice >= 0 {
		p = (*sliceHeader)(unsafe.Add(p, l.counts[r.slice].header)).data
	}
	return unsafe.Slice((*byte)(unsafe.Add(p, r.mem)), r.n)
}

func (l *Layout) mustHaveMemory() {
	if l.typ.goType == nil {
		panic("schema: this type was parsed from text and has no memory: use Value and FromValue")
	}
}
