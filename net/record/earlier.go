package record

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/sinew-robotics/sinew/net/record/mcap"
)

// Number of runs that are kept at one path, the newest included.
const (
	DefaultKeep = 10     // the default
	MaxKeep     = 10_000 // at most
)

// Every log records the path at which it was written: only such a log may be deleted to make room for others of that
// path. It also records the system whose values it holds, if there is one.
const (
	originMetadata = "sinew.log"
	originFile     = "file"
	originSystem   = "system"
)

// SystemOf returns the system whose values a log holds, "" if the file names none, as a table or a log of another program. It reads
// only the beginning of the file.
func SystemOf(path string) (string, error) {
	o, err := originOf(path)
	if err != nil {
		return "", failed("reading log", path, err)
	}
	return o.system, nil
}

// SetAside makes room for a new log at a path. It renames an existing log: run.mcap becomes run-1.mcap, the next one
// run-2.mcap, and so on. It returns the new name, or "" if there was no log. Then it deletes the oldest renamed logs
// until keep runs are left, including the new one. A file that sinew did not write is an error and is neither renamed
// nor deleted; so are links and folders. Tables (CSV) are renamed but never deleted, since they do not record their
// writer.
func SetAside(path string, keep int) (earlier string, err error) {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil
	case err != nil:
		return "", failed("creating log", path, err)
	case info.Mode()&fs.ModeSymlink != 0:
		target, _ := os.Readlink(path)
		return "", fmt.Errorf("record: creating log %s: the path is a link to %s: record to that file or remove the link", path, target)
	case info.IsDir():
		return "", fmt.Errorf("record: creating log %s: the path is a folder: record to a file in it", path)
	case !info.Mode().IsRegular():
		return "", fmt.Errorf("record: creating log %s: the path is a device or a pipe: record to a file", path)
	}
	o, err := originOf(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil // another run has set it aside
	case err != nil:
		return "", failed("creating log", path, err)
	case !o.ours:
		return "", fmt.Errorf("record: creating log %s: a file of that name exists and is not a log of sinew: record to another path or remove the file", path)
	}
	if earlier, err = renumber(path); err != nil {
		return "", failed("setting the earlier log aside", path, err)
	}
	return earlier, prune(path, keep)
}

// renumber renames a file to the first free number after the existing ones.
func renumber(path string) (earlier string, err error) {
	next := 1
	if list := numbered(path); len(list) > 0 {
		next = list[len(list)-1].n + 1
	}
	for ; ; next++ {
		earlier = numberedName(path, next)
		reserved, err := os.OpenFile(earlier, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, fs.ErrExist) {
			continue // another run took that number
		}
		if err != nil {
			return "", err
		}
		reserved.Close()
		if err := os.Rename(path, earlier); err != nil {
			os.Remove(earlier)
			if errors.Is(err, fs.ErrNotExist) {
				return "", nil // another run has set it aside
			}
			return "", err
		}
		return earlier, nil
	}
}

// prune deletes the oldest logs that were written at path, until keep are left, including the one about to start.
func prune(path string, keep int) error {
	var own []string
	for _, e := range numbered(path) {
		if o, err := originOf(e.path); err == nil && o.ours && o.file == filepath.Base(path) {
			own = append(own, e.path)
		}
	}
	for len(own) > max(keep-1, 0) {
		if err := os.Remove(own[0]); err != nil {
			return failed("deleting the oldest log", own[0], err)
		}
		own = own[1:]
	}
	return nil
}

type numberedFile struct {
	path string
	n    int
}

// numbered returns the files named like earlier logs of path, the oldest first.
func numbered(path string) (list []numberedFile) {
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
			list = append(list, numberedFile{filepath.Join(dir, e.Name()), n})
		}
	}
	slices.SortFunc(list, func(a, b numberedFile) int { return a.n - b.n })
	return list
}

// numberedName returns the name of an earlier log: run.mcap, 3 → run-3.mcap.
func numberedName(path string, n int) string {
	ext := filepath.Ext(path)
	return fmt.Sprintf("%s-%d%s", strings.TrimSuffix(path, ext), n, ext)
}

// origin is what a file records about its writer.
type origin struct {
	ours   bool   // sinew wrote it, or it is empty
	file   string // at a path with this base name; "" if it does not say
	system string // "" if it names none
}

// originOf reads the origin of a file.
func originOf(path string) (o origin, err error) {
	f, err := os.Open(path)
	if err != nil {
		return o, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return o, err
	}
	if info.Size() == 0 {
		return origin{ours: true}, nil
	}
	head, metadata, err := mcap.ReadFront(f, info.Size())
	if err != nil {
		line, err := bufio.NewReader(io.LimitReader(f, maxFirstLine)).ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return o, err
		}
		o.ours = strings.HasPrefix(line, csvFirst+",") && strings.HasSuffix(line, ","+csvLast+"\n")
		return o, nil
	}
	o.ours = head.Library == library
	for _, m := range metadata {
		if m.Name == originMetadata {
			o.file, o.system = m.Values[originFile], m.Values[originSystem]
		}
	}
	return o, nil
}

// maxFirstLine is the maximum length of a table's header line, in bytes.
const maxFirstLine = 16 << 20
