package deploy

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"github.com/sinew-robotics/sinew/net/system"
)

const (
	planName     = "plan.json"
	outputName   = "supervisor.out"
	answerPeriod = 10 * time.Millisecond
	answerTime   = 10 * time.Second // for a supervisor to begin
)

// Up starts a system on all of its hosts: it copies the command and the files to where they differ, and starts a supervisor on
// each. Where one host fails nothing stays started. sinew is the command of this host; clean takes away what a supervisor
// of this host left behind that was killed.
func Up(ctx context.Context, s *system.System, plan *Plan, sinew string, clean func() error) (Console, error) {
	console := Console{Folder: Folder(plan.System)}
	if _, err := console.Status(); err == nil {
		return console, fmt.Errorf("%q is up already: sinew ps %s shows it, sinew down %s stops it", plan.System, plan.System, plan.System)
	}
	if _, err := os.Stat(console.Folder); err == nil {
		if err := clean(); err != nil {
			return console, err
		}
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
		err = plan.Launch(sinew)
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

// prepare brings the command and the files to the other hosts, and tells the bridges of all where they find one another.
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

// Start brings everything to the host and starts its supervisor: it was up before.
func (r *Remote) Start(ctx context.Context, plan *RemotePlan) error {
	if _, err := r.prepare(ctx, plan); err != nil {
		return err
	}
	return r.start(ctx, plan)
}

func (r *Remote) start(ctx context.Context, plan *RemotePlan) error {
	text, err := json.Marshal(plan.Plan)
	if err != nil {
		return err
	}
	_, err = r.output(r.Call(ctx, "host", "start"), bytes.NewReader(text))
	return err
}

// down stops a system on the host.
func (r *Remote) down(ctx context.Context, system string) error {
	_, err := r.output(r.Call(ctx, "host", "down", system), nil)
	return err
}

// StartHere reads the plan of this host, as another has made it, and starts its supervisor. clean is as for [Up].
func StartHere(in io.Reader, sinew string, clean func(system string) error) error {
	var plan Plan
	if err := json.NewDecoder(in).Decode(&plan); err != nil {
		return fmt.Errorf("read the plan: %w", err)
	}
	root, err := openRoot(plan.System)
	if err != nil {
		return err
	}
	defer root.Close()
	console := Console{Folder: Folder(plan.System)}
	if _, err := console.Status(); err == nil {
		return fmt.Errorf("%q is up already: sinew down %s stops it there", plan.System, plan.System)
	}
	if _, err := os.Stat(console.Folder); err == nil {
		if err := clean(plan.System); err != nil {
			return err
		}
	}
	plan.settle(sinew, root.Name())
	return plan.Launch(sinew)
}

// Launch starts the supervisor of a plan of this host, in a session of its own, and waits until it answers.
func (p *Plan) Launch(sinew string) error {
	console := Console{Folder: Folder(p.System)}
	fail := func(err error) error {
		return fmt.Errorf("start the supervisor of %q: %w", p.System, errors.Join(err, os.RemoveAll(console.Folder)))
	}
	if err := os.MkdirAll(console.Folder, 0o700); err != nil {
		return fail(err)
	}
	text, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		return fail(err)
	}
	path := filepath.Join(console.Folder, planName)
	if err := os.WriteFile(path, text, 0o600); err != nil {
		return fail(err)
	}
	output := filepath.Join(console.Folder, outputName)
	log, err := os.Create(output)
	if err != nil {
		return fail(err)
	}
	defer log.Close()
	child := &exec.Cmd{Path: sinew, Args: []string{sinew, "supervise", path}, Stdout: log, Stderr: log, SysProcAttr: detached()}
	if err := child.Start(); err != nil {
		return fail(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- child.Wait() }()
	for begin := time.Now(); time.Since(begin) < answerTime; {
		if _, err := console.Status(); err == nil {
			return nil
		}
		select {
		case <-ended:
			text, _ := os.ReadFile(output)
			return fail(errors.New(lastLine(text)))
		case <-time.After(answerPeriod):
		}
	}
	return fail(errors.New("it does not answer"))
}

// ReadPlan reads the plan of a system that is up on this host.
func ReadPlan(system string) (*Plan, error) {
	text, err := os.ReadFile(filepath.Join(Folder(system), planName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%q is not up on this host", system)
	}
	if err != nil {
		return nil, err
	}
	var p Plan
	if err := json.Unmarshal(text, &p); err != nil {
		return nil, fmt.Errorf("read the plan of %q: %w", system, err)
	}
	return &p, nil
}
