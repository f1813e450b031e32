package files

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/sinew-robotics/sinew/internal/durable"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/system"
)

// maxNet is the largest system file, in bytes, that pages edit.
const maxNet = 4 << 20

// NetReply is a file of a system as pages edit it.
type NetReply struct {
	File    string    `json:"file"` // absolute path
	Text    string    `json:"text"`
	Version string    `json:"version"` // of the text; another one means that the file has changed
	Files   []NetFile `json:"files"`   // all of the system
}

// NetFile is one of the files that a system is made of, or that its blocks read and people edit.
type NetFile struct {
	File     string            `json:"file"` // absolute path
	Name     string            `json:"name"` // relative to the folder of the system file
	Kind     system.SourceKind `json:"kind"`
	Groups   []string          `json:"groups"`           // the groups that it describes
	Included bool              `json:"included"`         // by the key include of another file
	Blocks   []string          `json:"blocks,omitempty"` // the blocks that read it, where Kind is [system.BlockSource]
	Format   string            `json:"format,omitempty"` // of such a file, as "program"
}

// edit is a file of a system that a page reads or writes.
type edit struct {
	admin.TypeChecker
	file *NetFile
	all  []NetFile // of the system
}

// edit returns the file that a page names: "" is the system file. It fails for a file that is not the system's.
func (f *Files) edit(ctx context.Context, name, file string) (*edit, error) {
	types, err := f.checkerOf(ctx, name)
	if err != nil {
		return nil, err
	}
	d := &edit{TypeChecker: types}
	if d.all, err = f.netFiles(name); err != nil {
		return nil, err
	}
	at := slices.IndexFunc(d.all, func(x NetFile) bool { return x.File == file || file == "" })
	if at < 0 {
		return nil, fmt.Errorf("%s is not a file of %q", file, name)
	}
	d.file = &d.all[at]
	return d, nil
}

// netFiles returns the files that a system is made of, the system file first.
func (f *Files) netFiles(name string) ([]NetFile, error) {
	files := f.systems.Files(name)
	if err := onThisHost(name, files.Path); err != nil {
		return nil, err
	}
	list := []NetFile{}
	options := files.Options
	options.Registry = f.registry
	for _, source := range system.Sources(files.Path, options) {
		n := NetFile{File: source.Path, Name: source.Path, Kind: source.Kind, Groups: source.Groups, Included: source.Kind == system.IncludedSource,
			Blocks: source.Blocks, Format: source.Format}
		if short, err := filepath.Rel(filepath.Dir(files.Path), source.Path); err == nil {
			n.Name = filepath.ToSlash(short)
		}
		if n.Groups == nil {
			n.Groups = []string{}
		}
		list = append(list, n)
	}
	return list, nil
}

// FileRequest names a file of a system.
type FileRequest struct {
	System string `json:"system"`
	File   string `json:"file"` // absolute path; "": the system file
}

// Net returns the text of a file of a system. It fails for a file that is not one of the system's.
func (f *Files) Net(ctx context.Context, q FileRequest) (*NetReply, error) {
	d, err := f.edit(ctx, q.System, q.File)
	if err != nil {
		return nil, err
	}
	text, err := readLimited(d.file.File, maxNet)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", d.file.File, err)
	}
	return &NetReply{d.file.File, string(withoutMark(text)), durable.Version(text), d.all}, nil
}

// NetRequest is a new text of a file of a system.
type NetRequest struct {
	System  string `json:"system"`
	File    string `json:"file"` // absolute path; "": the system file
	Text    string `json:"text"`
	Version string `json:"version"` // of the text that was edited; "": any
}

// CheckNet returns what would be wrong with a system if a file of it had a new text, and what may not be wanted.
func (f *Files) CheckNet(ctx context.Context, q NetRequest) (admin.Findings, error) {
	d, err := f.edit(ctx, q.System, q.File)
	if err != nil {
		return admin.Findings{}, err
	}
	return d.Check(ctx, map[string]string{d.file.File: q.Text})
}

// PutNet writes a file of a system as its text is, comments and layout included. It rejects a text with which the system could
// not be loaded, and a version that is no longer the file's.
func (f *Files) PutNet(ctx context.Context, r Caller, q NetRequest) (*NetReply, error) {
	r.Changed(q.System, "%s", filepath.Base(q.File))
	d, err := f.edit(ctx, q.System, q.File)
	if err != nil {
		return nil, err
	}
	path := d.file.File
	r.Changed(q.System, "%s", d.file.Name)
	old, err := readLimited(path, maxNet)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	was := durable.Version(old)
	if q.Version != "" && q.Version != was {
		return nil, changedMeanwhile(path)
	}
	if err := f.needForTexts(r, q.System, map[string][]byte{path: old}, map[string][]byte{path: []byte(q.Text)}); err != nil {
		return nil, err
	}
	found, err := d.Check(ctx, map[string]string{path: q.Text})
	if err == nil {
		err = Join(found.Errors)
	}
	if err != nil {
		return nil, err
	}
	err = durable.Update(ctx, durable.Edit{Path: path, Was: was, Text: []byte(q.Text)})
	if errors.Is(err, durable.ErrChanged) {
		return nil, changedMeanwhile(path)
	}
	if err != nil {
		return nil, err
	}
	all, err := f.netFiles(q.System) // perhaps others than before
	return &NetReply{path, q.Text, durable.Version([]byte(q.Text)), all}, err
}

// ErrChangedOnDisk is the cause of a save that was rejected because the file has changed.
var ErrChangedOnDisk = errors.New("changed on disk")

// changedMeanwhile is the error of a page that would overwrite what another editor has saved.
func changedMeanwhile(path string) error {
	return fmt.Errorf("%s: %w: reload, compare or overwrite", path, ErrChangedOnDisk)
}

// withoutMark returns a text without the byte order mark that some editors put before it.
func withoutMark(text []byte) []byte { return bytes.TrimPrefix(text, []byte("\ufeff")) }

// Join returns one error of all that is wrong with files; nil for none.
func Join(faults []admin.FileError) error {
	errs := make([]error, len(faults))
	for i, fault := range faults {
		errs[i] = errors.New(fault.String())
	}
	return errors.Join(errs...)
}
