package record

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
)

// failed says what was attempted on which file, why it failed and what to do.
func failed(attempt, path string, cause error) error {
	var where *fs.PathError
	if errors.As(cause, &where) {
		cause = where.Err // the path is said already
	}
	return fmt.Errorf("record: %s %s: %w: %s", attempt, path, cause, remedy(cause))
}

func remedy(cause error) string {
	switch {
	case errors.Is(cause, syscall.ENOSPC):
		return "free space on that disk or record to another"
	case errors.Is(cause, syscall.EROFS):
		return "that disk is read-only, record to another"
	case errors.Is(cause, fs.ErrPermission):
		return "record to a folder that you may write to"
	case errors.Is(cause, fs.ErrNotExist):
		return "make that folder first"
	}
	return "record to another folder or check that disk"
}
