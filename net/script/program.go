package script

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"go.starlark.net/lib/math"
	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/clock"
)

// Host is the system that a script drives, and its time.
type Host interface {
	admin.System
	// Now returns the time of the system.
	Now() clock.Time
	// Wait returns nil at time until, where until > 0, or as soon as ready returns true, where it is not nil; an
	// error when the system has stopped.
	Wait(until clock.Time, ready func() bool) error
	// Done returns a channel that is closed when the system has stopped.
	Done() <-chan struct{}
}

// MaxSteps is how many steps of computation a script may take without waiting. One that takes more is stuck in a loop,
// which would stop virtual time, and is ended.
const MaxSteps = 100_000_000

// MaxBytes bounds the text of a script: the parser's stack grows with nested brackets.
const MaxBytes = 1 << 20

// options are the dialect: loops and conditions at the top level, and recursion, which state machines want.
var options = syntax.FileOptions{While: true, TopLevelControl: true, GlobalReassign: true, Recursion: true, Set: true}

// Program is a script that was read and has no mistakes of syntax.
type Program struct {
	files fs.FS
	path  string
	text  []byte
}

// Load reads a script. The scripts that it loads come from files too, by paths relative to its own.
func Load(files fs.FS, path string) (*Program, error) {
	text, err := fs.ReadFile(files, path)
	if err != nil {
		return nil, fmt.Errorf("read script: %w", err)
	}
	if len(text) > MaxBytes {
		return nil, fmt.Errorf("%s has %d bytes, at most %d are allowed", path, len(text), MaxBytes)
	}
	if _, err := options.Parse(path, text, 0); err != nil {
		return nil, tidy(err, nil)
	}
	return &Program{files, path, text}, nil
}

// Run executes the script on a system. What it logs goes to out. The error is the script's, with file, line and
// column, or nil where it ended by itself or with the system.
func (p *Program) Run(host Host, out io.Writer) error {
	s, err := newSession(host, out)
	if err != nil {
		return err
	}
	s.files = p.files
	defer s.close()
	_, err = starlark.ExecFileOptions(&options, s.thread, p.path, p.text, s.globals)
	return s.ending(err)
}

// session is one script, or one operator at a prompt.
type session struct {
	host    Host
	out     io.Writer
	files   fs.FS // nil: nothing can be loaded
	thread  *starlark.Thread
	globals starlark.StringDict
	loaded  map[string]starlark.StringDict
	stopped chan struct{}
	last    clock.Time // when the script was last allowed to compute on
	halted  error      // why waiting ended, where it did
}

func newSession(host Host, out io.Writer) (*session, error) {
	s := &session{host: host, out: out, stopped: make(chan struct{}), loaded: map[string]starlark.StringDict{}}
	s.thread = &starlark.Thread{Name: "script", Load: s.load, Print: func(_ *starlark.Thread, text string) { s.log(text) }}
	s.allow()
	s.globals = starlark.StringDict{"math": math.Module}
	for name, f := range s.builtins() {
		s.globals[name] = starlark.NewBuiltin(name, f)
	}
	structure, err := host.Structure(s.context())
	if err != nil {
		return nil, err
	}
	s.addBlocks(structure)
	go func() { // ends with the session
		select {
		case <-host.Done():
			s.thread.Cancel("the system has stopped")
		case <-s.stopped:
		}
	}()
	return s, nil
}

func (s *session) close() { close(s.stopped) }

// allow gives the script another MaxSteps, as it may take after each wait.
func (s *session) allow() { s.thread.SetMaxExecutionSteps(s.thread.ExecutionSteps() + MaxSteps) }

// load executes another script for a load statement; its path is relative to the script that loads it.
func (s *session) load(t *starlark.Thread, module string) (starlark.StringDict, error) {
	if s.files == nil {
		return nil, errors.New("nothing can be loaded at a prompt")
	}
	path := path.Join(path.Dir(t.CallFrame(0).Pos.Filename()), module)
	if globals, ok := s.loaded[path]; ok {
		if globals == nil {
			return nil, fmt.Errorf("%s loads itself", path)
		}
		return globals, nil
	}
	text, err := fs.ReadFile(s.files, path)
	if err != nil {
		return nil, err
	}
	s.loaded[path] = nil
	globals, err := starlark.ExecFileOptions(&options, s.thread, path, text, s.globals)
	s.loaded[path] = globals
	return globals, err
}

// ending returns the error with which a script ended; nil where the system ended it.
func (s *session) ending(err error) error {
	select {
	case <-s.host.Done():
		return nil
	default:
	}
	if err == nil || s.halted != nil {
		return nil
	}
	return tidy(err, s.globals.Keys())
}

// tidy makes one line of an error: the place in the script, then what is wrong, and of the names it knows the nearest.
func tidy(err error, known []string) error {
	var mistakes resolve.ErrorList
	if errors.As(err, &mistakes) {
		var all []error
		for _, m := range mistakes {
			hint := ""
			if name, ok := strings.CutPrefix(m.Msg, "undefined: "); ok && !strings.Contains(name, " ") {
				hint = nearest.Hint(name, known)
			}
			all = append(all, fmt.Errorf("%v: %s%s", m.Pos, m.Msg, hint))
		}
		return errors.Join(all...)
	}
	var evaluation, inner *starlark.EvalError
	if errors.As(err, &evaluation) {
		for errors.As(evaluation.Unwrap(), &inner) { // the mistake itself, not that a script with it was loaded
			evaluation = inner
		}
		places := scriptPlaces(evaluation.CallStack)
		text := evaluation.Msg
		if strings.Contains(text, "too many steps") {
			text = fmt.Sprintf("more than %d steps without waiting: an endless loop?", MaxSteps)
		}
		place, calls := "script", ""
		if len(places) > 0 {
			place = places[0]
		}
		if len(places) > 1 {
			calls = ", called from " + strings.Join(places[1:], ", ")
		}
		return fmt.Errorf("%s: %s%s", place, text, calls)
	}
	var syntaxError syntax.Error
	if errors.As(err, &syntaxError) {
		return fmt.Errorf("%v: %s", syntaxError.Pos, syntaxError.Msg)
	}
	return err
}

// scriptPlaces returns the calls under way that stand in scripts, the innermost first.
func scriptPlaces(stack starlark.CallStack) (places []string) {
	for i := range stack {
		if pos := stack.At(i).Pos; pos.IsValid() && pos.Filename() != "<builtin>" {
			places = append(places, pos.String())
		}
	}
	return places
}
