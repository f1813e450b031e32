package persist

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/sinew-robotics/sinew/internal/durable"
	"github.com/sinew-robotics/sinew/internal/private"
	"github.com/sinew-robotics/sinew/net/port"
)

// Lock is held by the run that writes the values of a name.
type Lock struct{ lock *private.FileLock }

// Take takes the lock of a name. It fails while a run of that name writes.
func Take(name string) (*Lock, error) {
	path, err := Path(name)
	if err != nil {
		return nil, err
	}
	if err := makeFolder(); err != nil {
		return nil, err
	}
	l, err := private.Lock(path + ".lock")
	if errors.Is(err, private.ErrLocked) {
		return nil, fmt.Errorf("a system %q runs and writes its kept values: stop it first (sinew down %s, or Ctrl-C), or use another --name", name, systemOf(name))
	}
	if err != nil {
		return nil, err
	}
	return &Lock{l}, nil
}

// Release gives the lock back.
func (l *Lock) Release() { _ = l.lock.Close() }

// Names returns the names under which values of a system are kept: its own and SYSTEM.PROCESS, sorted.
func Names(system string) ([]string, error) {
	folder, err := Folder()
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), suffix)
		if ok && systemOf(name) == system && !strings.HasPrefix(name, ".") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, nil
}

// Forget removes what was kept of a system: everything, or that of one block, or one value. It returns what it has removed, as
// "block.name", sorted; of a damaged file, which is only removed whole, the path. It fails while the system runs.
func Forget(ctx context.Context, system, block, value string) (removed []string, err error) {
	names, err := Names(system)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		gone, err := forget(ctx, name, block, value)
		if err != nil {
			return removed, err
		}
		removed = append(removed, gone...)
	}
	slices.Sort(removed)
	return removed, nil
}

// forget does so in one file.
func forget(ctx context.Context, name, block, value string) (removed []string, err error) {
	l, err := Take(name)
	if err != nil {
		return nil, err
	}
	defer l.Release()
	path, err := Path(name)
	if err != nil {
		return nil, err
	}
	v, err := Read(name)
	if err != nil && block == "" {
		return []string{path}, durable.Remove(ctx, path)
	}
	if err != nil || v == nil {
		return nil, err
	}
	for b, values := range v.Blocks {
		for n := range values {
			if (block == "" || b == block) && (value == "" || n == value) {
				removed = append(removed, b+"."+n)
				delete(values, n)
			}
		}
	}
	maps.DeleteFunc(v.Blocks, func(_ string, values map[string]port.Kept) bool { return len(values) == 0 })
	switch {
	case len(removed) == 0:
		return nil, nil
	case len(v.Blocks) == 0:
		return removed, durable.Remove(ctx, path)
	}
	return removed, v.Write()
}

// List returns what was kept of a system, as "block.name" with its value, of all its processes.
func List(system string) (map[string]any, error) {
	names, err := Names(system)
	if err != nil {
		return nil, err
	}
	list := map[string]any{}
	var errs []error
	for _, name := range names {
		v, err := Read(name)
		if err != nil {
			errs = append(errs, err)
		}
		if v == nil {
			continue
		}
		for b, values := range v.Blocks {
			for n, k := range values {
				list[b+"."+n] = k.Value
			}
		}
	}
	return list, errors.Join(errs...)
}
