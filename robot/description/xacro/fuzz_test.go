package xacro

import (
	"testing"
	"testing/fstest"

	"github.com/sinew-robotics/sinew/robot/description/document"
)

// FuzzXacro checks that no document upsets the expander or keeps it busy, and no YAML file that it loads.
func FuzzXacro(f *testing.F) {
	f.Add(`<robot name="r"><xacro:macro name="m" params="x y:=${x} *b **c d:=^|1"><xacro:insert_block name="b"/></xacro:macro><xacro:m x="1"><o/><p/></xacro:m></robot>`, "")
	f.Add(`<robot name="r"><xacro:property name="p" value="${q}"/><xacro:property name="q" value="$(arg a)"/><xacro:if value="${p}"><link name="${p}"/></xacro:if></robot>`, "")
	f.Add(`<robot name="r"><xacro:include filename="robot.xacro" ns="n"/><xacro:n.m/></robot>`, "")
	f.Add(`<robot name="r"><xacro:property name="c" value="${load_yaml('c.yaml')}"/><link name="${c.a[0]}"/></robot>`, "a: &a [1, !degrees 2*3, x]\nb: *a\n")
	f.Fuzz(func(t *testing.T, text, config string) {
		fsys := fstest.MapFS{"robot.xacro": {Data: []byte(text)}, "c.yaml": {Data: []byte(config)}}
		var r document.Report
		root := document.Read(fsys, "robot.xacro", "robot.xacro", &r)
		if root != nil {
			Expand(root, document.Resources{FS: fsys, Path: "robot.xacro"}, map[string]string{"a": "1"}, &r)
		}
		if err := r.Err(); err != nil {
			_ = err.Error()
		}
	})
}

// FuzzExpression checks that no expression upsets the parser or the evaluation.
func FuzzExpression(f *testing.F) {
	for _, s := range []string{"1+2*3", "'a' if x else [1,2][-1]", "not 1 < 2 in (3,) or sin(pi)**-2", "range(3)[1]//0", "x.y('}')", "d.k + d['k'] * s.split()[0].a"} {
		f.Add(s)
	}
	env := testNames{"x": 1.5, "s": "abc", "l": []value{int64(1), "b"}, "d": dict{"k": int64(1)}}
	f.Fuzz(func(t *testing.T, text string) {
		if v, err := evaluate(text, env); err == nil {
			_ = format(v)
		} else if e, ok := err.(*exprError); ok && (e.offset < 0 || e.offset > len(text)) {
			t.Fatalf("%q: the problem %q is at %d, outside the text", text, e.message, e.offset)
		}
	})
}
