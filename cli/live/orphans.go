package live

import (
	"github.com/sinew-robotics/sinew/net/cores"
	"github.com/sinew-robotics/sinew/net/deploy"
)

// Orphan is a core without a front. The state of its threads lies in memory that only a front of the same net can read.
type Orphan struct {
	Name   string `json:"name"` // SYSTEM or SYSTEM.PROCESS
	PID    int    `json:"pid,omitempty"`
	Advice string `json:"advice"`
}

// Orphans returns the cores of a system on this host that have lost their front, those of all systems if name is "".
func Orphans(name string) (list []Orphan) {
	for _, c := range cores.List(name) {
		if s := deploy.StatusOf(c); s.State == deploy.NoFront {
			list = append(list, Orphan{c.Name, s.PID, s.Note})
		}
	}
	return list
}
