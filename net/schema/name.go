package schema

import (
	"fmt"
	"reflect"
	"strings"
	"unicode"
)

// arrayPackage is the ROS 2 package of messages for bare arrays, slices and nameless structs.
const arrayPackage = "sinew_msgs"

// SnakeCase returns the name of a Go identifier in files, tools and schemas: PeerName → peer_name, Kp → kp, URDFPath
// → urdf_path, Joint1Pos → joint1_pos. A rune outside ASCII becomes x and its hexadecimal code, as ROS 2 allows only
// a-z, 0-9 and _.
func SnakeCase(goName string) string {
	runes := []rune(goName)
	var b strings.Builder
	underscore := func() {
		if b.Len() > 0 && !strings.HasSuffix(b.String(), "_") {
			b.WriteByte('_')
		}
	}
	for i, r := range runes {
		if r == '_' {
			underscore()
			continue
		}
		if unicode.IsUpper(r) && i > 0 {
			prev := runes[i-1]
			endsAcronym := unicode.IsUpper(prev) && i+1 < len(runes) && unicode.IsLower(runes[i+1])
			if unicode.IsLower(prev) || unicode.IsDigit(prev) || endsAcronym {
				underscore()
			}
		}
		writeASCII(&b, unicode.ToLower(r))
	}
	s := strings.TrimSuffix(b.String(), "_")
	if s == "" || s[0] < 'a' || s[0] > 'z' {
		s = "x" + s
	}
	return s
}

func writeASCII(b *strings.Builder, r rune) {
	if r < 128 {
		b.WriteRune(r)
	} else {
		fmt.Fprintf(b, "x%x", r)
	}
}

// camelCase returns the ROS 2 message name of a Go type name: Pair[float64] → PairFloat64.
func camelCase(goName string) string {
	var b strings.Builder
	up := true
	for _, r := range goName {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			up = true
			continue
		case up:
			r = unicode.ToUpper(r)
		}
		up = false
		writeASCII(&b, r)
	}
	s := b.String()
	if s != "" && (s[0] < 'A' || s[0] > 'Z') {
		s = "X" + s
	}
	return s
}

// structName returns the ROS 2 package and name of a struct; the name of a nameless struct is empty.
func structName(t reflect.Type) (pkg, name string) {
	if t.NumField() == 0 && t.Name() == "" {
		return "std_msgs", "Empty"
	}
	if t.Name() == "" {
		return arrayPackage, ""
	}
	return packageName(t.PkgPath()), camelCase(typeName(t.Name()))
}

// typeName removes the import paths from the arguments of a generic type: Pair[a/b.C] → Pair[C].
func typeName(s string) string {
	var b strings.Builder
	for part := range strings.FieldsFuncSeq(s, func(r rune) bool { return r == '[' || r == ']' || r == ',' }) {
		b.WriteString(part[strings.LastIndexAny(part, "./ ")+1:])
		b.WriteByte(' ')
	}
	return b.String()
}

// packageName returns the ROS 2 package name of an import path: its last element that is not a version.
func packageName(path string) string {
	elems := strings.Split(path, "/")
	last := elems[len(elems)-1]
	if len(elems) > 1 && len(last) > 1 && last[0] == 'v' && strings.Trim(last[1:], "0123456789") == "" {
		last = elems[len(elems)-2]
	}
	words := strings.FieldsFunc(last, func(r rune) bool {
		return r > 127 || !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	return SnakeCase(strings.ToLower(strings.Join(words, "_"))) + "_msgs"
}

// Name returns the ROS 2 name of the message that carries t:
//
//	float64         std_msgs/msg/Float64 (likewise Bool, Int8 ... UInt64, Float32)
//	struct{}        std_msgs/msg/Empty
//	[]float64       sinew_msgs/msg/Float64Array
//	[3]float64      sinew_msgs/msg/Float64Array3
//	up to 5 float64 sinew_msgs/msg/Float64ArrayUpTo5
//	[]geo.Pose      sinew_msgs/msg/GeoPoseArray
//	geo.Pose        geo_msgs/msg/Pose
//	struct{ ... }   sinew_msgs/msg/Struct and a hash of its contents
func (t *Type) Name() string {
	pkg, name := t.message()
	return pkg + "/msg/" + name
}

func (t *Type) message() (pkg, name string) {
	switch t.kind {
	case Struct:
		return t.pkg, t.name
	case Array:
		elem, n := t.flat()
		return arrayPackage, fmt.Sprintf("%sArray%d", elem.word(), n)
	case Slice:
		elem, per := t.elem.flat()
		if t.most > 0 {
			return arrayPackage, fmt.Sprintf("%sArrayUpTo%d", elem.word(), t.most*per)
		}
		return arrayPackage, elem.word() + "Array"
	}
	return "std_msgs", t.word()
}

// word returns the name of a primitive or struct within the name of a message.
func (t *Type) word() string {
	if t.kind == Struct {
		return camelCase(strings.TrimSuffix(t.pkg, "_msgs")) + t.name
	}
	s := t.kind.String()
	if strings.HasPrefix(s, "uint") {
		return "UI" + s[2:]
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
