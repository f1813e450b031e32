package record

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
)

// failed returns an error with the attempt, the file, the cause and the remedy.
func failed(attempt, path string, cause error) error {
	var where *fs.PathError
	if errors.As(cause, &where) {
		cause = where.Err // the path is in the message already
	}
	return fmt.Errorf("record: %s %s: %w: %s", attempt, path, cause, remedy(cause))
}

func remedy(cause error) string {
	switch {
	case errors.Is(cause, syscall.ENOSPC):
		return "free space on that disk or record to another disk"
	case errors.Is(cause, syscall.EROFS):
		return "that disk is read-only, record to another"
	case errors.Is(cause, fs.ErrPermission):
		return "record to a folder that you may write to"
	case errors.Is(cause, syscall.EFBIG):
		return "the file is larger than allowed: raise ulimit -f or record to another disk"
	case errors.Is(cause, fs.ErrExist):
		return "another run has just created it: record to another file"
	case errors.Is(cause, fs.ErrNotExist):
		return "create that folder first"
	}
	return "record to another folder or check that disk"
}
