package deploy

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"
)

const (
	watchPeriod = 200 * time.Millisecond // how often the local host asks another while processes start there
	calmPeriod  = time.Second            // and when all of them run
	askTimeout  = 15 * time.Second       // for the answer of another host's supervisor
	returnPause = 2 * time.Second        // before a host that was lost is tried again
)

// remoteHost is another host as the local supervisor knows it.
//
// Goroutine: keep, until its context ends.
type remoteHost struct {
	s      *supervisor
	plan   *RemotePlan
	remote Remote
	asks   chan *question

	mu     sync.Mutex
	states []Status
}

// question is a request on its way to another host.
type question struct {
	request
	answer chan error
}

func newRemoteHost(s *supervisor, plan *RemotePlan) *remoteHost {
	h := &remoteHost{s: s, plan: plan, remote: Remote{Name: plan.Plan.Host, SSH: plan.SSH}, asks: make(chan *question)}
	for i := range plan.Plan.Processes {
		h.states = append(h.states, Status{Name: plan.Plan.Processes[i].Name, Host: plan.Plan.Host, State: Waiting, Since: time.Now()})
	}
	return h
}

func (h *remoteHost) statuses() []Status {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.states)
}

// ask asks the host's supervisor; an error where it is not reached.
func (h *remoteHost) ask(r request) error {
	q := &question{r, make(chan error, 1)}
	timeout := time.NewTimer(askTimeout)
	defer timeout.Stop()
	select {
	case h.asks <- q:
	case <-timeout.C:
		return fmt.Errorf("host %q: %w", h.remote.Name, ErrUnreachable)
	}
	return <-q.answer
}

// keep watches the host until the context ends. If its supervisor is gone (the host was restarted, the supervisor killed) it
// starts it again.
func (h *remoteHost) keep(ctx context.Context) {
	for ctx.Err() == nil {
		err := h.remote.install(ctx, h.plan.Binary)
		if err == nil {
			err = h.follow(ctx)
		}
		if ctx.Err() == nil && errors.Is(err, ErrNoSupervisor) {
			err = h.remote.Start(ctx, h.plan)
		}
		h.lose(err)
		pause := time.NewTimer(returnPause)
		for waiting := err != nil; waiting; {
			select {
			case q := <-h.asks:
				q.answer <- err
			case <-ctx.Done():
				waiting = false
			case <-pause.C:
				waiting = false
			}
		}
		pause.Stop()
	}
}

// lose notes why the host does not answer.
func (h *remoteHost) lose(err error) {
	if err == nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if slices.ContainsFunc(h.states, func(x Status) bool { return x.State != Unreachable }) {
		h.s.note("", "%v", err)
	}
	for i := range h.states {
		if x := &h.states[i]; x.State != Unreachable {
			x.State, x.Since = Unreachable, time.Now()
		}
		h.states[i].Exit = err.Error()
	}
}

// follow asks the supervisor of the host again and again, until it does not answer.
func (h *remoteHost) follow(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd := h.remote.Call(ctx, "host", "reach", h.plan.Plan.System)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	err = h.converse(ctx, in, bufio.NewReader(out), cancel)
	cancel()
	_ = cmd.Wait()
	words := lastLine(stderr.Bytes())
	switch {
	case strings.Contains(words, ErrNoSupervisor.Error()):
		return fmt.Errorf("host %q: %w", h.remote.Name, ErrNoSupervisor)
	case words != "":
		return fmt.Errorf("host %q: %w: %s", h.remote.Name, ErrUnreachable, words)
	}
	return err
}

// converse exchanges requests and answers; giveUp ends the connection where an answer does not come.
func (h *remoteHost) converse(ctx context.Context, in io.Writer, out *bufio.Reader, giveUp func()) error {
	for {
		q := &question{request: request{Ask: "watch", Elsewhere: h.elsewhere()}, answer: make(chan error, 1)}
		calm, err := h.exchange(q, in, out, giveUp)
		if err != nil {
			return err
		}
		pause := watchPeriod
		if calm {
			pause = calmPeriod
		}
		if d := h.plan.Plan.DeadMan; d > 0 {
			pause = min(pause, d/4)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case q := <-h.asks:
			_, err := h.exchange(q, in, out, giveUp)
			q.answer <- err
			if errors.Is(err, ErrUnreachable) {
				return err
			}
		case <-time.After(pause):
		}
	}
}

// exchange sends a request and takes its answer. It reports whether nothing changes at the host at present.
func (h *remoteHost) exchange(q *question, in io.Writer, out *bufio.Reader, giveUp func()) (calm bool, err error) {
	defer time.AfterFunc(askTimeout, giveUp).Stop()
	if err := json.NewEncoder(in).Encode(q.request); err != nil {
		return false, fmt.Errorf("host %q: %w: %w", h.remote.Name, ErrUnreachable, err)
	}
	line, err := out.ReadBytes('\n')
	if err != nil {
		return false, fmt.Errorf("host %q: %w: %w", h.remote.Name, ErrUnreachable, err)
	}
	var r response
	if err := json.Unmarshal(line, &r); err != nil {
		return false, fmt.Errorf("host %q: %w", h.remote.Name, err)
	}
	h.mu.Lock()
	h.states = r.Processes
	h.mu.Unlock()
	if r.Error != "" {
		return false, fmt.Errorf("host %q: %s", h.remote.Name, r.Error)
	}
	return !slices.ContainsFunc(r.Processes, func(s Status) bool { return s.State == Waiting || s.State == Starting }), nil
}

// elsewhere returns the processes that run on other hosts than this one.
func (h *remoteHost) elsewhere() (names []string) {
	for _, s := range h.s.statuses() {
		if s.Host != h.plan.Plan.Host && s.State == Running {
			names = append(names, s.Name)
		}
	}
	return names
}
