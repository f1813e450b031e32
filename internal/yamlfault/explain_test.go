package yamlfault

import (
	"fmt"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
)

// whole is a text in order; each case replaces a part of it.
const whole = `system: demo
threads:
  main: {period: 10ms}
blocks:
  wave:
    type: flow.Wave
    thread: main
    params:
      amplitude: 2
links: []
`

func TestExplainNamesThePlaceAndTheReason(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"    type", "\ttype", "6:1: a tab indents this line: YAML is indented with spaces"},
		{"    thread", "    \tthread", "7:5: a tab indents this line"},
		{"      amplitude", "\t\tamplitude", "9:1: a tab indents"},
		{"system", "\tsystem", "1:1: a tab indents"},
		{"    thread", "   thread", "7:4: this line is indented by 3 spaces, but its neighbors by 2 (line 5) or 4 (line 6)"},
		{"    thread", "     thread", "7:6: this line is indented deeper than line 6, which has a value already"},
		{"    params", "      params", "8:7: this line is indented deeper than line 7, which has a value already"},
		{"blocks:", " blocks:", "4:2: this line is indented by 1 space, but its neighbors by 0 (line 2) or 2 (line 3)"},
		{"10ms}", "10ms", "3:9: the { that opens here is not closed"},
		{"links: []", "links: [a.b -> c.d", "10:8: the [ that opens here is not closed"},
		{"links: []", "links: [a.b -> c.d,\n  c.d -> e.f\nrecord: {file: x.mcap}", "10:8: the [ that opens here is not closed"},
		{"links: []", "record: {file: x, ports: [a.b}", "10:30: this } closes the [ of line 10, column 26: wants ]"},
		{"10ms}", "10ms}}", "3:23: this } closes nothing: there is one too many"},
		{"10ms}", "10ms]", "3:22: this ] closes the { of line 3, column 9: wants }"},
		{":\n      amplitude: 2", ": {amplitude: 2", "8:13: the { that opens here is not closed"},
		{"demo", `"demo`, `1:9: the text that begins here with " has no closing "`},
		{"demo", "'demo", "1:9: the text that begins here with ' has no closing '"},
		{"  main", "  \"main", `3:3: the text that begins here with " has no closing "`},
		{"[]", "[\"a.b -> c.d]", `10:9: the text that begins here with " has no closing "`},
		{"type: flow", "type flow", `6:5: this line has no colon: wants "key: value", as "type: …"`},
		{"type: flow.Wave", "type:flow.Wave", `6:10: a space is missing after the colon: write "type: flow.Wave"`},
		{"params:", "params", `8:5: this line has no colon: wants "key: value", as "params: …"`},
		{"flow.Wave", "flow: Wave", "6:15: a second colon in one line"},
		{"[]", "\n- a.b -> c.d\n-c.d -> e.f", `12:2: a space is missing after the dash of a list: write "- c.d -> e.f"`},
		{"[]", "\n  - a.b -> c.d\n - c.d -> e.f", "12:2: this line is indented by 1 space"},
		{"[]", "\n  - a.b -> c.d\n  x: 3", "12:3: a key stands here among the items of the list of line 11"},
		{"[]", "\n  x: 3\n  - a.b -> c.d", "12:3: a list begins here among the keys of line 11"},
		{"flow.Wave", "@flow", `6:11: a text cannot begin with @: put it in quotes, as "@flow"`},
		{"flow.Wave", "`flow`", "6:11: a text cannot begin with `"},
		{"flow.Wave", "%flow", "6:11: a text cannot begin with %"},
		{"flow.Wave", "*flow # all", `6:11: a text cannot begin with *: put it in quotes, as "*flow"`},
		{"[]", "\nrecord: {ports: [*.out]}", `11:18: a text cannot begin with *: put it in quotes, as "*.out"`},
		{"[]", "\nrecord:\n  ports:\n    - *.out", `13:7: a text cannot begin with *: put it in quotes, as "*.out"`},
		{"10ms}", "10ms priority: 3}", "3:23: a comma is missing before this key"},
		{"10ms}", "10ms\n    priority: 3}", "4:5: a comma is missing before this key"},
		{"10ms}", "10ms,\n    priority: 3\n    cpu: 1\n    }", "5:5: a comma is missing before this key"},
		{"10ms}", "'10ms'\n    priority: 3}", "4:5: a comma is missing before this"},
		{"  main: {period: 10ms}", "  {main: {period: 10ms}\n  other: {period: 1ms}}", "4:3: a comma is missing before this"},
		{"[]", "[\"a.b -> c.d\"\n  \"c.d -> e.f\"]", "11:3: a comma is missing before this"},
		{"[]", "[{link: a.b -> c.d} {link: c.d -> e.f}]", "10:28: a comma is missing before this"},
		{"[]", "[a.b[0] -> c.d]", `10:16: in a list in brackets a text with brackets stands in quotes, as "wave.out[0] -> gain.in"`},
		{"[]", "[a.b -> c.d,\n  , c.d -> e.f]", "11:3: nothing stands before this comma"},
		{"10ms}", "10ms,, priority: 3}", "3:23: nothing stands before this comma"},
		{"flow.Wave", "fl\x07ow", "6:13: the control character U+0007 is not allowed"},
		{"flow.Wave", "fl\xffow", "6:13: the byte 0xff is not UTF-8 text"},
		{"flow.Wave", `"flow" Wave`, "6:18: the value ends before this"},
		{"system", "größe: \"ü\" x\nsystem", "1:12: the value ends before this"},
	} {
		text := []byte(strings.Replace(whole, c.old, c.new, 1))
		err := yaml.Unmarshal(text, new(yaml.Node))
		if err == nil {
			t.Errorf("%q for %q is YAML", c.new, c.old)
			continue
		}
		f := Explain(text, err)
		if got := fmt.Sprintf("%d:%d: %s", f.Line, f.Column, f.Message); !strings.HasPrefix(got, c.want) {
			t.Errorf("%q for %q: got\n%s, want\n%s\n(the parser: %v)", c.new, c.old, got, c.want, err)
		}
	}
}

// A mistake that is not recognized is reported in the parser's words and at its place.
func TestExplainKeepsTheParsersWordsForTheRest(t *testing.T) {
	text := []byte("a: !<tag x\n")
	err := yaml.Unmarshal(text, new(yaml.Node))
	if f := Explain(text, err); err == nil || f.Line != 1 || f.Message == "" {
		t.Errorf("got %+v for %v", f, err)
	}
}

// The texts are YAML, so nothing may be found before the mistake in their last line.
func TestExplainFindsNoMistakeInWhatIsRight(t *testing.T) {
	for _, text := range []string{
		whole,
		"description: |\n  a: b: c\n   - x\n  \tand tabs {\nsystem: x\n",
		"description: one\n  two three\n  four\nsystem: x\n",
		"description: \"one\n  two\n  three\"\nsystem: x\n",
		"links:\n- a.b -> c.d\n- {link: a.b -> c.d, every: 2}\n- link: a.b -> c.d\n  every: 2\nx: 1\n",
		"links:\n  - a.b -> c.d # text: [\n  # {\n  - c.d[0:3] -> e.f\n\nx: {a: [1, 2,\n    3], b: {c: 'it''s', d: \"\\\"\"},\n  }\n",
		"a:\n  {b: 1,\n  c: 2}\nd:\n    [x,\n    y]\n",
		"blocks: {\n  a: {type: x},\n  b: {type: y}\n}\n",
		"a:\n  \"b c\": 1\n  'd': [x, y]\n  e: http://host:80/x\n  f: -1\n",
		"---\na: 1\n",
		"a: {\"b\":1, \"c\": {d:\n    2}, e: [x\n  y, z: 1], f:\n    'g'\n  }\n",
		"a: {b: \"x}\", c: 'y]'}\nd:\n\n    e: 1\n    f:\n        - 1\n        -\n          g: 1\n    h: 2\n",
		"a: [\"x\", \"y\"]\nb: {\"c\": 1, d: {}}\n",
	} {
		broken := []byte(text + "zz: [\n")
		err := yaml.Unmarshal(broken, new(yaml.Node))
		f := Explain(broken, err)
		if last := strings.Count(text, "\n") + 1; f.Line != last {
			t.Errorf("%q: reports line %d: %s; the mistake is in line %d (the parser: %v)", text, f.Line, f.Message, last, err)
		}
	}
}

func TestSecondFindsAnotherDocument(t *testing.T) {
	if f := Second([]byte("# x\n---\na: 1\n--- # two\nb: 2\n")); f == nil || f.Line != 4 {
		t.Errorf("got %+v, want line 4", f)
	}
	if f := Second([]byte("---\na: x---\n# ---\n")); f != nil {
		t.Errorf("got %+v for one document", f)
	}
}

func FuzzExplain(f *testing.F) {
	f.Add(whole)
	f.Add("a: {\"b\n- c: [}]'")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 3000 {
			return
		}
		Second([]byte(text))
		if err := yaml.Unmarshal([]byte(text), new(yaml.Node)); err != nil {
			if fault := Explain([]byte(text), err); fault.Line < 1 || fault.Column < 1 || fault.Message == "" {
				t.Errorf("%q: %+v", text, fault)
			}
		}
	})
}
