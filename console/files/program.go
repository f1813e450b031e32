package files

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/sinew-robotics/sinew/internal/durable"
)

// maxProgram is the largest program of moves, in bytes, that pages edit.
const maxProgram = 1 << 20

// ProgramText is a program of moves as pages edit it.
type ProgramText struct {
	Text    string `json:"text"`
	Version string `json:"version"` // of the text; another one means that the file has changed
}

// Program returns the text of a program of moves in a file that the console has listed.
func (f *Files) Program(path string) (*ProgramText, error) {
	text, err := readLimited(path, maxProgram)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return &ProgramText{string(withoutMark(text)), durable.Version(text)}, nil
}

// PutProgram writes a program of moves into a file that the console has listed, as its text is. It rejects a version that is no longer the file's; "" is any.
func (f *Files) PutProgram(ctx context.Context, r Caller, system, path, text, version string) (*ProgramText, error) {
	r.Changed(system, "%s", filepath.Base(path))
	if len(text) > maxProgram {
		return nil, fmt.Errorf("write %s: %d bytes; limit: %d bytes", path, len(text), maxProgram)
	}
	err := durable.Update(ctx, durable.Edit{Path: path, Was: version, Text: []byte(text)})
	if errors.Is(err, durable.ErrChanged) {
		return nil, changedMeanwhile(path)
	}
	return &ProgramText{text, durable.Version([]byte(text))}, err
}
