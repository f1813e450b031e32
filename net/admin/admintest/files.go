package admintest

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/system"
	"github.com/sinew-robotics/sinew/net/thread"
)

const (
	plantFile = `system: plant
threads: {fast: {period: 1ms}, slow: {period: 5ms}}
blocks:
  one: {type: admintest.Source, thread: fast, params: {gain: 2}}  # of a
groups:
  cell: {include: cell.yaml}
links: [one.out -> cell.in]
deploy: {processes: {a: {threads: [fast]}, b: {threads: [slow]}}}
watch: [cell.two.out, one.out]
`
	cellFile  = "blocks: {two: {type: admintest.Source, thread: slow}}\nports: {in: two.in}\n"
	plantOver = "blocks: {one: {params: {size: 3}}}\n"
)

// FromFiles executes the system of the files in a [Folder], or one of its processes, a or b, in real time until the test ends.
func FromFiles(t *testing.T, folder, process string) *admin.Local {
	t.Helper()
	registry := block.NewRegistry([]block.Entry{block.Of[Source]("Counts.")})
	sys, err := system.Load(filepath.Join(folder, "plant.yaml"), system.Options{Registry: registry, Process: process,
		Overlays: []string{filepath.Join(folder, "over.yaml")}, Params: []string{"cell.two.gain=5"}})
	if err != nil {
		t.Fatal(err)
	}
	core := thread.New(sys.Net, thread.Options{})
	done := make(chan error, 1)
	go func() { done <- core.Run(context.Background(), nil) }()
	t.Cleanup(func() { core.Stop(); <-done })
	l := admin.NewLocal(core.Front(), sys)
	l.CheckWith(admin.LocalChecker{Registry: registry})
	return l
}

// Folder returns a folder of the test with the files of a system of two processes: plant.yaml, cell.yaml, which it includes, and
// over.yaml, which lies over it.
func Folder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"plant.yaml": plantFile, "cell.yaml": cellFile, "over.yaml": plantOver} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// RunFiles checks what s, a system of the files in a [Folder], answers to questions about them.
func RunFiles(t *testing.T, folder string, s admin.System) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), testkit.Patience())
	defer cancel()
	path := func(name string) string { return filepath.Join(folder, name) }

	types, err := s.Types(ctx, "", nil)
	if err != nil || len(types) != 1 || types[0].Type != "admintest.Source" || types[0].Doc != "Counts." || len(types[0].Params) != 4 || len(types[0].Ports) < 4 {
		t.Errorf("types %+v, %v", types, err)
	}
	if types, err = s.Types(ctx, "admintest.Source", map[string]any{"gain": 4.0, "size": 3.0}); err != nil || types[0].Problem != "" {
		t.Errorf("type %+v, %v", types, err)
	}
	if types, err = s.Types(ctx, "admintest.Source", map[string]any{"gain": 40.0}); err != nil || !strings.Contains(types[0].Problem, "40") {
		t.Errorf("type with a wrong parameter %+v, %v", types, err)
	}
	if _, err = s.Types(ctx, "admintest.Sorce", nil); err == nil || !strings.Contains(err.Error(), "admintest.Source") {
		t.Errorf("no such type: %v", err)
	}

	st, err := s.Structure(ctx)
	if err != nil || !slices.Equal(slices.Sorted(slices.Values(st.Watch)), []string{"cell.two.out", "one.out"}) {
		t.Errorf("the structure lists the watched signals %v, %v", st, err)
	}
	if err == nil && !(slices.Contains(st.Unlinked, "one.in") && !slices.Contains(st.Unlinked, "cell.two.in")) {
		t.Errorf("the structure lists the unlinked inputs %v, want one.in, and not cell.two.in", st.Unlinked)
	}

	if found, err := s.Check(ctx, nil); err != nil || len(found.Errors) != 0 {
		t.Errorf("errors %v, %v", found, err)
	}
	found, err := s.Check(ctx, map[string]string{path("cell.yaml"): strings.Replace(cellFile, "two.in", "two.inn", 1),
		path("over.yaml"): "blocks: {won: {params: {size: 3}}}\n"})
	list := found.Errors
	if err != nil || len(list) != 2 || list[0].File != path("plant.yaml") ||
		list[1] != (admin.FileError{File: path("over.yaml"), Line: 1, Column: 10, Text: `there is no block "won" that the overlay could change; there is one (a new block wants a type)`}) {
		t.Errorf("errors %v, %v", list, err)
	}
	if found, err = s.Check(ctx, map[string]string{path("cell.yaml"): "blocks: {}\n"}); err != nil ||
		!slices.ContainsFunc(found.Errors, func(e admin.FileError) bool {
			return e.File == "" && strings.Contains(e.Text, "--param cell.two.gain=5")
		}) {
		t.Errorf("a parameter of the command line is for no block: %v, %v", found, err)
	}

	if changes, err := s.Tuned(ctx); err != nil || len(changes) != 0 {
		t.Errorf("tuned %v, %v", changes, err)
	}
	for block, values := range map[string]map[string]any{"one": {"gain": 3.0, "size": 4.0}, "cell.two": {"gain": 6.0}} {
		if err := s.SetParams(ctx, block, values); err != nil {
			t.Fatal(err)
		}
	}
	changes, err := s.Tuned(ctx)
	if want := []system.Change{{Block: "one", Param: "gain", Value: "3"}, {Block: "one", Param: "size", Value: "4"}, {Block: "cell.two", Param: "gain", Value: "6"}}; err != nil ||
		!slices.Equal(changes, want) {
		t.Errorf("tuned %v, %v", changes, err)
	}
	texts, err := s.SaveParams(ctx, changes)
	if err != nil || len(texts) != 3 || !strings.Contains(texts[path("plant.yaml")].Text, "{gain: 3}}  # of a") ||
		!strings.Contains(texts[path("over.yaml")].Text, "size: 4") || !strings.Contains(texts[path("cell.yaml")].Text, "gain: 6") {
		t.Errorf("saved %q, %v", texts, err)
	}
	st, err = s.Structure(ctx)
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(st.Processes, func(p admin.Process) bool { return p.File != "" })
	if p := st.Processes[at]; p.File != path("plant.yaml") || !slices.Equal(p.Overlays, []string{path("over.yaml")}) || !slices.Equal(p.Params, []string{"cell.two.gain=5"}) {
		t.Errorf("process %+v", p)
	}
}
