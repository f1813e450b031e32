package deploy

import (
	"time"
)

// Status describes a process, as its supervisor reports it.
type Status struct {
	Name     string    `json:"name"`
	Host     string    `json:"host"`
	State    State     `json:"state"`
	PID      int       `json:"pid,omitempty"`       // 0: it does not run
	Since    time.Time `json:"since,omitzero"`      // when the state began; zero where that is not known
	Restarts int       `json:"restarts"`            // since the supervisor began
	Priority int       `json:"priority,omitempty"`  // the real-time priority that it has, where the plan gives it one or a processor
	CPU      int       `json:"cpu,omitempty"`       // the processor that it is bound to, counted from 1; 0: any
	Exit     string    `json:"exit,omitempty"`      // how it ended last, or why its host is not reached
	LastLine string    `json:"last_line,omitempty"` // of its output
	Note     string    `json:"note,omitempty"`      // what else there is to say, and what to do
}

// State is the state of a process.
type State string

// The states of a process.
const (
	Waiting     State = "waiting" // for those that it needs
	Starting    State = "starting"
	Running     State = "running"
	Restarting  State = "restarting"
	Ended       State = "ended"
	Done        State = "done" // a oneshot that has ended with exit code 0
	Failed      State = "failed"
	Stopped     State = "stopped"     // by an operator, or with the system
	Unreachable State = "unreachable" // its host does not answer
	NoFront     State = "no front"    // its core goes on without one
)

// Fulfils reports whether those that need the process may start.
func (s Status) Fulfils() bool { return s.State == Running || s.State == Done }

// active reports whether the process runs or is about to. Of one on a host that does not answer it is assumed.
func (s Status) active() bool {
	switch s.State {
	case Ended, Done, Failed, Stopped:
		return false
	}
	return true
}

// HasFailed reports whether the process has ended with an error, even if it is being restarted, or has lost its front.
func (s Status) HasFailed() bool {
	return s.State == Failed || s.State == Restarting || s.State == NoFront
}
