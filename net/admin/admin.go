package admin

import (
	"context"
	"time"

	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/record"
	"github.com/sinew-robotics/sinew/net/system"
)

// System is a running system. References are "block.port", "block.param" and "block.operation".
type System interface {
	// Structure returns what the system is made of.
	Structure(ctx context.Context) (*Structure, error)
	// Read returns the present value of a port.
	Read(ctx context.Context, ref string) (Reading, error)
	// Feed gives a port a value by hand. An input keeps it, whatever its link brings, and an output, whatever its block writes,
	// until they are released, an output also until its block falls in error; an event happens, and a handler gets one.
	Feed(ctx context.Context, ref string, value any) error
	// FeedFor is Feed by somebody who steers: the port is released by itself when it is not fed again for so long, because its
	// feeder, or the way to him, is gone. It lasts at most [LongestFeed]. Only where that begins, and when it ends, an event tells.
	FeedFor(ctx context.Context, ref string, value any, lasts time.Duration) (began bool, err error)
	// Release ends what Feed began: an input reads its link again, or zero and no data; an output has what its block wrote last.
	Release(ctx context.Context, ref string) error
	// Param returns the present value of a parameter.
	Param(ctx context.Context, ref string) (any, error)
	// SetParams changes parameters of one block, all of them between the same two steps or none.
	SetParams(ctx context.Context, block string, values map[string]any) error
	// Call runs an operation. Arguments are given in order or by name.
	Call(ctx context.Context, ref string, args []any, named map[string]any) (any, error)
	// Reset lets a block that is in error run again.
	Reset(ctx context.Context, block string) error
	// Enable lets a block run or not, by hand. A block that is not enabled keeps its outputs and its state. With on the input
	// "enable" is what the net makes of it: where it is linked to false, the block stays disabled.
	Enable(ctx context.Context, block string, on bool) error
	// Tap makes sink get what is new at a port, at most once in every activations, until end is called. Of an event or a handler
	// it gets all, at most [block.MaxPendingEvents] at once; Sample.Count shows what is missing.
	Tap(ctx context.Context, ref string, every int, sink func(Sample)) (end func(), err error)
	// Statistics returns what the threads have done so far.
	Statistics(ctx context.Context) (*record.RunStatistics, error)
	// Stop ends the system in order.
	Stop(ctx context.Context) error

	// Types describes the types of blocks that the system's files may name, sorted; where name is not "" only that one, as it is
	// with the given parameters.
	Types(ctx context.Context, name string, params map[string]any) ([]BlockType, error)
	// Check tells what would be wrong with the system if its files said what texts says for them, by absolute path; those that are
	// not there count as they are.
	Check(ctx context.Context, texts map[string]string) ([]FileError, error)
	// Tuned returns the parameters that have other values than its files, as they are now, and the command line give them.
	Tuned(ctx context.Context) ([]system.Change, error)
	// SaveParams returns the files, by path, with the given values in the places of the old ones. Nothing is written.
	SaveParams(ctx context.Context, changes []system.Change) (map[string]string, error)
}

// Structure is what a system is made of.
type Structure struct {
	System    string    `json:"system"`
	File      string    `json:"file"` // absolute path of the system file; "" where there is none
	PID       int       `json:"pid"`  // of the first process
	Processes []Process `json:"processes"`
	Threads   []Thread  `json:"threads"`
	Blocks    []Block   `json:"blocks"`
	Links     []Link    `json:"links"`
	Groups    []Group   `json:"groups"`
	// Types are the definitions in ROS 2 text of the structs that Port, Param and Arg name, by that name.
	Types    map[string]string `json:"types"`
	Warnings []string          `json:"warnings"` // of the present
}

// Group is blocks that belong together: its name, a dot and the rest is the name of each of them, or of a group in it.
type Group struct {
	Name string `json:"name"`
	File string `json:"file,omitempty"` // absolute path of the one that describes it, or that it stands in
}

// Process describes a process of a system.
type Process struct {
	Name    string `json:"name"`
	Host    string `json:"host"`
	PID     int    `json:"pid,omitempty"`
	Version string `json:"version,omitempty"` // of sinew
	Problem string `json:"problem,omitempty"` // why nothing more is known of it: it does not run, or is out of reach

	File     string   `json:"file,omitempty"`     // absolute path of the system file on that host
	Overlays []string `json:"overlays,omitempty"` // absolute paths of those that were put over it, in this order
	Params   []string `json:"params,omitempty"`   // "block.param=value" that were put over them
	Command  []string `json:"command,omitempty"`  // that runs the system again
	Dir      string   `json:"dir,omitempty"`      // in which the command was given

	Supervised bool `json:"supervised,omitempty"` // somebody looks after it: he, too, has to end when the system is run again
}

// Thread describes a thread.
type Thread struct {
	Name     string  `json:"name"`
	Process  string  `json:"process,omitempty"`
	Host     string  `json:"host,omitempty"`
	Period   float64 `json:"period_s"` // 0: triggered
	Priority int     `json:"priority"`
	Offset   float64 `json:"offset_s,omitempty"` // of its grid
	Follow   string  `json:"follow,omitempty"`   // the thread whose time and phase it keeps
}

// Link describes a link: its ends and its policy.
type Link struct {
	From     string  `json:"from"` // "block.port", with chosen elements as "block.port[0,2]"
	To       string  `json:"to"`
	Every    int     `json:"every,omitempty"`     // it carries every n-th value only
	Pause    float64 `json:"pause_s,omitempty"`   // it carries nothing sooner than this after the last value
	Delay    bool    `json:"delay,omitempty"`     // it carries the value of the activation before
	Buffer   int     `json:"buffer,omitempty"`    // it queues up to so many values; 0: the newest wins
	Overflow string  `json:"overflow,omitempty"`  // what a full queue drops
	Timeout  float64 `json:"timeout_s,omitempty"` // the target rests while the value is older
}

func (l Link) String() string { return l.From + " -> " + l.To }

// Block describes a block.
type Block struct {
	Name       string      `json:"name"`
	Type       string      `json:"type"`
	Process    string      `json:"process,omitempty"`
	Thread     string      `json:"thread"`
	State      State       `json:"state"`
	Enabled    bool        `json:"enabled"`          // its input "enable" lets it run
	Fault      string      `json:"fault,omitempty"`  // why it is in error
	Faults     uint32      `json:"faults,omitempty"` // how often it fell in error so far, reset since or not
	Ports      []Port      `json:"ports"`
	Params     []Param     `json:"params"`
	Operations []Operation `json:"operations"`
}

// State is what a block does.
type State string

// The states of a block.
const (
	StateRunning  State = "running"
	StateDisabled State = "disabled" // its input "enable" reads false: System.Enable
	StateResting  State = "resting"  // an input has had no data for longer than its time-out
	StateError    State = "error"    // its outputs have their safe values; System.Reset lets it run again
)

// Port describes a port: an input, an output, an event or a handler.
type Port struct {
	Name  string `json:"name"`
	Kind  string `json:"kind"`
	Type  string `json:"type"`
	Unit  string `json:"unit,omitempty"`
	Doc   string `json:"doc,omitempty"`
	From  string `json:"from,omitempty"`    // what an input is linked to
	Hand  bool   `json:"by_hand,omitempty"` // it has a value given with System.Feed
	Watch bool   `json:"watch,omitempty"`   // its author says that operators want to see it
	Show  string `json:"show,omitempty"`    // what its author says that pictures take it for
}

// Param describes a parameter.
type Param struct {
	Name  string   `json:"name"`
	Type  string   `json:"type"`
	Unit  string   `json:"unit,omitempty"`
	Doc   string   `json:"doc,omitempty"`
	Fixed bool     `json:"fixed,omitempty"`
	Value any      `json:"value,omitempty"` // of a fixed one; the others are asked with System.Param
	Min   *float64 `json:"min,omitempty"`
	Max   *float64 `json:"max,omitempty"`
}

// Operation describes an operation.
type Operation struct {
	Name   string `json:"name"`
	Doc    string `json:"doc,omitempty"`
	Show   string `json:"show,omitempty"` // as of a port
	Args   []Arg  `json:"args"`
	Result string `json:"result,omitempty"`
}

// Arg is an argument of an operation.
type Arg struct {
	Name string `json:"name"`
	Type string `json:"type"`
	Unit string `json:"unit,omitempty"`
}

// Reading is the value of a port and how many values it had so far: 0 means that nothing was ever written.
type Reading struct {
	Value any    `json:"value"`
	Count uint64 `json:"count"`
}

// Sample is one value of a tapped port.
type Sample struct {
	Time  clock.Time `json:"time_ns"`
	Count uint32     `json:"count"`
	Value any        `json:"value"`
}
