//go:build darwin || linux

package durable_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/durable"
	"github.com/sinew-robotics/sinew/internal/private"
	"github.com/sinew-robotics/sinew/internal/testkit"
)

// writerFile names the environment variable with the file in which this binary counts up, as a separate process.
const writerFile = "DURABLE_TEST_FILE"

func TestMain(m *testing.M) {
	if path := os.Getenv(writerFile); path != "" {
		count, _ := strconv.Atoi(os.Getenv("DURABLE_TEST_COUNT"))
		if err := countUp(path, count); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// page returns a content that shows whether it is complete: a number, many times.
func page(n int) []byte { return bytes.Repeat([]byte(fmt.Sprintf("%08d\n", n)), 10_000) }

// numberOf returns the number of a page.
func numberOf(text []byte) (int, error) {
	if len(text) != 9*10_000 || !bytes.Equal(text[:9], text[len(text)-9:]) || bytes.Count(text, text[:9]) != 10_000 {
		return 0, fmt.Errorf("a torn file of %d bytes", len(text))
	}
	return strconv.Atoi(string(text[:8]))
}

// countUp adds one to the number in a file, like an editor: it reads, changes and saves, and repeats if the file has
// changed.
func countUp(path string, times int) error {
	for done := 0; done < times; {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		n, err := numberOf(text)
		if err != nil {
			return err
		}
		err = durable.Update(context.Background(), durable.Edit{Path: path, Was: durable.Version(text), Text: page(n + 1)})
		switch {
		case err == nil:
			done++
		case !errors.Is(err, durable.ErrChanged):
			return err
		}
	}
	return nil
}

// writer starts a process that counts up.
func writer(t *testing.T, path string, times int) (*exec.Cmd, *bytes.Buffer) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), writerFile+"="+path, fmt.Sprint("DURABLE_TEST_COUNT=", times))
	out := &bytes.Buffer{}
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return cmd, out
}

func TestConcurrentProcessesLoseAndTearNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.yaml")
	write(t, path, string(page(0)), 0o644)
	const times = 60
	ended := make(chan error, 2)
	for range 2 {
		cmd, out := writer(t, path, times)
		go func() {
			err := cmd.Wait()
			if err != nil {
				err = fmt.Errorf("%w: %s", err, out)
			}
			ended <- err
		}()
	}
	reads := 0
	for writers := 2; writers > 0; reads++ {
		text, err := os.ReadFile(path)
		if err == nil {
			_, err = numberOf(text)
		}
		if err != nil {
			t.Fatalf("read %d: %v", reads, err)
		}
		select {
		case err := <-ended:
			if writers--; err != nil {
				t.Fatal(err)
			}
		default:
		}
	}
	if n, err := numberOf([]byte(read(t, path))); err != nil || n != 2*times {
		t.Errorf("%d of %d saves are there: %v", n, 2*times, err)
	}
	if list := names(t, dir); len(list) != 1 {
		t.Errorf("left in the folder: %q", list)
	}
	t.Logf("%d whole reads during %d saves", reads, 2*times)
}

func TestKilledWriterLeavesAWholeFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.yaml")
	write(t, path, string(page(0)), 0o644)
	left := 0
	for i := range 25 {
		cmd, _ := writer(t, path, 1<<30)
		before := read(t, path)
		testkit.Await(t, "the writer saves", func() bool { return read(t, path) != before })
		time.Sleep(time.Duration(i) * 300 * time.Microsecond)
		if err := cmd.Process.Signal(syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		if _, err := numberOf([]byte(read(t, path))); err != nil {
			t.Fatalf("after kill %d: %v", i, err)
		}
		left = max(left, len(names(t, dir))-1)
	}
	neighbour := filepath.Join(dir, "."+filepath.Base(path)+".mine.part")
	if err := os.WriteFile(neighbour, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "."+filepath.Base(path)+".123.part"), nil, 0o600); err != nil { // as a killed writer leaves it
		t.Fatal(err)
	}
	write(t, path, "whole", 0o644)
	if list := strings.Join(names(t, dir), " "); list != filepath.Base(neighbour)+" a.yaml" {
		t.Errorf("left in the folder: %q", list)
	}
	t.Logf("at most %d parts were left by 25 kills", left)
}

func TestLockedFolderIsAnErrorAfterATimeout(t *testing.T) {
	testkit.UserFolder(t)
	dir := t.TempDir()
	file, err := durable.LockFile(dir)
	if err != nil {
		t.Fatal(err)
	}
	l, err := private.Lock(file)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	err = durable.Update(ctx, durable.Edit{Path: filepath.Join(dir, "a"), Text: []byte("x")})
	if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), dir) {
		t.Errorf("%v", err)
	}
}

func TestAFolderHasOneLockWhateverItsPath(t *testing.T) {
	testkit.UserFolder(t)
	dir, link := t.TempDir(), filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	a, err := durable.LockFile(dir)
	b, errLink := durable.LockFile(link)
	c, errOther := durable.LockFile(filepath.Dir(link))
	if err != nil || errLink != nil || errOther != nil || a != b || a == c {
		t.Errorf("%s %v, through a link %s %v, of another folder %s %v", a, err, b, errLink, c, errOther)
	}
}

// TestStrangersLockOnAFolderStopsNoSave lets another user lock a folder of the victim that all may read.
func TestStrangersLockOnAFolderStopsNoSave(t *testing.T) {
	u := testkit.TwoUsers(t, testkit.Roles{
		"folder": func(t *testing.T) {
			if err := os.Mkdir(filepath.Join(os.TempDir(), "project"), 0o755); err != nil {
				t.Fatal(err)
			}
		},
		"stranger": func(t *testing.T) {
			f, err := os.Open(filepath.Join(os.TempDir(), "project"))
			if err == nil {
				err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX)
			}
			if err != nil {
				t.Fatal(err)
			}
			testkit.Ready()
		},
		"victim": func(t *testing.T) {
			if err := durable.WriteFile(filepath.Join(os.TempDir(), "project", "a.yaml"), []byte("x"), 0o644); err != nil {
				t.Fatal(err)
			}
		},
	})
	u.Victim.Run(t, "folder")
	u.Stranger.Start(t, "stranger")
	u.Victim.Run(t, "victim")
}

func TestWriteFileKeepsTheOwner(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("SKIPPED: only root may give a file to another user")
	}
	path := filepath.Join(t.TempDir(), "a.yaml")
	write(t, path, "old", 0o640)
	if err := os.Chown(path, 12345, 23456); err != nil {
		t.Fatal(err)
	}
	write(t, path, "new", 0o644)
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if s := info.Sys().(*syscall.Stat_t); s.Uid != 12345 || s.Gid != 23456 || info.Mode() != 0o640 {
		t.Errorf("owner %d, group %d, mode %v", s.Uid, s.Gid, info.Mode())
	}
}
