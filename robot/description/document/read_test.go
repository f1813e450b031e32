package document

import (
	"fmt"
	"strings"
	"testing"
)

func TestParseReportsProblemsOfXML(t *testing.T) {
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
			var r Report
			Parse([]byte(test.text), "f", &r)
			wantProblems(t, r.Err(), test.want)
		})
	}
}

func TestParseReturnsPositionsOfElementsAndAttributes(t *testing.T) {
	var r Report
	root := Parse([]byte("\xef\xbb\xbf<?xml version='1.0'?>\r\n<a  é = 'x>y'\n\tb=\"&lt;\"><!-- c --> t <c/>u</a>"), "f", &r)
	if err := r.Err(); err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(root.Pos, root.Attrs[0].Pos, root.Attrs[1].Pos, root.Child("c").Pos), "f:2:1 f:2:10 f:3:5 f:3:24"; got != want {
		t.Errorf("positions %s, expected %s", got, want)
	}
	if root.Text() != "t u" || root.Attrs[1].Value != "<" {
		t.Errorf("text %q, attribute %q", root.Text(), root.Attrs[1].Value)
	}
}
