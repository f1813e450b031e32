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
	askTimeout  = 30 * time.Second       // for the answer of another host's supervisor, its connection included: a busy host takes long to log in
	returnLeast = time.Second            // before a host that was lost is tried again, doubled at each attempt that fails
	returnMost  = 8 * time.Second
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
	lost   bool // since its supervisor answered last
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

// keep watches the host until the context ends. It connects again to a host that was lost, at most [returnMost] after the last
// attempt. If the host's supervisor is gone (the host was restarted, the supervisor killed) it starts it again.
func (h *remoteHost) keep(ctx context.Context) {
	for rest := returnLeast; ctx.Err() == nil; rest = min(2*rest, returnMost) {
		err := h.remote.install(ctx, h.plan.Binary)
		if err == nil {
			err = h.follow(ctx)
		}
		if errors.Is(err, ErrNoSupervisor) && ctx.Err() == nil {
			err = h.remote.Start(ctx, h.plan, h.s.stoppedNames())
		}
		if ctx.Err() != nil {
			return
		}
		if h.lose(err) {
			rest = returnLeast
		}
		pause := time.NewTimer(rest)
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

// lose notes why the host does not answer, and reports whether it was not lost already; also where err is nil.
func (h *remoteHost) lose(err error) (answered bool) {
	if err == nil {
		return true
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if answered = !h.lost; answered {
		h.s.note("", "%v", err)
	}
	h.lost = true
	for i := range h.states {
		if x := &h.states[i]; x.State != Unreachable {
			x.State, x.Since = Unreachable, time.Now()
		}
		h.states[i].Exit = err.Error()
	}
	return answered
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
	late := errors.Is(err, errLate)
	cancel()
	_ = cmd.Wait()
	words := lastLine(stderr.Bytes())
	switch {
	case late:
		return err
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

// errLate is wrapped by the error of a request that was not answered in time.
var errLate = errors.New("its supervisor has not answered in time")

// limit returns how long the answer to a request may take: a process may need all its grace to stop.
func (r *request) limit() time.Duration {
	if r.Ask == "stop_process" || r.Ask == "end_process" {
		return askTimeout + stopSteps*StopGrace
	}
	return askTimeout
}

// exchange sends a request and takes its answer. It reports whether nothing changes at the host at present.
func (h *remoteHost) exchange(q *question, in io.Writer, out *bufio.Reader, giveUp func()) (calm bool, err error) {
	timer := time.AfterFunc(q.limit(), giveUp)
	fail := func(err error) (bool, error) {
		if !timer.Stop() {
			err = fmt.Errorf("%w (%v)", errLate, q.limit())
		}
		return false, fmt.Errorf("host %q: %w: %w", h.remote.Name, ErrUnreachable, err)
	}
	if err := json.NewEncoder(in).Encode(q.request); err != nil {
		return fail(err)
	}
	line, err := out.ReadBytes('\n')
	if errors.Is(err, io.EOF) {
		err = errors.New("the connection has ended")
	}
	if err != nil {
		return fail(err)
	}
	timer.Stop()
	var r response
	if err := json.Unmarshal(line, &r); err != nil {
		return false, fmt.Errorf("host %q: %w", h.remote.Name, err)
	}
	h.mu.Lock()
	if h.lost {
		h.s.note("", "host %q is reached again", h.remote.Name)
	}
	h.states, h.lost = r.Processes, false
	h.mu.Unlock()
	if r.Error != "" {
		return false, fmt.Errorf("host %q: %s", h.remote.Name, r.Error)
	}
	return !slices.ContainsFunc(r.Processes, func(s Status) bool { return s.State == Waiting || s.State == Starting }), nil
}

// elsewhere returns the processes that run on other hosts than this one.
func (h *remoteHost) elsewhere() (names []string) {
	for _, s := range h.s.statuses() {
		if s.Host != h.plan.Plan.Host && s.Fulfils() {
			names = append(names, s.Name)
		}
	}
	return names
}
