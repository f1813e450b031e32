package schema

import (
	"encoding/binary"
	"fmt"
	"math"
)

// Leaf is one number or bool within a value, which can be plotted.
type Leaf struct {
	Path   string // "position.x", "data[0]"; "data" for a bare number
	Kind   Kind   // a number or Bool
	Offset int    // in CDR, from the start of the header
}

// Leaves returns the numbers and bools of a value in the order of the wire.
func (l *Layout) Leaves() []Leaf {
	w := leafWalk{lengths: l.lengths}
	path := ""
	if l.typ.kind != Struct {
		path = "data" // its name in the schema text
	}
	w.walk(l.typ, path)
	return w.leaves
}

// Float reads the leaf from a value in CDR that has the size of the leaf's layout. It returns integers as the nearest
// float64, bools as 0 and 1.
func (f Leaf) Float(cdr []byte) float64 {
	b := cdr[f.Offset:]
	le := binary.LittleEndian
	switch f.Kind {
	case Bool, Uint8:
		return float64(b[0])
	case Int8:
		return float64(int8(b[0]))
	case Int16:
		return float64(int16(le.Uint16(b)))
	case Int32:
		return float64(int32(le.Uint32(b)))
	case Int64:
		return float64(int64(le.Uint64(b)))
	case Uint16:
		return float64(le.Uint16(b))
	case Uint32:
		return float64(le.Uint32(b))
	case Uint64:
		return float64(le.Uint64(b))
	case Float32:
		return float64(math.Float32frombits(le.Uint32(b)))
	case Float64:
		return math.Float64frombits(le.Uint64(b))
	}
	panic("schema: Leaf.Float: " + f.Kind.String() + " is not a number")
}

type leafWalk struct {
	leaves  []Leaf
	lengths []int // of the remaining slices
	pos     int
}

func (w *leafWalk) align(size int) { w.pos = (w.pos + size - 1) / size * size }

func (w *leafWalk) walk(t *Type, path string) {
	n := 0
	switch t.kind {
	case Struct:
		if len(t.fields) == 0 {
			w.pos++
		}
		for i := range t.fields {
			w.walk(t.fields[i].Type, join(path, t.fields[i].Name))
		}
		return
	case Array:
		t, n = t.flat()
	case Slice:
		w.align(4)
		w.pos += 4
		t, n = t.elem.flat()
		n *= w.lengths[0]
		w.lengths = w.lengths[1:]
	default:
		size := t.kind.Size()
		w.align(size)
		w.leaves = append(w.leaves, Leaf{path, t.kind, headerSize + w.pos})
		w.pos += size
		return
	}
	for i := range n {
		w.walk(t, fmt.Sprintf("%s[%d]", path, i))
	}
}
