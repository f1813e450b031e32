package deploy

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/sinew-robotics/sinew/internal/durable"
	"github.com/sinew-robotics/sinew/net/system"
)

// Launch holds the input of NewPlan.
type Launch struct {
	System *system.System // of all processes
	Sinew  string         // the command that runs the system's own processes, absolute
	// Overlays and Params lead to the same system as the file alone does not: files and settings from the command line.
	Overlays []string
	Params   []string
}

// NewPlan returns the plan of the local host, which contains those of the other hosts. Links between hosts get new keys.
func NewPlan(l Launch) (*Plan, error) {
	s := l.System
	dir, err := filepath.Abs(s.Dir)
	if err != nil {
		return nil, err
	}
	origin, err := l.origin()
	if err != nil {
		return nil, err
	}
	local := &Plan{System: s.Name, Host: system.LocalHost, Dir: dir, Origin: origin}
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
	for _, h := range s.Deploy.Hosts {
		if on := local.on(h.Name); h.Bridge != (system.Scheduling{}) && on.Bridge == nil {
			return nil, fmt.Errorf("host %q: no link leads to or from another host, so that there is no bridge: leave bridge out", h.Name)
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

// origin returns what the plan is made of.
func (l *Launch) origin() (*Origin, error) {
	file, err := filepath.Abs(l.System.Path)
	if err != nil {
		return nil, err
	}
	o := &Origin{File: file, Files: map[string]string{}}
	for _, path := range l.System.Files {
		text, err := os.ReadFile(path)
		if err == nil {
			path, err = filepath.Abs(path)
		}
		if err != nil {
			return nil, fmt.Errorf("plan the processes of %q: %w", l.System.Name, err)
		}
		o.Files[path] = durable.Version(text)
	}
	for _, overlay := range l.Overlays {
		if overlay, err = filepath.Abs(overlay); err != nil {
			return nil, err
		}
		o.Options = append(o.Options, "--overlay", overlay)
	}
	for _, param := range l.Params {
		o.Options = append(o.Options, "--param", param)
	}
	return o, nil
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

// Services returns the names of a system's processes on the control plane.
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
		if q := &p.Processes[i]; q.ReportsReady {
			q.Needs = append(slices.Clone(q.Needs), system.ControlProcess)
		}
	}
	if slices.ContainsFunc(p.Processes, func(q PlannedProcess) bool { return q.ReportsReady }) {
		control := PlannedProcess{Name: system.ControlProcess, Command: []string{sinewCommand, "hub", p.System},
			ReportsReady: true, Restart: system.RestartAlways.String()}
		p.Processes = append([]PlannedProcess{control}, p.Processes...)
	}
}

// process plans a process of the deploy section.
func (l *Launch) process(d *system.Process) (PlannedProcess, error) {
	p := PlannedProcess{Name: d.Name, Needs: d.Needs, Subsystems: d.Subsystems, Restart: d.Restart.String(),
		OneShot: d.OneShot, ReadyPort: d.Ready.Port, ReadyLine: d.Ready.Line, Priority: d.Priority, CPU: d.CPU}
	if d.Run != nil {
		p.Command = append(slices.Clone(d.Run), foreignOptions(l.System, d.Name)...)
		return p, nil
	}
	p.ReportsReady = true
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
			options = append(options, "-ardnet.port", port.Name+"="+port.Link)
		}
	}
	return options
}
