package deploy

import (
	"time"
)

// Status is what a supervisor knows of a process.
type Status struct {
	Name     string    `json:"name"`
	Host     string    `json:"host"`
	State    State     `json:"state"`
	PID      int       `json:"pid,omitempty"`
	Since    time.Time `json:"since"`
	Restarts int       `json:"restarts"`
	Exit     string    `json:"exit,omitempty"` // how it ended last, or why its host is not reached
	LastLine string    `json:"last_line,omitempty"`
}

// State is what a process does.
type State string

// The states of a process.
const (
	Waiting     State = "waiting" // for those that it needs
	Starting    State = "starting"
	Running     State = "running"
	Restarting  State = "restarting"
	Ended       State = "ended"
	Failed      State = "failed"
	Stopped     State = "stopped"
	Unreachable State = "unreachable" // its host does not answer
)
