package admin

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/system"
)

// Files are the files of a system as one reads them who knows its types of blocks: the process that runs it, or, while none does,
// somebody who might. They are read anew each time.
type Files struct {
	Path    string         // of the system file
	Options system.Options // how it is read; the whole system counts, whatever process they name
}

// FileError is something that is wrong with a file of a system.
type FileError struct {
	File   string `json:"file,omitempty"` // absolute path; "": it is no place in a file
	Line   int    `json:"line"`           // from 1; 0: the whole file
	Column int    `json:"column"`
	Text   string `json:"text"`
}

// String returns the error as "file:line:column: text".
func (e FileError) String() string {
	switch {
	case e.File == "":
		return e.Text
	case e.Line == 0:
		return e.File + ": " + e.Text
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Text)
}

var errNoFile = errors.New("the system was not made from a file")

// Types implements [System.Types].
func (f Files) Types(name string, params map[string]any) ([]BlockType, error) {
	return palette(f.Options.Registry, system.Folder(filepath.Dir(f.Path)), name, params)
}

// Check implements [System.Check].
func (f Files) Check(texts map[string]string) []FileError {
	o := f.whole()
	o.Texts = map[string][]byte{}
	for path, text := range texts {
		o.Texts[path] = []byte(text)
	}
	_, err := system.Load(f.Path, o)
	list := []FileError{}
	var all diagram.Errors
	switch {
	case err == nil:
	case errors.As(err, &all):
		for _, e := range all {
			list = append(list, fileError(e))
		}
	default:
		list = append(list, FileError{Text: err.Error()})
	}
	return list
}

// Tuned implements [System.Tuned] for the blocks of the process that the options name.
func (f Files) Tuned(ctx context.Context, running System) ([]system.Change, error) {
	file, err := system.Load(f.Path, f.Options)
	if err != nil {
		return nil, fmt.Errorf("compare parameters with %s: %w", f.Path, err)
	}
	return tuned(ctx, running, file)
}

// SaveParams implements [System.SaveParams].
func (f Files) SaveParams(changes []system.Change) (map[string]string, error) {
	file, err := system.Load(f.Path, f.whole())
	if err != nil {
		return nil, fmt.Errorf("save parameters in %s: %w", f.Path, err)
	}
	return file.SaveParams(changes)
}

func (f Files) whole() system.Options {
	o := f.Options
	o.Process = ""
	return o
}

// sourcePlace takes file:line:column apart.
var sourcePlace = regexp.MustCompile(`^(.+?)(?::(\d+):(\d+))?$`)

func fileError(e *diagram.Error) FileError {
	f := FileError{Text: e.Err.Error()}
	m := sourcePlace.FindStringSubmatch(e.Source)
	if m == nil || strings.HasPrefix(e.Source, "--") { // a flag, as "--param a.b=1"
		f.Text = e.Error()
		return f
	}
	f.File = absolute(m[1])
	f.Line, _ = strconv.Atoi(m[2])
	f.Column, _ = strconv.Atoi(m[3])
	return f
}
