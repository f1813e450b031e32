package record

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/sinew-robotics/sinew/internal/numbered"
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
	if earlier, err = numbered.SetAside(path); err != nil {
		return "", failed("setting the earlier log aside", path, err)
	}
	return earlier, prune(path, keep)
}

// prune deletes the oldest logs that were written at path, until keep are left, including the one about to start.
func prune(path string, keep int) error {
	var own []string
	for _, e := range numbered.Earlier(path) {
		if o, err := originOf(e); err == nil && o.ours && o.file == filepath.Base(path) {
			own = append(own, e)
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
