package schema

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strings"
)

// separator separates the definition of a message from those it depends on.
var separator = strings.Repeat("=", 80)

// Definition returns the message definition of t in ROS 2 text (schema encoding "ros2msg"): a line for each field,
// then each struct that it uses after a line of 80 '=' and "MSG: pkg/Type". Units and docs from the struct tags are
// comments.
func (t *Type) Definition() string { return t.definition(true) }

// Hash returns a hash of what travels on the wire: names, types and order, not comments. Two ends are compatible if
// their hashes are equal. It is the same on every machine and in every version of sinew.
func (t *Type) Hash() uint64 {
	sum := sha256.Sum256([]byte(t.Name() + "\n" + t.definition(false)))
	return binary.LittleEndian.Uint64(sum[:8])
}

// contentHash returns a Hash without the type's own name.
func contentHash(t *Type) uint64 {
	sum := sha256.Sum256([]byte(t.definition(false)))
	return binary.LittleEndian.Uint64(sum[:8])
}

func (t *Type) definition(comments bool) string {
	var b strings.Builder
	uses := []*Type{}
	if t.kind == Struct {
		uses = t.writeFields(&b, comments, uses)
	} else {
		var elem *Type
		fmt.Fprintf(&b, "%s data\n", t.reference(&elem))
		if elem.kind == Struct {
			uses = append(uses, elem)
		}
	}
	written := map[string]bool{}
	for len(uses) > 0 {
		u := uses[0]
		uses = uses[1:]
		full := u.pkg + "/" + u.name
		if written[full] {
			continue
		}
		written[full] = true
		fmt.Fprintf(&b, "%s\nMSG: %s\n", separator, full)
		uses = u.writeFields(&b, comments, uses)
	}
	return b.String()
}

// writeFields writes a line for each field and appends the structs it finds to uses.
func (t *Type) writeFields(b *strings.Builder, comments bool, uses []*Type) []*Type {
	for _, f := range t.fields {
		var elem *Type
		fmt.Fprintf(b, "%s %s", f.Type.reference(&elem), f.Name)
		if comments {
			b.WriteString(f.comment())
		}
		b.WriteByte('\n')
		if elem.kind == Struct {
			uses = append(uses, elem)
		}
	}
	return uses
}

// reference returns the notation of a field of type t; elem is set to its element type.
func (t *Type) reference(elem **Type) string {
	suffix := ""
	switch t.kind {
	case Array:
		var n int
		t, n = t.flat()
		suffix = fmt.Sprintf("[%d]", n)
	case Slice:
		most, per := t.most, 0
		t, per = t.elem.flat()
		suffix = "[]"
		if most > 0 {
			suffix = fmt.Sprintf("[<=%d]", most*per)
		}
	}
	*elem = t
	if t.kind == Struct {
		return t.pkg + "/" + t.name + suffix
	}
	return t.kind.String() + suffix
}

// comment returns "  # [unit] doc" or "".
func (f *Field) comment() string {
	words := strings.Join(strings.Fields(f.Doc), " ")
	if f.Unit != "" {
		words = strings.TrimSpace("[" + f.Unit + "] " + words)
	}
	if words == "" {
		return ""
	}
	return "  # " + words
}
