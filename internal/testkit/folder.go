package testkit

import (
	"os"
	"runtime"
	"testing"
)

// ShortFolder creates a folder whose path has at most 20 bytes, and returns it: for programs that give the whole path of a socket to the
// operating system, which takes 107 bytes on Linux. On Unix it is in /tmp, however long the path in the variable TMPDIR is.
func ShortFolder(t testing.TB) string {
	t.Helper()
	base := "/tmp"
	if runtime.GOOS == "windows" {
		base = ""
	}
	dir, err := os.MkdirTemp(base, "s")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// UserFolder gives the test a separate folder for the files that sinew keeps for each user (sockets, addresses, logs, kept values) and returns it,
// and another for its shared memory.
func UserFolder(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "u")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	t.Setenv("XDG_RUNTIME_DIR", dir)
	t.Setenv("XDG_STATE_HOME", dir)
	t.Setenv("SINEW_SHM", SharedFolder(t))
	return dir
}

// SharedFolder creates a folder in memory for the test's shared memory, so that systems of other tests with the same names do not
// disturb it, and returns it: the value for the variable SINEW_SHM. On systems without /dev/shm it returns "".
func SharedFolder(t testing.TB) string {
	t.Helper()
	const memory = "/dev/shm"
	if _, err := os.Stat(memory); err != nil {
		return ""
	}
	dir, err := os.MkdirTemp(memory, "sinew-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}
