package yamlfault

import "testing"

func TestReadReportsMistakesInPlainWordsWithTheirPlaces(t *testing.T) {
	type target struct {
		Number float64
		Flag   bool
		Text   string
		List   []int
		Map    map[string]float64
	}
	for _, c := range []struct{ file, text, want string }{
		{"a.yaml", "number: 1\n\ttext: x\n", "a.yaml:2:1: not YAML: a tab indents this line: YAML is indented with spaces"},
		{"", "map: {a: 1\n", "line 1, column 6: not YAML: the { that opens here is not closed"},
		{"a.yaml", "number: x\nlist: {}\nmap: {d: [1]}\nflag: 3\ntext: [a]\n",
			"a.yaml:1:9: wants a number, got \"x\"\na.yaml:2:7: wants a list, got a mapping\na.yaml:3:10: wants a number, got a list\n" +
				"a.yaml:4:7: wants true or false, got \"3\"\na.yaml:5:7: wants a text, got a list"},
		{"a.yaml", "- 1\n", "a.yaml:1:1: wants a mapping, as key: value, got a list"},
		{"a.yaml", "number: 1\nnumber: 2\n", `a.yaml:2:1: mapping key "number" already defined at line 1`},
	} {
		err := Read(c.file, []byte(c.text), new(target))
		if err == nil || err.Error() != c.want {
			t.Errorf("%q: got\n%v\nwant\n%s", c.text, err, c.want)
		}
	}
	var right target
	if err := Read("a.yaml", []byte("number: 2\nlist: [1, 2]\n"), &right); err != nil || right.Number != 2 || len(right.List) != 2 {
		t.Errorf("a text in order gives %+v and the error %v", right, err)
	}
}
