package schema

import (
	"fmt"
	"reflect"
	"strconv"
)

// Kind is the structure of a Type.
type Kind uint8

// The kinds of plain data. Bool to Float64 are the primitives.
const (
	Bool Kind = iota + 1
	Int8
	Int16
	Int32
	Int64
	Uint8
	Uint16
	Uint32
	Uint64
	Float32
	Float64
	Array  // a fixed number of elements
	Slice  // a number of elements that is fixed at setup or, in a bounded one, up to a number that is
	Struct // named fields, possibly none
)

var kindNames = [...]string{
	Bool: "bool",
	Int8: "int8", Int16: "int16", Int32: "int32", Int64: "int64",
	Uint8: "uint8", Uint16: "uint16", Uint32: "uint32", Uint64: "uint64",
	Float32: "float32", Float64: "float64",
	Array: "array", Slice: "slice", Struct: "struct",
}

var kindSizes = [...]int{
	Bool: 1,
	Int8: 1, Int16: 2, Int32: 4, Int64: 8,
	Uint8: 1, Uint16: 2, Uint32: 4, Uint64: 8,
	Float32: 4, Float64: 8,
	Array: 0, Slice: 0, Struct: 0,
}

// String returns the name that ROS 2 and Go share for a primitive ("float64"), or "array", "slice", "struct".
func (k Kind) String() string {
	if k == 0 || int(k) >= len(kindNames) {
		return "Kind(" + strconv.Itoa(int(k)) + ")"
	}
	return kindNames[k]
}

// Primitive reports whether k is a number or a bool.
func (k Kind) Primitive() bool { return k >= Bool && k <= Float64 }

// Size returns the number of bytes of a primitive, in memory and on the wire; 0 for the other kinds.
func (k Kind) Size() int { return kindSizes[k] }

// Type describes plain data. It is immutable and safe to share.
type Type struct {
	kind   Kind
	pkg    string // ROS 2 package and name of a struct
	name   string
	elem   *Type
	count  int
	most   int // elements of a bounded Slice; 0: all values have one length
	fields []Field
	goType reflect.Type // nil when parsed from text
	bytes  int          // in CDR with empty slices and without padding, at most MaxSize+1
}

// Field is one member of a struct.
type Field struct {
	Name   string // in the schema: snake_case
	GoName string // in the Go struct; "" when parsed from text
	Type   *Type
	Unit   string // from the tag `unit:"rad"`, "" if none
	Doc    string // from the tag `doc:"..."`, "" if none

	offset uintptr // in the memory of the Go struct
}

// Kind returns the structure of the data: a primitive, Array, Slice or Struct.
func (t *Type) Kind() Kind { return t.kind }

// Elem returns the type of the elements of an Array or Slice in Go: for [2][3]float64 it is [3]float64. It is nil for
// other kinds.
func (t *Type) Elem() *Type { return t.elem }

// Count returns the number of elements: of an Array its length, 1 for a primitive or a struct, and -1 for a Slice,
// whose length is part of its Layout.
func (t *Type) Count() int {
	switch t.kind {
	case Array:
		return t.count
	case Slice:
		return -1
	}
	return 1
}

// Most returns the largest number of elements of a Slice that [Type.Bounded] has bounded: each of its values has a length
// of its own. It is 0 for a Slice whose values have one length, and for other kinds.
func (t *Type) Most() int { return t.most }

// Bounded returns the Slice t with values of 0 to most elements, each of a length of its own. It is another type: its
// name and its schema text hold the bound. It panics if t is no Slice, or most is below 1 or above [MaxSize].
func (t *Type) Bounded(most int) *Type {
	if t.kind != Slice || most < 1 || most > MaxSize {
		panic(fmt.Sprintf("schema: %s cannot be bounded to %d elements: wants a slice, and 1 to %d", t.Name(), most, MaxSize))
	}
	b := *t
	b.most = most
	return &b
}

// Fields returns the members of a Struct in the order of memory and wire. Do not modify them.
func (t *Type) Fields() []Field { return t.fields }

// Slices returns the number of slices in t, for which Layout needs lengths.
func (t *Type) Slices() int {
	n := 0
	for _, f := range t.fields {
		if f.Type.kind == Slice {
			n++
		}
	}
	if t.kind == Slice {
		n++
	}
	return n
}

// GoType returns the Go type that t was made from, nil if t was parsed from a schema text.
func (t *Type) GoType() reflect.Type { return t.goType }

// Flat returns the innermost element of an Array or Slice, which is no Array, and how many of them one element in Go has.
func (t *Type) Flat() (elem *Type, per int) {
	if t.elem == nil {
		return t, 1
	}
	return t.elem.flat()
}

// flat resolves arrays of arrays: it returns the innermost element and how many of them t holds. The wire and the
// schema text have flat arrays only.
func (t *Type) flat() (elem *Type, count int) {
	elem, count = t, 1
	for elem.kind == Array {
		count *= elem.count
		elem = elem.elem
	}
	return elem, count
}

// memory returns the distance of two elements of t in memory.
func (t *Type) memory() uintptr {
	if t.goType == nil {
		return 0
	}
	return t.goType.Size()
}

// sized computes the size of a complete type, so that a type that is too large is rejected before it is walked again.
func (t *Type) sized() *Type {
	switch t.kind {
	case Struct:
		t.bytes = 0
		for _, f := range t.fields {
			t.bytes = min(t.bytes+f.Type.bytes, MaxSize+1)
		}
		t.bytes = max(t.bytes, 1)
	case Array:
		t.bytes = MaxSize + 1
		if per := max(t.elem.bytes, 1); t.count <= MaxSize/per {
			t.bytes = t.count * per
		}
	case Slice:
		t.bytes = 4
	default:
		t.bytes = t.kind.Size()
	}
	return t
}
