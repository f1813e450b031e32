package admin

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/system"
)

// Files are the files of a system as a program reads them that knows its types of blocks: the process that runs it, or, while none does,
// a console. They are read again for each request.
type Files struct {
	Path    string         // of the system file
	Options system.Options // how it is read; the whole system counts, whatever process they name
	Checker Checker        // answers what runs the Setup of blocks; nil: such questions are refused
}

// FileError is something that is wrong with a file of a system, or a notice about it.
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

// Findings are what a check finds in the files of a system.
type Findings struct {
	Errors  []FileError `json:"errors"`  // none: the system can be loaded
	Notices []FileError `json:"notices"` // what is no error, but may not be wanted; none beside errors
}

// ErrNoFile is the error of what needs the files of a system that was made without any.
var ErrNoFile = errors.New("the system was not made from a file")

var errNoChecker = errors.New("this program checks no candidates: give it a Checker with admin.Local.CheckWith, or run it as a command on cli.Main")

// Types implements [TypeChecker.Types].
func (f Files) Types(ctx context.Context, name string, params map[string]any) ([]BlockType, error) {
	named, _ := Finite(params).(map[string]any)
	v, err := f.ask(ctx, Question{Kind: AskTypes, Type: name, Named: named})
	return v.Types, err
}

// Check implements [TypeChecker.Check].
func (f Files) Check(ctx context.Context, texts map[string]string) (Findings, error) {
	v, err := f.ask(ctx, Question{Kind: AskCheck, Texts: texts})
	return Findings{append([]FileError{}, v.Errors...), append([]FileError{}, v.Notices...)}, err
}

// ask asks the checker about the whole system.
func (f Files) ask(ctx context.Context, q Question) (Verdict, error) {
	if f.Checker == nil {
		return Verdict{}, errNoChecker
	}
	q.File, q.Overlays, q.Params = f.Path, f.Options.Overlays, f.Options.Params
	v, err := f.Checker.Ask(ctx, q)
	if err == nil && v.Refusal != "" {
		err = errors.New(v.Refusal)
	}
	return v, err
}

// Tuned implements [FileEditor.Tuned] for the blocks of the process that the options name.
func (f Files) Tuned(ctx context.Context, running System) ([]system.Change, error) {
	file, err := system.Load(f.Path, f.Options)
	if err != nil {
		return nil, fmt.Errorf("compare parameters with %s: %w", f.Path, err)
	}
	return tuned(ctx, running, file)
}

// SaveParams implements [FileEditor.SaveParams].
func (f Files) SaveParams(ctx context.Context, changes []system.Change) (map[string]system.Rewrite, error) {
	v, err := f.ask(ctx, Question{Kind: AskSave, Changes: changes})
	return v.Texts, err
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
