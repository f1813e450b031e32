package deploy

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// The limits of a supervisor.
const (
	StopGrace    = 5 * time.Second        // for a process to end after it was asked to
	ReadyTimeout = 30 * time.Second       // for a process to become ready
	settleTime   = 150 * time.Millisecond // a foreign program that lives so long is ready
	backOffLeast = 100 * time.Millisecond // before a restart, doubled at each that follows soon
	backOffMost  = 10 * time.Second
	healthyAfter = 10 * time.Second      // a process that ran so long starts with the least back-off again
	lookPeriod   = 20 * time.Millisecond // for processes that others need
	maxLog       = 16 << 20              // bytes of a process's output that are kept, twice
)

// supervisor runs the processes of a plan on this host.
type supervisor struct {
	plan    *Plan
	folder  string
	ctx     context.Context
	cancel  context.CancelFunc
	remotes []*remoteHost

	mu        sync.Mutex
	states    map[string]*Status
	stops     map[string]context.CancelFunc
	elsewhere []string  // processes that run on other hosts
	word      time.Time // when the local host's supervisor was heard of last
	all       sync.WaitGroup
}

// Supervise runs the processes of a plan until it is told to stop, through the socket in the folder or by the context.
// On the local host it watches the supervisors of the others, too.
func Supervise(ctx context.Context, plan *Plan, folder string) error {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	socket := filepath.Join(folder, socketName)
	listener, err := net.Listen("unix", socket)
	if err != nil {
		return fmt.Errorf("supervise %q: %w", plan.System, err)
	}
	defer listener.Close()
	s := &supervisor{plan: plan, folder: folder, states: map[string]*Status{}, stops: map[string]context.CancelFunc{}, word: time.Now()}
	s.ctx, s.cancel = context.WithCancel(ctx)
	defer s.cancel()
	for i := range plan.Processes {
		s.states[plan.Processes[i].Name] = &Status{Name: plan.Processes[i].Name, Host: plan.Host, State: Waiting, Since: time.Now()}
	}
	for i := range plan.Processes {
		s.launch(&plan.Processes[i])
	}
	watching, unwatch := context.WithCancel(context.Background())
	defer unwatch()
	var watchers sync.WaitGroup
	for i := range plan.Remotes {
		h := newRemoteHost(s, &plan.Remotes[i])
		s.remotes = append(s.remotes, h)
		watchers.Go(func() { h.keep(watching) })
	}
	if plan.DeadMan > 0 {
		watchers.Go(func() { s.watchWord(watching) })
	}
	context.AfterFunc(s.ctx, func() { listener.Close() })
	s.accept(listener)
	s.stopAll()
	unwatch()
	watchers.Wait()
	return nil
}

// watchWord stops everything when the local host's supervisor was not heard of for the dead-man time.
func (s *supervisor) watchWord(ctx context.Context) {
	for {
		s.mu.Lock()
		rest := s.plan.DeadMan - time.Since(s.word)
		s.mu.Unlock()
		if rest <= 0 {
			fmt.Printf("sinew: no word from the local host for %v: stopping everything\n", s.plan.DeadMan)
			s.cancel()
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
	ctx, cancel := context.WithCancel(context.Background())
	s.mu.Lock()
	s.stops[p.Name] = cancel
	s.states[p.Name].State = Waiting
	s.mu.Unlock()
	s.all.Go(func() { s.keep(ctx, p) })
}

// keep runs a process, again and again where its policy says so.
func (s *supervisor) keep(ctx context.Context, p *PlannedProcess) {
	if !s.awaitNeeds(ctx, p) {
		s.set(p.Name, func(x *Status) { x.State = Stopped })
		return
	}
	backOff := backOffLeast
	for {
		begin := time.Now()
		err := s.once(ctx, p)
		if ctx.Err() != nil {
			s.set(p.Name, func(x *Status) { x.State, x.PID = Stopped, 0 })
			return
		}
		s.set(p.Name, func(x *Status) {
			x.PID, x.Exit, x.LastLine, x.Since = 0, "exit code 0", s.lastLine(p.Name), time.Now()
			if x.State = Ended; err != nil {
				x.State, x.Exit = "failed", err.Error()
			}
		})
		if p.Restart == "never" || p.Restart == "on_failure" && err == nil {
			return
		}
		if time.Since(begin) > healthyAfter {
			backOff = backOffLeast
		}
		s.set(p.Name, func(x *Status) {
			x.State = Restarting
			x.Restarts++
		})
		select {
		case <-time.After(backOff):
		case <-ctx.Done():
		}
		backOff = min(2*backOff, backOffMost)
	}
}

// awaitNeeds waits until all that a process needs is running; false where it is to stop.
func (s *supervisor) awaitNeeds(ctx context.Context, p *PlannedProcess) bool {
	for {
		waiting := slices.ContainsFunc(p.Needs, func(need string) bool {
			s.mu.Lock()
			defer s.mu.Unlock()
			if x := s.states[need]; x != nil {
				return x.State != Running
			}
			return !slices.Contains(s.elsewhere, need)
		})
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

// once runs a process to its end, or stops it when the context ends.
func (s *supervisor) once(ctx context.Context, p *PlannedProcess) error {
	log, err := openLog(s.logPath(p.Name))
	if err != nil {
		return err
	}
	defer log.Close()
	cmd := exec.Command(p.Command[0], p.Command[1:]...)
	cmd.Dir, cmd.Stdout, cmd.Stderr, cmd.SysProcAttr = s.plan.Dir, log, log, ownGroup()
	if !filepath.IsAbs(cmd.Path) && filepath.Base(p.Command[0]) != p.Command[0] {
		cmd.Path = filepath.Join(s.plan.Dir, p.Command[0])
		cmd.Err = nil
	}
	ready, told, err := readiness(cmd, p)
	if err != nil {
		return err
	}
	defer told()
	if err := cmd.Start(); err != nil {
		fmt.Fprintf(log, "sinew: start %s: %v\n", p.Name, err)
		return fmt.Errorf("start %s: %w", p.Command[0], err)
	}
	s.set(p.Name, func(x *Status) { x.State, x.PID, x.Since = Starting, cmd.Process.Pid, time.Now() })
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	tooLate := time.NewTimer(ReadyTimeout)
	defer tooLate.Stop()
	for {
		select {
		case err := <-ended:
			killGroup(cmd.Process.Pid) // what it left behind
			return err
		case <-ctx.Done():
			askGroup(cmd.Process.Pid)
			select {
			case <-ended:
			case <-time.After(StopGrace):
			}
			killGroup(cmd.Process.Pid)
			return nil
		case <-ready:
			ready = nil
			tooLate.Stop()
			s.set(p.Name, func(x *Status) { x.State = Running })
		case <-tooLate.C:
			killGroup(cmd.Process.Pid)
			<-ended
			return fmt.Errorf("not ready within %v", ReadyTimeout)
		}
	}
}

func (s *supervisor) set(name string, change func(*Status)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(s.states[name])
	if text, err := json.MarshalIndent(s.list(), "", "  "); err == nil { // for a console that finds no supervisor
		_ = os.WriteFile(filepath.Join(s.folder, stateName), text, 0o600)
	}
}

// list returns the states in the order of the plan. The caller holds s.mu.
func (s *supervisor) list() (all []Status) {
	for _, p := range s.plan.Processes {
		all = append(all, *s.states[p.Name])
	}
	return all
}
