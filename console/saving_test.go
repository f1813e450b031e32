package console_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/sinew-robotics/sinew/internal/durable"
)

// Of two consoles that save the same version of a file at once, one does and the other reports that the file has changed.
func TestTwoConsolesDoNotOverwriteEachOther(t *testing.T) {
	local, path := runFile(t, testFile)
	pages := []*page{open(t, local, withBlocks).page(""), open(t, local, withBlocks).page("")}
	version := pages[0].want("net.get", m{"system": "test"}).(m)["version"]
	for round := range 20 {
		errs := make([]error, len(pages))
		var both sync.WaitGroup
		for i, p := range pages {
			both.Go(func() {
				text := strings.Replace(testFile, "gain: 2", fmt.Sprintf("gain: %d.%d", i+1, round+1), 1)
				_, errs[i] = p.ask("net.put", m{"system": "test", "text": text, "version": version})
			})
		}
		both.Wait()
		if (errs[0] == nil) == (errs[1] == nil) {
			t.Fatalf("round %d: %v, %v", round, errs[0], errs[1])
		}
		saved, lost := 0, errs[1]
		if errs[0] != nil {
			saved, lost = 1, errs[0]
		}
		if !strings.Contains(lost.Error(), "changed on disk") {
			t.Errorf("round %d: %v", round, lost)
		}
		text, err := os.ReadFile(path)
		if err != nil || !strings.Contains(string(text), fmt.Sprintf("gain: %d.%d}", saved+1, round+1)) {
			t.Fatalf("round %d: console %d has saved, but the file is\n%s", round, saved, text)
		}
		version = durable.Version(text)
	}
}

func TestSavingThroughTheConsoleKeepsLinks(t *testing.T) {
	local, path := runFile(t, testFile)
	real := filepath.Join(t.TempDir(), "real.yaml")
	if err := os.Rename(path, real); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, path); err != nil {
		t.Fatal(err)
	}
	p := open(t, local, withBlocks).page("")
	p.want("net.put", m{"system": "test", "text": strings.Replace(testFile, "gain: 2", "gain: 3", 1)})
	if text, err := os.ReadFile(real); err != nil || !strings.Contains(string(text), "gain: 3") {
		t.Errorf("%v\n%s", err, text)
	}
	p.want("set", m{"system": "test", "ref": "b", "named": m{"gain": 4.5}})
	p.want("save", m{"system": "test"})
	text, err := os.ReadFile(real)
	if err != nil || !strings.Contains(string(text), "gain: 4.5") {
		t.Errorf("%v\n%s", err, text)
	}
	if to, err := os.Readlink(path); err != nil || to != real {
		t.Errorf("the link leads to %q: %v", to, err)
	}
}

func TestPanelsAreNotOverwrittenUnseen(t *testing.T) {
	local, _ := runFile(t, testFile)
	r := open(t, local, withBlocks)
	p, q := r.page(""), r.page("")
	put := func(p *page, title, version string) (any, error) {
		return p.ask("panels.put", m{"system": "test", "name": "x", "panel": m{"title": title}, "version": version})
	}
	made, err := put(p, "mine", durable.Absent)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := put(q, "theirs", durable.Absent); err == nil || !strings.Contains(err.Error(), "changed on disk") {
		t.Errorf("a panel that should be new: %v", err)
	}
	seen := q.want("panels.get", m{"system": "test", "name": "x"}).(m)["version"].(string)
	if seen != made.(m)["version"] {
		t.Errorf("version %q, %v", seen, made)
	}
	if _, err := put(q, "theirs", seen); err != nil {
		t.Error(err)
	}
	if _, err := put(p, "mine again", seen); err == nil {
		t.Error("a panel that has changed was overwritten")
	}
}
