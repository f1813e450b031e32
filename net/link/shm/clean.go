package shm

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/sinew-robotics/sinew/internal/proc"
	"github.com/sinew-robotics/sinew/internal/rt"
)

// Clean removes the unused segments of a system, which remain when processes are killed.
func Clean(system string) error {
	folder := Folder(system)
	if err := checkFolder(filepath.Dir(folder)); err != nil {
		return fmt.Errorf("clean the shared memory of %q: %w", system, err)
	}
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("clean the shared memory of %q: %w", system, err)
	}
	for _, e := range entries {
		path := filepath.Join(folder, e.Name())
		if abandoned(e.Name()) {
			_ = os.Remove(path)
			continue
		}
		shared, err := rt.OpenShared(path)
		if err != nil {
			continue // removed already, or owned by another user
		}
		s := &segment{path: path, shared: shared, mem: shared.Bytes()}
		if len(s.mem) >= atSeatTab && binary.LittleEndian.Uint64(s.mem[atMagic:]) == magic {
			s.removeUnused()
		}
		_ = shared.Close()
	}
	_ = os.Remove(folder) // if it is empty
	return nil
}

// abandoned reports whether name is that of an unfinished segment whose creator has ended.
func abandoned(name string) bool {
	var pid, n int
	_, part, ok := strings.Cut(name, partSuffix)
	if !ok {
		return false
	}
	if _, err := fmt.Sscanf(part, "%d-%d", &pid, &n); err != nil || fmt.Sprintf("%d-%d", pid, n) != part {
		return false
	}
	return !proc.Lives(pid)
}
