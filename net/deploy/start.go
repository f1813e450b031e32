package deploy

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"github.com/sinew-robotics/sinew/internal/private"
	"github.com/sinew-robotics/sinew/internal/proc"
	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/net/system"
)

const (
	planName     = "plan.json"
	outputName   = "supervisor.out"
	answerPeriod = 10 * time.Millisecond
	answerTime   = 30 * time.Second // for a supervisor to begin, on a busy host; one that ends is noticed at once
)

// Up starts a system on all of its hosts: it copies the command and the files that differ, and starts a supervisor on each. If
// one host fails, everything is stopped again. sinew is the path of this host's command; clean removes the remains of a killed
// supervisor of this host.
func Up(ctx context.Context, s *system.System, plan *Plan, sinew string, clean func() error) (Client, error) {
	console, err := At(plan.System)
	if err != nil {
		return console, fmt.Errorf("start %q: %w", plan.System, err)
	}
	if err := console.free(plan.System, clean); err != nil {
		return console, err
	}
	remotes, err := plan.prepare(ctx, s)
	if err != nil {
		return console, err
	}
	started := make([]bool, len(remotes))
	err = each(remotes, func(i int, r *Remote) error {
		err := r.start(ctx, &plan.Remotes[i])
		started[i] = err == nil
		return err
	})
	if err == nil {
		plan.settle(sinew, "")
		err = plan.Launch(sinew, nil)
	}
	if err != nil {
		return console, errors.Join(err, each(remotes, func(i int, r *Remote) error {
			if !started[i] {
				return nil
			}
			return r.down(context.WithoutCancel(ctx), plan.System)
		}))
	}
	return console, nil
}

// prepare brings the command and the files to the other hosts, and sets the addresses at which all bridges find one another.
func (p *Plan) prepare(ctx context.Context, s *system.System) ([]Remote, error) {
	remotes, infos := make([]Remote, len(p.Remotes)), make([]HostInfo, len(p.Remotes))
	for i := range p.Remotes {
		remotes[i] = Remote{Name: p.Remotes[i].Plan.Host, SSH: p.Remotes[i].SSH}
	}
	err := each(remotes, func(i int, r *Remote) (err error) {
		infos[i], err = r.prepare(ctx, &p.Remotes[i])
		return err
	})
	if err != nil || len(remotes) == 0 {
		return nil, err
	}
	local, err := Inform()
	if err != nil {
		return nil, err
	}
	known := map[string]HostInfo{}
	for i, info := range infos {
		known[remotes[i].Name] = info
	}
	return remotes, p.connect(s, local, known)
}

// each does something with all hosts at once.
func each(remotes []Remote, do func(i int, r *Remote) error) error {
	errs := make([]error, len(remotes))
	var all sync.WaitGroup
	for i := range remotes {
		all.Go(func() { errs[i] = do(i, &remotes[i]) })
	}
	all.Wait()
	return errors.Join(errs...)
}

// prepare brings the command and the files to the host.
func (r *Remote) prepare(ctx context.Context, plan *RemotePlan) (HostInfo, error) {
	if err := r.install(ctx, plan.Binary); err != nil {
		return HostInfo{}, err
	}
	if err := r.copyFiles(ctx, plan.Plan.System, plan.Files); err != nil {
		return HostInfo{}, err
	}
	return r.inform(ctx)
}

// Start copies the plan's files to a host that was up before and starts its supervisor. Those of its processes that an operator has
// stopped are not started, also if the host has lost its files.
func (r *Remote) Start(ctx context.Context, plan *RemotePlan, stopped []string) error {
	if _, err := r.prepare(ctx, plan); err != nil {
		return err
	}
	return r.start(ctx, plan, plan.Plan.among(stopped)...)
}

func (r *Remote) start(ctx context.Context, plan *RemotePlan, stopped ...string) error {
	text, err := json.Marshal(plan.Plan)
	if err != nil {
		return err
	}
	_, err = r.output(r.Call(ctx, append([]string{"host", "start"}, stopped...)...), bytes.NewReader(text))
	return err
}

// down stops a system on the host.
func (r *Remote) down(ctx context.Context, system string) error {
	_, err := r.output(r.Call(ctx, "host", "down", system), nil)
	return err
}

// StartHere reads a plan for this host, which another host has made, and starts its supervisor, which leaves some processes stopped. sinew and
// clean are as for [Up]; clean gets the name of the system.
func StartHere(in io.Reader, sinew string, stopped []string, clean func(system string) error) error {
	text, err := io.ReadAll(io.LimitReader(in, maxPlan))
	if err != nil {
		return fmt.Errorf("read the plan: %w", err)
	}
	plan, err := parsePlan(text)
	if err != nil {
		return fmt.Errorf("read the plan: %w", err)
	}
	root, err := openRoot(plan.System)
	if err != nil {
		return err
	}
	defer root.Close()
	console, err := At(plan.System)
	if err != nil {
		return fmt.Errorf("start %q: %w", plan.System, err)
	}
	plan.settle(sinew, root.Name())
	if console.abandoned() {
		former, err := ReadPlan(plan.System)
		if err == nil && former.equal(plan) {
			return errors.Join(writeStopped(console.Folder, stopped), console.takeUp(sinew))
		}
	}
	if err := console.free(plan.System, func() error { return clean(plan.System) }); err != nil {
		return err
	}
	return plan.Launch(sinew, stopped)
}

// Launch starts the supervisor of a plan of this host, in a session of its own, and waits until it answers. The supervisor does not start
// processes that are stopped.
func (p *Plan) Launch(sinew string, stopped []string) error {
	console, err := At(p.System)
	if err != nil {
		return fmt.Errorf("start the supervisor of %q: %w", p.System, err)
	}
	fail := func(err error) error {
		return fmt.Errorf("start the supervisor of %q: %w", p.System, errors.Join(err, os.RemoveAll(console.Folder)))
	}
	if err := private.Make(console.Folder); err != nil {
		return fmt.Errorf("start the supervisor of %q: %w", p.System, err)
	}
	text, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		return fail(err)
	}
	if err := private.Write(filepath.Join(console.Folder, planName), text); err != nil {
		return fail(err)
	}
	if err := writeStopped(console.Folder, stopped); err != nil {
		return fail(err)
	}
	if err := console.supervise(sinew); err != nil {
		return fail(err)
	}
	return nil
}

// supervise starts a supervisor of the plan in the folder and waits until it answers.
func (c Client) supervise(sinew string) error {
	output := filepath.Join(c.Folder, outputName)
	log, err := private.Open(output, os.O_CREATE|os.O_APPEND|os.O_WRONLY)
	if err != nil {
		return err
	}
	defer log.Close()
	child := &exec.Cmd{Path: sinew, Args: []string{sinew, "supervise", filepath.Join(c.Folder, planName)}, Stdout: log, Stderr: log,
		SysProcAttr: proc.OwnSession(), Env: mark(c.Folder, "")}
	if _, err := rt.Start(rt.ThreadOptions{Slack: rt.RuntimeSlack}, child.Start); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- child.Wait() }()
	for begin := time.Now(); time.Since(begin) < answerTime; {
		if _, err := c.Status(); err == nil {
			return nil
		}
		select {
		case <-ended:
			text, _ := private.Read(output)
			return errors.New(lastLine(text))
		case <-time.After(answerPeriod):
		}
	}
	return errors.New("it does not answer")
}
