package persist

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/private"
	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/port"
)

// some returns values of one block, as Parse gives them.
func some(t *testing.T, name string) *Values {
	v, err := Parse([]byte(`{"system": "` + name + `", "file": "/nowhere/a.yaml", "written": "2026-01-02T03:04:05.123456789Z",
		"blocks": {"arm.joint": {"angle": {"type": "float64", "value": 0.1}, "counts": {"type": "int64", "value": 9007199254740993}}, "pid": {"kp": {"type": "float64", "value": 3}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestWrittenValuesAreReadAsTheyWere(t *testing.T) {
	testkit.UserFolder(t)
	v := some(t, "a.left")
	if err := v.Write(); err != nil {
		t.Fatal(err)
	}
	again, err := Read("a.left")
	if err != nil || !reflect.DeepEqual(v, again) {
		t.Errorf("read %+v, %v; written were %+v", again, err, v)
	}
	if none, err := Read("b"); none != nil || err != nil {
		t.Errorf("of another system: %v, %v", none, err)
	}
	path, _ := Path("a.left")
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file: %v, %v", info, err)
	}
}

// A power failure can tear a file that was not synced; a disk can return anything.
func TestDamagedFileIsAnErrorWithItsNameAndTheRemedy(t *testing.T) {
	testkit.UserFolder(t)
	if err := some(t, "a").Write(); err != nil {
		t.Fatal(err)
	}
	path, _ := Path("a")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for n := range len(whole) - 2 {
		if err := os.WriteFile(path, whole[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		if v, err := Read("a"); err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "sinew param forget a") {
			t.Fatalf("of %d bytes: %+v, %v", n, v, err)
		}
	}
	if removed, err := Forget(t.Context(), "a", "", ""); err != nil || !slices.Equal(removed, []string{path}) {
		t.Errorf("forgetting a damaged file: %v, %v", removed, err)
	}
	if v, err := Read("a"); v != nil || err != nil {
		t.Errorf("afterwards: %v, %v", v, err)
	}
}

func TestForgetRemovesWhatItNames(t *testing.T) {
	for _, c := range []struct {
		block, value string
		removed      []string
	}{
		{"", "", []string{"arm.joint.angle", "arm.joint.angle", "arm.joint.counts", "arm.joint.counts", "pid.kp", "pid.kp"}},
		{"arm.joint", "", []string{"arm.joint.angle", "arm.joint.angle", "arm.joint.counts", "arm.joint.counts"}},
		{"pid", "kp", []string{"pid.kp", "pid.kp"}},
		{"pid", "ki", nil},
	} {
		testkit.UserFolder(t)
		for _, name := range []string{"a", "a.left", "ab"} {
			if err := some(t, name).Write(); err != nil {
				t.Fatal(err)
			}
		}
		removed, err := Forget(t.Context(), "a", c.block, c.value)
		if err != nil || !slices.Equal(removed, c.removed) {
			t.Errorf("forget %q %q: %v, %v; expected %v", c.block, c.value, removed, err, c.removed)
		}
		left, err := List("a")
		if err != nil || len(left) != 3-len(c.removed)/2 {
			t.Errorf("after forget %q %q there is %v, %v", c.block, c.value, left, err)
		}
		if other, err := List("ab"); err != nil || len(other) != 3 {
			t.Errorf("of another system there is %v, %v", slices.Sorted(maps.Keys(other)), err)
		}
	}
}

func TestForgetIsRefusedWhileTheSystemRuns(t *testing.T) {
	testkit.UserFolder(t)
	if err := some(t, "a").Write(); err != nil {
		t.Fatal(err)
	}
	l, err := Take("a")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Forget(t.Context(), "a", "", ""); err == nil || !strings.Contains(err.Error(), "stop it first") {
		t.Errorf("while it runs: %v", err)
	}
	if _, err := Take("a"); err == nil {
		t.Error("two runs of one name write")
	}
	l.Release()
	if _, err := Forget(t.Context(), "a", "", ""); err != nil {
		t.Error(err)
	}
}

func TestValuesOfAnotherSystemOfTheNameAreRefused(t *testing.T) {
	dir := t.TempDir()
	there := filepath.Join(dir, "a.yaml")
	if err := os.WriteFile(there, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	cached := func(version string) string {
		path := filepath.Join(dir, ".cache/sinew/files/a", version, "x", "a.yaml")
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, c := range []struct {
		kept, now string
		fits      bool
	}{
		{there, there, true}, {"", "", true}, {there, filepath.Join(dir, "b.yaml"), false}, {there, "", false}, {"", there, false},
		{filepath.Join(dir, "moved.yaml"), there, true}, {cached("1"), cached("2"), true}, {cached("1"), there, false},
	} {
		v := &Values{System: "a.left", File: c.kept}
		if err := v.Fits(c.now); (err == nil) != c.fits {
			t.Errorf("kept of %q, now %q: %v", c.kept, c.now, err)
		}
	}
}

func TestFolderOfOthersIsRefused(t *testing.T) {
	dir := testkit.UserFolder(t)
	if err := os.MkdirAll(filepath.Join(dir, "sinew"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(dir, "sinew"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := some(t, "a").Write(); !errors.Is(err, private.ErrRefused) {
		t.Errorf("written into a folder that others may write to: %v", err)
	}
}

// A system without such values runs where the user has no folder for them, and leaves none behind.
func TestRestoreOfNothingMakesNoFolder(t *testing.T) {
	dir := testkit.UserFolder(t)
	if err := Restore(diagram.New("a"), "a", ""); err != nil {
		t.Error(err)
	}
	if list, err := List("a"); len(list) > 0 || err != nil {
		t.Errorf("there is %v, %v", list, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "sinew", "kept")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder was made: %v", err)
	}
	t.Setenv("XDG_STATE_HOME", "")
	t.Setenv("HOME", "")
	if err := Restore(diagram.New("a"), "a", ""); err != nil {
		t.Error(err)
	}
	if _, err := Take("a"); err == nil || !strings.Contains(err.Error(), "XDG_STATE_HOME") {
		t.Errorf("without a folder: %v", err)
	}
}

// FuzzParse reads any text: it is refused, or it is a file that reads the same again.
func FuzzParse(f *testing.F) {
	text, err := (&Values{System: "a", File: "/a.yaml", Written: time.Unix(1, 2).UTC(), Blocks: map[string]map[string]port.Kept{
		"joint": {"angle": {Type: "float64", Value: 0.1}, "marks": {Type: "float64[]", Value: []any{1, 2.5}}, "place": {Type: "Place", Value: map[string]any{"known": true}}},
	}}).Text()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte(`{"system": "a", "blocks": {"a": null, "b": {"c": {"type": "int64", "value": 1e999}}}}`))
	f.Add([]byte(`{"system": "a", "blocks": {}} {}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := Parse(text)
		if err != nil {
			return
		}
		again, err := v.Text()
		if err != nil {
			return // a time that RFC 3339 does not have
		}
		w, err := Parse(again)
		if err != nil {
			t.Fatalf("%v: written as %s", err, again)
		}
		if third, err := w.Text(); err != nil || string(third) != string(again) {
			t.Fatalf("%s became %s, %v", again, third, err)
		}
	})
}
