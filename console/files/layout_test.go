package files

import (
	"maps"
	"strings"
	"testing"
)

func TestLayoutIsWrittenForPeople(t *testing.T) {
	text, err := writeLayout(map[string]Place{"pid2": {0.5, -40}, "arm.wrist": {1234567e-1, 0}, "true": {1, 2}}, "janus.yaml")
	if err != nil {
		t.Fatal(err)
	}
	const want = `boxes:
  arm.wrist: [123456.7, 0]
  pid2: [0.5, -40]
  "true": [1, 2]
`
	if head, body, _ := strings.Cut(string(text), "\nboxes"); "boxes"+body != want || !strings.HasPrefix(head, "# Boxes of ../janus.yaml") {
		t.Errorf("%s", text)
	}
}

func TestLayoutReportsWhatIsMisspelt(t *testing.T) {
	for text, want := range map[string]string{
		"boxs: {a: [1, 2]}":              `line 1: unknown key "boxs"`,
		"boxes: {}\nboxes: {}":           "duplicate key boxes",
		"[a]":                            "line 1: expected the key boxes",
		"boxes: [a]":                     "line 1: boxes: expected NAME: [x, y]",
		"boxes:\n  a: [1, 2]\n  b: 3":    `line 3: box "b": expected [x, y]`,
		"boxes:\n  a: [1]":               `line 2: box "a": expected [x, y]`,
		"boxes:\n  a: [1, 2, 3]":         "expected [x, y]",
		"boxes:\n  a: [1, two]":          `expected a number, got "two"`,
		"boxes:\n  a: [1, .nan]":         "limit",
		"boxes:\n  a: [1, -.inf]":        "limit",
		"boxes:\n  a: [1, 2000000]":      "limit: 1000000 px",
		"boxes:\n  a: [1, 2]\n  a: [1,]": "a",
		"boxes:\n  '': [1, 2]":           "name of a block",
		"boxes:\n  [a]: [1, 2]":          "name of a block",
		"boxes: {":                       "line 1, column 8: not YAML: the { that opens here is not closed",
		"boxes:\n\ta: [1, 2]":            "line 2, column 1: not YAML: a tab indents this line",
	} {
		if boxes, err := readLayout([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, %v; wants %s", text, boxes, err, want)
		}
	}
	for _, text := range []string{"", "# none\n", "boxes:\n", "boxes: {}"} {
		if boxes, err := readLayout([]byte(text)); err != nil || len(boxes) != 0 {
			t.Errorf("%q: %v, %v", text, boxes, err)
		}
	}
}

// FuzzReadLayout reads any text: it is rejected, or what is written of it is the same layout.
func FuzzReadLayout(f *testing.F) {
	f.Add([]byte("boxes:\n  pid1: [1, 2.5]\n  'a b': [-1e3, 0x10]\n"))
	f.Add([]byte("boxes: {a: &p [1, 2], b: *p}"))
	f.Add([]byte("boxes: {null: [1, 2], ~: [0, 0], 3: [.inf, 1]}"))
	f.Add([]byte("%YAML 1.1\n---\nboxes: !!map {? a : [01, 1_0]}\n--- 2"))
	f.Fuzz(func(t *testing.T, text []byte) {
		boxes, err := readLayout(text)
		if err != nil {
			return
		}
		written, err := writeLayout(boxes, "x.yaml")
		if err != nil {
			t.Fatal(err)
		}
		if again, err := readLayout(written); err != nil || !maps.Equal(again, boxes) {
			t.Fatalf("%q: %v, then %v, %v:\n%s", text, boxes, again, err, written)
		}
	})
}
