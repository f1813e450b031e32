package private

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

// refused fails the test unless an error rejects a path and gives the reason.
func refused(t *testing.T, err error, words ...string) {
	t.Helper()
	if !errors.Is(err, ErrRefused) {
		t.Fatalf("got %v, expected a refusal", err)
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%q does not say %q", err, w)
		}
	}
}

func TestFolderIsCreatedPrivateAndFoundAgain(t *testing.T) {
	dir := testkit.UserFolder(t)
	for range 2 {
		folder, err := Folder()
		if err != nil || folder != filepath.Join(dir, "sinew") {
			t.Fatalf("%s, %v", folder, err)
		}
	}
	info, err := os.Stat(filepath.Join(dir, "sinew"))
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

// TestFolderFallsBackToTemporaryFiles sets a variable that names a missing folder.
func TestFolderFallsBackToTemporaryFiles(t *testing.T) {
	if exists(filepath.Join("/run/user", fmt.Sprint(os.Getuid()))) {
		t.Skip("SKIPPED: this user has a session's folder")
	}
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv("XDG_RUNTIME_DIR", filepath.Join(dir, "absent"))
	if folder, err := Folder(); err != nil || folder != filepath.Join(dir, ownName()) {
		t.Errorf("%s, %v", folder, err)
	}
}

func TestErrorNamesWhatIsNotPrivate(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	for _, mode := range []os.FileMode{0o777, 0o755, 0o750, 0o710, 0o704, 0o701} {
		folder := path(fmt.Sprintf("mode%o", mode))
		must(t, os.Mkdir(folder, mode), os.Chmod(folder, mode))
		refused(t, Make(folder), folder, fmt.Sprintf("%04o", mode), "chmod")
		_, err := Open(filepath.Join(folder, "f"), os.O_RDWR|os.O_CREATE)
		refused(t, err, folder)
	}
	must(t, os.Mkdir(path("own"), 0o700), os.Symlink(path("own"), path("link")), os.WriteFile(path("file"), nil, 0o600))
	refused(t, Make(path("link")), path("link"), "symbolic link")
	refused(t, Make(path("file")), path("file"), "not a folder")
	if err := Check(path("absent")); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	must(t, os.Mkdir(path("open"), 0o777), os.Chmod(path("open"), 0o777))
	refused(t, Make(filepath.Join(path("open"), "sinew")), path("open"), "replace")
	must(t, os.Chmod(path("open"), 0o777|os.ModeSticky), Make(filepath.Join(path("open"), "sinew2")))
	if _, err := Below(path("own"), "a", "../b"); err == nil {
		t.Error("a folder outside")
	}
}

func TestFilesAreNotReadOrWrittenThroughLinks(t *testing.T) {
	dir := t.TempDir()
	must(t, os.Chmod(dir, 0o700))
	path := func(name string) string { return filepath.Join(dir, name) }
	must(t, os.WriteFile(path("precious"), []byte("precious"), 0o600), os.Symlink("precious", path("link")), os.Symlink("none", path("broken")))
	for _, flag := range []int{os.O_RDONLY, os.O_WRONLY | os.O_TRUNC, os.O_RDWR | os.O_CREATE} {
		for _, name := range []string{"link", "broken"} {
			_, err := Open(path(name), flag)
			refused(t, err, path(name), "symbolic link")
		}
	}
	if _, err := Open(path("link"), os.O_WRONLY|os.O_CREATE|os.O_EXCL); !errors.Is(err, fs.ErrExist) {
		t.Error(err)
	}
	must(t, Write(path("link"), []byte("new"))) // takes the link's place
	if text, err := os.ReadFile(path("precious")); string(text) != "precious" {
		t.Errorf("%q, %v", text, err)
	}
	if text, err := Read(path("link")); string(text) != "new" {
		t.Errorf("%q, %v", text, err)
	}
	must(t, os.Chmod(path("precious"), 0o640))
	_, err := Open(path("precious"), os.O_WRONLY|os.O_TRUNC)
	refused(t, err, "precious", "0640")
	if text, _ := os.ReadFile(path("precious")); string(text) != "precious" {
		t.Error("a refused file was emptied")
	}
	if left, _ := filepath.Glob(path("*.part-*")); left != nil {
		t.Error(left)
	}
}

func TestLockIsHeldOnce(t *testing.T) {
	dir := t.TempDir()
	must(t, os.Chmod(dir, 0o700))
	first, err := Lock(filepath.Join(dir, "lock"))
	must(t, err)
	if _, err := Lock(filepath.Join(dir, "lock")); !errors.Is(err, ErrLocked) {
		t.Error(err)
	}
	must(t, first.Close())
	second, err := Lock(filepath.Join(dir, "lock"))
	must(t, err, second.Close())
	if exists(filepath.Join(dir, "lock")) {
		t.Error("the lock's file is left")
	}
}

// TestRemovedLocksAreHeldOnce takes and releases a lock, which removes its file, from many goroutines concurrently.
func TestRemovedLocksAreHeldOnce(t *testing.T) {
	dir := t.TempDir()
	must(t, os.Chmod(dir, 0o700))
	var holders, taken atomic.Int64
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 300 {
				l, err := Lock(filepath.Join(dir, "lock"))
				if errors.Is(err, ErrLocked) {
					continue
				}
				if err != nil {
					t.Error(err)
					return
				}
				if taken.Add(1); holders.Add(1) != 1 {
					t.Error("two hold the lock")
				}
				holders.Add(-1)
				if err := l.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if taken.Load() < 100 {
		t.Errorf("it was taken %d times only: no test", taken.Load())
	}
}

// TestSocketsHavePathsOfAnyLength connects through a path that is longer than the system allows, and leaves no files
// behind.
func TestSocketsHavePathsOfAnyLength(t *testing.T) {
	testkit.NoLeaks(t)
	for _, deep := range []int{0, 4} {
		dir := t.TempDir()
		for range deep {
			dir = filepath.Join(dir, strings.Repeat("d", 40))
		}
		must(t, os.MkdirAll(dir, 0o700), os.Chmod(dir, 0o700))
		path := filepath.Join(dir, "x.sock")
		l, err := Listen(path)
		if err != nil && len(path) > pathLimit && strings.Contains(err.Error(), "longer than") {
			t.Skipf("SKIPPED: this system has no other path: %v", err)
		}
		must(t, err)
		done := make(chan error, 1)
		go func() {
			conn, err := l.Accept()
			if err == nil {
				_, err = conn.Write([]byte("hi"))
				err = errors.Join(err, conn.Close())
			}
			done <- err
		}()
		conn, err := Dial(context.Background(), path)
		must(t, err)
		text := make([]byte, 2)
		if _, err := conn.Read(text); err != nil || string(text) != "hi" {
			t.Errorf("%q, %v", text, err)
		}
		must(t, conn.Close(), <-done)
		if _, err := Listen(path); !errors.Is(err, fs.ErrExist) && !strings.Contains(err.Error(), "in use") {
			t.Errorf("a second listener: %v", err)
		}
		must(t, l.Close())
		if exists(path) {
			t.Error("the socket is left")
		}
		if _, err := Dial(context.Background(), path); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), path) {
			t.Error(err)
		}
	}
}

// TestOtherUsersFolderIsRejected lets another user first create everything under the names that the victim will use.
func TestOtherUsersFolderIsRejected(t *testing.T) {
	own := func() string { return "sinew-" + os.Getenv("VICTIM") }
	u := testkit.TwoUsers(t, testkit.Roles{
		"folder": func(t *testing.T) {
			folder := filepath.Join(os.TempDir(), own())
			must(t, os.Mkdir(folder, 0o777), os.Chmod(folder, 0o777))
		},
		"link": func(t *testing.T) { must(t, os.Symlink(os.Getenv("TARGET"), filepath.Join(os.TempDir(), own()))) },
		"session": func(t *testing.T) {
			must(t, os.Mkdir(filepath.Join(os.TempDir(), "session"), 0o777), os.Chmod(filepath.Join(os.TempDir(), "session"), 0o777))
		},
		"remove": func(t *testing.T) { must(t, os.Remove(filepath.Join(os.TempDir(), own()))) },
		"victim refuses": func(t *testing.T) {
			_, err := Folder()
			refused(t, err, os.Getenv("NAMED"), os.Getenv("WHY"), os.Getenv("STRANGER"))
		},
		"victim uses": func(t *testing.T) {
			if _, err := Folder(); err != nil {
				t.Fatal(err)
			}
		},
	})
	victim, folder := fmt.Sprint("VICTIM=", u.Victim.ID), filepath.Join(u.Shared, fmt.Sprint("sinew-", u.Victim.ID))
	stranger := fmt.Sprint("STRANGER=", u.Stranger.ID)
	u.Stranger.Run(t, "folder", victim)
	u.Victim.Run(t, "victim refuses", "NAMED="+folder, "WHY=belongs to user", stranger)
	u.Stranger.Run(t, "remove", victim)
	u.Stranger.Run(t, "link", victim, "TARGET="+u.Victim.Home)
	u.Victim.Run(t, "victim refuses", "NAMED="+folder, "WHY=symbolic link", "STRANGER=")
	u.Stranger.Run(t, "remove", victim)
	u.Victim.Run(t, "victim uses")
	u.Stranger.Run(t, "session")
	u.Victim.Run(t, "victim refuses", "XDG_RUNTIME_DIR="+u.Shared+"/session", "NAMED="+u.Shared+"/session", "WHY=XDG_RUNTIME_DIR", stranger)
}

// TestOtherUsersDoNotReachSockets connects users in both directions, in a folder that allows it.
func TestOtherUsersDoNotReachSockets(t *testing.T) {
	path := func() string { return filepath.Join(os.TempDir(), "x.sock") }
	listen := func(t *testing.T) net.Listener {
		l, err := net.Listen("unix", path())
		must(t, err, os.Chmod(path(), 0o777))
		return l
	}
	u := testkit.TwoUsers(t, testkit.Roles{
		"impostor": func(t *testing.T) {
			l := listen(t)
			go func() {
				for {
					conn, err := l.Accept()
					if err != nil {
						return
					}
					go func() { _, _ = conn.Read(make([]byte, 1)) }()
				}
			}()
			testkit.Ready()
		},
		"server": func(t *testing.T) {
			l := &listener{Listener: listen(t)}
			go func() {
				for {
					conn, err := l.Accept()
					if err != nil {
						return
					}
					_, _ = conn.Write([]byte("secret"))
				}
			}()
			testkit.Ready()
		},
		"refuses": func(t *testing.T) {
			conn, err := net.Dial("unix", path())
			must(t, err)
			if err := checkPeer(conn); err == nil || !strings.Contains(err.Error(), os.Getenv("STRANGER")) {
				t.Fatalf("the impostor is taken for the server: %v", err)
			}
		},
		"is refused": func(t *testing.T) {
			conn, err := net.Dial("unix", path())
			must(t, err)
			if n, err := conn.Read(make([]byte, 10)); n > 0 || err == nil {
				t.Fatal("the server speaks to a stranger")
			}
		},
		"is served": func(t *testing.T) {
			conn, err := net.Dial("unix", path())
			must(t, err)
			if n, _ := conn.Read(make([]byte, 10)); n == 0 {
				t.Fatal("the server does not speak to its user")
			}
		},
	})
	_, stop := u.Stranger.Start(t, "impostor")
	u.Victim.Run(t, "refuses", fmt.Sprint("STRANGER=", u.Stranger.ID))
	stop()
	must(t, os.Remove(filepath.Join(u.Shared, "x.sock")))
	u.Victim.Start(t, "server")
	u.Stranger.Run(t, "is refused")
	u.Victim.Run(t, "is served")
}

func must(t *testing.T, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}
