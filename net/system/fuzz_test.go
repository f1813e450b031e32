package system_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
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
	f.Add([]byte(sameArms["inline"][1]))
	f.Add([]byte("system: x\nlinks: [\"a.b[0,0:9223372036854775807] -> c.d\"]\n"))
	f.Add([]byte("? {a: b}\n: system\n? [1]\n: 2\n"))
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
