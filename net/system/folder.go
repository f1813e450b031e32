package system

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"time"
)

// Folder is the files beside a system file, for blocks and scripts to read. Unlike those of os.DirFS its paths may
// lead out of it, because models usually lie elsewhere.
type Folder string

// Open opens a file whose path is absolute or relative to the folder.
func (f Folder) Open(name string) (fs.File, error) { return os.Open(f.Path(name)) }

// Path returns the path of a file of the folder, as [Folder.Open] opens it.
func (f Folder) Path(name string) string { return resolvePath(string(f), filepath.FromSlash(name)) }

// noted notes which files blocks read: other hosts need them too. It has the texts of a candidate instead of those on the disk.
type noted struct {
	Folder
	files *files
}

// Open opens a file of the folder. Blocks open files also while the system runs, several at the same time.
func (n noted) Open(name string) (fs.File, error) {
	if text, ok := n.files.texts[absolute(n.Path(name))]; ok {
		return newTextFile(name, text), nil
	}
	file, err := n.files.reach.open(n.Path(name))
	if err == nil && !filepath.IsAbs(name) {
		name = filepath.Join(string(n.Folder), name)
	}
	if err == nil {
		n.files.noteRead(name)
	}
	return file, err
}

// noteRead notes a file that a block has read.
func (f *files) noteRead(name string) {
	f.reading.Lock()
	defer f.reading.Unlock()
	if !f.noted[name] {
		f.noted[name] = true
		f.paths = append(f.paths, name)
	}
}

// textFile is a file of a candidate that is not on the disk.
type textFile struct {
	bytes.Reader
	name string
}

func newTextFile(name string, text []byte) *textFile {
	f := &textFile{name: path.Base(filepath.ToSlash(name))}
	f.Reset(text)
	return f
}

// Close implements [fs.File].
func (f *textFile) Close() error { return nil }

// Stat implements [fs.File].
func (f *textFile) Stat() (fs.FileInfo, error) { return textInfo{f}, nil }

// textInfo implements [fs.FileInfo].
type textInfo struct{ file *textFile }

func (i textInfo) Name() string       { return i.file.name }
func (i textInfo) Size() int64        { return i.file.Reader.Size() }
func (i textInfo) Mode() fs.FileMode  { return 0o444 }
func (i textInfo) ModTime() time.Time { return time.Time{} }
func (i textInfo) IsDir() bool        { return false }
func (i textInfo) Sys() any           { return nil }
