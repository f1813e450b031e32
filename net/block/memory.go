package block

import (
	"fmt"
	"reflect"
	"unsafe"
)

// sliceHeader is what a slice is made of.
type sliceHeader struct {
	data unsafe.Pointer
	len  int
	cap  int
}

// isSlice reports whether T is a slice, and the size of its elements.
func isSlice[T any]() (elem uintptr, ok bool) {
	t := reflect.TypeFor[T]()
	if t.Kind() != reflect.Slice {
		return 0, false
	}
	return t.Elem().Size(), true
}

// memory returns the bytes of the plain data at p: of the value, or of a slice's elements.
func memory[T any](p *T) []byte {
	if elem, ok := isSlice[T](); ok {
		h := (*sliceHeader)(unsafe.Pointer(p))
		return unsafe.Slice((*byte)(h.data), uintptr(h.len)*elem)
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(p)), unsafe.Sizeof(*p))
}

// makeSlice gives the slice at p n elements and reports whether it is one. A bounded slice gets room for them, and none.
func makeSlice[T any](p *T, n int, bounded bool) bool {
	t := reflect.TypeFor[T]()
	if t.Kind() != reflect.Slice {
		return false
	}
	v := reflect.ValueOf(p).Elem()
	switch {
	case bounded && v.Cap() != n:
		v.Set(reflect.MakeSlice(t, 0, n))
	case !bounded && (v.Len() != n || v.IsNil()):
		v.Set(reflect.MakeSlice(t, n, n))
	}
	return true
}

// assign copies v to dst: the value, or the elements of a slice, whose length is fixed or bounded by its capacity.
func assign[T any](dst *T, v T, bounded bool) {
	elem, ok := isSlice[T]()
	if !ok {
		*dst = v
		return
	}
	to, from := (*sliceHeader)(unsafe.Pointer(dst)), (*sliceHeader)(unsafe.Pointer(&v))
	if bounded && to.cap >= from.len {
		to.len = from.len
	} else if bounded {
		panic(fmt.Sprintf("block: a %T of length %d was written to a port of at most %d elements", v, from.len, to.cap))
	}
	copySlice[T](to, from, elem)
}

// copySlice copies the elements of one T, a slice with elements of the given size, to another of the same length.
func copySlice[T any](to, from *sliceHeader, elem uintptr) {
	if to.len != from.len {
		panic(fmt.Sprintf("block: a %T of length %d was written to a port of length %d", *new(T), from.len, to.len))
	}
	n := uintptr(from.len) * elem
	copy(unsafe.Slice((*byte)(to.data), n), unsafe.Slice((*byte)(from.data), n))
}

// room returns the bytes of all elements for which the slice at p has room.
func room[T any](p *T) []byte {
	elem, _ := isSlice[T]()
	h := (*sliceHeader)(unsafe.Pointer(p))
	return unsafe.Slice((*byte)(h.data), uintptr(h.cap)*elem)
}

// sliceAt is a slice at the top level of plain data: where its header stands, and the size of its elements.
type sliceAt struct{ offset, elem uintptr }

// slicesOf lists the slices at the top level of a T.
func slicesOf[T any]() (list []sliceAt) {
	t := reflect.TypeFor[T]()
	if elem, ok := isSlice[T](); ok {
		return []sliceAt{{0, elem}}
	}
	if t.Kind() == reflect.Struct {
		for i := range t.NumField() {
			if f := t.Field(i); f.Type.Kind() == reflect.Slice {
				list = append(list, sliceAt{f.Offset, f.Type.Elem().Size()})
			}
		}
	}
	return list
}

// assignOwn copies v to dst, whose slices keep their own memory; false, and nothing is copied, where they have other lengths.
func assignOwn[T any](dst *T, v T, slices []sliceAt) bool {
	header := func(p *T, s sliceAt) *sliceHeader { return (*sliceHeader)(unsafe.Add(unsafe.Pointer(p), s.offset)) }
	for _, s := range slices {
		if header(dst, s).len != header(&v, s).len {
			return false
		}
	}
	for _, s := range slices {
		to, from := header(dst, s), header(&v, s)
		bytes := uintptr(to.len) * s.elem
		copy(unsafe.Slice((*byte)(to.data), bytes), unsafe.Slice((*byte)(from.data), bytes))
		*from = *to
	}
	*dst = v
	return true
}
