package admin

import (
	"context"
	"time"

	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/record"
	"github.com/sinew-robotics/sinew/net/system"
)

// System is a running system in all roles that every implementation has. References are "block.port", "block.param" and
// "block.operation"; a port may also be one of a group, "group.port". The roles [Events], [Logs], [Clock], [Lifetime] and [LossCounter] are found by type assertion.
type System interface {
	Inspector
	Tuner
	Driver
	Observer
	FileEditor
}

// Running is a system that a process executes, with its time and events: what the process offers to others.
type Running interface {
	System
	Clock
	Events
}

// Inspector reads what a system is made of and its present values.
type Inspector interface {
	// Structure returns what the system is made of.
	Structure(ctx context.Context) (*Structure, error)
	// Condition returns what an operator must see at any time: what is held, disabled, in error or not finite, and slips. It
	// costs little, so that it can be asked every second.
	Condition(ctx context.Context) (*Condition, error)
	// Read returns the present value of a port.
	Read(ctx context.Context, ref string) (Reading, error)
	// Param returns the present value of a parameter.
	Param(ctx context.Context, ref string) (any, error)
	// Statistics returns what the threads have done so far.
	Statistics(ctx context.Context) (*record.RunStatistics, error)
}

// Tuner changes parameters.
type Tuner interface {
	// SetParams changes parameters of one block, all of them between the same two steps or none.
	SetParams(ctx context.Context, block string, values map[string]any) error
}

// Driver makes a system act: it overrides ports, calls operations, enables, resets and stops.
type Driver interface {
	// Feed overrides a port by hand. An input keeps the value instead of that of its link, an output instead of what its block
	// writes, until Release; an output also until its block goes into error. An event happens with the value, a handler receives it.
	Feed(ctx context.Context, ref string, value any) error
	// FeedFor is Feed for a limited time, at most [LongestFeed]: the port is released automatically unless the client that fed it
	// renews the value. An [Event] is emitted when the override begins, which began reports, and when it ends.
	FeedFor(ctx context.Context, ref string, value any, lasts time.Duration) (began bool, err error)
	// Excite feeds a waveform to a port of one float64 in each activation of its thread, in place of its value, and releases the
	// port at its end. It lasts at most [LongestFeed] unless it is renewed by Excite without a waveform, then reports whether it
	// still runs, and never begins again.
	Excite(ctx context.Context, ref string, e *Excitation, lasts time.Duration) (runs bool, err error)
	// Release ends what Feed began: an input reads its link again, or zero and no data; an output has what its block wrote last.
	Release(ctx context.Context, ref string) error
	// Call runs an operation. Arguments are given in order or by name.
	Call(ctx context.Context, ref string, args []any, named map[string]any) (any, error)
	// Reset lets a block that is in error run again.
	Reset(ctx context.Context, block string) error
	// Enable enables or disables a block, or all blocks of a group, by hand. A disabled block keeps its outputs and its state. With on, the input "enable"
	// is again what the net makes of it: a block stays disabled while the linked value is false.
	Enable(ctx context.Context, block string, on bool) error
	// Stop ends the system in order.
	Stop(ctx context.Context) error
}

// Observer follows the values of ports.
type Observer interface {
	// Tap calls sink with new values of a port, at most one in every activations of its thread, until end is called. Of an event
	// or a handler it receives all, at most [block.MaxPendingEvents] at once; Sample.Count shows what is missing.
	// An every below 1 counts as 1. It fails for a port that does not exist.
	Tap(ctx context.Context, ref string, every int, sink func(Sample)) (end func(), err error)
}

// TypeChecker knows the types of blocks that a system's files may name, and checks such files: a running system, or [Files].
type TypeChecker interface {
	// Types describes the types of blocks that the system's files may name, sorted; if name is not "" only that one, with the
	// given parameters.
	Types(ctx context.Context, name string, params map[string]any) ([]BlockType, error)
	// Check returns the errors and notices that the system would have if its files had these texts, by absolute path. Files that
	// texts does not name count as they are.
	Check(ctx context.Context, texts map[string]string) (Findings, error)
}

// FileEditor prepares changes of a system's files. It writes none.
type FileEditor interface {
	TypeChecker
	// Tuned returns the parameters that have other values than the files, as they are now, and the command line give them.
	Tuned(ctx context.Context) ([]system.Change, error)
	// SaveParams returns the new contents of the files, by path, with the given values (YAML, in one line) in the places of
	// the old ones; files that do not change are left out. It fails, and returns none, if a value is not one of its parameter, a
	// parameter has no place in the files, one place would get different values, or a file is no longer right with its new text.
	SaveParams(ctx context.Context, changes []system.Change) (map[string]system.Rewrite, error)
}

// Events is the role of a system that emits events.
type Events interface {
	// FollowEvents calls sink with each event until end is called: blocks that go into error, processes that start and stop, what
	// an [Actor] has changed. Sink must be quick.
	FollowEvents(sink func(Event)) (end func(), err error)
	// History returns the newest events and log lines.
	History(ctx context.Context) (History, error)
}

// Logs is the role of a system whose processes log.
type Logs interface {
	// FollowLogs calls sink with each line that the processes log until end is called. Sink must be quick.
	FollowLogs(sink func(LogLine)) (end func(), err error)
}

// Clock is the role of a system that returns its time.
type Clock interface {
	// Now returns the time of the system, 0 where it has ended.
	Now() clock.Time
}

// Lifetime is the role of a system whose end is announced.
type Lifetime interface {
	// Done returns a channel that is closed when the system has ended.
	Done() <-chan struct{}
}

// LossCounter is the role of a client that may miss samples.
type LossCounter interface {
	// Lost returns how many samples of all taps never arrived here.
	Lost() uint64
}
