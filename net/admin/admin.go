package admin

import (
	"errors"
	"time"

	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
)

// ErrGone is the error of a request to a system that has ended, or to which the connection is lost.
var ErrGone = errors.New("the system has ended")

// Structure is what a system is made of.
type Structure struct {
	System    string    `json:"system"`
	File      string    `json:"file"` // absolute path of the system file; "" if there is none
	PID       int       `json:"pid"`  // of the first process
	Processes []Process `json:"processes"`
	Threads   []Thread  `json:"threads"`
	Blocks    []Block   `json:"blocks"`
	Links     []Link    `json:"links"`
	Calls     []Call    `json:"calls"` // operations that blocks call on others, their peers
	Groups    []Group   `json:"groups"`
	Foreign   []Foreign `json:"foreign"` // blocks that are programs of their own
	// Types are the definitions in ROS 2 text of the structs that Port, Param and Arg name, by that name.
	Types    map[string]string `json:"types"`
	Warnings []string          `json:"warnings"` // of the present
	Notices  []FileError       `json:"notices"`  // of the net: what is no error, but may not be wanted
	Unlinked []string          `json:"unlinked"` // inputs without a source, with the elements that have none, as "arm.torque[3,4]"
	// Watch are the signals that the key watch of the system file selects, in its order, at most 16.
	Watch []string `json:"watch,omitempty"`
}

// Group is blocks that belong together: its name, a dot and the rest is the name of each of them, or of a group in it. Its ports
// are read, tapped and overridden as those of a block, and [Driver.Enable] takes its name for all its blocks.
type Group struct {
	Name    string `json:"name"`
	File    string `json:"file,omitempty"`   // absolute path of the one that describes it, or that it stands in
	Level   int    `json:"level,omitempty"`  // in the group around it, from 0, the lowest
	Levels  int    `json:"levels,omitempty"` // number of levels of its members; 0: they have none
	Enabled bool   `json:"enabled"`          // at least one of its blocks is
	Ports   []Port `json:"ports,omitempty"`  // by which it looks like a block: the four vectors of a group of MCA
}

// Foreign describes a block that is a program of its own, in any language. It is not on the control plane: its ports cannot be read or
// fed, but what other blocks send it and receive from it can.
type Foreign struct {
	Name    string        `json:"name"`
	Process string        `json:"process"`
	Ports   []ForeignPort `json:"ports"` // those that are linked, and all outputs
}

// ForeignPort is a port of a [Foreign] block.
type ForeignPort struct {
	Name string `json:"name"`
	Kind string `json:"kind"` // input or output
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

	State    string `json:"state,omitempty"`     // as its supervisor reports it; "" where that is not known
	LastLine string `json:"last_line,omitempty"` // of its output, as its supervisor reports it

	Supervised bool `json:"supervised,omitempty"` // sinew up restarts it: to run the system again, its supervisor must end, too
}

// Thread describes a thread.
type Thread struct {
	Name     string  `json:"name"`
	Process  string  `json:"process,omitempty"` // "": the system's only one
	Host     string  `json:"host,omitempty"`    // of the process
	Period   float64 `json:"period_s"`          // 0: triggered
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
	Buffer   int     `json:"buffer,omitempty"`    // values that are queued at most; 0: the newest wins
	Overflow string  `json:"overflow,omitempty"`  // what a full queue drops
	Timeout  float64 `json:"timeout_s,omitempty"` // the target rests while the value is older

	Exchange diagram.Exchange `json:"exchange"`        // which values an activation reads
	Reads    string           `json:"reads"`           // the same as sinew check -v prints it
	Ticks    int              `json:"ticks,omitempty"` // by tick: how many periods of its reader old the values are; 0: no whole number
}

// String returns the link as system files write it: "a.out -> b.in".
func (l Link) String() string { return l.From + " -> " + l.To }

// Call states that a block calls an operation of another.
type Call struct {
	Block     string `json:"block"`
	Peer      string `json:"peer"`
	Operation string `json:"operation"`
}

// Block describes a block.
type Block struct {
	Name       string      `json:"name"`
	Type       string      `json:"type"`
	Process    string      `json:"process,omitempty"`
	Thread     string      `json:"thread"`
	Level      int         `json:"level,omitempty"` // in the group around it, if that has levels
	State      State       `json:"state"`
	Enabled    bool        `json:"enabled"`          // its input "enable" lets it run
	Fault      string      `json:"fault,omitempty"`  // why it is in error
	Faults     uint32      `json:"faults,omitempty"` // how often it went into error so far, reset since or not
	Ports      []Port      `json:"ports"`
	Params     []Param     `json:"params"`
	Operations []Operation `json:"operations"`
	Script     *Script     `json:"script,omitempty"` // that belongs to it
}

// Script is a script that belongs to a block.
type Script struct {
	File  string      `json:"file"` // absolute path
	State ScriptState `json:"state"`
	Error string      `json:"error,omitempty"` // that ended it
}

// ScriptState is what the script of a block does.
type ScriptState string

// The states of a script.
const (
	ScriptRunning ScriptState = "running"
	ScriptPaused  ScriptState = "paused" // with its block
	ScriptEnded   ScriptState = "ended"
	ScriptFailed  ScriptState = "failed" // Script.Error is why
)

// State is what a block does.
type State string

// The states of a block.
const (
	StateRunning  State = "running"
	StateDisabled State = "disabled" // its input "enable" reads false: Driver.Enable
	StateResting  State = "resting"  // an input has had no data for longer than its time-out
	StateError    State = "error"    // its outputs have their safe values; Driver.Reset lets it run again
)

// Port describes a port: an input, an output, an event or a handler.
type Port struct {
	Name  string `json:"name"`
	Kind  string `json:"kind"`
	Type  string `json:"type"`
	Unit  string `json:"unit,omitempty"`
	Doc   string `json:"doc,omitempty"`
	Half  string `json:"half,omitempty"`    // of a two-way block: sense or control
	From  string `json:"from,omitempty"`    // what an input is linked to
	Hand  bool   `json:"by_hand,omitempty"` // it has a value given with Driver.Feed
	Safe  string `json:"safe,omitempty"`    // of an output: its declared safe value as written; "": none
	Watch bool   `json:"watch,omitempty"`   // tagged watch: operators want to see it
	Show  string `json:"show,omitempty"`    // tag show: what pictures of robots take it for

	Trigger  bool `json:"trigger,omitempty"`  // tagged trigger: the block runs only when one of its triggers is new
	Required bool `json:"required,omitempty"` // tagged required: a system file must link it

	Behind []string `json:"behind,omitempty"` // of a port of a group: the ports of blocks, with chosen elements as "block.port[0,2]"
}

// Param describes a parameter.
type Param struct {
	Name  string   `json:"name"`
	Type  string   `json:"type"`
	Unit  string   `json:"unit,omitempty"`
	Doc   string   `json:"doc,omitempty"`
	Fixed bool     `json:"fixed,omitempty"`
	Value any      `json:"value,omitempty"` // of a fixed one; the others are asked with Inspector.Param
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
	Unit   string `json:"unit,omitempty"` // of the result
}

// Arg is an argument of an operation.
type Arg struct {
	Name string `json:"name"`
	Type string `json:"type"`
	Unit string `json:"unit,omitempty"`
}

// Reading is the value of a port, a *[RawValue] where its values have lengths of their own, and how many values it had so far: 0 means that nothing was ever written.
type Reading struct {
	Value any           `json:"value"`
	Count uint64        `json:"count"`
	Age   time.Duration `json:"age_ns,omitempty"` // since the value was acquired or else written, in the thread of the port
}

// Sample is one value of a tapped port: see [Reading].
type Sample struct {
	Time  clock.Time    `json:"time_ns"` // of the activation that wrote it
	Count uint32        `json:"count"`   // of values at the port so far, modulo 2³²: a gap shows what was left out
	Value any           `json:"value"`
	Age   time.Duration `json:"age_ns,omitempty"` // at Time, since the value of an input or output was acquired (block.Out.WriteAt) or else written
}
