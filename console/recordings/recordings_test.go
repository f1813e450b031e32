package recordings_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/console/recordings"
	"github.com/sinew-robotics/sinew/net/record"
)

type folder string

func (f folder) Folder(context.Context, string, ...string) (string, error) { return string(f), nil }

func TestListHasTheLogOfTheRunInAnyFolder(t *testing.T) {
	dir, far := t.TempDir(), t.TempDir()
	for _, path := range []string{filepath.Join(dir, "own.mcap"), filepath.Join(far, "run.mcap"), filepath.Join(far, "run-2.mcap"), filepath.Join(far, "other.mcap"), filepath.Join(far, "run.csv")} {
		if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	names := func(record string) (list []string) {
		t.Helper()
		logs, err := recordings.New(folder(dir), record).List(t.Context(), "s")
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range logs {
			list = append(list, l.File)
		}
		slices.Sort(list)
		return list
	}
	if got := names(""); !slices.Equal(got, []string{"own.mcap"}) {
		t.Errorf("without a log of the run: %q", got)
	}
	want := []string{filepath.Join(far, "run-2.mcap"), filepath.Join(far, "run.mcap"), "own.mcap"}
	if got := names(filepath.Join(far, "run.mcap")); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := names(filepath.Join(dir, "own.mcap")); !slices.Equal(got, []string{"own.mcap"}) {
		t.Errorf("the log of the run in the system's folder: %q", got)
	}
}

func TestListSetsLogsOfOtherSystemsApart(t *testing.T) {
	dir := t.TempDir()
	for file, system := range map[string]string{"a.mcap": "arm", "b.mcap": "walker", "c.mcap": ""} {
		w, err := record.CreateFor(filepath.Join(dir, file), system)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	at := time.Now().Add(time.Hour)
	if err := os.Chtimes(filepath.Join(dir, "b.mcap"), at, at); err != nil { // the newest, of another system
		t.Fatal(err)
	}
	logs, err := recordings.New(folder(dir), "").List(t.Context(), "arm")
	if err != nil || len(logs) != 3 {
		t.Fatalf("%v, %v", logs, err)
	}
	if last := logs[2]; last.File != "b.mcap" || last.Other != "walker" {
		t.Errorf("the last log is %+v, wants that of the other system", last)
	}
	if logs[0].Other != "" || logs[1].Other != "" {
		t.Errorf("%v: logs of this system, or of none, count as those of another", logs[:2])
	}
}
