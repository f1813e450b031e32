package system

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/persist"
	"github.com/sinew-robotics/sinew/net/record"
)

// Options configure how a system file is read.
type Options struct {
	Registry *block.Registry // types of blocks that the file may name
	Overlays []string        // files, put over the first one in this order
	Params   []string        // "block.param=value", or "param=value" for a parameter of the system, put over all files
	// Texts replace the contents of files, by absolute path: candidates to check.
	Texts map[string][]byte
	// Candidate marks the files as the proposal of a client that may not read everything that this process can: they, and
	// the blocks that they name, only reach files below the folder of the system file, and of those that its key files names
	// on the disk. The owner's own runs reach any file.
	Candidate bool
	// has names more files that a candidate reaches: those that the system reads already.
	has []string
	// Process makes the net that of one process of the file's deploy section; without it the whole system is one process.
	Process string
	Name    string // of the system, instead of that in the file; ""
	// Restore gives blocks what an earlier run of this name has left, and makes the run keep it again: see package persist.
	Restore bool
}

// System is a system file that was read, checked and made into a net.
type System struct {
	Name    string
	Path    string           // of the file
	Dir     string           // of the file: what its paths are relative to
	Files   []string         // all files that were read
	Net     *diagram.Net     // of Options.Process, or of the whole system
	Script  string           // path of the script that runs with the system; "" where there is none
	Scripts []BlockScript    // scripts that belong to blocks, in the order of the files
	Record  *Record          // what is written to a log; nil: nothing
	Watch   []record.Pattern // signals that views, logs and reports show first
	Deploy  Deploy           // processes and hosts; the zero value: one process, MainProcess, on this host
	Nats    *Nats            // the site's own; nil where the system brings its own
	Metrics string           // address and port where Prometheus fetches metrics; "" for nowhere
	Users   []User           // may sign in to the console
	Folders []string         // beside its own, whose files candidates may name; absolute or relative to the working directory
	groups  []Group
	places  places
	options Options
}

// Load reads a system file. Its error is of type [diagram.Errors] and lists all mistakes in the files.
func Load(path string, o Options) (*System, error) {
	l := read(path, o)
	net := l.build()
	if l.faults.Any() {
		l.sortErrors()
		return nil, l.oneOfRange(l.causes(l.faults.Errors()))
	}
	net.Notices = append(l.notices, net.Notices...)
	l.sys.Net, l.sys.Files = net, l.paths
	return l.sys, nil
}

// read reads all of a system file; build makes a net of it.
func read(path string, o Options) *loader {
	l := newLoader(path, o)
	l.readAll()
	return l
}

// newLoader returns a loader that has read nothing.
func newLoader(path string, o Options) *loader {
	f := &files{origin: map[*yaml.Node]string{}, noted: map[string]bool{}, added: map[*yaml.Node]bool{}, layers: map[*yaml.Node][]*yaml.Node{}, texts: o.Texts}
	l := &loader{files: f, registry: o.Registry, process: o.Process, runAs: o.Name, restore: o.Restore, included: map[string]bool{}, taken: map[string]taken{}, dirs: map[*yaml.Node]string{}, subsystems: map[*yaml.Node][]string{}, declared: map[string]*declaration{}, reasons: map[string]*yaml.Node{}, composedOf: map[*yaml.Node]string{}, numbers: map[[2]string]string{}, unresolved: map[string]bool{}, sys: &System{
		Path: path, Dir: filepath.Dir(path), places: newPlaces(f), options: o,
	}}
	l.sys.options.Name, l.sys.options.Restore = "", false // they are those of one run
	if o.Candidate {
		f.reach = newReach(path, o)
	}
	return l
}

// readAll reads the files of the system.
func (l *loader) readAll() {
	path, o := l.sys.Path, l.sys.options
	root := l.readWithBase(path, MainSource, nil, nil)
	for _, over := range o.Overlays {
		if kind := l.kindOf(over); kind != "" {
			l.faults.Addf(over, "as an overlay it changes nothing: the file is there already (%s); leave out this --overlay", kind)
			continue
		}
		if n := l.readWithIncludes(over, OverlaySource, nil, nil); n != nil && root != nil {
			remove(n, "base")
			l.overlay(root, n)
		}
	}
	if root != nil {
		l.readOverrides(o.Params)
		l.system(root)
	}
}

// build makes the net, also where the files have mistakes: so that all of them are reported together.
func (l *loader) build() *diagram.Net {
	if l.diagram == nil {
		return nil
	}
	net, err := l.diagram.Build()
	var errs diagram.Errors
	if errors.As(err, &errs) {
		l.faults.Join(errs)
	}
	if err == nil && !l.faults.Any() { // a block that is missing would be reported twice
		l.checkWatch(net)
	}
	return net
}

// loader builds the diagram from the merged tree.
type loader struct {
	*files
	registry     *block.Registry
	types        *block.Registry // whose constants name files of the system, where it is not built; nil: none
	process      string
	runAs        string // Options.Name
	restore      bool
	sys          *System
	sources      []Source
	blockSources []Source
	diagram      *diagram.Diagram
	threads      []string
	links        []diagram.Link
	repeated     int  // repetitions that ranges ask for
	threadless   bool // which is reported
	groups       int  // how many there are
	selected     int  // elements that the links choose
	blockNames   []string
	taken        map[string]taken // names of blocks and groups
	names        map[string]bool  // absolute paths that the files name
	overrides    []*override
	watch        []*yaml.Node    // the patterns of System.Watch
	patterns     []*yaml.Node    // of ports to record
	included     map[string]bool // files that were, by the key include
	privileges   []Privilege
	reasons      map[string]*yaml.Node   // where a file is named, by its path
	dirs         map[*yaml.Node]string   // what the paths of included blocks and groups are relative to, by their keys
	subsystems   map[*yaml.Node][]string // which included systems declare the processes, the innermost first, by their keys
	declared     map[string]*declaration // by file:line:column
	declaredAt   []string                // their places, in the order of reading
	notices      []diagram.Notice
	composedOf   map[*yaml.Node]string // texts with parameters in their places: as they are written
	unresolved   map[string]bool       // where names stand that are no parameters
	numbers      map[[2]string]string  // such texts that look like numbers, by the place and the value: as they are written
}

// readWithBase reads a file with those that it includes, and where it has a base that first, with the file put over it; above
// are the files that led to it.
func (l *loader) readWithBase(path string, kind SourceKind, from *yaml.Node, above []string) *yaml.Node {
	n := l.readWithIncludes(path, kind, from, above)
	if n == nil {
		return nil
	}
	base := remove(n, "base")
	if base == nil {
		return n
	}
	under, chain := resolvePath(filepath.Dir(path), base.Value), append(slices.Clone(above), path)
	if slices.Contains(chain, under) {
		l.fail(base, "the files that this one is based on form a circle: %s", strings.Join(append(chain, under), " over "))
		return nil
	}
	root := l.readWithBase(under, BaseSource, base, chain)
	if root != nil {
		l.overlay(root, n)
	}
	return root
}

// remove takes a key out of a mapping and returns its value, or nil.
func remove(n *yaml.Node, key string) *yaml.Node {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			v := n.Content[i+1]
			n.Content = slices.Delete(n.Content, i, i+2)
			return v
		}
	}
	return nil
}

// child returns the value of a key of a mapping, or nil.
func child(n *yaml.Node, key string) *yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

// system reads the whole merged file.
func (l *loader) system(root *yaml.Node) {
	l.notePrivileges(root)
	name := child(root, "system")
	if name == nil || name.Value == "" {
		for _, e := range l.entries(root, "a system file") {
			if nearest.Similar(e.key.Value, slices.Values([]string{"system"})) != "" {
				l.fail(e.key, "a system file has no key %q; did you mean \"system\"?", e.key.Value)
				return
			}
		}
		l.fail(root, "the file does not name its system: begin with \"system: name\"")
		return
	}
	if err := CheckName(name.Value); err != nil {
		l.fail(name, "%w", err)
	}
	l.sys.Name = name.Value
	if l.runAs != "" {
		l.sys.Name = l.runAs
	}
	l.diagram = diagram.New(name.Value)
	if l.restore {
		l.restoreKept(name)
	}
	if deploy := child(root, "deploy"); deploy != nil {
		l.readDeploy(deploy)
	}
	l.diagram.Process(l.process)
	l.diagram.RequireInputs()
	if threads := child(root, "threads"); threads != nil {
		l.readThreads(threads)
	}
	none := func(*yaml.Node) {}
	scope := &scope{dir: l.sys.Dir, files: []string{l.sys.Path}, params: l.systemParams(child(root, "params"))}
	l.declare(scope, root, "system")
	if l.readLevels(root, scope); scope.levels > 0 {
		l.diagram.Group(diagram.Group{Levels: scope.levels, Source: l.source(root)})
	}
	var links *yaml.Node // they want to know the groups' ports
	more := remove(root, overlayKey)
	l.fields(root, "a system file", map[string]func(*yaml.Node){
		"system": none, "threads": none, "description": none, "deploy": none, "params": none, "levels": none,
		"blocks":  func(n *yaml.Node) { l.readBlocks(n, scope) },
		"groups":  func(n *yaml.Node) { l.readGroups(n, scope) },
		"links":   func(n *yaml.Node) { links = n },
		"record":  l.readRecord,
		"watch":   l.readWatch,
		"nats":    l.readNats,
		"metrics": l.readMetrics,
		"users":   l.readUsers,
		"files": func(n *yaml.Node) {
			for _, folder := range l.texts(n, "files") {
				l.sys.Folders = append(l.sys.Folders, resolvePath(l.sys.Dir, folder))
			}
		},
		"script": func(n *yaml.Node) { l.sys.Script = l.named(n, l.sys.Dir, l.text(n, "script")) },
	})
	if links != nil {
		l.readLinks(links, scope, false)
	}
	if more != nil {
		l.readLinks(more, scope, true)
	}
	l.checkOverrides()
	l.checkUnused()
	l.checkPatterns()
	l.checkDeploy()
	l.checkNames()
	if l.sys.Script != "" && l.reach.holds(l.sys.Script) {
		if _, err := os.Stat(l.sys.Script); err != nil {
			l.failFile(l.sys.Script, child(root, "script"), err)
		}
	}
	slices.SortStableFunc(l.links, func(a, b diagram.Link) int { return order(a.Replace) - order(b.Replace) })
	for _, link := range l.links {
		l.diagram.Join(link)
	}
}

// restoreKept gives the diagram what an earlier run has left.
func (l *loader) restoreKept(at *yaml.Node) {
	name := l.sys.Name
	if l.process != "" {
		name += "." + l.process
	}
	path, err := filepath.Abs(l.sys.Path)
	if err == nil {
		err = persist.Restore(l.diagram, name, path)
	}
	if err != nil {
		l.fail(at, "%w", err)
	}
}

// order places the links that replace others last.
func order(replace bool) int {
	if replace {
		return 1
	}
	return 0
}

func (l *loader) readThreads(n *yaml.Node) {
	for _, e := range l.entries(n, "threads") {
		before := l.faults.Count()
		t := diagram.Thread{Name: e.key.Value, Source: l.source(e.key)}
		what := fmt.Sprintf("thread %q", t.Name)
		l.fields(e.value, what, map[string]func(*yaml.Node){
			"period":    func(v *yaml.Node) { t.Period = l.duration(v, "period") },
			"triggered": func(v *yaml.Node) { t.Triggered = l.bool(v, "triggered") },
			"priority":  func(v *yaml.Node) { t.Priority = l.int(v, "priority") },
			"cpu":       func(v *yaml.Node) { t.CPU = l.int(v, "cpu") },
			"spin":      func(v *yaml.Node) { t.Spin = l.duration(v, "spin") },
			"watchdog":  func(v *yaml.Node) { t.Watchdog = l.duration(v, "watchdog") },
			"offset":    func(v *yaml.Node) { t.Offset = l.duration(v, "offset") },
			"follow":    func(v *yaml.Node) { t.Follow = l.text(v, "follow") },
			"on_fault": func(v *yaml.Node) {
				switch v.Value {
				case "continue":
				case "stop":
					t.OnFault = diagram.Stop
				default:
					l.fail(v, "on_fault wants continue or stop, got %q", v.Value)
				}
			},
		})
		if l.faults.Count() > before && t.Period == 0 && !t.Triggered {
			t.Period = diagram.MaxPeriod // what is wrong with it is reported
		}
		if !dottedName.MatchString(t.Name) {
			l.fail(e.key, "thread name %q: wants letters, digits, _ and -", t.Name)
		}
		l.threads = append(l.threads, t.Name)
		t.Process = l.sys.Deploy.ProcessOf(t.Name)
		l.diagram.Thread(t)
	}
}
