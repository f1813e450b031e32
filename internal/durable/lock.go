package durable

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/sinew-robotics/sinew/internal/private"
)

const (
	lockPatience = 10 * time.Second     // to wait for other writers
	lockPause    = 2 * time.Millisecond // between two attempts
)

// lock locks the folders of some files until unlock is called. All writers lock in the same order, so that two writers of several files
// never deadlock.
func lock(ctx context.Context, paths []string) (unlock func(), err error) {
	folders := map[string]string{} // by lock file: a folder may have several paths
	for _, path := range paths {
		dir := filepath.Dir(path)
		file, err := lockFile(dir)
		if err != nil {
			return nil, fmt.Errorf("lock the folder %s to write in it: %w", dir, err)
		}
		folders[file] = dir
	}
	var held []*private.FileLock
	unlock = func() {
		for _, l := range held {
			_ = l.Close()
		}
	}
	files := make([]string, 0, len(folders))
	for file := range folders {
		files = append(files, file)
	}
	slices.Sort(files)
	for _, file := range files {
		l, err := await(ctx, file)
		if err != nil {
			unlock()
			return nil, fmt.Errorf("lock the folder %s to write in it: %w", folders[file], err)
		}
		held = append(held, l)
	}
	return unlock, nil
}

// lockFile returns the file that stands for a folder in locks: in this user's private folder, where no other user can lock it.
func lockFile(dir string) (string, error) {
	dir, err := filepath.EvalSymlinks(dir)
	if err == nil {
		dir, err = filepath.Abs(dir)
	}
	if err != nil {
		return "", err
	}
	info, err := os.Stat(dir)
	if err != nil {
		return "", err
	}
	folder, err := private.Folder()
	if err == nil {
		folder, err = private.Below(folder, "locks")
	}
	if err != nil {
		return "", err
	}
	name := inode(info)
	if name == "" {
		sum := sha256.Sum256([]byte(dir))
		name = hex.EncodeToString(sum[:16])
	}
	return filepath.Join(folder, name), nil
}

// await waits until a lock file is free, and locks it.
func await(ctx context.Context, file string) (*private.FileLock, error) {
	began := time.Now()
	for {
		l, err := private.Lock(file)
		if !errors.Is(err, private.ErrLocked) {
			return l, err
		}
		if time.Since(began) > lockPatience {
			return nil, fmt.Errorf("another process has kept it locked for %v: find it with \"fuser %s\"", lockPatience, file)
		}
		select {
		case <-time.After(lockPause):
		case <-ctx.Done():
			return nil, fmt.Errorf("%w: %w", err, ctx.Err())
		}
	}
}
