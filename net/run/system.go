package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/sinew-robotics/sinew/internal/proc"
	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/cores"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/port"
	"github.com/sinew-robotics/sinew/net/system"
	"github.com/sinew-robotics/sinew/net/thread"
)

// ErrFaults is the error of a run in which a block went into error. Options.Output received the block's name when it happened.
var ErrFaults = errors.New("a block went into error: see above; its outputs took their safe values")

// ErrStoppedByFault is the error, with [ErrFaults], of a run that a block in error has stopped, as on_fault: stop of its thread wants.
var ErrStoppedByFault = errors.New("the system has stopped (on_fault: stop)")

// Running is a prepared or running system, or one process of it, seen from its front.
type Running struct {
	Name     string        // of the system, or SYSTEM.PROCESS
	Front    *thread.Front // access to the threads
	Local    *admin.Local  // the API of tools, for this process
	Recorder *Recorder     // the log, and sums of the watched signals

	system    string         // name of the system that this is, or is a part of
	sys       *system.System // under the name above
	options   Options
	threads   threads
	control   control
	lines     io.Writer // to Options.Output and the control plane
	scriptErr error     // of the script, after the run
	scripts   blockScripts
	keeper    *keeper     // of values that outlive the run; nil: there are none
	unfollow  func() bool // forgets the context
}

// System prepares a system: it opens the log, the control plane and the script. [Running.Wait] runs it and must be called. When
// ctx ends, the system stops in order: its blocks are brought to rest. sys is a loaded system, or a literal with a name and a
// net. If it was loaded for one process of a system, System runs that process.
//
// In the process of a core (see [IsCore]) System runs the threads instead, and ends the process with them; it returns only if
// they cannot start. The front starts that process with its own arguments and working directory, so the program must reach the
// same call there with the same net. A program with several systems in real time sets Options.OneProcess in all but one.
func System(ctx context.Context, sys *system.System, o Options) (*Running, error) {
	r := newRunning(sys, o)
	switch {
	case o.Virtual || o.OneProcess || rt.SharedFolder() == "":
		r.useOwnThreads()
	case IsCore():
		return nil, r.serveCore(ctx)
	case o.Resume && cores.Find(r.Name).Orphaned():
		return Attach(ctx, sys, o)
	default:
		if err := r.useNewCore(); err != nil {
			return nil, err
		}
	}
	return r.prepare(ctx)
}

func newRunning(sys *system.System, o Options) *Running {
	own := *sys
	if process := sys.Options().Process; process != "" {
		own.Name += "." + process
	}
	return &Running{Name: own.Name, system: sys.Name, sys: &own, options: o}
}

// prepare sets up all that goes on beside the threads, before they run.
func (r *Running) prepare(ctx context.Context) (_ *Running, err error) {
	if r.Recorder, err = StartRecording(r.sys, r.Front, r.logPath()); err != nil {
		r.threads.close()
		return nil, err
	}
	if err = r.openKeeper(); err != nil {
		err = errors.Join(err, r.Recorder.Close(r.options.Virtual))
		r.threads.close()
		return nil, err
	}
	r.Local = admin.NewLocal(r.Front, r.files())
	r.Local.CheckWith(r.options.Checker)
	if err = r.control.open(r); err == nil {
		r.lines = io.MultiWriter(r.options.output(), r.control.log())
		if err = r.startScript(); err == nil {
			err = r.startBlockScripts()
		}
	}
	if err == nil && !r.options.Virtual {
		r.reportReady()
	}
	if err != nil {
		r.keeper.release()
		err = errors.Join(err, r.Recorder.Close(r.options.Virtual))
		r.close()
		return nil, err
	}
	r.unfollow = context.AfterFunc(ctx, r.Front.Stop)
	return r, nil
}

// readyPeriod is how often the front looks whether the threads run.
const readyPeriod = 5 * time.Millisecond

// reportReady reports to a supervisor, if one has started this process, that it is ready: when every periodic thread has been
// activated. A process that follows the threads of another is ready before: the other one may need it.
func (r *Running) reportReady() {
	report := proc.Readiness()
	if r.sys.Net.Leader != nil {
		report()
		return
	}
	r.Front.Go(func(p *thread.Participant) {
		for !r.Front.Stepping() {
			if p.Wait(r.Front.Now().Add(readyPeriod), nil) != nil {
				return
			}
		}
		report()
	})
}

// Wait runs the system until it has stopped, and is called once. A system stops when its context ends, when a tool stops it, at
// Options.Until, and in virtual time without Until with its script. The error joins those of the threads, the log and the
// script, and [ErrFaults] if a block went into error, with [ErrStoppedByFault] if that has stopped the system.
func (r *Running) Wait() error {
	r.Front.OnFault(func(f thread.Fault) { fmt.Fprintln(r.lines, "sinew:", f) })
	r.Front.OnLine(func(line string) { fmt.Fprint(r.lines, line) })
	r.Front.OnWarning(func(w thread.Warning) { fmt.Fprintln(r.lines, "sinew:", w) })
	for _, n := range r.sys.Net.Notices {
		fmt.Fprintln(r.lines, "sinew: notice:", n)
	}
	r.keeper.begin()
	err := r.threads.follow(r.notify)
	r.unfollow()
	died := errors.Is(err, thread.ErrCoreDied)
	if died {
		r.Local.Failed(thread.ErrCoreDied)
	}
	if len(r.Front.Faults()) > 0 {
		err = ErrFaults
		if died {
			err = errors.Join(thread.ErrCoreDied, ErrFaults)
		} else if fault, stops := r.stoppedBy(); stops {
			r.Local.Failed(fmt.Errorf("%v; %w", fault, ErrStoppedByFault))
			err = errors.Join(ErrFaults, ErrStoppedByFault)
		}
	}
	err = errors.Join(err, r.keeper.close(), r.Recorder.Close(r.options.Virtual), r.scriptErr)
	r.close()
	return err
}

// stoppedBy returns the first block in error whose thread stops the system then, if there is one.
func (r *Running) stoppedBy() (fault thread.Fault, ok bool) {
	for _, f := range r.Front.Faults() {
		for _, t := range r.sys.Net.Threads {
			if t.OnFault == diagram.Stop && slices.ContainsFunc(t.Blocks, func(b *port.Instance) bool { return b.Name == f.Block }) {
				return f, true
			}
		}
	}
	return fault, false
}

// close gives back what prepare and the threads have taken.
func (r *Running) close() {
	r.control.close()
	r.threads.close()
}

// files returns the system where it was made from files; else nil.
func (r *Running) files() *system.System {
	if r.sys.Path == "" {
		return nil
	}
	return r.sys
}

// Kill ends the threads by force, without bringing their blocks to rest, and returns a sentence that describes what it has done. If
// the threads are in this process it does nothing: the caller ends the process.
func (r *Running) Kill() string { return r.threads.kill() }

// notify passes on which privileges are missing.
func (r *Running) notify(lines []string) {
	if r.options.Notices != nil {
		r.options.Notices(lines)
		return
	}
	for _, line := range lines {
		fmt.Fprintln(r.lines, "sinew: notice:", line)
	}
}
