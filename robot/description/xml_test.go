package description

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
)

func TestXMLProblems(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"empty", ``, `f:1:1: no XML element in the file`},
		{"mismatch", "<a>\n <b></a>", `f:2:5: </a> closes <b> of line 2`},
		{"open", "<a>\n <b>", `f:2:2: <b> is never closed`},
		{"two roots", "<a/>\n<b/>", `f:2:1: <b> stands after the end of <a>`},
		{"text", "<a/>\nb", `f:1:5: text outside the root element`},
		{"twice", `<a x="1" x="2"/>`, `f:1:13: attribute x is given twice in <a>`},
		{"latin 1", "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<a x=\"\xe9\"/>", `f:2:`},
		{"broken", "<a>\n<b x=1/></a>", `f:2:7: not well-formed XML`},
		{"unknown entity", "<a>&b;</a>", `f:1:7: not well-formed XML: invalid character entity &b;`},
		{"external entity", "<!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><a>&x;</a>", `f:1:1: the document type declares entities, which are not expanded`},
		{"billion laughs", "<!DOCTYPE a [<!ENTITY l \"lol\"><!ENTITY m \"&l;&l;&l;\">]><a>&m;</a>", `f:1:1: the document type declares entities`},
		{"deep", strings.Repeat("<a>", 300), `f:1:769: elements are nested more than 256 deep`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var r report
			parseXML([]byte(test.text), "f", &r)
			wantProblems(t, r.err(), test.want)
		})
	}
}

func TestXMLPositions(t *testing.T) {
	var r report
	root := parseXML([]byte("\xef\xbb\xbf<?xml version='1.0'?>\r\n<a  é = 'x>y'\n\tb=\"&lt;\"><!-- c --> t <c/>u</a>"), "f", &r)
	if err := r.err(); err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(root.pos, root.attrs[0].pos, root.attrs[1].pos, root.child("c").pos), "f:2:1 f:2:10 f:3:5 f:3:24"; got != want {
		t.Errorf("positions %s, expected %s", got, want)
	}
	if root.text() != "t u" || root.attrs[1].value != "<" {
		t.Errorf("text %q, attribute %q", root.text(), root.attrs[1].value)
	}
}

func TestFileTooLarge(t *testing.T) {
	fsys := fstest.MapFS{"big.urdf": {Data: make([]byte, MaxFileSize+1)}}
	_, err := ReadURDF(fsys, "big.urdf", Options{})
	wantProblems(t, err, "big.urdf: the file is larger than 64 MiB")
	_, err = ReadURDF(fsys, "none.urdf", Options{})
	wantProblems(t, err, "none.urdf: cannot open the file: open none.urdf: file does not exist")
}

// TestLargeWrongFile reads 10 MB in which every line is wrong: it must be refused, shortly and soon.
func TestLargeWrongFile(t *testing.T) {
	var b strings.Builder
	b.WriteString(`<robot name="r"><link name="root"/>`)
	for i := 0; b.Len() < 10<<20; i++ {
		fmt.Fprintf(&b, "<link name=\"link_%d\"/><joint name=\"j%d\" type=\"revolut\"><parent link=\"link%d\"/><child link=\"link_%d\"/></joint>", i, i, i+1, i)
	}
	b.WriteString(`</robot>`)
	_, err := readURDFText(b.String())
	if lines := strings.Count(err.Error(), "\n") + 1; lines != maxProblems+1 {
		t.Errorf("%d lines of problems, expected %d and a last one that counts the others", lines, maxProblems)
	}
}
