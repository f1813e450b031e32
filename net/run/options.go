package run

import (
	"io"
	"os"
	"time"

	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/admin/nats"
)

// Options describe how to run a system. The zero value runs it in real time until its context ends, on the control plane, with the log
// and the script of its file.
type Options struct {
	Virtual    bool          // run in virtual time, as fast as possible and without control plane
	OneProcess bool          // run the threads in this process, for example under a debugger
	Resume     bool          // if the core of this system has lost its front, attach to it instead of starting another
	Until      time.Duration // stop at this system time; 0: run until stopped
	Profile    int           // measure the time of each block at every nth activation of its thread; 0: every 32nd
	Log        string        // path of the log, .mcap or .csv; "": the path in the system file, or no log
	Metrics    string        // host:port for Prometheus; "": the address in the system file, unless this is one process of several
	// Output receives lines of text: faults, warnings, the output of the script. nil: the standard error.
	Output io.Writer
	// Notices is called once, when the threads begin, with one line for each real-time privilege that the machine does not grant.
	// nil: the lines go to Output.
	Notices func(lines []string)
	// Identity describes on the control plane how to run the system again. System, Process, Host and File are filled in.
	Identity nats.Identity
	// Checker answers questions about files that are not saved yet; nil: such questions are rejected.
	Checker admin.Checker
}

func (o *Options) output() io.Writer {
	if o.Output == nil {
		return os.Stderr
	}
	return o.Output
}
