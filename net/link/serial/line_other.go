//go:build !linux

package serial

import (
	"errors"
	"os"
)

// openLine fails: this package opens serial lines on Linux alone.
func openLine(string, int) (*os.File, error) { return nil, errors.ErrUnsupported }
