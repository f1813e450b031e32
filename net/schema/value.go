package schema

import (
	"encoding/binary"
	"fmt"
	"math"
)

// Members is the value of a struct: its members in the order of the schema.
type Members []Member

// Member is one named value of Members.
type Member struct {
	Name  string // snake_case
	Value any    // bool, a number of the field's Go type, a slice of them, Members or []Members
}

// Get returns the value of the member called name, nil if there is none.
func (s Members) Get(name string) any {
	for i := range s {
		if s[i].Name == name {
			return s[i].Value
		}
	}
	return nil
}

// Value decodes CDR without a Go type, for tools; it allocates. The lengths of the slices are taken from the data.
// The value is one of
//
//	bool      a bool
//	int64     int8 to int64
//	uint64    uint8 to uint64
//	float64   float32, float64
//	[]any     an array or slice, flat: [2][3]float64 has six elements
//	Members   a struct
func (t *Type) Value(cdr []byte) (any, error) {
	r, err := t.read(cdr)
	if err != nil {
		return nil, err
	}
	v := r.value(t)
	return v, r.finish()
}

// Lengths reads the lengths of the slices of t from CDR: the arguments of Layout. It checks the size of the data
// against them.
func (t *Type) Lengths(cdr []byte) ([]int, error) {
	r, err := t.read(cdr)
	if err != nil {
		return nil, err
	}
	r.skip(t)
	return r.lengths, r.finish()
}

// reader reads CDR in the order of the type. After an error it reads zeros.
type reader struct {
	typ     *Type
	b       []byte // after the header
	pos     int
	lengths []int // of the slices read so far
	err     error
}

func (t *Type) read(cdr []byte) (*reader, error) {
	if len(cdr) < headerSize || cdr[0] != 0 || cdr[1] != 1 {
		return nil, fmt.Errorf("schema: decoding %s: %w", t.Name(), ErrHeader)
	}
	return &reader{typ: t, b: cdr[headerSize:]}, nil
}

func (r *reader) fail(err error) {
	if r.err == nil {
		r.err = fmt.Errorf("schema: decoding %s: at byte %d of %d: %w", r.typ.Name(), headerSize+r.pos, headerSize+len(r.b), err)
	}
}

func (r *reader) finish() error {
	if r.err == nil && r.pos != len(r.b) {
		r.fail(fmt.Errorf("%w: %d extra", ErrSize, len(r.b)-r.pos))
	}
	return r.err
}

func (r *reader) align(size int) { r.pos = (r.pos + size - 1) / size * size }

// take returns the next n bytes, or nil if they are missing.
func (r *reader) take(n int) []byte {
	if r.err != nil {
		return nil
	}
	if n > len(r.b)-r.pos {
		r.fail(fmt.Errorf("%w: %d missing", ErrSize, n-(len(r.b)-r.pos)))
		return nil
	}
	r.pos += n
	return r.b[r.pos-n : r.pos]
}

// elements returns the innermost element of t and how many of them follow; for a slice it reads their count.
func (r *reader) elements(t *Type) (elem *Type, n int) {
	if t.kind != Slice {
		return t.flat()
	}
	elem, per := t.elem.flat()
	r.align(4)
	if b := r.take(4); b != nil {
		wire := binary.LittleEndian.Uint32(b)
		if int64(wire) > int64(len(r.b)-r.pos) || int(wire)%per != 0 { // each element has at least one byte
			r.fail(fmt.Errorf("%w: a slice of %d elements", ErrSize, wire))
			return elem, 0
		}
		if t.most > 0 && int(wire) > t.most*per {
			r.fail(fmt.Errorf("%w: %d, at most %d", ErrMost, wire, t.most*per))
			return elem, 0
		}
		n = int(wire)
	}
	r.lengths = append(r.lengths, n/per)
	return elem, n
}

func (r *reader) value(t *Type) any {
	switch t.kind {
	case Struct:
		if len(t.fields) == 0 {
			r.take(1)
		}
		s := make(Members, len(t.fields))
		for i := range t.fields {
			s[i] = Member{t.fields[i].Name, r.value(t.fields[i].Type)}
		}
		return s
	case Array, Slice:
		elem, n := r.elements(t)
		list := []any{}
		for range n {
			if r.err != nil {
				break
			}
			list = append(list, r.value(elem))
		}
		return list
	}
	r.align(t.kind.Size())
	b := r.take(t.kind.Size())
	if b == nil {
		return nil
	}
	if t.kind == Bool && b[0] > 1 {
		r.fail(ErrBool)
	}
	return primitive(t.kind, b)
}

// skip skips a value.
func (r *reader) skip(t *Type) {
	switch t.kind {
	case Struct:
		if len(t.fields) == 0 {
			r.take(1)
		}
		for i := range t.fields {
			r.skip(t.fields[i].Type)
		}
	case Array, Slice:
		elem, n := r.elements(t)
		if elem.kind != Struct {
			if n > 0 {
				r.align(elem.kind.Size())
				r.take(n * elem.kind.Size())
			}
			return
		}
		for range n {
			if r.err != nil {
				return
			}
			r.skip(elem)
		}
	default:
		r.align(t.kind.Size())
		r.take(t.kind.Size())
	}
}

// primitive reads one number or bool from its bytes.
func primitive(k Kind, b []byte) any {
	le := binary.LittleEndian
	switch k {
	case Bool:
		return b[0] != 0
	case Int8:
		return int64(int8(b[0]))
	case Int16:
		return int64(int16(le.Uint16(b)))
	case Int32:
		return int64(int32(le.Uint32(b)))
	case Int64:
		return int64(le.Uint64(b))
	case Uint8:
		return uint64(b[0])
	case Uint16:
		return uint64(le.Uint16(b))
	case Uint32:
		return uint64(le.Uint32(b))
	case Uint64:
		return le.Uint64(b)
	case Float32:
		return float64(math.Float32frombits(le.Uint32(b)))
	case Float64:
		return math.Float64frombits(le.Uint64(b))
	}
	panic("schema: " + k.String() + " is not a primitive")
}
