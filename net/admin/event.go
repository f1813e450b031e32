package admin

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/sinew-robotics/sinew/net/clock"
)

// EventKind is what an event reports.
type EventKind string

// The kinds of events. From EventSupervisor on, an [Actor] has caused them.
const (
	EventStarted EventKind = "started" // a process serves the system
	EventStopped EventKind = "stopped" // a process no longer serves it
	EventFailed  EventKind = "failed"  // a process ends with an error, which Text holds
	EventFault   EventKind = "fault"   // block Ref went into error; Text is the reason
	EventWarning EventKind = "warning" // Text describes what began or ended

	EventSupervisor EventKind = "supervisor" // the Actor, a supervisor of sinew up, did with a process what Text describes

	EventSet     EventKind = "set"     // Tuner.SetParams on block Ref; Text is a SetValues as JSON
	EventFeed    EventKind = "feed"    // Driver.Feed or FeedFor of port Ref; Text holds the value
	EventExcite  EventKind = "excite"  // Driver.Excite of port Ref; Text describes the waveform
	EventRelease EventKind = "release" // Driver.Release of port Ref, or the end of FeedFor: then without an actor
	EventCall    EventKind = "call"    // Driver.Call of operation Ref; Text holds the arguments
	EventEnable  EventKind = "enable"  // Driver.Enable of block Ref; Text is true or false
	EventReset   EventKind = "reset"   // Driver.Reset of block Ref
	EventStop    EventKind = "stop"    // Driver.Stop
)

// CodeNotAtRest is the code of an EventFailed after which drives may still act on their last command.
const CodeNotAtRest = "not_at_rest"

// SetValues are new values of a block's parameters, and those that they replaced.
type SetValues struct {
	Named map[string]any `json:"named"`         // the new values, by the names of the parameters
	Was   map[string]any `json:"was,omitempty"` // those before
}

// String returns the values as JSON.
func (s SetValues) String() string {
	text, err := json.Marshal(Finite(map[string]any{"named": s.Named, "was": s.Was}))
	if err != nil {
		return ""
	}
	return string(text)
}

// Event is something that happened to a system. Its JSON form has the member "by" besides those below: Actor.String().
type Event struct {
	Time    clock.Time `json:"time_ns"`
	At      time.Time  `json:"at"`            // by the clock of its host; those of a run never go backwards
	Run     string     `json:"run,omitempty"` // of its process: another one after a restart
	Process string     `json:"process"`
	Kind    EventKind  `json:"kind"`
	Ref     string     `json:"ref,omitempty"` // block, "block.port" or "block.operation" that it happened to
	Text    string     `json:"text,omitempty"`
	Code    string     `json:"code,omitempty"` // CodeNotAtRest, or "": for programs, which never read the text
	Actor   Actor      `json:"actor,omitzero"`
}

// String returns the event as a sentence, or as the request that caused it, without its time and actor.
func (e Event) String() string {
	switch e.Kind {
	case EventStarted:
		return fmt.Sprintf("process %s runs", e.Process)
	case EventStopped:
		return fmt.Sprintf("process %s has ended", e.Process)
	case EventFailed:
		if e.Process == "" {
			return e.Text
		}
		return fmt.Sprintf("process %s has failed: %s", e.Process, e.Text)
	case EventFault:
		return fmt.Sprintf("block %q is in error: %s", e.Ref, e.Text)
	case EventWarning:
		return e.Text
	case EventSupervisor:
		return "supervisor: " + e.Text
	}
	return strings.TrimSpace(string(e.Kind) + " " + e.Ref + " " + e.Text)
}

// Same reports whether both are one event: what a supervisor has done may be kept by several processes.
func (e Event) Same(o Event) bool {
	return e.Kind == o.Kind && e.Run == o.Run && e.At.Equal(o.At) && (e.Process == o.Process || e.Kind == EventSupervisor)
}

// MarshalJSON implements [json.Marshaler].
func (e Event) MarshalJSON() ([]byte, error) {
	type fields Event
	return json.Marshal(struct {
		fields
		By string `json:"by,omitempty"`
	}{fields(e), e.Actor.String()})
}

// LogLine is a line that a process has logged.
type LogLine struct {
	At      time.Time `json:"at"`            // by the clock of its host
	Run     string    `json:"run,omitempty"` // of its process: another one after a restart
	Process string    `json:"process"`
	Seq     uint64    `json:"seq"` // gaps are lines that were lost
	Text    string    `json:"text"`
}
