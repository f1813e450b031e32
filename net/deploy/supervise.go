package deploy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/sinew-robotics/sinew/internal/private"
	"github.com/sinew-robotics/sinew/net/system"
)

// The limits of a supervisor.
const (
	StopGrace    = 7 * time.Second        // for a process to end after it was asked to: longer than a core needs at most
	ReadyTimeout = 2 * time.Minute        // for a process to become ready: one of sinew is when its threads have been activated
	settleTime   = 150 * time.Millisecond // after this time a foreign program that still runs is ready
	backOffLeast = 100 * time.Millisecond // before a restart, doubled at each that follows soon
	backOffMost  = 10 * time.Second
	healthyAfter = 10 * time.Second      // a process that ran for this time starts with the least back-off again
	lookPeriod   = 20 * time.Millisecond // for processes that others need
	lockPatience = time.Second           // for the previous supervisor, and consoles that look for it, to release the lock
	maxLog       = 16 << 20              // bytes of a process's output that are kept, twice
)

// supervisor runs the processes of a plan on this host.
type supervisor struct {
	plan    *Plan
	folder  string
	ctx     context.Context
	cancel  context.CancelCauseFunc // with a stopCause
	remotes []*remoteHost
	index   logIndex
	notes   io.Writer     // the supervisor's own log
	queue   *noteQueue    // of its notes
	idle    time.Duration // 0: idleTime

	operation sync.Mutex // held while processes are stopped or started on request

	mu        sync.Mutex
	states    map[string]*Status
	kept      map[string]*kept // processes that were launched
	stopped   []string         // processes, of all hosts that this supervisor starts, that an operator has stopped
	elsewhere []string         // processes that run on other hosts, as the local host has reported last
	word      time.Time        // when the local host's supervisor was heard of last
	killed    []error          // processes that had to be ended by force
	all       sync.WaitGroup
}

// kept is how a process that is kept is stopped.
type kept struct {
	stop  context.CancelCauseFunc // with a stopCause
	retry chan struct{}           // a value ends the pause before a restart
	ended chan struct{}           // closed when it is kept no more
}

// Supervise runs the processes of a plan until a stop request arrives through the socket in the folder, or the context ends. It
// takes over processes that a killed supervisor left running, except those that an operator had stopped. On the local host it also
// watches the supervisors of the other hosts. Each of its actions goes to publish as a note with its time, again each second until that succeeds; at
// most 64 notes wait, and older ones are dropped and counted. The error names processes that had to be killed.
func Supervise(ctx context.Context, plan *Plan, folder string, publish Publish) error {
	if err := private.Make(folder); err != nil {
		return fmt.Errorf("supervise %q: %w", plan.System, err)
	}
	lock, err := takeLock(folder)
	if err != nil {
		return fmt.Errorf("supervise %q: %w", plan.System, err)
	}
	defer lock.Close()
	_ = os.Remove(filepath.Join(folder, endedName))
	socket := filepath.Join(folder, socketName)
	_ = os.Remove(socket) // a supervisor that was killed left it behind
	listener, err := private.Listen(socket)
	if err != nil {
		return fmt.Errorf("supervise %q: %w", plan.System, err)
	}
	defer listener.Close()
	s := &supervisor{plan: plan, folder: folder, queue: newNoteQueue(), states: map[string]*Status{}, kept: map[string]*kept{}, word: time.Now()}
	if s.stopped, err = readStopped(folder, plan); err != nil { // after the socket is there: a console that has found none has written before
		return fmt.Errorf("supervise %q: %w", plan.System, err)
	}
	notes, err := s.index.open(logPath(folder, SupervisorLog))
	if err != nil {
		return fmt.Errorf("supervise %q: %w", plan.System, err)
	}
	defer notes.Close()
	defer s.index.close()
	s.notes = notes
	s.note("", "the supervisor of %s has started as process %d", plan.System, os.Getpid())
	s.ctx, s.cancel = context.WithCancelCause(ctx)
	defer s.cancel(nil)
	for i := range plan.Remotes {
		s.remotes = append(s.remotes, newRemoteHost(s, &plan.Remotes[i]))
	}
	s.launchAll()
	watching, unwatch := context.WithCancel(context.Background())
	defer unwatch()
	var watchers sync.WaitGroup
	watchers.Go(func() { s.watchLogs(watching) })
	watchers.Go(func() { s.queue.run(watching, publish, func() <-chan time.Time { return time.After(notePause) }) })
	for _, h := range s.remotes {
		watchers.Go(func() { h.keep(watching) })
	}
	if plan.DeadMan > 0 {
		watchers.Go(func() { s.watchWord(watching) })
	}
	context.AfterFunc(s.ctx, func() { listener.Close() })
	s.accept(listener)
	s.note("", "all processes are stopped%v", causeOf(s.ctx))
	s.stopAll()
	unwatch()
	watchers.Wait()
	err = errors.Join(s.killed...)
	return errors.Join(err, tellEnd(folder, err))
}

// takeLock takes the lock of the folder's supervisor. Consoles that look whether there is one hold it for an instant.
func takeLock(folder string) (lock *os.File, err error) {
	for begin := time.Now(); time.Since(begin) < lockPatience; time.Sleep(lookPeriod) {
		if lock, err = lockFolder(folder); err == nil {
			break
		}
	}
	return lock, err
}

// watchWord stops everything when the local host's supervisor was not heard of for the dead-man time.
func (s *supervisor) watchWord(ctx context.Context) {
	for {
		s.mu.Lock()
		rest := s.plan.DeadMan - time.Since(s.word)
		s.mu.Unlock()
		if rest <= 0 {
			s.cancel(&stopCause{why: fmt.Sprintf("no word from the local host for %v", s.plan.DeadMan)})
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(rest):
		}
	}
}

// launch begins to keep a process.
func (s *supervisor) launch(p *PlannedProcess) {
	ctx, cancel := context.WithCancelCause(context.Background())
	k := &kept{cancel, make(chan struct{}, 1), make(chan struct{})}
	s.mu.Lock()
	s.kept[p.Name] = k
	s.states[p.Name].State = Waiting
	s.mu.Unlock()
	s.all.Go(func() {
		defer close(k.ended)
		s.keep(ctx, p, k.retry)
	})
}

// keep runs a process, and restarts it according to its policy. A core that has lost its front gets a new one under any policy:
// the process has not ended. A value in retry ends the pause before a restart.
func (s *supervisor) keep(ctx context.Context, p *PlannedProcess, retry <-chan struct{}) {
	child := s.inherit(p)
	if child == nil && !s.awaitNeeds(ctx, p) {
		s.note(p.Name, "stopped%v, before it had started", causeOf(ctx))
		s.set(p.Name, func(x *Status) { x.State = Stopped })
		return
	}
	backOff := backOffLeast
	for {
		if child == nil {
			s.awaitOtherFront(ctx, p)
		}
		if ctx.Err() != nil {
			break
		}
		begin := time.Now()
		err := s.once(ctx, p, child)
		child = nil
		if ctx.Err() != nil {
			break
		}
		exit := "exit code 0"
		if err != nil {
			exit = err.Error()
		}
		s.note(p.Name, "ended with %s", exit)
		s.set(p.Name, func(x *Status) {
			x.PID, x.Exit, x.LastLine, x.Since = 0, exit, s.lastLine(p.Name), time.Now()
			switch x.State = Ended; {
			case err != nil:
				x.State = Failed
			case p.OneShot:
				x.State = Done
			}
		})
		orphaned := s.core(p).Runs
		if !orphaned && (p.Restart == system.RestartNever.String() || p.Restart == system.RestartFailure.String() && err == nil) {
			if !p.OneShot || err != nil {
				s.note(p.Name, "given up: its policy is restart: %s", p.Restart)
			}
			return
		}
		if time.Since(begin) > healthyAfter {
			backOff = backOffLeast
		}
		s.set(p.Name, func(x *Status) {
			x.State = Restarting
			x.Restarts++
		})
		if orphaned {
			s.note(p.Name, "its core goes on; a new front starts in %v", backOff)
		} else {
			s.note(p.Name, "restarts in %v", backOff)
		}
		select {
		case <-time.After(backOff):
		case <-retry:
		case <-ctx.Done():
		}
		backOff = min(2*backOff, backOffMost)
	}
	s.note(p.Name, "stopped%v", causeOf(ctx))
	s.set(p.Name, func(x *Status) { x.State, x.PID = Stopped, 0 })
}

// awaitNeeds waits until all processes that a process needs are running; it returns false when the process must stop.
func (s *supervisor) awaitNeeds(ctx context.Context, p *PlannedProcess) bool {
	for {
		waiting := slices.ContainsFunc(p.Needs, func(need string) bool { return !s.fulfilled(need) })
		if !waiting {
			return ctx.Err() == nil
		}
		select {
		case <-ctx.Done():
			return false
		case <-time.After(lookPeriod):
		}
	}
}

// fulfilled reports whether those that need a process, on any host, may start.
func (s *supervisor) fulfilled(name string) bool {
	s.mu.Lock()
	here, known := s.states[name]
	fulfilled := known && here.Fulfils() || !known && slices.Contains(s.elsewhere, name)
	s.mu.Unlock()
	return fulfilled || !known && slices.ContainsFunc(s.remotes, func(h *remoteHost) bool {
		return slices.ContainsFunc(h.statuses(), func(x Status) bool { return x.Name == name && x.Fulfils() })
	})
}

// once runs a process to its end, or stops it when the context ends. It takes up a child that runs already.
func (s *supervisor) once(ctx context.Context, p *PlannedProcess, c *child) error {
	log, err := s.index.open(logPath(s.folder, p.Name))
	if err != nil {
		return err
	}
	defer log.Close()
	state, resumed := Running, s.core(p).Runs
	if c == nil {
		state = Starting
		if c, err = s.start(p, log); err != nil {
			fmt.Fprintf(log, "sinew: start %s: %v\n", p.Name, err)
			return fmt.Errorf("start %s: %w", p.Command[0], err)
		}
		s.note(p.Name, "started as process %d", c.pid)
	} else {
		s.note(p.Name, "taken up: process %d has run for %v", c.pid, time.Since(c.since).Round(time.Millisecond))
	}
	s.set(p.Name, func(x *Status) { x.State, x.PID, x.Since = state, c.pid, c.since })
	tooLate := time.NewTimer(ReadyTimeout)
	defer tooLate.Stop()
	for ready := c.ready; ; {
		select {
		case <-c.exited:
			return c.reap()
		case <-ctx.Done():
			s.report(c.end(p.Name), log)
			s.sweep(p, log)
			return nil
		case <-ready:
			ready = nil
			tooLate.Stop()
			s.note(p.Name, "ready after %v", time.Since(c.since).Round(time.Millisecond))
			s.set(p.Name, func(x *Status) { x.State = Running })
		case <-tooLate.C:
			if state == Running || p.OneShot {
				continue
			}
			s.note(p.Name, "not ready within %v: killed", ReadyTimeout)
			c.kill()
			<-c.exited
			err := errors.Join(fmt.Errorf("not ready within %v", ReadyTimeout), c.reap())
			if !resumed {
				s.sweep(p, log) // its core
			}
			return err
		}
	}
}

func (s *supervisor) set(name string, change func(*Status)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(s.states[name])
}

// list returns the states in the order of the plan. The caller holds s.mu.
func (s *supervisor) list() (all []Status) {
	for _, p := range s.plan.Processes {
		all = append(all, *s.states[p.Name])
	}
	return all
}
