package console_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/durable"
)

func TestLayoutsAreWrittenAndRead(t *testing.T) {
	local, path := runFile(t, testFile)
	p := open(t, local, withBlocks).page("")
	layouts := func() m { return p.want("layout.get", m{"system": "test"}).(m)["layouts"].([]any)[0].(m) }
	if l := layouts(); len(l["boxes"].(m)) != 0 || l["version"] != durable.Absent || l["name"] != "layout/test.yaml" || l["file"] != path {
		t.Errorf("layout %v", l)
	}
	boxes := m{"a": []any{10., -20.5}, "b": []any{0., 400.}}
	made := p.want("layout.put", m{"system": "test", "file": path, "boxes": boxes, "version": durable.Absent}).(m)
	if l := layouts(); !reflect.DeepEqual(l["boxes"], boxes) || l["version"] != made["version"] {
		t.Errorf("layout %v, made %v", l, made)
	}
	beside := filepath.Join(filepath.Dir(path), "layout", "test.yaml")
	text, err := os.ReadFile(beside)
	if err != nil || !strings.Contains(string(text), "boxes:\n  a: [10, -20.5]\n  b: [0, 400]\n") {
		t.Errorf("%v:\n%s", err, text)
	}
	if err := os.WriteFile(beside, []byte("boxes:\n  a: [10]\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if l := layouts(); l["problem"] != `read layout/test.yaml: line 2: box "a": expected [x, y]` || len(l["boxes"].(m)) != 0 {
		t.Errorf("layout %v", l)
	}
	p.refuse("layout.put", m{"system": "test", "file": path, "boxes": boxes, "version": made["version"]}, "changed on disk")
	p.refuseWith("changed_on_disk", "layout.put", m{"system": "test", "file": path, "boxes": boxes, "version": made["version"]})
	p.refuseWith("", "layout.put", m{"system": "test", "file": "/etc/passwd", "boxes": boxes})
	p.refuse("layout.put", m{"system": "test", "file": "/etc/passwd", "boxes": boxes}, "not a file of")
	p.refuse("layout.put", m{"system": "test", "boxes": m{"a": []any{1e9, 0}}}, `box "a"`, "limit")
	p.refuse("layout.put", []byte(`{"system":"test","boxes":{"a":"left"}}`), "boxes")
}

func TestMakingLayoutsNeedsAnOwner(t *testing.T) {
	local, path := runFile(t, testFile)
	r := open(t, local, withBlocks, people)
	viewer, tuner, owner := r.page(aToken+"view"), r.page(aToken+"tune"), r.page("")
	put := m{"system": "test", "boxes": m{"a": []any{1, 2}}}
	tuner.refuse("layout.put", put, "write the layout of test.yaml: a new file needs the role own")
	owner.want("layout.put", put)
	tuner.want("layout.put", put)
	viewer.refuse("layout.put", put, "tune")
	viewer.want("layout.get", m{"system": "test"})
	beside := filepath.Join(filepath.Dir(path), "layout", "test.yaml")
	outside := filepath.Join(t.TempDir(), "mine.yaml")
	if err := os.Rename(beside, outside); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, beside); err != nil {
		t.Fatal(err)
	}
	tuner.refuse("layout.put", put, "outside", "own")
}
