package system

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v4"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/diagram"
)

// Options say how a system file is read.
type Options struct {
	Registry *block.Registry
	Overlays []string // files, put over the first one in this order
	Params   []string // "block.param=value", put over all files
	// Texts are what files are to say instead of what they say, by absolute path: candidates that are to be checked. Files
	// that blocks read are not among them.
	Texts map[string][]byte
	// Process makes the net that of one process of the file's deploy section; without it the whole system is one process.
	Process string
}

// System is a system file that was read, checked and made into a net.
type System struct {
	Name    string
	Path    string   // of the file
	Dir     string   // of the file: what its paths are relative to
	Files   []string // all files that were read
	Net     *diagram.Net
	Script  string // path of the script that runs with the system; "" where there is none
	Record  *Record
	Deploy  Deploy
	Nats    *Nats  // the site's own; nil where the system brings its own
	Metrics string // address and port where Prometheus fetches metrics; "" for nowhere
	Users   []User // who may sign in to the console
	groups  []Group
	places  places
	options Options
}

// Record says what the system's recorder writes.
type Record struct {
	File  string   // relative to the working directory; "" where the file names none
	Ports []string // patterns of block.port as path.Match takes them; nil: all outputs and what is watched
	Every int      // at most once in so many activations of the port's thread
}

// Load reads a system file. Its error is of type [diagram.Errors] and tells all that is wrong with the files.
func Load(path string, o Options) (*System, error) {
	l := read(path, o)
	net := l.build()
	if len(l.errs) > 0 {
		l.sortErrors()
		return nil, l.errs
	}
	l.sys.Net, l.sys.Files = net, l.paths
	return l.sys, nil
}

// read reads all that a system file says; build makes a net of it.
func read(path string, o Options) *loader {
	f := &files{origin: map[*yaml.Node]string{}, texts: o.Texts}
	l := &loader{files: f, registry: o.Registry, process: o.Process, included: map[string]bool{}, dirs: map[*yaml.Node]string{}, sys: &System{
		Path: path, Dir: filepath.Dir(path), places: newPlaces(f.origin), options: o,
	}}
	root := l.readWithBase(path, MainSource, nil, nil)
	for _, over := range o.Overlays {
		if n := l.readWithIncludes(over, OverlaySource, nil, nil); n != nil && root != nil {
			remove(n, "base")
			f.overlay(root, n)
		}
	}
	if root != nil {
		l.readOverrides(o.Params)
		l.system(root)
	}
	return l
}

// build makes the net. It does so too where the files are wrong, to tell at once what else is.
func (l *loader) build() *diagram.Net {
	if l.diagram == nil {
		return nil
	}
	net, err := l.diagram.Build()
	var errs diagram.Errors
	if errors.As(err, &errs) {
		l.errs = append(l.errs, errs...)
	}
	return net
}

// loader builds the diagram from the merged tree.
type loader struct {
	*files
	registry  *block.Registry
	process   string
	sys       *System
	sources   []Source
	diagram   *diagram.Diagram
	threads   []string
	links     []diagram.Link
	groups    int      // how many there are
	names     []string // of the blocks
	overrides []*override
	included  map[string]bool       // files that were, by the key include
	dirs      map[*yaml.Node]string // what the paths of included blocks and groups are relative to, by their keys
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
	name := child(root, "system")
	if name == nil || name.Value == "" {
		l.fail(root, "the file does not name its system: begin with \"system: name\"")
		return
	}
	if !plainName.MatchString(name.Value) {
		l.fail(name, "system name %q: wants letters, digits, _ and -", name.Value)
	}
	l.sys.Name = name.Value
	l.diagram = diagram.New(name.Value)
	if deploy := child(root, "deploy"); deploy != nil {
		l.readDeploy(deploy)
	}
	l.diagram.Process(l.process)
	if threads := child(root, "threads"); threads != nil {
		l.readThreads(threads)
	}
	none := func(*yaml.Node) {}
	scope := &scope{dir: l.sys.Dir, files: []string{l.sys.Path}}
	var links *yaml.Node // they want to know the groups' ports
	more := remove(root, overlayKey)
	l.fields(root, "a system file", map[string]func(*yaml.Node){
		"system": none, "threads": none, "description": none, "deploy": none,
		"blocks":  func(n *yaml.Node) { l.readBlocks(n, scope) },
		"groups":  func(n *yaml.Node) { l.readGroups(n, scope) },
		"links":   func(n *yaml.Node) { links = n },
		"record":  l.readRecord,
		"nats":    l.readNats,
		"metrics": l.readMetrics,
		"users":   l.readUsers,
		"script":  func(n *yaml.Node) { l.sys.Script = resolvePath(l.sys.Dir, l.text(n, "script")) },
	})
	if links != nil {
		l.readLinks(links, scope, false)
	}
	if more != nil {
		l.readLinks(more, scope, true)
	}
	l.checkOverrides()
	l.checkDeploy()
	l.checkNames()
	if l.sys.Script != "" {
		if _, err := os.Stat(l.sys.Script); err != nil {
			l.failFile(l.sys.Script, child(root, "script"), err)
		}
	}
	slices.SortStableFunc(l.links, func(a, b diagram.Link) int { return order(a.Replace) - order(b.Replace) })
	for _, link := range l.links {
		l.diagram.Join(link)
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
		t := diagram.Thread{Name: e.key.Value, Source: l.source(e.key)}
		what := fmt.Sprintf("thread %q", t.Name)
		l.fields(e.value, what, map[string]func(*yaml.Node){
			"period":    func(v *yaml.Node) { t.Period = l.duration(v, "period") },
			"triggered": func(v *yaml.Node) { t.Triggered = l.bool(v, "triggered") },
			"priority":  func(v *yaml.Node) { t.Priority = l.int(v, "priority") },
			"cpu":       func(v *yaml.Node) { t.CPU = l.int(v, "cpu") },
			"spin":      func(v *yaml.Node) { t.Spin = l.duration(v, "spin") },
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
		if !dottedName.MatchString(t.Name) {
			l.fail(e.key, "thread name %q: wants letters, digits, _ and -", t.Name)
		}
		l.threads = append(l.threads, t.Name)
		t.Process = l.sys.Deploy.ProcessOf(t.Name)
		l.diagram.Thread(t)
	}
}

func (l *loader) readBlocks(n *yaml.Node, s *scope) {
	for _, e := range l.entries(n, "blocks") {
		l.readBlock(e, s)
	}
}

func (l *loader) readBlock(e entry, s *scope) {
	name := s.prefix + e.key.Value
	what := fmt.Sprintf("block %q", name)
	place := diagram.Place{Source: l.source(e.key)}
	if len(l.threads) == 1 {
		place.Thread = l.threads[0]
	}
	if child(e.value, "run") != nil {
		l.readForeign(e, s)
		return
	}
	l.names = append(l.names, name)
	given := l.overridesOf(name)
	var typ, params *yaml.Node
	l.fields(e.value, what, map[string]func(*yaml.Node){
		"type":   func(v *yaml.Node) { typ = s.fill(l, v) },
		"thread": func(v *yaml.Node) { place.Thread = l.text(s.fill(l, v), "thread") },
		"every":  func(v *yaml.Node) { place.Every = l.positive(s.fill(l, v), "every") },
		"offset": func(v *yaml.Node) { place.Offset = l.int(s.fill(l, v), "offset") },
		"params": func(v *yaml.Node) { params = s.fill(l, v) },
	})
	if typ == nil {
		l.fail(e.key, "%s has no type", what)
		l.diagram.Broken(name)
		return
	}
	reg, ok := l.registry.Lookup(typ.Value)
	if !ok {
		l.fail(typ, "%s: no block type %q%s", what, typ.Value, nearest.Hint(typ.Value, l.registry.Types()))
		l.diagram.Broken(name)
		return
	}
	if place.Thread == "" {
		l.fail(e.key, "%s does not say on which thread it runs", what)
		l.diagram.Broken(name)
		return
	}
	sources := map[string]*yaml.Node{}
	place.Given = block.Given{Params: map[string]any{}, Files: noted{Folder(l.dirOf(e.key, s)), l.files}}
	for _, p := range l.entries(params, "params") {
		place.Given.Params[p.key.Value] = l.value(p.value)
		sources[p.key.Value] = p.value
		l.sys.places.params[name+"."+p.key.Value] = p.value
	}
	for _, o := range given {
		place.Given.Params[o.param] = l.value(o.value)
		sources[o.param] = o.value
	}
	place.ParamSource = func(param string) string {
		if n := sources[param]; n != nil {
			return l.source(n)
		}
		return l.source(e.key)
	}
	l.sys.places.blocks[name] = e.value
	l.diagram.Add(name, reg.New(), place)
}

func (l *loader) readLinks(n *yaml.Node, s *scope, replace bool) {
	if n.Kind != yaml.SequenceNode {
		l.fail(n, "links wants a list, as - a.out -> b.in")
		return
	}
	for _, item := range n.Content {
		item = s.fill(l, item)
		var link diagram.Link
		text := item
		if item.Kind == yaml.MappingNode {
			text = l.readLinkOptions(item, &link)
		}
		if text == nil || text.Kind != yaml.ScalarNode {
			l.fail(item, "a link is \"a.out -> b.in\", or a mapping with the key link")
			continue
		}
		ends, err := diagram.ParseLink(text.Value)
		if err != nil {
			l.fail(text, "%w", err)
			continue
		}
		var fromErr, toErr error
		link.From, fromErr = s.end(ends.From)
		link.To, toErr = s.end(ends.To)
		if err := errors.Join(fromErr, toErr); err != nil {
			l.fail(text, "link %v: %w", ends, err)
			continue
		}
		link.Replace, link.Source = replace, l.source(text)
		l.links = append(l.links, link)
	}
}

func (l *loader) readLinkOptions(n *yaml.Node, link *diagram.Link) (text *yaml.Node) {
	l.fields(n, "a link", map[string]func(*yaml.Node){
		"link":   func(v *yaml.Node) { text = v },
		"every":  func(v *yaml.Node) { link.Every = l.positive(v, "every") },
		"delay":  func(v *yaml.Node) { link.Delay = l.bool(v, "delay") },
		"buffer": func(v *yaml.Node) { link.Buffer = l.positive(v, "buffer") },
		"max_rate": func(v *yaml.Node) {
			if hz := l.float(v, "max_rate"); hz > 0 {
				link.Pause = time.Duration(float64(time.Second) / hz)
			} else {
				l.fail(v, "max_rate wants a positive number of values a second, got %q", v.Value)
			}
		},
		"timeout": func(v *yaml.Node) { link.Timeout = l.duration(v, "timeout") },
		"overflow": func(v *yaml.Node) {
			switch v.Value {
			case "drop_oldest":
			case "drop_newest":
				link.Overflow = diagram.DropNewest
			default:
				l.fail(v, "overflow wants drop_oldest or drop_newest, got %q", v.Value)
			}
		},
	})
	return text
}

func (l *loader) readRecord(n *yaml.Node) {
	r := &Record{Every: 1}
	l.fields(n, "record", map[string]func(*yaml.Node){
		"file":  func(v *yaml.Node) { r.File = l.text(v, "file") },
		"every": func(v *yaml.Node) { r.Every = l.positive(v, "every") },
		"ports": func(v *yaml.Node) {
			if v.Kind != yaml.SequenceNode {
				l.fail(v, "ports wants a list of patterns, as [joint*.position]")
			}
			for _, c := range v.Content {
				r.Ports = append(r.Ports, l.text(c, "ports"))
			}
		},
	})
	l.sys.Record = r
}

// Folder is the files beside a system file, for blocks and scripts to read. Unlike those of os.DirFS its paths may
// lead out of it, because models usually lie elsewhere.
type Folder string

// Open opens a file whose path is absolute or relative to the folder.
func (f Folder) Open(name string) (fs.File, error) {
	return os.Open(resolvePath(string(f), filepath.FromSlash(name)))
}

// noted notes which files blocks read: other hosts need them too.
type noted struct {
	Folder
	files *files
}

// Open opens a file of the folder.
func (n noted) Open(name string) (fs.File, error) {
	file, err := n.Folder.Open(name)
	if err == nil && !filepath.IsAbs(name) {
		name = filepath.Join(string(n.Folder), name)
	}
	if err == nil && !slices.Contains(n.files.paths, name) {
		n.files.paths = append(n.files.paths, name)
	}
	return file, err
}
