package durable

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"
)

const (
	lockPatience = 10 * time.Second     // to wait for other writers
	lockPause    = 2 * time.Millisecond // between two attempts
)

var errLocked = errors.New("locked by another writer")

// lock locks the folders of some files until unlock is called. All writers lock folders in the same order, so that
// two writers of several files never deadlock.
func lock(ctx context.Context, paths []string) (unlock func(), err error) {
	var held []*os.File
	unlock = func() {
		for _, f := range held {
			_ = f.Close() // which unlocks it
		}
	}
	var folders []string
	for _, path := range paths {
		dir, err := filepath.EvalSymlinks(filepath.Dir(path))
		if err == nil {
			dir, err = filepath.Abs(dir)
		}
		if err != nil {
			return nil, fmt.Errorf("write %s: %w", path, err)
		}
		folders = append(folders, dir)
	}
	slices.Sort(folders)
	for _, dir := range slices.Compact(folders) {
		f, err := os.Open(dir)
		if err == nil {
			held = append(held, f)
			err = lockFolder(ctx, f)
		}
		if err != nil {
			unlock()
			return nil, fmt.Errorf("lock the folder %s to write in it: %w", dir, err)
		}
	}
	return unlock, nil
}

// lockFolder waits until a folder is free.
func lockFolder(ctx context.Context, f *os.File) error {
	began := time.Now()
	for {
		err := tryLock(f)
		if !errors.Is(err, errLocked) {
			return err
		}
		if time.Since(began) > lockPatience {
			return fmt.Errorf("another process has kept it locked for %v: find it with \"fuser %s\"", lockPatience, f.Name())
		}
		select {
		case <-time.After(lockPause):
		case <-ctx.Done():
			return fmt.Errorf("%w: %w", err, ctx.Err())
		}
	}
}
