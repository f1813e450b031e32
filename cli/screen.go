package cli

import (
	"bytes"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
)

// captureRest is how long the rest of what was printed may take to arrive when a view ends.
const captureRest = 100 * time.Millisecond

// screen is the only writer to the terminal while a run shows its view: whatever prints meanwhile goes through it, a line at a time,
// and scrolls above the view. Without a view text goes to the standard error. Its methods may be called from any goroutine.
type screen struct {
	errors io.Writer

	mu    sync.Mutex
	above func(line string) // prints above the view; nil without one
	rest  []byte            // a line without an end yet
}

// Write implements io.Writer.
func (s *screen) Write(text []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.above == nil {
		return s.errors.Write(text)
	}
	s.rest = append(s.rest, text...)
	for {
		line, rest, ok := bytes.Cut(s.rest, []byte{'\n'})
		if !ok {
			return len(text), nil
		}
		s.above(strings.ReplaceAll(strings.TrimRight(string(line), "\r"), "\t", "    ")) // the width of tabs is unknown to the view
		s.rest = rest
	}
}

// cover sends what is written to the screen to above.
func (s *screen) cover(above func(line string)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.above = above
}

// uncover sends what is written to the standard error again.
func (s *screen) uncover() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.above = nil
	if len(s.rest) > 0 {
		_, _ = s.errors.Write(append(s.rest, '\n'))
		s.rest = nil
	}
}

// aboveView returns how to print a line above the view of a program. After its end lines are lost.
func aboveView(p *tea.Program) func(line string) {
	return func(line string) { p.Send(tea.Println(line)()) }
}

// captureStandard lets what this process, and those that it starts from now on, print on their standard streams go to the screen:
// blocks print, and cores. Only the verb that owns the process calls it; release takes it back and returns when everything printed
// before has been written.
//
// Goroutine: one, until release.
func (s *screen) captureStandard() (release func(), err error) {
	from, to, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	out, errors := os.Stdout, os.Stderr
	os.Stdout, os.Stderr = to, to
	copied := make(chan struct{})
	go func() {
		_, _ = io.Copy(s, from)
		close(copied)
	}()
	return func() {
		os.Stdout, os.Stderr = out, errors
		_ = to.Close() // a core that goes on keeps its end open
		_ = from.SetReadDeadline(time.Now().Add(captureRest))
		<-copied
		_ = from.Close()
	}, nil
}
