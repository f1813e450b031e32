package run

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/net/cores"
	"github.com/sinew-robotics/sinew/net/thread"
)

// coreMemory is how many bytes a core may have before its collector runs after all.
const coreMemory = 1 << 30

// coreVariable is in the environment of a core: the file whose memory it shares with its front.
const coreVariable = "SINEW_CORE"

// inherited is the value of coreVariable; "" in a process that is no core. It is taken out of the environment before main begins:
// what this process starts is no core.
var inherited = takeOut(coreVariable)

func takeOut(variable string) string {
	value := os.Getenv(variable)
	_ = os.Unsetenv(variable)
	return value
}

// IsCore reports whether a front has started this process as its core: [System] runs the threads here. The front runs the same
// code before that call, so actions that must happen once, such as opening a port, belong to the front.
func IsCore() bool { return inherited != "" }

// serveCore runs the threads in this process until they are stopped, without a garbage collector, and ends the process. It returns an
// error where they cannot begin.
func (r *Running) serveCore(ctx context.Context) error {
	signal.Ignore(syscall.SIGPIPE, syscall.SIGHUP, os.Interrupt) // those are meant for the front
	ctx, cancel := signal.NotifyContext(ctx, syscall.SIGTERM)
	defer cancel()
	core, err := r.takeCore()
	if err != nil {
		return fmt.Errorf("run the core of %q: %w", r.Name, err)
	}
	links, err := r.openLinks(core, true)
	if err != nil {
		return fmt.Errorf("run the core of %q: %w", r.Name, err)
	}
	debug.SetMemoryLimit(coreMemory)
	debug.SetGCPercent(-1)
	err = core.Serve(ctx)
	links.closeAfter(err)
	if err != nil {
		os.Exit(1) // the front reports it
	}
	os.Exit(0)
	return nil
}

// takeCore takes the core's seat in the memory that the front has made. The memory stays until the process ends: a thread that hangs
// may use it to the last.
func (r *Running) takeCore() (*thread.Core, error) {
	if inherited != cores.Path(r.Name) {
		return nil, fmt.Errorf("this process is the core for %s: a program that runs several systems sets Options.OneProcess", inherited)
	}
	shared, err := rt.OpenShared(inherited)
	if err != nil {
		return nil, fmt.Errorf("its front has ended, or %s was set by hand; unset it: %w", coreVariable, err)
	}
	if !shared.Take(cores.CoreSeat) || !shared.Current(inherited) {
		return nil, errors.New("another core uses its memory, or its front was killed before it began")
	}
	boundary, err := thread.LayBoundary(r.sys.Net, shared.Bytes())
	if err != nil {
		return nil, err
	}
	return thread.NewCore(r.sys.Net, boundary, r.execution(true)), nil
}
