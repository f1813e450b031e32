// Package numbered keeps the earlier files of a path: the newest file has the path's name, run.mcap, and earlier ones have numbers,
// run-1.mcap the oldest, run-2.mcap, and so on. A number is not given twice while its file or a later one exists.
package numbered

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// SetAside renames a file to the first number after those of the existing ones and returns the new name, or "" if there is no file.
// Several processes may do so at once: each file gets a number of its own.
func SetAside(path string) (earlier string, err error) {
	next := 1
	if list := files(path); len(list) > 0 {
		next = list[len(list)-1].n + 1
	}
	for ; ; next++ {
		earlier = name(path, next)
		reserved, err := os.OpenFile(earlier, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, fs.ErrExist) {
			continue // another process took that number
		}
		if err != nil {
			return "", err
		}
		reserved.Close()
		if err := os.Rename(path, earlier); err != nil {
			os.Remove(earlier)
			if errors.Is(err, fs.ErrNotExist) {
				return "", nil // there was none, or another process has set it aside
			}
			return "", err
		}
		return earlier, nil
	}
}

// Earlier returns the files named like earlier ones of a path, the oldest first.
func Earlier(path string) (paths []string) {
	for _, f := range files(path) {
		paths = append(paths, f.path)
	}
	return paths
}

type file struct {
	path string
	n    int
}

func files(path string) (list []file) {
	dir, base := filepath.Split(path)
	ext := filepath.Ext(base)
	entries, _ := os.ReadDir(filepath.Clean(dir + "."))
	for _, e := range entries {
		tail, first := strings.CutPrefix(e.Name(), strings.TrimSuffix(base, ext)+"-")
		digits, last := strings.CutSuffix(tail, ext)
		if !first || !last || !e.Type().IsRegular() {
			continue
		}
		if n, err := strconv.Atoi(digits); err == nil && n > 0 && strconv.Itoa(n) == digits {
			list = append(list, file{filepath.Join(dir, e.Name()), n})
		}
	}
	slices.SortFunc(list, func(a, b file) int { return a.n - b.n })
	return list
}

// name returns the name of an earlier file: run.mcap, 3 → run-3.mcap.
func name(path string, n int) string {
	ext := filepath.Ext(path)
	return fmt.Sprintf("%s-%d%s", strings.TrimSuffix(path, ext), n, ext)
}
