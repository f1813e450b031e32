package console

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/system"
)

// maxNet is how many bytes a system file has that pages edit.
const maxNet = 4 << 20

// netReply is a file of a system as pages edit it. The version tells whether somebody else has changed it since.
type netReply struct {
	File    string    `json:"file"`
	Text    string    `json:"text"`
	Version string    `json:"version"`
	Files   []netFile `json:"files"` // all of the system
}

// netFile is a file that says what a system is made of.
type netFile struct {
	File     string            `json:"file"` // absolute path
	Name     string            `json:"name"` // relative to the folder of the system file
	Kind     system.SourceKind `json:"kind"`
	Groups   []string          `json:"groups"`   // those that it describes
	Included bool              `json:"included"` // what it has is the system's, by the key include
}

func versionOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

// desk is where a page edits a file of a system.
type desk struct {
	author
	file *netFile
	all  []netFile
}

// deskOf returns the desk for the file that a page means: "" is the system file. Others than the system's are refused.
func (s *Server) deskOf(ctx context.Context, name, file string) (*desk, error) {
	who, err := s.authorOf(ctx, name)
	if err != nil {
		return nil, err
	}
	d := &desk{author: who}
	if d.all, err = s.netFiles(name); err != nil {
		return nil, err
	}
	at := slices.IndexFunc(d.all, func(f netFile) bool { return f.File == file || file == "" })
	if at < 0 {
		return nil, fmt.Errorf("%s is not a file of %q", file, name)
	}
	d.file = &d.all[at]
	return d, nil
}

// netFiles returns the files that a system is made of, the system file first.
func (s *Server) netFiles(name string) ([]netFile, error) {
	f := s.filesOf(name)
	if err := onThisHost(name, f.Path); err != nil {
		return nil, err
	}
	list := []netFile{}
	for _, source := range system.Sources(f.Path, f.Options) {
		n := netFile{File: source.Path, Name: source.Path, Kind: source.Kind, Groups: source.Groups, Included: source.Kind == system.IncludedSource}
		if short, err := filepath.Rel(filepath.Dir(f.Path), source.Path); err == nil {
			n.Name = filepath.ToSlash(short)
		}
		if n.Groups == nil {
			n.Groups = []string{}
		}
		list = append(list, n)
	}
	return list, nil
}

type fileRequest struct {
	System string `json:"system"`
	File   string `json:"file"` // "": the system file
}

// getNet returns the text of a file of a system.
func (s *Server) getNet(ctx context.Context, _ *call, a fileRequest) (any, error) {
	d, err := s.deskOf(ctx, a.System, a.File)
	if err != nil {
		return nil, err
	}
	text, err := readLimited(d.file.File, maxNet)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", d.file.File, err)
	}
	return netReply{d.file.File, string(text), versionOf(text), d.all}, nil
}

type netRequest struct {
	System  string `json:"system"`
	File    string `json:"file"` // "": the system file
	Text    string `json:"text"`
	Version string `json:"version"` // of the text that was edited; "": whatever the file is now
}

// checkNet tells what would be wrong with a system if a file of it had this text.
func (s *Server) checkNet(ctx context.Context, _ *call, a netRequest) (any, error) {
	d, err := s.deskOf(ctx, a.System, a.File)
	if err != nil {
		return nil, err
	}
	faults, err := d.Check(ctx, map[string]string{d.file.File: a.Text})
	return map[string][]admin.FileError{"errors": faults}, err
}

// putNet writes a file of a system. It refuses a text with which the system could not be loaded, and to overwrite what somebody
// else has written meanwhile. Where only parameters differ and the new text has lost the comments of the old one, those stay:
// the values are put into the old text.
func (s *Server) putNet(ctx context.Context, c *call, a netRequest) (any, error) {
	c.changed(a.System, "%s", filepath.Base(a.File))
	d, err := s.deskOf(ctx, a.System, a.File)
	if err != nil {
		return nil, err
	}
	path := d.file.File
	c.changed(a.System, "%s", d.file.Name)
	s.writing.Lock()
	defer s.writing.Unlock()
	old, err := readLimited(path, maxNet)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	if a.Version != "" && a.Version != versionOf(old) {
		return nil, fmt.Errorf("%s has changed since it was opened here: look at it again before it is overwritten", path)
	}
	text := a.Text
	if patched, ok := d.patched(ctx, old, []byte(text)); ok {
		text = patched
	}
	faults, err := d.Check(ctx, map[string]string{path: text})
	if err == nil {
		err = joined(faults)
	}
	if err != nil {
		return nil, err
	}
	if err := writeWhole(path, []byte(text)); err != nil {
		return nil, fmt.Errorf("write %s: %w", path, err)
	}
	all, err := s.netFiles(a.System) // perhaps others than before
	return netReply{path, text, versionOf([]byte(text)), all}, err
}

// joined makes one error of what is wrong with files.
func joined(faults []admin.FileError) error {
	errs := make([]error, len(faults))
	for i, f := range faults {
		errs[i] = errors.New(f.String())
	}
	return errors.Join(errs...)
}
