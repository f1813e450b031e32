package deploy

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sinew-robotics/sinew/net/system"
)

// Plan says what the supervisor of one host runs.
type Plan struct {
	System    string           `json:"system"`
	Host      string           `json:"host"`
	Dir       string           `json:"dir"` // where the processes run: the folder of the system file
	Processes []PlannedProcess `json:"processes"`
	Services  []string         `json:"services"`           // of the whole system on the control plane
	Nats      *system.Nats     `json:"nats,omitempty"`     // the site's own servers, which carry it; nil: each host has one
	Bridge    *BridgePlan      `json:"bridge,omitempty"`   // the links to other hosts
	DeadMan   time.Duration    `json:"dead_man,omitempty"` // without word from the local host for so long it stops everything
	Remotes   []RemotePlan     `json:"remotes,omitempty"`  // the other hosts, in the plan of the local one
}

// PlannedProcess is a process of a plan.
type PlannedProcess struct {
	Name    string   `json:"name"`
	Command []string `json:"command"`
	Tells   bool     `json:"tells,omitempty"` // when it is ready; a foreign program does not
	Needs   []string `json:"needs,omitempty"`
	Restart string   `json:"restart"`
}

// RemotePlan is what runs on another host, and what is copied there.
type RemotePlan struct {
	Plan   Plan     `json:"plan"`
	SSH    string   `json:"ssh"`
	Binary string   `json:"binary"` // the command sinew, a file of the local host
	Files  []string `json:"files"`  // that the processes read, absolute paths of the local host
}

// Has reports whether a process of the name runs on the host.
func (r *RemotePlan) Has(process string) bool { return r.Plan.process(process) != nil }

// Reach returns the host, with the command sinew on it.
func (r *RemotePlan) Reach(ctx context.Context) (*Remote, error) {
	remote := &Remote{Name: r.Plan.Host, SSH: r.SSH}
	return remote, remote.install(ctx, r.Binary)
}

// Launch is what a plan is made of.
type Launch struct {
	System *system.System
	Sinew  string // the command that runs the system's own processes, absolute
	// Overlays and Params lead to the same system as the file alone does not: files and settings from the command line.
	Overlays []string
	Params   []string
}

// NewPlan returns the plan of the local host, with those of the others in it. Links between hosts get fresh keys.
func NewPlan(l Launch) (*Plan, error) {
	s := l.System
	dir, err := filepath.Abs(s.Dir)
	if err != nil {
		return nil, err
	}
	local := &Plan{System: s.Name, Host: system.LocalHost, Dir: dir}
	for _, h := range s.Deploy.Hosts {
		if h.SSH == "" || !slices.ContainsFunc(s.Deploy.Processes, func(p system.Process) bool { return p.Host == h.Name }) {
			continue
		}
		remote := RemotePlan{Plan: Plan{System: s.Name, Host: h.Name, Dir: dir, DeadMan: h.DeadMan}, SSH: h.SSH, Binary: l.Sinew}
		if h.Binary != "" {
			remote.Binary = filepath.Join(dir, h.Binary)
		}
		local.Remotes = append(local.Remotes, remote)
	}
	for _, d := range s.Deploy.Processes {
		p, err := l.process(&d)
		if err != nil {
			return nil, err
		}
		on := local.on(d.Host)
		on.Processes = append(on.Processes, p)
	}
	if err := local.checkNeeds(); err != nil {
		return nil, err
	}
	if local.Remotes != nil {
		if err := l.spread(local, dir); err != nil {
			return nil, err
		}
	}
	services := Services(s)
	nats, err := absolute(s.Nats)
	if err != nil {
		return nil, err
	}
	for _, plan := range local.all() {
		plan.Services, plan.Nats = services, nats
		if nats == nil {
			plan.addControl()
		}
	}
	if control := local.process(system.ControlProcess); control != nil && s.Metrics != "" {
		control.Command = append(control.Command, "--metrics", s.Metrics)
	}
	return local, nil
}

// absolute returns how the site's servers are reached from any folder.
func absolute(n *system.Nats) (*system.Nats, error) {
	if n == nil {
		return nil, nil
	}
	a := *n
	for _, file := range []*string{&a.Credentials, &a.CA} {
		if *file == "" {
			continue
		}
		var err error
		if *file, err = filepath.Abs(*file); err != nil {
			return nil, err
		}
	}
	return &a, nil
}

// Services returns what the processes of a system are called on the control plane.
func Services(s *system.System) (names []string) {
	for _, p := range s.Deploy.Processes {
		if p.Run == nil {
			names = append(names, p.Name)
		}
	}
	var hosts []string // that have a bridge
	for _, w := range crossing(s) {
		hosts = append(append(hosts, w.From), w.To...)
	}
	slices.Sort(hosts)
	for _, h := range slices.Compact(hosts) {
		names = append(names, BridgeService(h))
	}
	return names
}

// spread plans what other hosts need beside their processes: files, and the links between hosts.
func (l *Launch) spread(local *Plan, dir string) error {
	files, err := l.files(dir)
	if err != nil {
		return err
	}
	for i := range local.Remotes {
		local.Remotes[i].Files = files
	}
	return local.bridge(l.System)
}

// addControl adds the process that serves the control plane of a host, where one of sinew's processes is. They need it.
func (p *Plan) addControl() {
	for i := range p.Processes {
		if q := &p.Processes[i]; q.Tells {
			q.Needs = append(slices.Clone(q.Needs), system.ControlProcess)
		}
	}
	if slices.ContainsFunc(p.Processes, func(q PlannedProcess) bool { return q.Tells }) {
		control := PlannedProcess{Name: system.ControlProcess, Command: []string{sinewCommand, "hub", p.System},
			Tells: true, Restart: system.RestartAlways.String()}
		p.Processes = append([]PlannedProcess{control}, p.Processes...)
	}
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

// process plans a process of the deploy section.
func (l *Launch) process(d *system.Process) (PlannedProcess, error) {
	p := PlannedProcess{Name: d.Name, Needs: d.Needs, Restart: d.Restart.String()}
	if d.Run != nil {
		p.Command = append(slices.Clone(d.Run), foreignOptions(l.System, d.Name)...)
		return p, nil
	}
	p.Tells = true
	p.Command = []string{sinewCommand, "run", filepath.Base(l.System.Path), "--process", d.Name, "--resume", "--quiet"}
	for _, o := range l.Overlays {
		path, err := filepath.Abs(o)
		if err != nil {
			return p, err
		}
		p.Command = append(p.Command, "--overlay", fileArgument+path)
	}
	for _, o := range l.Params {
		p.Command = append(p.Command, "--param", o)
	}
	return p, nil
}

// Words of a planned command that each host puts its own into.
const (
	sinewCommand = "{sinew}"
	fileArgument = "{file}"
)

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

// MaxFiles and MaxFileBytes bound what is copied to another host.
const (
	MaxFiles     = 5000
	MaxFileBytes = 512 << 20
)

// files returns what other hosts need: the files that the system reads, and all that lies in its folder.
func (l *Launch) files(dir string) (files []string, err error) {
	total := int64(0)
	add := func(path string, size int64) error {
		if slices.Contains(files, path) {
			return nil
		}
		files = append(files, path)
		if total += size; len(files) > MaxFiles || total > MaxFileBytes {
			return fmt.Errorf("copy %s to other hosts: more than %d files or %d MB: keep the system in a folder of its own", dir, MaxFiles, MaxFileBytes>>20)
		}
		return nil
	}
	walk := func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() && path != dir && (name[0] == '.' || name == "node_modules") {
			return filepath.SkipDir
		}
		if !d.Type().IsRegular() || name[0] == '.' || filepath.Ext(name) == ".mcap" {
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		return add(path, info.Size())
	}
	for _, folder := range append([]string{"."}, l.System.Deploy.Files...) {
		if err := filepath.WalkDir(filepath.Join(dir, folder), walk); err != nil {
			return nil, fmt.Errorf("copy %s to other hosts: %w", folder, err)
		}
	}
	read := slices.Concat(l.System.Files, l.Overlays)
	if n := l.System.Nats; n != nil {
		read = slices.DeleteFunc(append(read, n.Credentials, n.CA), func(f string) bool { return f == "" })
	}
	for _, f := range read {
		path, err := filepath.Abs(f)
		if err != nil {
			return nil, err
		}
		if err := add(path, 0); err != nil {
			return nil, err
		}
	}
	return files, nil
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

// added reports whether the process is one that sinew adds for the others.
func (p *PlannedProcess) added() bool {
	return p.Name == system.BridgeProcess || p.Name == system.ControlProcess
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
