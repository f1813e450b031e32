package script

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
	"time"
	"unicode/utf8"

	"go.starlark.net/lib/math"
	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/clock"
)

// System is the system that a script drives, and its time.
type System interface {
	admin.System
	admin.Clock
	admin.Lifetime
	// Wait returns nil at time until, if until > 0, or as soon as ready returns true, if it is not nil. It returns an
	// error when the system has stopped.
	Wait(until clock.Time, ready func() bool) error
}

// The maximum number of Starlark steps without waiting. A script that exceeds it is in an endless loop, which would stop virtual time or
// the thread of its block, and is ended.
const (
	MaxSteps         = 100_000_000
	MaxActivitySteps = 1_000_000 // of the script of a block, in one activation
)

// MaxBytes limits the size of a script: the parser's stack grows with nested brackets.
const MaxBytes = 1 << 20

// options are the dialect: loops and conditions at top level, and recursion, which state machines need.
var options = syntax.FileOptions{While: true, TopLevelControl: true, GlobalReassign: true, Recursion: true, Set: true}

// Program is a parsed script without syntax errors.
type Program struct {
	files fs.FS
	path  string
	text  []byte
}

// Load reads a script. Scripts that it loads are read from files as well, by paths relative to its own. It fails for a file
// above MaxBytes and for mistakes in the script, with their position.
func Load(files fs.FS, path string) (*Program, error) {
	text, err := fs.ReadFile(files, path)
	if err != nil {
		return nil, fmt.Errorf("read script: %w%s", err, others(files, path, err))
	}
	if len(text) > MaxBytes {
		return nil, fmt.Errorf("%s has %d bytes, at most %d are allowed", path, len(text), MaxBytes)
	}
	if strings.HasSuffix(path, ".yaml") || strings.HasSuffix(path, ".yml") {
		return nil, fmt.Errorf("%s is a YAML file, where a script is wanted: its name ends in .star", path)
	}
	if _, err := options.Parse(path, text, 0); err != nil {
		return nil, tidy(atLineEnd(err, text), nil)
	}
	return &Program{files, path, text}, nil
}

// others names the scripts beside one that does not exist, as the end of a message.
func others(files fs.FS, script string, err error) string {
	if !errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	there, _ := fs.Glob(files, path.Join(path.Dir(script), "*.star"))
	return nearest.Hint(script, there)
}

// atLineEnd moves an error about the end of a line there: the parser reports it at the beginning of the next line.
func atLineEnd(err error, text []byte) error {
	var e syntax.Error
	lines := strings.Split(string(text), "\n")
	if !errors.As(err, &e) || !strings.HasPrefix(e.Msg, "got newline") || e.Pos.Col != 1 || e.Pos.Line < 2 || int(e.Pos.Line) > len(lines) {
		return err
	}
	e.Pos.Line--
	e.Pos.Col = int32(utf8.RuneCountInString(lines[e.Pos.Line-1])) + 1
	return e
}

// Run executes the script on a system and writes its log to out. It returns the script's error, with file, line and
// column, or nil if the script or the system ended normally.
func (p *Program) Run(system System, out io.Writer) error {
	run, err := p.prepare(system, out, "")
	if err != nil {
		return err
	}
	return run()
}

// RunFor prepares the script of a block, and returns what executes it as Run does, in the block's activity: a wait of the system ends the
// activation, and conditions are checked in each. The block is the object self in the script. It looks at the whole system
// and compiles the script, which takes milliseconds, so that the activation need not.
func (p *Program) RunFor(block string, system System, out io.Writer) (run func() error, err error) {
	return p.prepare(system, out, block)
}

func (p *Program) prepare(system System, out io.Writer, block string) (run func() error, err error) {
	s, err := newSession(system, out)
	if err != nil {
		return nil, err
	}
	s.files = p.files
	if block != "" {
		if err := s.belongTo(block); err != nil {
			return nil, err
		}
	}
	_, compiled, err := starlark.SourceProgramOptions(&options, p.path, p.text, s.globals.Has)
	if err != nil {
		return nil, tidy(err, s.globals.Keys())
	}
	return func() error {
		s.open()
		defer s.close()
		_, err := compiled.Init(s.thread, s.globals)
		return s.ending(err)
	}, nil
}

// session is the execution of one script, or of one operator's prompt.
type session struct {
	system  System
	out     io.Writer
	files   fs.FS // nil: load is not available
	thread  *starlark.Thread
	globals starlark.StringDict
	loaded  map[string]starlark.StringDict
	stopped chan struct{}
	last    clock.Time    // when the step limit was last reset
	halted  error         // why waiting ended, if it did
	steps   uint64        // that it may make without waiting
	poll    time.Duration // until it checks conditions again
}

func newSession(system System, out io.Writer) (*session, error) {
	s := &session{system: system, out: out, stopped: make(chan struct{}), loaded: map[string]starlark.StringDict{}, steps: MaxSteps, poll: pollPeriod}
	s.thread = &starlark.Thread{Name: "script", Load: s.load, Print: func(_ *starlark.Thread, text string) { s.log(text) }}
	s.thread.OnMaxSteps = func(t *starlark.Thread) {
		t.Cancel(fmt.Sprintf("more than %d steps without waiting: an endless loop?", s.steps))
	}
	s.allow()
	s.globals = starlark.StringDict{"math": math.Module}
	for name, f := range s.builtins() {
		s.globals[name] = starlark.NewBuiltin(name, f)
	}
	structure, err := system.Structure(s.context())
	if err != nil {
		return nil, err
	}
	s.addBlocks(structure)
	return s, nil
}

// open makes the session end with the system; close ends that.
func (s *session) open() {
	go func() { // ended by the session's end
		select {
		case <-s.system.Done():
			s.thread.Cancel("the system has stopped")
		case <-s.stopped:
		}
	}()
}

func (s *session) close() { close(s.stopped) }

// belongTo makes the script that of a block, in whose activity it runs.
func (s *session) belongTo(block string) error {
	self, ok := s.object(block)
	if !ok {
		return fmt.Errorf("the script belongs to block %q, which this process does not have", block)
	}
	s.globals["self"] = self
	s.steps, s.poll = MaxActivitySteps, 1 // the next activation
	s.allow()
	return nil
}

// allow permits as many steps again, as after each wait.
func (s *session) allow() { s.thread.SetMaxExecutionSteps(s.thread.ExecutionSteps() + s.steps) }

// load executes another script for a load statement. Paths are relative to the loading script.
func (s *session) load(t *starlark.Thread, module string) (starlark.StringDict, error) {
	if s.files == nil {
		return nil, errors.New("load is not available at a prompt")
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

// ending returns the error that ended a script; nil if the system ended it.
func (s *session) ending(err error) error {
	select {
	case <-s.system.Done():
		return nil
	default:
	}
	if err == nil || s.halted != nil {
		return nil
	}
	return tidy(err, s.globals.Keys())
}

// tidy formats an error as one line: the position in the script, the error, and the nearest known name.
func tidy(err error, known []string) error {
	var mistakes resolve.ErrorList
	if errors.As(err, &mistakes) {
		var all []error
		for _, m := range mistakes {
			hint := ""
			if name, ok := strings.CutPrefix(m.Msg, "undefined: "); ok && !strings.Contains(name, " ") {
				if hint = nearest.Hint(name, known); hint == "" {
					hint = "; a script has the blocks by name, and functions such as wait, wait_for, log and fail"
				}
			}
			all = append(all, fmt.Errorf("%v: %s%s", m.Pos, m.Msg, hint))
		}
		return errors.Join(all...)
	}
	var evaluation, inner *starlark.EvalError
	if errors.As(err, &evaluation) {
		for errors.As(evaluation.Unwrap(), &inner) { // the error itself, not that of the load statement
			evaluation = inner
		}
		places := scriptPlaces(evaluation.CallStack)
		text := evaluation.Msg
		text = strings.TrimPrefix(text, "Starlark computation cancelled: ")
		if operation := strings.TrimPrefix(text, "unknown binary op: "); strings.HasPrefix(operation, "list ") && (operation != text || strings.HasSuffix(text, " not implemented")) {
			text += "; a port of several elements is a list: take one of them, as out[0]"
		}
		if strings.Contains(text, "call of non-function (block)") {
			text += "; the block has the name of a function: rename it"
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
		hint := ""
		if strings.HasPrefix(syntaxError.Msg, "got import") {
			hint = "; Starlark has no import: load(\"file.star\", \"name\") takes a name from another script"
		}
		return fmt.Errorf("%v: %s%s", syntaxError.Pos, syntaxError.Msg, hint)
	}
	return err
}

// scriptPlaces returns the active calls in scripts, the innermost first.
func scriptPlaces(stack starlark.CallStack) (places []string) {
	for i := range stack {
		if pos := stack.At(i).Pos; pos.IsValid() && pos.Filename() != "<builtin>" {
			places = append(places, pos.String())
		}
	}
	return places
}
