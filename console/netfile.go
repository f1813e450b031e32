package console

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"

	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/system"
)

// maxNet is how many bytes a system file has that pages edit.
const maxNet = 4 << 20

// netReply is a system file as pages edit it. The version tells whether somebody else has changed it since.
type netReply struct {
	File    string `json:"file"`
	Text    string `json:"text"`
	Version string `json:"version"`
}

func versionOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

// getNet returns the text of a system file.
func (s *Server) getNet(ctx context.Context, _ *call, a systemRequest) (any, error) {
	path, err := s.placeOf(ctx, a.System)
	if err != nil {
		return nil, err
	}
	text, err := readLimited(path, maxNet)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return netReply{path, string(text), versionOf(text)}, nil
}

type netRequest struct {
	System  string `json:"system"`
	File    string `json:"file"` // where a page says which file it means, it must be the system's
	Text    string `json:"text"`
	Version string `json:"version"` // of the text that was edited; "": whatever the file is now
}

// fileError is something that is wrong with a system file. Errors of other files that it reads name them.
type fileError struct {
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Text   string `json:"text"`
}

// checkNet tells what would be wrong with a system file of this text.
func (s *Server) checkNet(ctx context.Context, _ *call, a netRequest) (any, error) {
	path, err := s.netPath(ctx, a)
	if err != nil {
		return nil, err
	}
	part, err := writeBeside(path, []byte(a.Text))
	if err != nil {
		return nil, fmt.Errorf("check %s: %w", path, err)
	}
	defer os.Remove(part)
	return map[string][]fileError{"errors": s.faultsOf(part)}, nil
}

func (s *Server) netPath(ctx context.Context, a netRequest) (string, error) {
	path, err := s.placeOf(ctx, a.System)
	switch {
	case err != nil:
		return "", err
	case a.File != "" && a.File != path:
		return "", fmt.Errorf("%s is not the file of %q: that is %s", a.File, a.System, path)
	case len(a.Text) > maxNet:
		return "", fmt.Errorf("the text has %d bytes, at most %d are possible", len(a.Text), maxNet)
	}
	return path, nil
}

// faultsOf loads a candidate for a system file and tells what is wrong with it.
func (s *Server) faultsOf(part string) []fileError {
	list := []fileError{}
	_, err := system.Load(part, system.Options{Registry: s.options.Registry})
	var errs diagram.Errors
	switch {
	case err == nil:
	case errors.As(err, &errs):
		for _, e := range errs {
			list = append(list, newFileError(e, part))
		}
	default:
		list = append(list, fileError{Text: err.Error()})
	}
	return list
}

// sourcePlace takes file:line:column apart.
var sourcePlace = regexp.MustCompile(`^(.*?)(?::(\d+):(\d+))?$`)

func newFileError(e *diagram.Error, part string) fileError {
	f := fileError{Text: e.Err.Error()}
	m := sourcePlace.FindStringSubmatch(e.Source)
	if m == nil || m[1] != part {
		if e.Source != "" {
			f.Text = e.Source + ": " + f.Text
		}
		return f
	}
	f.Line, _ = strconv.Atoi(m[2])
	f.Column, _ = strconv.Atoi(m[3])
	return f
}

// putNet writes a system file. It refuses what could not be loaded, and to overwrite what somebody else has written
// meanwhile. Where only parameters differ and the new text has lost the comments of the old one, those stay: the values
// are put into the old text.
func (s *Server) putNet(ctx context.Context, c *call, a netRequest) (any, error) {
	path, err := s.netPath(ctx, a)
	if err != nil {
		return nil, err
	}
	c.changed(a.System, "%s", filepath.Base(path))
	s.writing.Lock()
	defer s.writing.Unlock()
	old, err := readLimited(path, maxNet)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	if a.Version != "" && a.Version != versionOf(old) {
		return nil, fmt.Errorf("%s has changed since it was opened here: look at it again before it is overwritten", path)
	}
	text := []byte(a.Text)
	if patched, ok := s.patched(path, old, text); ok {
		text = patched
	}
	part, err := writeBeside(path, text)
	if err != nil {
		return nil, fmt.Errorf("write %s: %w", path, err)
	}
	defer os.Remove(part)
	if faults := s.faultsOf(part); len(faults) > 0 {
		var errs []error
		for _, f := range faults {
			errs = append(errs, fmt.Errorf("%s:%d:%d: %s", filepath.Base(path), f.Line, f.Column, f.Text))
		}
		return nil, errors.Join(errs...)
	}
	if err := os.Rename(part, path); err != nil {
		return nil, fmt.Errorf("write %s: %w", path, err)
	}
	return netReply{path, string(text), versionOf(text)}, nil
}
