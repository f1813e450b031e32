package schema

import (
	"errors"
	"fmt"
	"reflect"
	"unsafe"
)

// MaxSize is the maximum CDR size of one value, in bytes.
const MaxSize = 1 << 30

var goKinds = map[reflect.Kind]Kind{
	reflect.Bool: Bool,
	reflect.Int8: Int8, reflect.Int16: Int16, reflect.Int32: Int32, reflect.Int64: Int64,
	reflect.Uint8: Uint8, reflect.Uint16: Uint16, reflect.Uint32: Uint32, reflect.Uint64: Uint64,
	reflect.Float32: Float32, reflect.Float64: Float64,
}

// For returns the Type of the Go type T. It fails as Of does.
func For[T any]() (*Type, error) { return Of(reflect.TypeFor[T]()) }

// Of returns the Type of a Go type. If the type is not plain data, the error names the path of every offending field,
// the reason and an alternative.
func Of(t reflect.Type) (*Type, error) {
	if t == nil {
		return nil, errors.New("schema: no type: an interface has no plain data, use its concrete type")
	}
	if !littleEndian() {
		return nil, errors.New("schema: this CPU is big-endian: memory is copied to the wire unchanged, so sinew runs on little-endian CPUs only")
	}
	name := t.String()
	s := scan{structs: map[string]*Type{}}
	st := s.scan(t, name, true)
	if err := errors.Join(s.errs...); err != nil {
		return nil, err
	}
	if st.bytes > MaxSize {
		return nil, fmt.Errorf("schema: %s: a value has more than %d bytes: split it", name, MaxSize)
	}
	return st, nil
}

// scan collects all problems of a type, to report them together.
type scan struct {
	errs    []error
	structs map[string]*Type // by ROS 2 name, to find two types of one name
}

func (s *scan) fail(path, format string, args ...any) {
	s.errs = append(s.errs, fmt.Errorf("schema: %s: %s", path, fmt.Sprintf(format, args...)))
}

// scan describes t, found at path. Slices are allowed only at the top.
func (s *scan) scan(t reflect.Type, path string, top bool) *Type {
	st := &Type{goType: t}
	switch k := t.Kind(); k {
	case reflect.Array:
		st.kind, st.count = Array, t.Len()
		if t.Len() == 0 {
			s.fail(path, "an array of length 0 carries no data: give it a length or use struct{}")
		}
		st.elem = s.scan(t.Elem(), path+"[]", false)
	case reflect.Slice:
		st.kind = Slice
		if !top {
			s.fail(path, "a slice is allowed only at the top or as a direct field of the top struct: use a fixed array")
			return st.sized()
		}
		st.elem = s.scan(t.Elem(), path+"[]", false)
	case reflect.Struct:
		s.members(st, t, path, top)
	case reflect.Int, reflect.Uint, reflect.Uintptr:
		s.fail(path, "%s has a different size on different CPUs: use int32, int64, uint32 or uint64", t)
	default:
		st.kind = goKinds[k]
		if st.kind == 0 {
			s.fail(path, "%s is not plain data: use numbers, bools, arrays and structs of them", t)
		}
	}
	return st.sized()
}

// members describes the fields of the struct t.
func (s *scan) members(st *Type, t reflect.Type, path string, top bool) {
	st.kind = Struct
	st.pkg, st.name = structName(t)
	seen := map[string]string{}
	for i := range t.NumField() {
		f := t.Field(i)
		at := path + "." + f.Name
		if !f.IsExported() {
			s.fail(at, "an unexported field cannot be sent: export or remove it")
			continue
		}
		name := SnakeCase(f.Name)
		if other, dup := seen[name]; dup {
			s.fail(at, "has the name %q in the schema, as %s has: rename one", name, other)
		}
		seen[name] = f.Name
		// A slice in an array of the top struct is not a direct field: scan rejects it below the array.
		ft := s.scan(f.Type, at, top && f.Type.Kind() == reflect.Slice)
		st.fields = append(st.fields, Field{
			Name: name, GoName: f.Name, Type: ft,
			Unit: f.Tag.Get("unit"), Doc: f.Tag.Get("doc"), offset: f.Offset,
		})
	}
	if len(s.errs) > 0 {
		return
	}
	if st.name == "" { // a struct type without a name is named after its contents
		st.name = fmt.Sprintf("Struct%016X", contentHash(st))
	}
	full := st.pkg + "/" + st.name
	if other := s.structs[full]; other == nil {
		s.structs[full] = st
	} else if other.goType != t && other.Hash() != st.Hash() {
		s.fail(path, "%s and %s both have the name %s in the schema: rename one", t, other.goType, full)
	}
}

func littleEndian() bool {
	one := uint16(1)
	return *(*byte)(unsafe.Pointer(&one)) == 1
}
