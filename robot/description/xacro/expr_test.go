package xacro

import (
	"errors"
	"maps"
	"math"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sinew-robotics/sinew/robot/description/document"
)

// testNames is an environment of a few variables.
type testNames map[string]value

func (n testNames) variable(name string) (value, bool, error) {
	v, ok := n[name]
	return v, ok, nil
}
func (n testNames) call(string, []value) (value, bool, error) { return nil, false, nil }
func (n testNames) nearest(name string) string                { return document.Similar(name, maps.Keys(n)) }

func evaluate(text string, env environment) (value, error) {
	e, err := compileExpr(text)
	if err != nil {
		return nil, err
	}
	return e(env)
}

// TestExpressionsMatchPython compares with the output of CPython 3.11 for the same expression.
func TestExpressionsMatchPython(t *testing.T) {
	env := testNames{"side": "left", "n": int64(3), "x": 0.25, "on": true, "l": []value{int64(1), 2.5, "c"}, "ns.y": int64(9)}
	for text, want := range map[string]string{
		"1+1": "2", "1/2": "0.5", "4/2": "2.0", "7//2": "3", "-7//2": "-4", "-7%3": "2", "7.5//2": "3.0", "-7.5%2": "0.5",
		"2**10": "1024", "2**-1": "0.5", "-2**2": "-4", "2**3**2": "512", "0.1+0.2": "0.30000000000000004",
		"1e-5": "1e-05", "1e16": "1e+16", "123456789012345680.0": "1.2345678901234568e+17", "0.0001": "0.0001", "100.0": "100.0",
		"9223372036854775807+1": "9.223372036854776e+18", "0x1f": "31", "-0.0": "-0.0", "1.5e3": "1500.0",
		"pi": "3.141592653589793", "radians(180)": "3.141592653589793", "degrees(pi/2)": "90.0", "sin(0)": "0.0", "math.cos(0)": "1.0",
		"atan2(1,1)": "0.7853981633974483", "sqrt(2)": "1.4142135623730951", "hypot(3,4)": "5.0", "pow(2,3)": "8.0",
		"abs(-3)": "3", "min(3,1,2)": "1", "max(1,2.5)": "2.5", "max([1,5,3])": "5", "round(2.5)": "2", "round(2.345,2)": "2.35",
		"floor(-1.5)": "-2", "ceil(1.2)": "2", "int(3.9)": "3", "int('12')": "12", "float('1.5')": "1.5", "str(3)+'a'": "3a",
		"len('abc')": "3", "len([1,2])": "2", "sum([1,2,3.5])": "6.5", "list(range(1,7,2))": "[1, 3, 5]",
		"'a' 'b'": "!", "'ab'*2": "abab", "'it''s'": "!", `"it's"`: "it's", `'\''`: "'",
		"1<2<3": "True", "1<2>3": "False", "1==1.0": "True", "'a'<'b'": "True", "'e' in side": "True", "4 not in l": "True", "2.5 in l": "True",
		"not 0": "True", "not not 1": "True", "1 and 0 or 5": "5", "0 or ''": "", "on and n>2": "True", "n != 3": "False", "None is None": "True", "n is not None": "True",
		"'y' if x>1 else 'n'": "n", "1 if 0 else 2 if 0 else 3": "3", "side == 'left' and -1 or 1": "-1",
		"l[0]": "1", "l[-1]": "c", "side[1]": "e", "ns.y": "9", "(1,2)": "[1, 2]", "(1)": "1", "[]": "[]", "True": "True", "x": "0.25",
		"n+x*2-1": "2.5", " ( 1 + 2 ) * 3 ": "9", "+5": "5", "--5": "5", "True+1": "2",
	} {
		v, err := evaluate(text, env)
		if got := format(v); err != nil && want != "!" || err == nil && got != want {
			t.Errorf("%s gave %s (%v), expected %s", text, got, err, want)
		}
	}
}

func TestExpressionErrorsNameTheirPlace(t *testing.T) {
	env := testNames{"length": 1.0, "s": "text"}
	for _, test := range []struct {
		text    string
		offset  int
		message string
	}{
		{"1 +", 3, "the expression ends too early"},
		{"(1", 2, `")" or a comma is expected`},
		{"1 2", 2, `"2" is not expected here`},
		{"lenght*2", 0, "lenght is not defined; did you mean length?"},
		{"2*foo(1)", 2, "there is no function foo"},
		{"1/0", 1, "division by zero"},
		{"1%0", 1, "division by zero"},
		{"0**-1", 1, "division by zero"},
		{"(-8)**0.5", 4, "a negative number has no real power"},
		{"sqrt(-1)", 0, "sqrt has no value at -1"},
		{"s+1", 1, "+ does not go with a text and a number"},
		{"s<1", 1, "< does not go with a text and a number"},
		{"a && b", 2, `"&&" is no operator here; did you mean "and"?`},
		{"'open", 0, "the string 'open has no closing '"},
		{"[1][1]", 3, "index 1 is outside the 1 elements"},
		{"sin(1,2)", 0, "sin needs one argument, not 2"},
		{"1 if 2", 6, `"else" is missing at the end`},
		{"1.2.3", 0, `"1.2.3" is no number`},
		{"2 $ 3", 2, `'$' has no meaning`},
		{"[[1]]", 0, "lists do not hold lists here"},
		{"'a'*99999999", 3, "the text grows beyond 16 KiB"},
		{"range(10**9)", 0, "range is too long"},
		{strings.Repeat("(", 200), 50, "nested more than 100 deep"},
		{strings.Repeat("-", 200) + "1", 99, "nested more than 100 deep"},
		{strings.Repeat("1+", maxExprLength) + "1", 0, "longer than 64 KiB"},
	} {
		_, err := evaluate(test.text, env)
		var e *exprError
		if !errors.As(err, &e) || !strings.Contains(e.message, test.message) || e.offset != test.offset {
			t.Errorf("%.40s: got %+v, expected %q at %d", test.text, err, test.message, test.offset)
		}
	}
}

func TestFormatFloatReadsBack(t *testing.T) {
	for _, x := range []float64{0, 1, -1, 0.1, 1e-5, 123456.789, 1e300, math.Pi, math.SmallestNonzeroFloat64} {
		if v := literal(formatFloat(x)); v != value(x) {
			t.Errorf("%v became %v", x, v)
		}
	}
}

// expandText expands a xacro document with some files beside it, and returns its elements on one line.
func expandText(t *testing.T, text string, args map[string]string, files map[string]string) (string, error) {
	t.Helper()
	fsys := fstest.MapFS{"dir/main.xacro": {Data: []byte(text)}}
	for name, content := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(content)}
	}
	var r document.Report
	root := document.Read(fsys, "dir/main.xacro", "dir/main.xacro", &r)
	if root != nil {
		root = Expand(root, document.Resources{FS: fsys, Path: "dir/main.xacro"}, args, &r)
	}
	if r.Err() != nil {
		return "", r.Err()
	}
	var b strings.Builder
	for _, e := range root.Children("") {
		printXML(&b, e)
	}
	return b.String(), nil
}

func printXML(b *strings.Builder, e *document.Element) {
	b.WriteString("<" + e.Name)
	for _, a := range e.Attrs {
		b.WriteString(" " + a.Name + "=" + a.Value)
	}
	b.WriteString(">")
	if text := e.Text(); text != "" {
		b.WriteString(text)
	}
	for _, c := range e.Children("") {
		printXML(b, c)
	}
	b.WriteString("</>")
}
