package candidate

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sinew-robotics/sinew/net/admin"
)

const (
	maxVerdicts = 64 << 20               // bytes of answers of one child
	maxOutcry   = 16 << 10               // bytes of its standard error that are kept
	childGrace  = 500 * time.Millisecond // for reading the rest of a killed child's output
)

// inChild is set in the environment of a child, so that a child starts no others.
const inChild = "SINEW_CHECK_CANDIDATE"

// child is a process that answers questions about candidates: the same executable, in its own process group, killed
// when this process dies.
//
// Goroutines: one reads its answers and ends with it, and those of os/exec.
type child struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    io.ReadCloser
	lines  chan childLine // closed when the child has ended
	outcry outcry
	making string // type of the block that it created last

	mu     sync.Mutex
	waited bool
}

// startChild starts a child. Its descriptors are its three pipes.
func startChild() (*child, error) {
	if os.Getenv(inChild) != "" {
		return nil, errors.New("a check of a candidate cannot start another one")
	}
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("start the check: %w", err)
	}
	c := &child{lines: make(chan childLine)}
	c.cmd = &exec.Cmd{Path: self, Args: []string{os.Args[0], Verb}, Env: append(os.Environ(), inChild+"=1"), Stderr: &c.outcry,
		SysProcAttr: boundToThis(), WaitDelay: childGrace}
	if c.out, err = c.cmd.StdoutPipe(); err == nil {
		c.in, err = c.cmd.StdinPipe()
	}
	if err == nil {
		err = c.cmd.Start()
	}
	if err != nil {
		return nil, fmt.Errorf("start the check: %w", err)
	}
	go func() {
		defer close(c.lines)
		for d := json.NewDecoder(io.LimitReader(c.out, maxVerdicts)); ; {
			var line childLine
			if d.Decode(&line) != nil {
				return
			}
			c.lines <- line
		}
	}()
	return c, nil
}

// ask asks one question. After an error the child cannot be used again.
func (c *child) ask(ctx context.Context, q admin.Question) (admin.Verdict, error) {
	defer context.AfterFunc(ctx, c.kill)()
	asked := json.NewEncoder(c.in).Encode(q)
	for asked == nil {
		line, more := <-c.lines
		switch {
		case !more:
			asked = io.EOF
		case line.Verdict == nil:
			c.making = line.Making
		case strings.HasPrefix(line.Verdict.Refusal, panicked):
			return admin.Verdict{}, fmt.Errorf("%s panicked: %s", c.suspect(), strings.TrimPrefix(line.Verdict.Refusal, panicked))
		default:
			return *line.Verdict, nil
		}
	}
	cause := context.Cause(ctx)
	switch {
	case cause == nil:
		return admin.Verdict{}, c.ended()
	case errors.Is(cause, errCheckLate) && c.making != "":
		cause = fmt.Errorf("%w; the block created last is a %s", cause, c.making)
	}
	return admin.Verdict{}, cause
}

// close ends the child and waits for it.
func (c *child) close() {
	c.kill()
	c.wait()
}

// kill kills the child unless it was waited for: then its process ID may be in use again.
func (c *child) kill() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.waited {
		killGroup(c.cmd.Process)
		_, _ = c.in.Close(), c.out.Close() // processes that it started may hold the other ends
	}
}

// wait waits for the child and its reader. The result is in the child's state.
func (c *child) wait() {
	c.mu.Lock()
	again := c.waited
	c.waited = true
	c.mu.Unlock()
	if again {
		return
	}
	_ = c.cmd.Wait()
	for range c.lines { // discard the rest
	}
}

// shortOfMemory lists the messages with which Go and C programs end when memory cannot be allocated.
var shortOfMemory = []string{"out of memory", "cannot allocate memory", "failed to allocate", "pthread_create failed", "failed to create new OS thread"}

// stackExceeded begins the message with which a Go program ends when a goroutine's stack is too large.
const stackExceeded = "runtime: goroutine stack exceeds"

// ended explains why the child ended before it answered.
func (c *child) ended() error {
	_ = c.in.Close()
	c.wait()
	text := c.outcry.String()
	cause, _, _ := strings.Cut(text, "\n")
	switch state := c.cmd.ProcessState; {
	case slices.ContainsFunc(shortOfMemory, func(words string) bool { return strings.Contains(text, words) }):
		return fmt.Errorf("the check ended: it used more than %d MB (limit); %s was at work", checkMemory>>20, c.suspect())
	case strings.HasPrefix(text, stackExceeded):
		return fmt.Errorf("the check ended: %s calls itself without end: its stack exceeds %d MB (limit)", c.suspect(), checkStack>>20)
	case strings.HasPrefix(text, panicked) || strings.HasPrefix(text, "fatal error: "):
		return fmt.Errorf("the check ended: %s: %s", c.suspect(), cause)
	case c.making == "":
		return fmt.Errorf("the check ended without an answer (%v): %s must be a command on cli.Main: %s", state, c.cmd.Path, cause)
	default:
		return fmt.Errorf("the check ended without an answer: %s ended the process (%v)", c.suspect(), state)
	}
}

// suspect returns the block whose code was probably running.
func (c *child) suspect() string {
	if c.making == "" {
		return "the program"
	}
	return "block type " + c.making + " in Setup"
}

// outcry keeps the beginning of a child's standard error.
type outcry struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write implements [io.Writer]. It accepts everything.
func (o *outcry) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.text.Write(b[:min(len(b), maxOutcry-o.text.Len())])
	return len(b), nil
}

func (o *outcry) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}
