package system

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v4"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/link"
)

// MainProcess is the process of the threads that the deploy section does not mention, and LocalHost the machine of the
// processes that name none: the one on which the system is started.
const (
	MainProcess = "main"
	LocalHost   = "local"
)

// The carrier of links between hosts, and its scheduler, where a system file names none.
const (
	DefaultNetwork   = "udp"
	DefaultScheduler = "round_robin"
)

// The processes that sinew adds on each host of a system that is up.
const (
	BridgeProcess  = "bridge"  // carries links between hosts
	ControlProcess = "control" // serves the control plane
)

// Deploy is the mapping of a system: its processes, and the hosts that they run on. The zero value puts all threads into
// [MainProcess].
type Deploy struct {
	Hosts     []Host // those that the file names; the local one has no SSH
	Processes []Process
	Carrier   link.Carrier   // carries links between hosts; the zero value: that of the name DefaultNetwork
	Scheduler link.Scheduler // orders links that the carrier has no room for; the zero value: that of the name DefaultScheduler
	Insecure  bool           // links between hosts are neither encrypted nor authenticated
	Files     []string       // files and folders that other hosts need beside the system's own folder, relative to it
}

// Host is a machine.
type Host struct {
	Name    string
	SSH     string        // how OpenSSH reaches it: user@name, or an entry of the user's configuration; "" is the local one
	Address string        // at which the other hosts reach it, in the form of Deploy.Carrier; "": where SSH does
	Port    int           // of its links to other hosts; 0: any free one
	Bridge  Scheduling    // of the process that carries its links to other hosts
	Binary  string        // the command sinew for this host, a file of the local one; "": the one that is running
	DeadMan time.Duration // it stops everything after this long without word from the local host; 0: never
	Source  string        // as file:line:column
}

// Process is a program that runs some threads of the system, or a foreign one.
type Process struct {
	Name    string
	Host    string   // name of one of Deploy.Hosts
	Threads []string // names; empty for a foreign program
	Run     []string // command of a foreign program, relative to the system's folder; nil: sinew
	Needs   []string // processes that must run before
	Restart Restart
	// Subsystems are the names of the included systems whose files declare the process, the innermost first.
	Subsystems []string
	OneShot    bool  // a foreign program that sets something up and ends: those that need it wait until it has, with exit code 0
	Ready      Ready // of a foreign program
	// Scheduling is of a foreign program, with its threads and the programs that it starts. Threads of the system have their own.
	Scheduling
	Source string // as file:line:column
}

// Scheduling is how the operating system runs a process. The zero value: as other programs.
type Scheduling struct {
	Priority int // real-time priority, 1 (least urgent) to 99; 0: none
	CPU      int // the only processor that runs it, counted from 1; 0: any
}

// Ready is what shows that a foreign program is ready. The zero value: that it has lived for a moment.
type Ready struct {
	Port int    // it accepts connections at this TCP port of its host; 0: it need not
	Line string // it has printed a line with this text in it; "": it need not
}

// Restart is the policy for a process that ends without a request.
type Restart uint8

// The policies of restarting.
const (
	RestartNever   Restart = iota // the process stays ended
	RestartFailure                // it is started again unless it ended with exit code 0
	RestartAlways
)

var restartNames = []string{"never", "on_failure", "always"}

// String returns the policy as system files call it.
func (r Restart) String() string { return restartNames[r] }

// Local reports whether a host is the machine on which the system is started.
func (d *Deploy) Local(host string) bool {
	i := slices.IndexFunc(d.Hosts, func(h Host) bool { return h.Name == host })
	return i < 0 || d.Hosts[i].SSH == ""
}

// Bridge returns how the bridge of a host runs: of one that the file names, or of [LocalHost].
func (d *Deploy) Bridge(host string) Scheduling {
	for _, h := range d.Hosts {
		if h.Name == host || host == LocalHost && h.SSH == "" && h.Bridge != (Scheduling{}) {
			return h.Bridge
		}
	}
	return Scheduling{}
}

// ProcessOf returns the process of a thread.
func (d *Deploy) ProcessOf(thread string) string {
	for _, p := range d.Processes {
		if slices.Contains(p.Threads, thread) {
			return p.Name
		}
	}
	return MainProcess
}

// Process returns the process of that name, or nil.
func (d *Deploy) Process(name string) *Process {
	for i := range d.Processes {
		if d.Processes[i].Name == name {
			return &d.Processes[i]
		}
	}
	return nil
}

// readDeploy reads the deploy section.
func (l *loader) readDeploy(n *yaml.Node) {
	d := &l.sys.Deploy
	l.fields(n, "deploy", map[string]func(*yaml.Node){
		"hosts": func(v *yaml.Node) {
			for _, e := range l.atMost(maxHosts, "hosts", l.entries(v, "hosts")) {
				d.Hosts = append(d.Hosts, l.readHost(e))
			}
		},
		"processes": func(v *yaml.Node) {
			for _, e := range l.atMost(maxProcesses, "processes", l.entries(v, "processes")) {
				d.Processes = append(d.Processes, l.readProcess(e))
			}
		},
		"network": func(v *yaml.Node) {
			name := l.text(v, "network")
			var ok bool
			if d.Carrier, ok = l.registry.Carrier(name); !ok {
				l.fail(v, "network: no carrier %q%s", name, nearest.Later(name, l.registry.Carriers))
			}
		},
		"scheduler": func(v *yaml.Node) {
			name := l.text(v, "scheduler")
			var ok bool
			if d.Scheduler, ok = l.registry.Scheduler(name); !ok {
				l.fail(v, "scheduler: no scheduler %q%s", name, nearest.Later(name, l.registry.Schedulers))
			}
		},
		"files": func(v *yaml.Node) {
			for _, file := range l.texts(v, "files") {
				l.named(v, l.sys.Dir, file)
				d.Files = append(d.Files, file)
			}
		},
		"insecure": func(v *yaml.Node) { d.Insecure = l.bool(v, "insecure") },
	})
}

func (l *loader) readHost(e entry) Host {
	h := Host{Name: e.key.Value, Source: l.source(e.key)}
	if e.value.Kind == yaml.ScalarNode {
		if e.value.Value != LocalHost {
			l.fail(e.value, "host %q wants local, or a mapping as {ssh: user@name}", h.Name)
		}
		return h
	}
	l.fields(e.value, fmt.Sprintf("host %q", h.Name), map[string]func(*yaml.Node){
		"ssh":      func(v *yaml.Node) { h.SSH = l.text(v, "ssh") },
		"address":  func(v *yaml.Node) { h.Address = l.text(v, "address") },
		"port":     func(v *yaml.Node) { h.Port = l.positive(v, "port") },
		"binary":   func(v *yaml.Node) { h.Binary = l.text(v, "binary"); l.named(v, l.sys.Dir, h.Binary) },
		"dead_man": func(v *yaml.Node) { h.DeadMan = l.duration(v, "dead_man") },
		"bridge": func(v *yaml.Node) {
			what := fmt.Sprintf("bridge of host %q", h.Name)
			l.fields(v, what, l.scheduling(&h.Bridge, what))
		},
	})
	if h.Port > 65535 {
		l.fail(e.value, "host %q: port wants a number up to 65535, got %d", h.Name, h.Port)
	}
	if strings.HasPrefix(h.SSH, "-") {
		l.fail(e.value, "host %q: ssh wants user@name or a name, got %q", h.Name, h.SSH)
	}
	return h
}

func (l *loader) readProcess(e entry) Process {
	p := Process{Name: e.key.Value, Host: LocalHost, Subsystems: l.subsystems[e.key], Source: l.source(e.key)}
	what := fmt.Sprintf("process %q", p.Name)
	fields := l.scheduling(&p.Scheduling, what)
	maps.Copy(fields, map[string]func(*yaml.Node){
		"host":    func(v *yaml.Node) { p.Host = l.text(v, "host") },
		"threads": func(v *yaml.Node) { p.Threads = l.texts(v, "threads") },
		"needs":   func(v *yaml.Node) { p.Needs = l.texts(v, "needs") },
		"run":     func(v *yaml.Node) { p.Run = l.command(v) },
		"restart": func(v *yaml.Node) {
			k := slices.Index(restartNames, v.Value)
			if k < 0 {
				l.fail(v, "restart wants never, on_failure or always, got %q", v.Value)
				return
			}
			p.Restart = Restart(k)
		},
		"oneshot": func(v *yaml.Node) { p.OneShot = l.bool(v, "oneshot") },
		"ready":   func(v *yaml.Node) { p.Ready = l.readReady(v) },
	})
	l.fields(e.value, what, fields)
	switch {
	case p.Run == nil && (p.OneShot || p.Ready != Ready{}):
		l.fail(e.key, "process %q: oneshot and ready are for a foreign program: give it run, as run: [./setup.sh]", p.Name)
	case p.OneShot && p.Ready != Ready{}:
		l.fail(e.key, "process %q: a oneshot is ready when it has ended: leave ready out", p.Name)
	case p.OneShot && p.Restart == RestartAlways:
		l.fail(e.key, "process %q: a oneshot ends once: restart wants never or on_failure", p.Name)
	}
	if p.Run != nil && p.Threads != nil {
		l.fail(e.key, "process %q has threads and a command: a foreign program runs none of the system's threads", p.Name)
	}
	return p
}

// scheduling returns the keys of how a process runs.
func (l *loader) scheduling(s *Scheduling, what string) map[string]func(*yaml.Node) {
	return map[string]func(*yaml.Node){
		"priority": func(v *yaml.Node) {
			if s.Priority = l.int(v, "priority"); s.Priority < 0 || s.Priority > 99 {
				l.fail(v, "%s: priority %d is not between 0 (none) and 99 (most urgent)", what, s.Priority)
			}
		},
		"cpu": func(v *yaml.Node) {
			if s.CPU = l.int(v, "cpu"); s.CPU < 0 || s.CPU > diagram.MaxCPU {
				l.fail(v, "%s: cpu %d is not between 0 (any) and %d", what, s.CPU, diagram.MaxCPU)
			}
		},
	}
}

// readReady reads what shows that a foreign program is ready: {port: 5000} or {line: listening}.
func (l *loader) readReady(n *yaml.Node) (r Ready) {
	l.fields(n, "ready", map[string]func(*yaml.Node){
		"port": func(v *yaml.Node) { r.Port = l.positive(v, "port") },
		"line": func(v *yaml.Node) { r.Line = l.text(v, "line") },
	})
	switch {
	case r.Port > 65535:
		l.fail(n, "port wants a number up to 65535, got %d", r.Port)
	case r.Port != 0 && r.Line != "", len(n.Content) == 0:
		l.fail(n, "ready wants either a port that accepts connections, as {port: 5000}, or a text that the program prints, as {line: listening}")
	}
	return r
}

// texts reads a list of words.
func (l *loader) texts(n *yaml.Node, what string) (list []string) {
	if n.Kind != yaml.SequenceNode {
		l.fail(n, "%s wants a list, as [a, b]", what)
		return nil
	}
	for _, c := range n.Content {
		list = append(list, l.text(c, what))
	}
	return list
}

// command reads the words of a command. A program that is named by its path is a file like others.
func (l *loader) command(n *yaml.Node) []string {
	words := l.texts(n, "run")
	if len(words) > 0 && strings.ContainsRune(filepath.ToSlash(words[0]), '/') {
		l.named(n, l.sys.Dir, words[0])
	}
	return words
}

// readForeign reads a block that is a program of its own: its command and the names of its ports. Its process has the
// block's name, unless the deploy section describes it.
func (l *loader) readForeign(e entry, s *scope) {
	name := s.prefix + e.key.Value
	var run, in, out []string
	l.fields(e.value, fmt.Sprintf("block %q", name), map[string]func(*yaml.Node){
		"run": func(v *yaml.Node) { run = l.command(s.fill(l, v)) },
		"in":  func(v *yaml.Node) { in = l.texts(s.fill(l, v), "in") },
		"out": func(v *yaml.Node) { out = l.texts(s.fill(l, v), "out") },
	})
	l.noteRun(name, e.key, run)
	l.diagram.Foreign(name, name, in, out, l.source(e.key))
	d := &l.sys.Deploy
	if len(d.Processes) > maxProcesses+diagram.MaxForeign {
		return // the diagram reports that there are too many
	}
	if p := d.Process(name); p != nil {
		p.Run = run
		return
	}
	d.Processes = append(d.Processes, Process{Name: name, Host: LocalHost, Run: run, Source: l.source(e.key)})
}

// checkDeploy compares the deploy section with the rest of the file.
func (l *loader) checkDeploy() {
	d := &l.sys.Deploy
	hosts, processes, placed := []string{LocalHost}, []string{MainProcess}, map[string]string{}
	for _, h := range d.Hosts {
		hosts = append(hosts, h.Name)
	}
	for _, p := range d.Processes {
		processes = append(processes, p.Name)
	}
	l.checkAddresses()
	known := map[string]bool{}
	for _, name := range processes {
		known[name] = true
	}
	fail := func(p *Process, format string, args ...any) {
		l.faults.Addf(p.Source, "process %q: "+format, append([]any{p.Name}, args...)...)
	}
	for i := range d.Processes {
		p := &d.Processes[i]
		if p.Name == BridgeProcess || p.Name == ControlProcess {
			fail(p, "sinew itself adds one of this name: choose another")
		}
		for _, other := range d.Processes {
			if other.Name != p.Name && slices.Contains(other.Subsystems, p.Name) {
				fail(p, "an included system has this name as well, and process %q belongs to it: rename one of them", other.Name)
			}
		}
		if !slices.Contains(hosts, p.Host) {
			fail(p, "no host %q%s", p.Host, among(p.Host, hosts))
		}
		if p.Run == nil && p.Scheduling != (Scheduling{}) {
			fail(p, "priority and cpu are for foreign programs: give them to the threads that it runs")
		}
		for _, t := range p.Threads {
			if !slices.Contains(l.threads, t) {
				fail(p, "no thread %q%s", t, among(t, l.threads))
			}
			if other := placed[t]; other != "" {
				fail(p, "thread %q is in process %q already", t, other)
			}
			placed[t] = p.Name
		}
		for _, need := range p.Needs {
			if !known[need] {
				fail(p, "needs %q: no such process%s", need, among(need, processes))
			}
		}
	}
	for _, t := range l.threads {
		if placed[t] != "" {
			continue
		}
		if d.Process(MainProcess) == nil {
			d.Processes = append(d.Processes, Process{Name: MainProcess, Host: LocalHost})
		}
		p := d.Process(MainProcess)
		p.Threads = append(p.Threads, t)
	}
	for _, h := range d.Hosts {
		if h.SSH != "" && !slices.ContainsFunc(d.Processes, func(p Process) bool { return p.Host == h.Name }) {
			l.notices = append(l.notices, diagram.Notice{Source: h.Source,
				Text: fmt.Sprintf("no process runs on host %q: give one host: %s, or remove the host", h.Name, h.Name)})
		}
	}
	if l.process != "" && d.Process(l.process) == nil {
		l.faults.Addf("--process", "no process %q%s", l.process, nearest.Hint(l.process, processes))
	}
}

// checkAddresses compares the addresses of hosts with the form that the carrier wants.
func (l *loader) checkAddresses() {
	d := &l.sys.Deploy
	if d.Carrier.Check == nil {
		return
	}
	for _, h := range d.Hosts {
		if h.Port != 0 {
			l.faults.Addf(h.Source, "host %q: addresses of the carrier %s have no port: leave port out", h.Name, d.Carrier.Name)
		}
		if h.Address == "" {
			continue
		}
		if err := d.Carrier.Check(h.Address); err != nil {
			l.faults.Addf(h.Source, "host %q: address %q for the carrier %s: %w", h.Name, h.Address, d.Carrier.Name, err)
		}
	}
}

// among is [nearest.Later] for names that are there already.
func among(word string, names []string) fmt.Stringer {
	return nearest.Later(word, func() []string { return names })
}
