package schema

import (
	"fmt"
	"strings"
)

// This file writes the packets of bounded slices for other languages: the count, and an array with room for the most elements. A
// macro or two numbers give the bytes of a packet with n elements, after the header of CDR.

// foreignList is a bounded slice as other languages have it: of flat elements, at the same distance.
type foreignList struct {
	most, first int      // elements, and where they begin after the header
	one, stride int      // bytes of a packet with one element, and of each further one
	kind        Kind     // of the elements, if they are numbers
	members     []member // of an element that is a struct
}

// list returns the bounded slice of the layout.
func (l *Layout) list() (*foreignList, error) {
	elem, per := l.typ.elem.flat()
	flat := (&Type{kind: Slice, elem: elem, most: 2, goType: l.typ.goType}).sized()
	b := newBound(flat)
	f := &foreignList{most: l.typ.most * per, one: b.one - headerSize, stride: b.stride, kind: elem.kind}
	if elem.kind != Struct {
		f.first = f.one - f.stride
		return f, nil
	}
	leaves := flat.Layout(2).Leaves()
	n := len(leaves) / 2
	for i, leaf := range leaves[:n] {
		if leaves[n+i].Offset-leaf.Offset != f.stride {
			return nil, fmt.Errorf("schema: %s: its elements do not lie alike in CDR, so no struct has them: put the member with the largest numbers first", l.typ.Name())
		}
		leaves[i].Path = strings.TrimPrefix(leaf.Path, "data[0].")
	}
	if n == 0 {
		return nil, fmt.Errorf("schema: %s: its elements carry nothing", l.typ.Name())
	}
	f.first = leaves[0].Offset - headerSize
	f.members = packed(leaves[:n], f.first, f.first+f.stride, nil)
	return f, nil
}

// head returns the members before the elements.
func (f *foreignList) head() []member {
	list := []member{{name: "data_count", kind: Uint32, note: "elements of data that are there: to be set when sending"}}
	if f.first > 4 {
		list = append(list, member{name: "pad4", kind: Uint8, count: f.first - 4, note: "padding"})
	}
	return list
}

func (l *Layout) boundedC(name string) (string, error) {
	f, err := l.list()
	if err != nil {
		return "", err
	}
	name = identifier(name)
	var b strings.Builder
	fmt.Fprintf(&b, "/* Written by sinew schema: the packets of %s, %s, up to %d bytes, for a port with ARDNET_VARIES. */\n#include <stdint.h>\n\n#pragma pack(push, 1)\n",
		name, l.typ.Name(), l.Size()-headerSize)
	elem := cTypes[f.kind]
	if f.kind == Struct {
		elem = "struct " + name + "_element"
		fmt.Fprintf(&b, "%s {\n", elem)
		writeC(&b, f.members)
		b.WriteString("};\n")
	}
	fmt.Fprintf(&b, "struct %s {\n", name)
	writeC(&b, f.head())
	fmt.Fprintf(&b, "\t%s data[%d];\n};\n#pragma pack(pop)\n/* the most elements, and the bytes of a packet with count elements: for ardnet_create and ardnet_send_part */\n#define %s_most %d\n", elem, f.most, name, f.most)
	fmt.Fprintf(&b, "#define %s_bytes(count) ((count) > 0 ? %d + ((count) - 1) * %d : 4)\n", name, f.one, f.stride)
	return b.String(), nil
}

func (l *Layout) boundedPython(name string) (string, error) {
	f, err := l.list()
	if err != nil {
		return "", err
	}
	name = identifier(name)
	var b strings.Builder
	fmt.Fprintf(&b, "# Written by sinew schema: the packets of %s, %s, up to %d bytes.\nimport ctypes\n\n\n", name, l.typ.Name(), l.Size()-headerSize)
	elem := "ctypes." + pythonTypes[f.kind]
	if f.kind == Struct {
		elem = name + "_element"
		fmt.Fprintf(&b, "class %s(ctypes.LittleEndianStructure):\n    _pack_ = 1\n    _fields_ = [\n", elem)
		writePython(&b, f.members)
		b.WriteString("    ]\n\n\n")
	}
	fmt.Fprintf(&b, "class %s(ctypes.LittleEndianStructure):\n    _pack_ = 1\n    _bytes_ = (%d, %d)  # of a packet with one element, and of each further one\n    _fields_ = [\n", name, f.one, f.stride)
	writePython(&b, f.head())
	fmt.Fprintf(&b, "        (\"data\", %s * %d),\n    ]\n", elem, f.most)
	return b.String(), nil
}
