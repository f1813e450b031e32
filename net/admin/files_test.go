package admin_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/system"
	"github.com/sinew-robotics/sinew/net/thread"
)

const (
	plantFile = `system: plant
threads: {fast: {period: 1ms}, slow: {period: 5ms}}
blocks:
  one: {type: admin_test.source, thread: fast, params: {gain: 2}}  # of a
groups:
  cell: {include: cell.yaml}
links: [one.out -> cell.in]
deploy: {processes: {a: {threads: [fast]}, b: {threads: [slow]}}}
`
	cellFile  = "blocks: {two: {type: admin_test.source, thread: slow}}\nports: {in: two.in}\n"
	plantOver = "blocks: {one: {params: {size: 3}}}\n"
)

// fromFiles executes a system of files, or one of its processes, in real time until the test ends.
func fromFiles(t *testing.T, dir, process string) *admin.Local {
	t.Helper()
	registry := block.NewRegistry([]block.Entry{block.Of[source]("Counts.")})
	sys, err := system.Load(filepath.Join(dir, "plant.yaml"), system.Options{Registry: registry, Process: process,
		Overlays: []string{filepath.Join(dir, "over.yaml")}, Params: []string{"cell.two.gain=5"}})
	if err != nil {
		t.Fatal(err)
	}
	core := thread.New(sys.Net, thread.Options{})
	done := make(chan error, 1)
	go func() { done <- core.Run(context.Background(), nil) }()
	t.Cleanup(func() { core.Stop(); <-done })
	return admin.NewLocal(core.Front(), sys)
}

func plantFolder(t *testing.T) string {
	dir := t.TempDir()
	for name, text := range map[string]string{"plant.yaml": plantFile, "cell.yaml": cellFile, "over.yaml": plantOver} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestFiles runs the same checks of what a system knows of its files in process and behind NATS.
func TestFiles(t *testing.T) {
	id := admin.Identity{System: "plant", Command: []string{"sinew", "run"}, Dir: "/tmp"}
	t.Run("local", func(t *testing.T) {
		dir := plantFolder(t)
		conformFiles(t, dir, fromFiles(t, dir, ""))
	})
	t.Run("NATS", func(t *testing.T) {
		ownFolder(t)
		dir, hub := plantFolder(t), openHub(t, "plant")
		id.File = filepath.Join(dir, "plant.yaml")
		join(t, hub.Address(), id, fromFiles(t, dir, ""))
		c := dialed(t)(admin.Dial("plant"))
		conformFiles(t, dir, c)
		st, err := c.Structure(t.Context())
		if err != nil || !slices.Equal(st.Processes[0].Command, id.Command) || st.Processes[0].Dir != "/tmp" {
			t.Errorf("%+v, %v", st.Processes, err)
		}
	})
	t.Run("two processes and a bridge", func(t *testing.T) {
		ownFolder(t)
		dir, hub := plantFolder(t), openHub(t, "plant")
		path, all := filepath.Join(dir, "plant.yaml"), []string{"a", "b", "bridge"}
		join(t, hub.Address(), admin.Identity{System: "plant", Process: "bridge", Processes: all}, local(t, "none"))
		join(t, hub.Address(), admin.Identity{System: "plant", Process: "a", Host: "elsewhere", File: path, Processes: all}, fromFiles(t, dir, "a"))
		join(t, hub.Address(), admin.Identity{System: "plant", Process: "b", File: path, Processes: all}, fromFiles(t, dir, "b"))
		conformFiles(t, dir, dialed(t)(admin.Dial("plant")))
		alone := dialed(t)(admin.Dial("plant.a"))
		if _, err := alone.Check(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "other hosts") {
			t.Errorf("a process of another host checked a file of this one: %v", err)
		}
	})
}

func conformFiles(t *testing.T, dir string, s admin.System) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	path := func(name string) string { return filepath.Join(dir, name) }

	types, err := s.Types(ctx, "", nil)
	if err != nil || len(types) != 1 || types[0].Type != "admin_test.source" || types[0].Doc != "Counts." || len(types[0].Params) != 3 || len(types[0].Ports) < 4 {
		t.Errorf("types %+v, %v", types, err)
	}
	if types, err = s.Types(ctx, "admin_test.source", map[string]any{"gain": 4.0, "size": 3.0}); err != nil || types[0].Problem != "" {
		t.Errorf("type %+v, %v", types, err)
	}
	if types, err = s.Types(ctx, "admin_test.source", map[string]any{"gain": 40.0}); err != nil || !strings.Contains(types[0].Problem, "40") {
		t.Errorf("type with a wrong parameter %+v, %v", types, err)
	}
	if _, err = s.Types(ctx, "admin_test.sorce", nil); err == nil || !strings.Contains(err.Error(), "admin_test.source") {
		t.Errorf("no such type: %v", err)
	}

	if list, err := s.Check(ctx, nil); err != nil || len(list) != 0 {
		t.Errorf("errors %v, %v", list, err)
	}
	list, err := s.Check(ctx, map[string]string{path("cell.yaml"): strings.Replace(cellFile, "two.in", "two.inn", 1),
		path("over.yaml"): "blocks: {won: {params: {size: 3}}}\n"})
	if err != nil || len(list) != 2 || list[0].File != path("plant.yaml") ||
		list[1] != (admin.FileError{File: path("over.yaml"), Line: 1, Column: 10, Text: `block "won" has no type`}) {
		t.Errorf("errors %v, %v", list, err)
	}
	if list, err = s.Check(ctx, map[string]string{path("cell.yaml"): "blocks: {}\n"}); err != nil ||
		!slices.ContainsFunc(list, func(e admin.FileError) bool {
			return e.File == "" && strings.Contains(e.Text, "--param cell.two.gain=5")
		}) {
		t.Errorf("a parameter of the command line is for no block: %v, %v", list, err)
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
	if err != nil || len(texts) != 3 || !strings.Contains(texts[path("plant.yaml")], "{gain: 3}}  # of a") ||
		!strings.Contains(texts[path("over.yaml")], "size: 4") || !strings.Contains(texts[path("cell.yaml")], "gain: 6") {
		t.Errorf("saved %q, %v", texts, err)
	}
	st, err := s.Structure(ctx)
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(st.Processes, func(p admin.Process) bool { return p.File != "" })
	if p := st.Processes[at]; p.File != path("plant.yaml") || !slices.Equal(p.Overlays, []string{path("over.yaml")}) || !slices.Equal(p.Params, []string{"cell.two.gain=5"}) {
		t.Errorf("process %+v", p)
	}
}

// What was made of no file says so.
func TestNoFiles(t *testing.T) {
	s := local(t, "one")
	_, typesErr := s.Types(t.Context(), "", nil)
	_, checkErr := s.Check(t.Context(), nil)
	_, tunedErr := s.Tuned(t.Context())
	_, saveErr := s.SaveParams(t.Context(), nil)
	for _, err := range []error{typesErr, checkErr, tunedErr, saveErr} {
		if err == nil || !strings.Contains(err.Error(), "not made from a file") {
			t.Error(err)
		}
	}
}
