package schema

import (
	"encoding/binary"
	"errors"
	"fmt"
	"unsafe"
)

// Why Decode refuses data; errors.Is finds them in what it returns.
var (
	ErrSize   = errors.New("wrong number of bytes")
	ErrHeader = errors.New("no little-endian CDR header 00 01")
	ErrCount  = errors.New("a slice length differs from the layout's")
	ErrBool   = errors.New("a bool that is neither 0 nor 1")
	ErrLength = errors.New("a slice in memory does not have the length of the layout")
)

// errors makes the errors of Decode ahead of time, for it must not allocate.
func (l *Layout) errors() {
	wrap := func(err error) error {
		return fmt.Errorf("schema: decoding %s (%d bytes, slice lengths %v): %w", l.typ.Name(), l.size, l.lengths, err)
	}
	l.errSize, l.errHeader, l.errCount = wrap(ErrSize), wrap(ErrHeader), wrap(ErrCount)
	l.errBool, l.errLength = wrap(ErrBool), wrap(ErrLength)
}

// sliceHeader is what Go keeps where a slice stands.
type sliceHeader struct {
	data     unsafe.Pointer
	len, cap int
}

// Encode writes the value at p as CDR to dst and returns its size, which is
// always Size. p points to a value of the layout's Go type. If a slice there
// does not have the length of the layout, Encode writes nothing and returns 0.
// It panics if dst is shorter than Size or the Type has no Go memory; it does not allocate.
func (l *Layout) Encode(dst []byte, p unsafe.Pointer) int {
	l.mustHaveMemory()
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

// Decode reads CDR into the value at p, whose slices already have the lengths
// of the layout. It is strict: data of another size or other slice lengths, or a
// bool other than 0 and 1, are refused with an error made in advance, and then
// the value is left as it was. It does not allocate.
func (l *Layout) Decode(p unsafe.Pointer, src []byte) error {
	l.mustHaveMemory()
	if !l.fits(p) {
		return l.errLength
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

// Check reports whether Decode would accept src. It does not allocate.
func (l *Layout) Check(src []byte) error {
	if len(src) != l.size {
		return l.errSize
	}
	if src[0] != 0 || src[1] != 1 {
		return l.errHeader
	}
	for i := range l.counts {
		c := &l.counts[i]
		if binary.LittleEndian.Uint32(src[c.cdr:]) != c.wire {
			return l.errCount
		}
	}
	for _, s := range l.bools {
		for _, b := range src[s.cdr : s.cdr+s.n] {
			if b > 1 {
				return l.errBool
			}
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

// memory is the memory of a run as bytes.
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
