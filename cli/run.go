package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/deploy"
	"github.com/sinew-robotics/sinew/net/script"
	"github.com/sinew-robotics/sinew/net/system"
	"github.com/sinew-robotics/sinew/net/thread"
)

// runFlags are the flags of the verb run.
type runFlags struct {
	loadFlags
	fast       bool
	oneProcess bool
	resume     bool
	length     time.Duration
	record     string
	script     string
	name       string
	metrics    string
	profile    int
	json       bool
	quiet      bool
	console    bool
	page       consoleFlags
	shown      *runConsole // nil without --console
}

func runCommand(registry *block.Registry) *cobra.Command {
	f := &runFlags{}
	cmd := &cobra.Command{
		Use:   "run FILE",
		Short: "Run a system on this machine",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.console {
				return f.runUnderConsole(cmd, args[0], registry)
			}
			sys, err := f.load(args[0], registry)
			if err != nil {
				return err
			}
			return f.run(cmd, sys)
		},
	}
	f.register(cmd)
	flags := cmd.Flags()
	flags.BoolVar(&f.fast, "fast", false, "run in virtual time, as fast as it goes")
	flags.BoolVar(&f.oneProcess, "one-process", false, "keep the threads in this process, as for a debugger, instead of giving them one of their own")
	flags.StringVar(&f.process, "process", "", "run only this `process` of the deploy section, named SYSTEM.PROCESS")
	flags.BoolVar(&f.resume, "resume", false, "where a core of this name has lost its front, take it up instead of starting anew")
	flags.DurationVar(&f.length, "for", 0, "stop after this `time` of the system")
	flags.StringVar(&f.record, "record", "", "write the log to this `file`, .mcap or .csv")
	flags.StringVar(&f.script, "script", "", "run this `file` instead of the system's script")
	flags.StringVar(&f.name, "name", "", "run under another `name`")
	flags.IntVar(&f.profile, "profile", 0, "measure the blocks' times at every `n`-th activation (default 32)")
	flags.StringVar(&f.metrics, "metrics", "", "let Prometheus fetch metrics at this `address` and port, as 127.0.0.1:9100")
	flags.BoolVar(&f.json, "json", false, "print one JSON object at the end")
	flags.BoolVar(&f.quiet, "quiet", false, "show nothing while it runs")
	flags.BoolVar(&f.console, "console", false, "show it in a browser, at the address that is printed")
	f.page.register(cmd, " of --console")
	return cmd
}

func (f *runFlags) run(cmd *cobra.Command, sys *system.System) (err error) {
	if f.name != "" {
		sys.Name = f.name
	}
	if f.script != "" {
		sys.Script = f.script
	}
	if f.fast && f.length == 0 && sys.Script == "" {
		return errors.New("virtual time does not end by itself: say how long with --for, or give the system a script")
	}
	ctx, cancel := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	context.AfterFunc(ctx, cancel) // a second signal ends the process at once
	r := &running{flags: f, cmd: cmd, sys: sys, system: sys.Name, stop: cancel}
	if f.process != "" {
		sys.Name += "." + f.process
	}
	if !f.fast && !f.oneProcess && rt.SharedFolder != "" {
		return f.runApart(ctx, r)
	}
	core := thread.New(sys.Net, thread.Options{Profile: f.profile, Until: clock.At(f.length)})
	r.front = core.Front()
	return r.execute(func(notify func([]string)) error {
		if f.fast {
			return core.RunVirtual(ctx)
		}
		wiring, err := wire(sys.Net, r.system, core, false)
		if err != nil {
			return err
		}
		defer wiring.Close()
		return core.Run(ctx, notify)
	})
}

// runApart runs the core in a process of its own.
func (f *runFlags) runApart(ctx context.Context, r *running) error {
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	start := coreStart{System: r.system, Process: f.process, Dir: dir, File: r.sys.Path, Overlays: f.overlays, Params: f.params, Profile: f.profile, Until: f.length}
	if f.resume && orphaned(r.sys.Name) {
		return f.attach(ctx, r)
	}
	core, err := newSharedCore(r.sys.Name, r.sys.Net, start)
	if err != nil {
		return err
	}
	defer core.close()
	r.front = core.front
	defer context.AfterFunc(ctx, core.front.Stop)()
	return r.execute(func(notify func([]string)) error {
		if err := core.launch(start); err != nil {
			return err
		}
		return core.follow(notify)
	})
}

// running is a run as its front sees it.
type running struct {
	flags  *runFlags
	cmd    *cobra.Command
	sys    *system.System
	system string // what the system is called that this process is a part of
	front  *thread.Front
	stop   func()
}

// execute serves the tools, the recorder and the script of a system while follow runs, and sums up at the end.
func (r *running) execute(follow func(notify func([]string)) error) error {
	f, sys, out := r.flags, r.sys, r.cmd.OutOrStdout()
	rec, err := sys.StartRecording(r.front, f.logPath(sys))
	if err != nil {
		return err
	}
	local := admin.NewLocal(r.front, sys)
	served, err := r.serve(local)
	if err != nil {
		return errors.Join(err, rec.Close(f.fast))
	}
	defer served.close()
	defer f.shown.show(r.system, local)()
	view := f.watch(r.cmd, r.front, sys, r.stop)
	defer view.close()
	lines := io.MultiWriter(view, served.log(), f.shown.log(r.system))
	var ending scriptEnd
	if sys.Script != "" {
		ending.last = f.fast && f.length == 0
		if err := ending.start(r.front, local, sys.Script, lines); err != nil {
			return errors.Join(err, rec.Close(f.fast))
		}
	}
	r.front.OnFault(func(fault thread.Fault) { fmt.Fprintln(lines, "sinew:", fault) })
	r.front.OnWarning(func(w thread.Warning) { fmt.Fprintln(lines, "sinew:", w) })
	begin := time.Now()
	err = follow(view.notices)
	view.close()
	if len(r.front.Faults()) > 0 {
		err = errFaults
	}
	closeErr := rec.Close(f.fast)
	s := summarize(sys.Name, r.front.Now(), r.front, rec)
	if f.json {
		if e := json.NewEncoder(out).Encode(s); e != nil {
			return e
		}
	} else {
		s.print(out, time.Since(begin))
	}
	return errors.Join(err, closeErr, ending.err)
}

// identity is what the control plane calls this process.
func (r *running) identity() admin.Identity {
	id := admin.Identity{System: r.system, Process: r.flags.process, Version: Version}
	id.File, _ = filepath.Abs(r.sys.Path)
	if id.Process == "" {
		id.Command, id.Dir = again(r.cmd.Flags(), r.sys.Path, r.system)
		return id
	}
	id.Command, id.Dir = r.flags.upAgain(id.File)
	id.Supervised = true
	id.Processes = deploy.Services(r.sys)
	for _, p := range r.sys.Deploy.Processes {
		if p.Name == id.Process {
			id.Host = p.Host
		}
	}
	return id
}

// errFaults ends a run in which a block fell in error; the blocks were named when it happened.
var errFaults = errors.New("a block fell in error: see above; its outputs took their safe values")

// logPath returns where the log goes: nowhere unless the flag or the file asks for one.
func (f *runFlags) logPath(sys *system.System) string {
	if f.record != "" || sys.Record == nil {
		return f.record
	}
	return sys.Record.File
}

// scriptEnd is how the system's script ended.
type scriptEnd struct {
	err  error
	last bool // the system ends with the script
}

func (e *scriptEnd) start(front *thread.Front, local *admin.Local, path string, out io.Writer) error {
	program, err := script.Load(system.Folder("."), path)
	if err != nil {
		return err
	}
	front.Go(func(p *thread.Participant) {
		if err := program.Run(local.As(p), out); err != nil {
			e.err = fmt.Errorf("script: %w", err)
			if !e.last {
				fmt.Fprintf(out, "sinew: the script has stopped, the system goes on: %v\n", err)
			}
		}
		if e.last {
			front.Stop()
		}
	})
	return nil
}

// watch shows the run on the terminal, where there is one.
func (f *runFlags) watch(cmd *cobra.Command, front *thread.Front, sys *system.System, stop func()) *view {
	v := &view{errors: cmd.ErrOrStderr()}
	out, ok := cmd.OutOrStdout().(*os.File)
	if !ok || f.json || f.quiet || f.fast || !term.IsTerminal(int(out.Fd())) {
		return v
	}
	v.start(front, sys, out, stop)
	return v
}
