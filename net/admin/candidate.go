package admin

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/system"
)

// Checker answers questions about candidates: system files and blocks that do not run yet. An answer runs the Setup of blocks
// with parameters that a client chose, which may take all memory, never end, or end the process. So a Checker decides where
// that happens.
//
//   - Programs on cli.Main have one that runs each question in a child process with limits. They need to do nothing.
//   - Other programs give [Local.CheckWith] and the console their own, or [LocalChecker] where that process may die.
//   - Without one, the questions are rejected with an error that explains it.
type Checker interface {
	// Ask answers a question in the name that [WithActor] has set. It returns an error where there is no answer, because something
	// has ended the check or a newer one of the same [Actor.Page] has taken its place.
	Ask(ctx context.Context, q Question) (Verdict, error)
}

// The kinds of questions.
const (
	AskCheck = "check" // what would be wrong with the system if its files had these texts
	AskTypes = "types" // what types of blocks there are, or what one would be with these parameters
	AskSave  = "save"  // what the files would be with these values
)

// Question is what is asked of a candidate, with the system file that it belongs to as [system.Options] describe it.
type Question struct {
	Kind     string            `json:"kind"`           // one of those above
	File     string            `json:"file,omitempty"` // absolute path; "" for types alone
	Overlays []string          `json:"overlays,omitempty"`
	Params   []string          `json:"params,omitempty"`
	Texts    map[string]string `json:"texts,omitempty"` // by absolute path; none: the files as they are
	Type     string            `json:"type,omitempty"`  // "": all
	Named    map[string]any    `json:"named,omitempty"` // parameters of the type
	Changes  []system.Change   `json:"changes,omitempty"`
}

// Verdict is the answer to a question.
type Verdict struct {
	Errors  []FileError               `json:"errors,omitempty"`  // to AskCheck; none: all is in order
	Notices []FileError               `json:"notices,omitempty"` // to AskCheck, of a system without errors
	Types   []BlockType               `json:"types,omitempty"`   // to AskTypes
	Texts   map[string]system.Rewrite `json:"texts,omitempty"`   // to AskSave: files by path
	Refusal string                    `json:"refusal,omitempty"` // why there is no answer
}

// LocalChecker is a [Checker] that answers in this process, for tests, for child processes, and where all clients are
// trusted not to end the process.
type LocalChecker struct {
	Registry *block.Registry
	Notices  func(*system.System) []diagram.Notice // of a system beside those of its net; nil: none
}

// Ask implements [Checker].
func (h LocalChecker) Ask(_ context.Context, q Question) (v Verdict, err error) {
	o := system.Options{Registry: h.Registry, Overlays: q.Overlays, Params: q.Params}
	switch q.Kind {
	case AskCheck:
		o.Candidate = q.Texts != nil
		o.Texts = map[string][]byte{}
		for path, text := range q.Texts {
			o.Texts[path] = []byte(text)
		}
		var sys *system.System
		if sys, err = system.Load(q.File, o); err == nil {
			if h.Notices != nil {
				sys.Net.Notices = append(sys.Net.Notices, h.Notices(sys)...)
			}
			v.Notices = noticesOf(sys.Net)
		}
		v.Errors, err = fileErrors(err), nil
	case AskTypes:
		v.Types, err = palette(h.Registry, system.CandidateFiles(q.File, o), q.Type, q.Named)
	case AskSave:
		v.Texts, err = saved(q, o)
	default:
		err = fmt.Errorf("a candidate is asked for %q: wants %s, %s or %s", q.Kind, AskCheck, AskTypes, AskSave)
	}
	return v, err
}

func saved(q Question, o system.Options) (map[string]system.Rewrite, error) {
	file, err := system.Load(q.File, o)
	if err != nil {
		return nil, fmt.Errorf("save parameters in %s: %w", filepath.Base(q.File), err)
	}
	return file.SaveParams(q.Changes)
}

// noticesOf lists what is no error of a net, but may not be wanted.
func noticesOf(net *diagram.Net) []FileError {
	list := []FileError{}
	for _, n := range net.Notices {
		list = append(list, fileError(&diagram.Error{Source: n.Source, Err: errors.New(n.Text)}))
	}
	return list
}

// fileErrors lists what Load has found wrong.
func fileErrors(err error) []FileError {
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
