package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/sinew-robotics/sinew/internal/proc"
	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/internal/testkit"
)

// shell runs the commands of a stage, and ends them when the context is done.
type shell struct {
	ctx   context.Context
	files string // prefix of the stage's files
	mark  string // carried by each process of the stage
	out   io.Writer
	tail  tail // the end of what was printed

	patient bool // its tests wait longer

	processor time.Duration // that its commands took
}

func newShell(ctx context.Context, files string, out io.Writer) *shell {
	return &shell{ctx: ctx, files: files, mark: fmt.Sprintf("%d-%s-%d", os.Getpid(), filepath.Base(files), time.Now().UnixNano()), out: out}
}

// print writes a line of the gate's own.
func (s *shell) print(format string, a ...any) { fmt.Fprintf(s.out, format+"\n", a...) }

// seed of all random tests: what passes once passes again. `make explore` uses others.
const seed = "1"

// busyPatience multiplies how long tests wait for a state, in a second try and where the machine is busy.
const busyPatience = "3"

// bePatient makes the tests of all further commands wait longer, and prints why, unless the environment sets how long they wait.
func (s *shell) bePatient(why string) {
	if s.patient || os.Getenv(testkit.PatienceVariable) != "" {
		return
	}
	s.patient = true
	s.print("%s: tests wait %s times as long", why, busyPatience)
}

// run executes a command in a folder, "" for the present one, and shows and keeps its output.
func (s *shell) run(dir string, words ...string) error {
	cmd := exec.CommandContext(s.ctx, words[0], words[1:]...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), testkit.RunVariable+"="+s.mark)
	if os.Getenv(testkit.SeedVariable) == "" {
		cmd.Env = append(cmd.Env, testkit.SeedVariable+"="+seed)
	}
	if s.patient {
		cmd.Env = append(cmd.Env, testkit.PatienceVariable+"="+busyPatience)
	}
	cmd.Stdout = io.MultiWriter(s.out, &s.tail)
	cmd.Stderr = cmd.Stdout
	cmd.WaitDelay = 5 * time.Second // for the output of processes that outlive it
	_, err := rt.Start(rt.ThreadOptions{Slack: rt.RuntimeSlack}, cmd.Run)
	if state := cmd.ProcessState; state != nil {
		s.processor += state.UserTime() + state.SystemTime()
	}
	if cause := context.Cause(s.ctx); cause != nil {
		err = cause
	}
	if err != nil {
		return fmt.Errorf("%s: %w", strings.Join(words[:min(len(words), 4)], " "), err)
	}
	return nil
}

const (
	leaving = 3 * time.Second // for a browser, or a connection of ssh that is kept for the next call, to end
	grace   = 5 * time.Second // from SIGTERM to SIGKILL
)

// running returns the processes of the stage.
func (s *shell) running() []*proc.Process {
	return proc.Marked(testkit.RunVariable, func(mark string) bool { return mark == s.mark })
}

// endLeftovers ends the processes of the stage that still run, and returns their commands.
func (s *shell) endLeftovers() []string {
	var left []*proc.Process
	for begin := time.Now(); ; time.Sleep(100 * time.Millisecond) {
		if left = s.running(); len(left) == 0 || time.Since(begin) > leaving {
			break
		}
	}
	if len(left) == 0 {
		return nil
	}
	names := make([]string, len(left))
	for i, p := range left {
		names[i] = proc.Names([]*proc.Process{p})
	}
	if _, err := proc.End(s.running, grace); err != nil {
		names = append(names, err.Error())
	}
	return names
}

// tail keeps the last lines that are written to it.
type tail struct{ text []byte }

const tailBytes = 8 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.text = append(t.text, p...)
	if len(t.text) > 2*tailBytes {
		t.text = append(t.text[:0], t.text[len(t.text)-tailBytes:]...)
	}
	return len(p), nil
}

func (t *tail) lines() []string { return textLines(string(t.text)) }
