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

// makeSlice gives the slice at p n elements and reports whether it is one.
func makeSlice[T any](p *T, n int) bool {
	t := reflect.TypeFor[T]()
	if t.Kind() != reflect.Slice {
		return false
	}
	v := reflect.ValueOf(p).Elem()
	if v.Len() != n || v.IsNil() {
		v.Set(reflect.MakeSlice(t, n, n))
	}
	return true
}

// assign copies v to dst: the value, or the elements of a slice, whose length is fixed.
func assign[T any](dst *T, v T) {
	if _, ok := isSlice[T](); !ok {
		*dst = v
		return
	}
	to, from := memory(dst), memory(&v)
	if len(to) != len(from) {
		panic(fmt.Sprintf("block: a %T of length %d was written to a port of length %d", v,
			(*sliceHeader)(unsafe.Pointer(&v)).len, (*sliceHeader)(unsafe.Pointer(dst)).len))
	}
	copy(to, from)
}
