package model

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sinew-robotics/sinew/robot/description"
)

// pendulum is the double pendulum of figure 5 of Rickert and Gaschler, Robotics Library, 2017, with names that a graph must quote, and a joint that
// follows another.
const pendulum = `<robot name="double &quot;pendulum&quot;">
<link name="world"/>
<link name="upper \n &amp;amp; first"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
<link name="lower"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
<link name="tip"/>
<joint name="shoulder" type="continuous"><parent link="world"/><child link="upper \n &amp;amp; first"/></joint>
<joint name="elbow" type="continuous"><parent link="upper \n &amp;amp; first"/><child link="lower"/><mimic joint="shoulder"/></joint>
<joint name="flange" type="fixed"><parent link="lower"/><child link="tip"/></joint>
</robot>`

// vertices and edges of the pendulum, as a reader of either picture sees them.
var pendulumTexts = []string{
	"world", `upper \n &amp; first`, "lower", "tip", "shoulder (continuous)", "elbow (continuous, follows shoulder)", "flange",
}

func readPendulum(t *testing.T) *description.Robot {
	t.Helper()
	robot, err := description.Read(fstest.MapFS{"p.urdf": {Data: []byte(pendulum)}}, "p.urdf", description.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return robot
}

// texts returns the texts of an SVG.
func texts(t *testing.T, svg []byte) (list []string) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(svg))
	d.Strict = false
	inside := false
	for {
		switch token, err := d.Token(); x := token.(type) {
		case xml.StartElement:
			inside = x.Name.Local == "text"
		case xml.EndElement:
			inside = false
		case xml.CharData:
			if inside {
				list = append(list, strings.ReplaceAll(string(x), "\u00a0", " "))
			}
		case nil:
			if !errors.Is(err, io.EOF) {
				t.Fatal(err)
			}
			return list
		}
	}
}

func TestGraphAsSVGShowsLinksAndJoints(t *testing.T) {
	var b bytes.Buffer
	if err := newGraph(readPendulum(t), false).writeSVG(&b); err != nil {
		t.Fatal(err)
	}
	want := append([]string{`double "pendulum"`, "world", "body", "frame", "fixed", "moving"}, pendulumTexts...)
	got := texts(t, b.Bytes())
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("the SVG shows\n%q, expected\n%q", got, want)
	}
	for pattern, n := range map[string]int{ // of the key and of the graph
		`<circle [^>]*fill="#1f6fd0"`: 1 + 1, `<circle [^>]*fill="#9aa0a6"`: 1 + 2, `<circle [^>]*fill="#222529"`: 1 + 1,
		`<polyline [^>]*stroke="#c82d1f"`: 1 + 2, `<polyline [^>]*stroke="#222529"`: 1 + 1, `stroke-dasharray`: 1,
	} {
		if got := len(regexp.MustCompile(pattern).FindAll(b.Bytes(), -1)); got != n {
			t.Errorf("%s: %d times, expected %d", pattern, got, n)
		}
	}
}

// Graphviz of Debian reads the graph and draws the same vertices and edges.
func TestGraphvizReadsTheGraph(t *testing.T) {
	dot, err := exec.LookPath("dot")
	if err != nil {
		t.Skip("SKIPPED: dot is absent; apt-get install graphviz")
	}
	for floating, want := range map[bool][]string{
		false: pendulumTexts,
		true:  append([]string{"world", "root_joint (floating)"}, pendulumTexts...),
	} {
		var in, out, failure bytes.Buffer
		if err := newGraph(readPendulum(t), floating).writeDot(&in); err != nil {
			t.Fatal(err)
		}
		run := exec.Command(dot, "-Tsvg")
		run.Stdin, run.Stdout, run.Stderr = &in, &out, &failure
		if err := run.Run(); err != nil || strings.Contains(failure.String(), "rror") {
			t.Fatalf("dot: %v\n%s", err, failure.String())
		}
		got, want := texts(t, out.Bytes()), slices.Clone(want)
		slices.Sort(got)
		slices.Sort(want)
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("floating %v: Graphviz shows\n%q, expected\n%q", floating, got, want)
		}
		if got, want := strings.Count(out.String(), `class="edge"`), len(want)/2; got != want {
			t.Errorf("floating %v: Graphviz shows %d edges, expected %d", floating, got, want)
		}
	}
}
