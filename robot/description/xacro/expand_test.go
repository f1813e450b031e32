package xacro

import (
	"strings"
	"testing"
)

func TestExpandFollowsROS(t *testing.T) {
	tests := []struct {
		name, text string
		args       map[string]string
		files      map[string]string
		want       string
	}{
		{"property", `<xacro:property name="r" value="0.5"/><a x="${r*2}" y="r${r}" z="${r}"/>`, nil, nil, "<a x=1.0 y=r0.5 z=0.5></>"},
		{"lazy", `<xacro:property name="a" value="${b+1}"/><xacro:property name="b" value="2"/><a x="${a}"/>`, nil, nil, "<a x=3></>"},
		{"types", `<xacro:property name="i" value="3"/><xacro:property name="q" value="'3'"/><a x="${i+1}" y="${q+'1'}"/>`, nil, nil, "<a x=4 y=31></>"},
		{"escape", `<a x="$${r} $$(x) $ 1"/>`, nil, nil, "<a x=${r} $(x) $ 1></>"},
		{"brackets in strings", `<a x="${'}' + ')'}"/>`, nil, nil, "<a x=})></>"},
		{"text", `<xacro:property name="n" value="4"/><a>n is ${n}</a>`, nil, nil, "<a>n is 4</>"},
		{"if", `<xacro:if value="${1 == 1}"><a/></xacro:if><xacro:if value="false"><b/></xacro:if><xacro:unless value="0"><c/></xacro:unless>`, nil, nil, "<a></><c></>"},
		{"macro", `<xacro:macro name="m" params="x y:=2 z:='a b'"><a x="${x}" y="${y}" z="${z}"/></xacro:macro><xacro:m x="1"/><xacro:m x="3" y="${4}" z="c"/>`, nil, nil,
			"<a x=1 y=2 z=a b></><a x=3 y=4 z=c></>"},
		{"default of an earlier parameter", `<xacro:macro name="m" params="x y:=${x*2}"><a y="${y}"/></xacro:macro><xacro:m x="4"/>`, nil, nil, "<a y=8></>"},
		{"inherited", `<xacro:property name="p" value="7"/><xacro:macro name="m" params="p:=^ q:=^|5 r:=^|${p}"><a p="${p}" q="${q}" r="${r}"/></xacro:macro><xacro:m/>`, nil, nil, "<a p=7 q=5 r=7></>"},
		{"blocks", `<xacro:macro name="m" params="*one **two"><a><xacro:insert_block name="one"/></a><b><xacro:insert_block name="two"/></b></xacro:macro>
			<xacro:m><o x="${1+1}"/><many><p/><q/></many></xacro:m>`, nil, nil, "<a><o x=2></></><b><p></><q></></>"},
		{"property block", `<xacro:property name="b"><o x="${v}"/></xacro:property><xacro:property name="v" value="1"/><xacro:insert_block name="b"/>`, nil, nil, "<o x=1></>"},
		{"block handed on", `<xacro:macro name="in" params="*b"><i><xacro:insert_block name="b"/></i></xacro:macro><xacro:macro name="out" params="*b"><xacro:in><xacro:insert_block name="b"/></xacro:in></xacro:macro><xacro:out><o/></xacro:out>`,
			nil, nil, "<i><o></></>"},
		{"recursion that ends", `<xacro:macro name="m" params="n"><xacro:if value="${n>0}"><a n="${n}"/><xacro:m n="${n-1}"/></xacro:if></xacro:macro><xacro:m n="3"/>`, nil, nil, "<a n=3></><a n=2></><a n=1></>"},
		{"scopes", `<xacro:macro name="m"><xacro:property name="p" value="1" scope="parent"/><xacro:property name="q" value="2"/></xacro:macro><xacro:property name="q" value="0"/><xacro:m/><a p="${p}" q="${q}"/>`,
			nil, nil, "<a p=1 q=0></>"},
		{"global", `<xacro:macro name="n"><xacro:property name="p" value="1" scope="global"/></xacro:macro><xacro:macro name="m"><xacro:n/></xacro:macro><xacro:m/><a p="${p}"/>`, nil, nil, "<a p=1></>"},
		{"property default", `<xacro:property name="p" default="1"/><xacro:property name="p" default="2"/><a p="${p}"/>`, nil, nil, "<a p=1></>"},
		{"argument", `<xacro:arg name="side" default="left"/><xacro:arg name="n" default="2"/><a s="$(arg side)" t="${'$(arg side)'}" e="$(eval arg('n') + 1)" f="$(arg n)_$(arg side)"/>`,
			map[string]string{"side": "right"}, nil, "<a s=right t=right e=3 f=2_right></>"},
		{"include", `<xacro:include filename="sub/part.xacro"/><xacro:part x="1"/>`, nil, map[string]string{
			"dir/sub/part.xacro":  `<robot><xacro:include filename="other.xacro"/><xacro:macro name="part" params="x"><a x="${x}" c="${c}"/></xacro:macro></robot>`,
			"dir/sub/other.xacro": `<robot><xacro:property name="c" value="5"/></robot>`}, "<a x=1 c=5></>"},
		{"namespace", `<xacro:include filename="part.xacro" ns="p"/><xacro:p.part/><a c="${p.c}"/>`, nil, map[string]string{
			"dir/part.xacro": `<robot><xacro:property name="c" value="5"/><xacro:macro name="part"><b c="${c}"/></xacro:macro></robot>`}, "<b c=5></><a c=5></>"},
		{"pattern", `<xacro:include filename="parts/*.xacro"/>`, nil, map[string]string{
			"dir/parts/b.xacro": `<robot><b/></robot>`, "dir/parts/a.xacro": `<robot><a/></robot>`}, "<a></><b></>"},
		{"package", `<xacro:include filename="$(find things)/part.xacro"/><m f="file://$(find things)/m.stl"/>`, nil, map[string]string{
			"things/part.xacro": `<robot><a/></robot>`}, "<a></><m f=file://package://things/m.stl></>"},
		{"optional include", `<xacro:include filename="none.xacro" optional="true"/><a/>`, nil, nil, "<a></>"},
		{"yaml", `<xacro:property name="c" value="${xacro.load_yaml('c.yaml')}"/><a x="${c['arm']['length'] * 2}" y="${c.arm.angle}" z="${c['list'][1]}" n="${len(c)}" b="${'arm' in c}" t="${c.arm.get('none', 'no')}"/>`, nil, map[string]string{
			"dir/c.yaml": "arm: {length: 0.5, angle: !degrees 90 * 2}\nlist: [1, two]\n"}, "<a x=1.0 y=3.141592653589793 z=two n=2 b=True t=no></>"},
		{"split", `<xacro:property name="xyz" value="1 -2 0"/><a x="${xyz.split(' ')[1]}" y="${float('1 2'.split()[0]) + 1}" z="${' A '.strip().lower()}"/>`, nil, nil, "<a x=-2 y=2.0 z=a></>"},
		{"call", `<xacro:macro name="m" params="x"><a x="${x}"/></xacro:macro><xacro:property name="which" value="m"/><xacro:call macro="${which}" x="1"/>`, nil, nil, "<a x=1></>"},
		{"element", `<xacro:element xacro:name="${'a'+'b'}" k="1"><xacro:attribute name="l" value="${1+1}"/></xacro:element>`, nil, nil, "<ab k=1 l=2></>"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := expandText(t, "<robot xmlns:xacro=\"http://ros.org/wiki/xacro\">"+test.text+"</robot>", test.args, test.files)
			if err != nil || got != test.want {
				t.Errorf("got %s (%v), expected %s", got, err, test.want)
			}
		})
	}
}

func TestExpandReportsAllProblems(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string
	}{
		{"all at once", `<robot>
<a x="${1/0}" y="12 ${lenght}"/>
<xacro:property name="length" value="1"/><a x="${lenght}"/>
<xacro:if value="maybe"/><xacro:unless/>
<xacro:arm/><xacro:insert_block name="b"/>
<xacro:include filename="none.xacro"/>
<a x="$(arg a)" y="$(env HOME)" z="$(fnd x)" w="${1"/>
<xacro:property name="1a" value=""/></robot>`, []string{
			`dir/main.xacro:2:10: in ${1/0}: division by zero`,
			`dir/main.xacro:2:23: in ${lenght}: lenght is not defined`,
			`dir/main.xacro:3:50: in ${lenght}: lenght is not defined; did you mean length?`,
			`dir/main.xacro:4:18: value of <xacro:if> is "maybe": it must be true, false or a number`,
			`dir/main.xacro:4:26: <xacro:unless> needs the attribute value`,
			`dir/main.xacro:5:1: <xacro:arm>: there is no macro "arm" here; did you mean "arg"?`,
			`dir/main.xacro:5:13: there is no block "b" here`,
			`dir/main.xacro:6:1: cannot include "none.xacro"`,
			`dir/main.xacro:7:9: argument "a" has no value`,
			`dir/main.xacro:7:22: $(env HOME): a description does not read the environment; use $(arg home)`,
			`dir/main.xacro:7:38: $(fnd x) is no substitution; did you mean "find"?`,
			`dir/main.xacro:7:49: "${1" is never closed`,
			`dir/main.xacro:8:1: "1a" cannot be the name of a property`,
		}},
		{"calls", `<robot><xacro:macro name="m" params="x *b"/>
<xacro:m/>
<xacro:m x="1"/>
<xacro:m x="1" z="2"><o/><p/></xacro:m></robot>`, []string{
			`dir/main.xacro:2:1: macro "m" needs the parameter x`,
			`dir/main.xacro:2:1: macro "m" needs the block b`,
			`dir/main.xacro:3:1: macro "m" needs the block b`,
			`dir/main.xacro:4:19: macro "m" has no parameter z`,
			`dir/main.xacro:4:26: macro "m" has no block for <p>`,
		}},
		{"inside a macro", `<robot><xacro:macro name="m" params="x">
<a x="${x+y}"/></xacro:macro><xacro:macro name="n">
  <xacro:m x="1"/></xacro:macro>
<xacro:n/></robot>`, []string{
			`dir/main.xacro:2:11: in ${x+y}: y is not defined (in macro m, called at dir/main.xacro:3:3) (in macro n, called at dir/main.xacro:4:1)`}},
		{"yaml", `<robot><xacro:property name="c" value="${load_yaml('none.yaml')}"/><a x="${c}" y="${[1].x}" z="${'a'.b()}"/></robot>`, []string{
			`dir/main.xacro:1:42: in ${load_yaml('none.yaml')}: cannot load "none.yaml"`,
			`dir/main.xacro:1:89: in ${[1].x}: a list has no member x`,
			`dir/main.xacro:1:102: in ${'a'.b()}: a text has no method b`}},
		{"yaml with a tab and an open brace", `<robot><a x="${load_yaml('tab.yaml')}" y="${load_yaml('brace.yaml')}"/></robot>`, []string{
			`dir/main.xacro:1:16: in ${load_yaml('tab.yaml')}: dir/tab.yaml:2:1: not YAML: a tab indents this line`,
			`dir/main.xacro:1:45: in ${load_yaml('brace.yaml')}: dir/brace.yaml:1:6: not YAML: the { that opens here is not closed`}},
		{"circle of properties", `<robot><xacro:property name="a" value="${b}"/><xacro:property name="b" value="${a}"/><x y="${a}"/></robot>`, []string{
			`dir/main.xacro:1:81: in ${a}: property a refers to itself`}},
		{"recursion without end", `<robot><xacro:macro name="m">
<xacro:m/></xacro:macro>
<xacro:m/></robot>`, []string{`dir/main.xacro:1:30: macros, includes and elements are nested more than 400 deep`}},
		{"doubling without end", `<robot><xacro:macro name="m" params="n"><xacro:if value="${n>0}"><xacro:m n="${n-1}"/><xacro:m n="${n-1}"/></xacro:if></xacro:macro>
<xacro:m n="60"/></robot>`, []string{`dir/main.xacro:1:`}},
		{"texts that double", `<robot><xacro:property name="a0" value="aaaaaaaaaaaaaaaa"/>` + doublings(40) + `<x y="${a40}"/></robot>`, []string{`dir/main.xacro:1:`}},
		{"including itself twice", `<robot><xacro:include filename="main.xacro"/><xacro:include filename="main.xacro"/></robot>`, []string{`dir/main.xacro:1:8: macros, includes`}},
		{"including itself twice, shallow", `<robot><xacro:property name="n" default="0"/><xacro:property name="n" value="${n + 1}" lazy_eval="false"/><xacro:if value="${n &lt; 10**6}"><xacro:include filename="main.xacro"/><xacro:include filename="main.xacro"/></xacro:if></robot>`, []string{`dir/main.xacro:1:`}},
		{"including itself", `<robot><xacro:include filename="main.xacro"/></robot>`, []string{`dir/main.xacro:1:8: macros, includes and elements are nested more than 400 deep`}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := expandText(t, test.text, nil, map[string]string{"dir/tab.yaml": "arm:\n\tlength: 1\n", "dir/brace.yaml": "arm: {length: 1\n"})
			wantProblems(t, err, test.want...)
		})
	}
}

// doublings defines a1 as a0 twice, a2 as a1 twice, and so on.
func doublings(n int) string {
	var b strings.Builder
	for i := range n {
		was, is := format(int64(i)), format(int64(i+1))
		b.WriteString(`<xacro:property name="a` + is + `" value="${a` + was + `}${a` + was + `}"/>`)
	}
	return b.String()
}
