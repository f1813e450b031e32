package schema

import (
	"fmt"
	"regexp"
	"strings"
)

// This file writes layouts for other languages: structs without hidden padding, member by member in the order of the
// bytes in CDR after its header.

// member is a member of a foreign struct: a number, an array of numbers, or padding.
type member struct {
	name  string
	kind  Kind
	count int // of an array; 0 for a single number
	note  string
}

// elementPath removes the index from the path of a leaf in an array.
var elementPath = regexp.MustCompile(`^(.*)\[(\d+)\]$`)

// members returns the members of a foreign struct for this layout.
func (l *Layout) members() []member {
	return packed(l.Leaves(), 0, l.Size()-headerSize, sliceFields(l.typ))
}

// packed returns the members of a struct with some numbers that lies from at to end in CDR.
func packed(leaves []Leaf, at, end int, slices map[string]bool) (list []member) {
	begin := at
	pad := func(to int) {
		if to > at {
			list = append(list, member{name: fmt.Sprintf("pad%d", at-begin), kind: Uint8, count: to - at, note: "padding"})
			at = to
		}
	}
	for _, leaf := range leaves {
		offset := leaf.Offset - headerSize
		base, element := leaf.Path, false
		if m := elementPath.FindStringSubmatch(leaf.Path); m != nil {
			base, element = m[1], true
		}
		name := identifier(base)
		if last := len(list) - 1; element && last >= 0 && list[last].name == name && list[last].count > 0 {
			list[last].count++
			at = offset + leaf.Kind.Size()
			continue
		}
		if slices[base] {
			pad((at + 3) &^ 3)
			list = append(list, member{name: name + "_count", kind: Uint32, note: "length of " + name + ": to be set when sending"})
			at += 4
		}
		pad(offset)
		m := member{name: name, kind: leaf.Kind}
		if element {
			m.count = 1
		}
		list = append(list, m)
		at = offset + leaf.Kind.Size()
	}
	pad(end)
	return list
}

// sliceFields returns the paths of the slices of a type.
func sliceFields(t *Type) map[string]bool {
	paths := map[string]bool{}
	if t.Kind() == Slice {
		paths["data"] = true
	}
	if t.Kind() == Struct {
		for _, f := range t.Fields() {
			if f.Type.Kind() == Slice {
				paths[f.Name] = true
			}
		}
	}
	return paths
}

// identifier converts a path to a name: position.x becomes position_x.
func identifier(path string) string {
	return strings.NewReplacer(".", "_", "[", "_", "]", "").Replace(path)
}

var cTypes = map[Kind]string{
	Bool: "uint8_t", Int8: "int8_t", Int16: "int16_t", Int32: "int32_t", Int64: "int64_t", Uint8: "uint8_t", Uint16: "uint16_t",
	Uint32: "uint32_t", Uint64: "uint64_t", Float32: "float", Float64: "double",
}

// C returns the declaration of a C struct with this name for the packets of a port, for the library ardnet. It fails for a bounded
// slice whose elements do not lie alike in CDR.
func (l *Layout) C(name string) (string, error) {
	if l.bound != nil {
		return l.boundedC(name)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "/* Written by sinew schema: the packets of %s, %s, %d bytes. */\n#include <stdint.h>\n\n#pragma pack(push, 1)\nstruct %s {\n",
		name, l.typ.Name(), l.Size()-headerSize, identifier(name))
	writeC(&b, l.members())
	b.WriteString("};\n#pragma pack(pop)\n")
	return b.String(), nil
}

func writeC(b *strings.Builder, members []member) {
	for _, m := range members {
		fmt.Fprintf(b, "\t%s %s", cTypes[m.kind], m.name)
		if m.count > 0 {
			fmt.Fprintf(b, "[%d]", m.count)
		}
		b.WriteString(";")
		if m.note != "" {
			fmt.Fprintf(b, " /* %s */", m.note)
		}
		b.WriteString("\n")
	}
}

var pythonTypes = map[Kind]string{
	Bool: "c_bool", Int8: "c_int8", Int16: "c_int16", Int32: "c_int32", Int64: "c_int64", Uint8: "c_uint8", Uint16: "c_uint16",
	Uint32: "c_uint32", Uint64: "c_uint64", Float32: "c_float", Float64: "c_double",
}

// Python returns a ctypes class with this name for the packets of a port, for the package ardnet. It fails as C does.
func (l *Layout) Python(name string) (string, error) {
	if l.bound != nil {
		return l.boundedPython(name)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# Written by sinew schema: the packets of %s, %s, %d bytes.\nimport ctypes\n\n\nclass %s(ctypes.LittleEndianStructure):\n    _pack_ = 1\n    _fields_ = [\n",
		name, l.typ.Name(), l.Size()-headerSize, identifier(name))
	writePython(&b, l.members())
	b.WriteString("    ]\n")
	return b.String(), nil
}

func writePython(b *strings.Builder, members []member) {
	for _, m := range members {
		kind := "ctypes." + pythonTypes[m.kind]
		if m.count > 0 {
			kind += fmt.Sprintf(" * %d", m.count)
		}
		fmt.Fprintf(b, "        (%q, %s),", m.name, kind)
		if m.note != "" {
			b.WriteString("  # " + m.note)
		}
		b.WriteString("\n")
	}
}
