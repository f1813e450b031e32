package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/sinew-robotics/sinew/cli/verb"
	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/admin/nats"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/deploy"
	"github.com/sinew-robotics/sinew/net/run"
	"github.com/sinew-robotics/sinew/net/system"
)

// runFlags are the flags of the verb run.
type runFlags struct {
	load       system.Options
	fast       bool
	oneProcess bool
	resume     bool
	length     time.Duration
	record     string
	script     string
	metrics    string
	profile    int
	json       bool
	quiet      bool
	console    bool
	page       consoleFlags
	shown      *runConsole // nil without --console
	notes      bool
	screen     *screen
	candidates admin.Checker
}

func runCommand(registry *block.Registry, candidates admin.Checker) *cobra.Command {
	f := &runFlags{load: system.Options{Registry: registry}, candidates: candidates}
	cmd := &cobra.Command{
		Use:   "run FILE",
		Short: "Run a system on this machine",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.own(cmd)
			if f.length < 0 {
				return fmt.Errorf("--for %v: wants a time of more than 0, as 10s; without --for the system runs until Ctrl-C", f.length)
			}
			if f.load.Restore = !f.fast; f.load.Name != "" {
				if err := system.CheckName(f.load.Name); err != nil {
					return fmt.Errorf("--name: %w", err)
				}
			}
			if err := f.check(); err != nil {
				return err
			}
			if f.console && !run.IsCore() {
				return f.runUnderConsole(cmd, args[0], registry)
			}
			sys, err := system.Load(args[0], f.load)
			if err != nil {
				return err
			}
			return f.run(cmd, sys)
		},
	}
	verb.AddLoadFlags(cmd, &f.load)
	flags := cmd.Flags()
	flags.BoolVar(&f.fast, "fast", false, "run in virtual time, as fast as it goes")
	flags.BoolVar(&f.oneProcess, "one-process", false, "keep the threads in this process, as for a debugger, instead of giving them one of their own")
	flags.StringVar(&f.load.Process, "process", "", "run only this `process` of the deploy section, named SYSTEM.PROCESS")
	flags.BoolVar(&f.resume, "resume", false, "where a core of this name has lost its front, take it up instead of starting a new one")
	flags.DurationVar(&f.length, "for", 0, "stop after this `time` of the system")
	flags.StringVar(&f.record, "record", "", "write the log to this `file`, .mcap or .csv")
	flags.StringVar(&f.script, "script", "", "run this `file` instead of the system's script")
	flags.StringVar(&f.load.Name, "name", "", "run under another `name`")
	flags.IntVar(&f.profile, "profile", 0, "measure the blocks' times at every `n`-th activation (default 32)")
	flags.StringVar(&f.metrics, "metrics", "", "let Prometheus fetch metrics at this `address` and port, as 127.0.0.1:9100")
	flags.BoolVar(&f.json, "json", false, "print one JSON object at the end")
	flags.BoolVar(&f.quiet, "quiet", false, "show nothing while it runs")
	flags.BoolVar(&f.console, "console", false, "show it in a browser, at the address that is printed")
	flags.BoolVar(&f.notes, "notes", false, "print what comes on the standard input above the view: sinew dev sends its errors there")
	_ = flags.MarkHidden("notes")
	f.page.register(cmd, " of --console")
	return cmd
}

// check rejects an address that is none, and a script that is not there.
func (f *runFlags) check() error {
	if _, _, err := net.SplitHostPort(f.metrics); f.metrics != "" && err != nil {
		return fmt.Errorf("--metrics %q: wants address:port, as 127.0.0.1:9100", f.metrics)
	}
	if _, err := os.Stat(f.script); f.script != "" && errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("--script %s: no such file in this folder%s", f.script, nearest.File(os.DirFS(filepath.Dir(f.script)), filepath.Base(f.script)))
	}
	return nil
}

// own makes all that the command prints as errors and notices go through its screen.
func (f *runFlags) own(cmd *cobra.Command) {
	f.screen = &screen{errors: cmd.ErrOrStderr()}
	cmd.SetErr(f.screen)
	if f.notes && !run.IsCore() {
		go func() { _, _ = io.Copy(f.screen, cmd.InOrStdin()) }() // ends with the process
	}
}

// run runs a system until it has stopped.
func (f *runFlags) run(cmd *cobra.Command, sys *system.System) error {
	if f.script != "" {
		sys.Script = f.script
	}
	if f.fast && f.metrics != "" {
		return fmt.Errorf("--metrics %s: metrics are those of a run in real time: leave out --fast or --metrics", f.metrics)
	}
	if f.fast && f.length == 0 && sys.Script == "" && len(sys.Scripts) == 0 {
		return errors.New("virtual time has no end: set one with --for, or give the system a script")
	}
	return f.follow(cmd, sys, run.System)
}

// follow shows a system that start makes ready while it runs, and sums up at the end.
func (f *runFlags) follow(cmd *cobra.Command, sys *system.System, start func(context.Context, *system.System, run.Options) (*run.Running, error)) error {
	stopper, release := newStopper(cmd.Context())
	defer release()
	view := &view{screen: f.screen}
	lines := io.MultiWriter(f.screen, f.shown.log(sys.Name))
	r, err := start(stopper, sys, run.Options{
		Virtual: f.fast, OneProcess: f.oneProcess, Resume: f.resume, Until: f.length, Profile: f.profile, Log: f.record, Metrics: f.metrics,
		Output: lines, Notices: view.notices, Identity: f.identity(cmd.Flags(), sys), Checker: f.candidates,
	})
	if err != nil {
		return err
	}
	defer f.shown.show(sys.Name, r.Local)()
	if f.watches(cmd.OutOrStdout()) {
		view.start(r, sys, cmd.OutOrStdout().(*os.File), stopper.stop)
	}
	defer stopper.watch(r, lines)()
	begin := time.Now()
	err = r.Wait()
	view.close()
	s := summarize(r)
	if f.json {
		if err := json.NewEncoder(cmd.OutOrStdout()).Encode(s); err != nil {
			return err
		}
	} else {
		s.print(cmd.OutOrStdout(), time.Since(begin))
	}
	return err
}

// watches reports whether the run is shown while it lasts: on a terminal.
func (f *runFlags) watches(out io.Writer) bool {
	file, ok := out.(*os.File)
	return ok && !f.json && !f.quiet && !f.fast && term.IsTerminal(int(file.Fd()))
}

// identity describes how to run the system again, or the one that the process is a part of.
func (f *runFlags) identity(flags *pflag.FlagSet, sys *system.System) nats.Identity {
	id := nats.Identity{Version: Version}
	if sys.Options().Process == "" {
		id.Command, id.Dir = again(flags, sys.Path, sys.Name)
		return id
	}
	id.Command, id.Dir = upAgain(sys)
	id.Supervised, id.Processes = true, deploy.Services(sys)
	return id
}
