package deploy

import (
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/sinew-robotics/sinew/net/system"
)

// Plan says what a supervisor runs.
type Plan struct {
	System    string            `json:"system"`
	Dir       string            `json:"dir"` // where the processes run: the folder of the system file
	Processes []PlannedProcess  `json:"processes"`
	Hosts     map[string]string `json:"hosts"` // how each host is reached; "" is this one
}

// PlannedProcess is a process of a plan.
type PlannedProcess struct {
	Name    string   `json:"name"`
	Host    string   `json:"host"`
	Command []string `json:"command"`
	Socket  string   `json:"socket,omitempty"` // name of its control socket, once it is ready; a foreign program has none
	Needs   []string `json:"needs,omitempty"`
	Restart string   `json:"restart"`
}

// NewPlan returns the plan of a system. sinew is the command that runs its own processes, with the arguments that lead to the
// same system.
func NewPlan(s *system.System, sinew string, arguments []string) (*Plan, error) {
	dir, err := filepath.Abs(s.Dir)
	if err != nil {
		return nil, err
	}
	p := &Plan{System: s.Name, Dir: dir, Hosts: map[string]string{system.LocalHost: ""}}
	for _, h := range s.Deploy.Hosts {
		p.Hosts[h.Name] = h.SSH
	}
	for _, d := range s.Deploy.Processes {
		q := PlannedProcess{Name: d.Name, Host: d.Host, Needs: d.Needs, Restart: d.Restart.String()}
		if d.Run != nil {
			q.Command = append(slices.Clone(d.Run), foreignOptions(s, d.Name)...)
		} else {
			q.Command = append([]string{sinew, "run", filepath.Base(s.Path), "--process", d.Name, "--resume", "--quiet"}, arguments...)
			q.Socket = s.Name + "." + d.Name
		}
		p.Processes = append(p.Processes, q)
	}
	return p, p.checkNeeds()
}

// foreignOptions returns the standard options of a foreign block's ports.
func foreignOptions(s *system.System, name string) (options []string) {
	for _, f := range s.Net.Foreign {
		if f.Process != name {
			continue
		}
		options = append(options, "-ardnet.system", s.Name)
		for _, port := range f.Ports {
			options = append(options, "-ardnet.port", port.Name+"="+port.Wire)
		}
	}
	return options
}

// checkNeeds fails where processes need one another in a circle.
func (p *Plan) checkNeeds() error {
	const (
		unseen = iota
		open
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
		if q := p.process(name); q != nil {
			for _, need := range q.Needs {
				if err := visit(need, path); err != nil {
					return err
				}
			}
		}
		state[name] = done
		return nil
	}
	for _, q := range p.Processes {
		if err := visit(q.Name, nil); err != nil {
			return err
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

// On returns the part of the plan that runs on a host.
func (p *Plan) On(host string) *Plan {
	part := *p
	part.Processes = slices.DeleteFunc(slices.Clone(p.Processes), func(q PlannedProcess) bool { return q.Host != host })
	return &part
}

// Status is what a supervisor knows of a process.
type Status struct {
	Name     string    `json:"name"`
	Host     string    `json:"host"`
	State    string    `json:"state"` // waiting, starting, running, restarting, ended, failed, stopped
	PID      int       `json:"pid,omitempty"`
	Since    time.Time `json:"since"`
	Restarts int       `json:"restarts"`
	Exit     string    `json:"exit,omitempty"` // how it ended last
	LastLine string    `json:"last_line,omitempty"`
}
