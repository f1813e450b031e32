package rt

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

func TestClosedMemoryStaysWhileItsOwnerIsReachable(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "own")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, "memory")
	s, err := CreateShared(path, 1<<16)
	if err != nil {
		t.Fatal(err)
	}
	type holder struct{ mem []byte }
	owner := &holder{s.Bytes()}
	if !s.Take(1) {
		t.Fatal("the seat is taken")
	}
	if err := CloseAfter(s, owner); err != nil {
		t.Fatal(err)
	}
	if other, err := OpenShared(path); err != nil || !other.Take(1) {
		t.Errorf("the seat is still taken (%v)", err)
	} else {
		_ = other.Close()
	}
	runtime.GC()
	owner.mem[1<<16-1] = 1 // would end the process
	if !mapped(t, path) {
		t.Error("the memory is gone while its owner is there")
	}
	runtime.KeepAlive(owner)
	owner = nil
	testkit.Await(t, "the memory is unmapped after its owner became unreachable", func() bool { runtime.GC(); return !mapped(t, path) })
}

// mapped reports whether this process has mapped a file.
func mapped(t *testing.T, path string) bool {
	t.Helper()
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Contains(string(maps), path)
}
