package system_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/system"
)

// Whatever a file holds, loading returns a system, or errors with their places; and the file is among the sources.
func FuzzLoad(f *testing.F) {
	seeds, _ := filepath.Glob("testdata/bad/*.yaml")
	for _, path := range append(seeds, "testdata/crane.yaml", "testdata/arm/arm.yaml") {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte(base))
	f.Add([]byte(tuned))
	f.Add([]byte(inRanges))
	f.Add([]byte(sameArms["inline"][1]))
	f.Add([]byte("system: x\nlinks: [\"a.b[0,0:9223372036854775807] -> c.d\"]\n"))
	f.Add([]byte("? {a: b}\n: system\n? [1]\n: 2\n"))
	for _, links := range []string{"a -> b -> c{1-2}", "a.{x,y} -> {b,c}.{x,y}", "{a,{b,c}.x -> }{", "a{1-3}.{x,} -> ${i,j}", "g -> g", " -> {a,b[1,2]}"} {
		f.Add([]byte(strings.Replace(listed, "links:", "links:\n  - \""+links+"\"", 1)))
	}
	types := registry()
	f.Fuzz(func(t *testing.T, text []byte) {
		text = bytes.ReplaceAll(text, []byte("/"), []byte("_")) // no paths that lead out of the test's folder
		path := filepath.Join(write(t, "fuzz.yaml", string(text)), "fuzz.yaml")
		s, err := system.Load(path, system.Options{Registry: types})
		if files := system.Sources(path, system.Options{}); len(files) == 0 || files[0].Path != path || files[0].Kind != system.MainSource {
			t.Errorf("sources %v", files)
		}
		var all diagram.Errors
		switch {
		case err == nil && (s == nil || s.Net == nil):
			t.Error("neither a system nor an error")
		case err != nil && (!errors.As(err, &all) || len(all) == 0):
			t.Errorf("%T instead of diagram.Errors: %v", err, err)
		}
	})
}

// FuzzParams gives any text as --param and, as an overlay, any file: a system or errors with their places.
func FuzzParams(f *testing.F) {
	for _, param := range []string{"", "=", "a=1", "flow.gain=2", "flow.gain=.inf", "flow.gain=[", "flow.gain={a: *b}", "flow.limits=[1, .nan]", ".x=1", "flow.=1", "flow.gain=&a [*a]"} {
		f.Add(param, "blocks: {flow: {params: {gain: 3}}}\n")
	}
	for _, overlay := range []string{"", "blocks:", "blocks: []", "blocks: {flow: null}", "threads: {t: null}", "base: fuzz.yaml", "a: &a [*a]", "blocks: {\"a{1-3}\": {type: rig.Gain}}"} {
		f.Add("flow.gain=2", overlay)
	}
	types := registry()
	f.Fuzz(func(t *testing.T, param, overlay string) {
		overlay = strings.ReplaceAll(overlay, "/", "_")
		dir := write(t, "crane.yaml", tuned, "over.yaml", overlay)
		path := filepath.Join(dir, "crane.yaml")
		o := system.Options{Registry: types, Params: []string{param}, Overlays: []string{filepath.Join(dir, "over.yaml")}}
		s, err := system.Load(path, o)
		var all diagram.Errors
		switch {
		case err == nil && (s == nil || s.Net == nil):
			t.Error("neither a system nor an error")
		case err != nil && (!errors.As(err, &all) || len(all) == 0):
			t.Errorf("%T instead of diagram.Errors: %v", err, err)
		}
	})
}

// FuzzSaveParams saves any value of any parameter: it is refused, or the file loads again.
func FuzzSaveParams(f *testing.F) {
	for _, c := range [][3]string{{"flow", "gain", "12.5"}, {"flow", "limits", "[-3, 3]"}, {"bare", "limits", "[0, 1]"}, {"block", "gain", "{"},
		{"flow", "gain", "1 # x"}, {"flow", "gain", "a: b"}, {"plain", "gain", "1\n  evil: {}"}, {"quoted", "gain: 1, x", "2"}, {"missing", "gain", "1"}, {"", "", ""}} {
		f.Add(c[0], c[1], c[2])
	}
	types := registry()
	f.Fuzz(func(t *testing.T, name, param, value string) {
		path := filepath.Join(write(t, "crane.yaml", tuned), "crane.yaml")
		s, err := system.Load(path, system.Options{Registry: types})
		if err != nil {
			t.Fatal(err)
		}
		texts, err := s.SaveParams([]system.Change{{Block: name, Param: param, Value: value}})
		if err != nil {
			return
		}
		if err := system.Write(t.Context(), texts); err != nil {
			t.Fatal(err)
		}
		again, err := system.Load(path, system.Options{Registry: types})
		if err == nil && len(again.Net.Blocks) != len(s.Net.Blocks) {
			t.Errorf("saving %s.%s = %q made %d blocks of %d", name, param, value, len(again.Net.Blocks), len(s.Net.Blocks))
		}
		var all diagram.Errors
		if err != nil && !errors.As(err, &all) {
			t.Errorf("%T instead of diagram.Errors: %v", err, err)
		}
	})
}
