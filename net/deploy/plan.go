package deploy

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/sinew-robotics/sinew/net/system"
)

// Plan describes what the supervisor of one host runs.
type Plan struct {
	System    string           `json:"system"`
	Host      string           `json:"host"` // name in the system file
	Dir       string           `json:"dir"`  // where the processes run: the folder of the system file
	Processes []PlannedProcess `json:"processes"`
	Services  []string         `json:"services"`           // of the whole system on the control plane
	Nats      *system.Nats     `json:"nats,omitempty"`     // the site's own servers, which carry it; nil: each host has one
	Bridge    *BridgePlan      `json:"bridge,omitempty"`   // the links to other hosts
	DeadMan   time.Duration    `json:"dead_man,omitempty"` // after this time without word from the local host it stops everything
	Remotes   []RemotePlan     `json:"remotes,omitempty"`  // the other hosts, in the plan of the local one
	Origin    *Origin          `json:"origin,omitempty"`   // in the plan of the local host
}

// Origin is what a plan was made of.
type Origin struct {
	File    string            `json:"file"`              // the system file, an absolute path
	Options []string          `json:"options,omitempty"` // of the command, beside the file
	Files   map[string]string `json:"files"`             // all files that were read, by absolute path: the versions of their contents
}

// PlannedProcess is a process of a plan.
type PlannedProcess struct {
	Name         string   `json:"name"`
	Command      []string `json:"command"`              // path and arguments; a relative path with a folder is below Plan.Dir
	ReportsReady bool     `json:"tells,omitempty"`      // a foreign program does not
	Needs        []string `json:"needs,omitempty"`      // names of processes that must be ready before
	Subsystems   []string `json:"subsystems,omitempty"` // names of the included systems to which it belongs
	Restart      string   `json:"restart"`              // never, on_failure or always
	OneShot      bool     `json:"oneshot,omitempty"`    // it is ready when it has ended with exit code 0
	ReadyPort    int      `json:"ready_port,omitempty"` // it is ready when it accepts connections at this TCP port
	ReadyLine    string   `json:"ready_line,omitempty"` // it is ready when it has printed this text
	Priority     int      `json:"priority,omitempty"`   // real-time priority, 1 to 99; 0: none
	CPU          int      `json:"cpu,omitempty"`        // the only processor that runs it, counted from 1; 0: any
}

// RemotePlan describes what runs on another host and which files are copied there.
type RemotePlan struct {
	Plan   Plan     `json:"plan"`
	SSH    string   `json:"ssh"`    // how OpenSSH reaches the host
	Binary string   `json:"binary"` // the command sinew, a file of the local host
	Files  []string `json:"files"`  // that the processes read, absolute paths of the local host
}

// Has reports whether the plan has a process of that name.
func (r *RemotePlan) Has(process string) bool { return r.Plan.process(process) != nil }

// Own reports whether a process of the name is one of the system file's: not one that sinew adds on each host, nor the supervisor.
func (p *Plan) Own(process string) bool { return p.process(process) != nil && !added(process) }

// Reach connects to the host, finds the command sinew on it and returns both as a Remote.
func (r *RemotePlan) Reach(ctx context.Context) (*Remote, error) {
	remote := &Remote{Name: r.Plan.Host, SSH: r.SSH}
	return remote, remote.install(ctx, r.Binary)
}

// on returns the plan of a host.
func (p *Plan) on(host string) *Plan {
	for i := range p.Remotes {
		if p.Remotes[i].Plan.Host == host {
			return &p.Remotes[i].Plan
		}
	}
	return p
}

// all returns the plans of all hosts, the local one first.
func (p *Plan) all() []*Plan {
	all := []*Plan{p}
	for i := range p.Remotes {
		all = append(all, &p.Remotes[i].Plan)
	}
	return all
}

// checkNeeds fails where processes need one another in a circle, on whatever hosts.
func (p *Plan) checkNeeds() error {
	const (
		open = iota + 1
		done
	)
	state := map[string]int{}
	var visit func(name string, path []string) error
	visit = func(name string, path []string) error {
		path = append(path, name)
		switch state[name] {
		case open:
			return fmt.Errorf("processes need one another in a circle: %v", path)
		case done:
			return nil
		}
		state[name] = open
		for _, plan := range p.all() {
			if q := plan.process(name); q != nil {
				for _, need := range q.Needs {
					if err := visit(need, path); err != nil {
						return err
					}
				}
			}
		}
		state[name] = done
		return nil
	}
	for _, plan := range p.all() {
		for _, q := range plan.Processes {
			if err := visit(q.Name, nil); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *Plan) process(name string) *PlannedProcess {
	for i := range p.Processes {
		if p.Processes[i].Name == name {
			return &p.Processes[i]
		}
	}
	return nil
}

// added reports whether a name is that of a process that sinew adds for the others.
func added(name string) bool { return name == system.BridgeProcess || name == system.ControlProcess }

// purpose describes what a process that sinew has added is for.
func (p *PlannedProcess) purpose() string {
	if p.Name == system.BridgeProcess {
		return "added by sinew: carries links to other hosts"
	}
	return "added by sinew: the server through which ps, top, browse and the console reach the processes"
}

// settle puts this host's command and folder into the commands of the processes: sinew is the command, root the folder under
// which files of the local host lie here; "" where this is the local host.
func (p *Plan) settle(sinew, root string) {
	p.Dir = root + p.Dir
	if p.Nats != nil {
		for _, file := range []*string{&p.Nats.Credentials, &p.Nats.CA} {
			if *file != "" {
				*file = root + *file
			}
		}
	}
	for i := range p.Processes {
		for k, word := range p.Processes[i].Command {
			if word == sinewCommand {
				p.Processes[i].Command[k] = sinew
			} else if path, ok := strings.CutPrefix(word, fileArgument); ok {
				p.Processes[i].Command[k] = root + path
			}
		}
	}
}
