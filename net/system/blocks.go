package system

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/port"
)

// BlockScript is a script that runs in the activity of a block.
type BlockScript struct {
	Block string
	Path  string
}

func (l *loader) readBlocks(n *yaml.Node, s *scope) {
	l.repeatEntries(l.entries(n, "blocks"), s, l.readBlock)
}

// takeName reports a block and a group of one name: a link could mean either.
func (l *loader) takeName(key *yaml.Node, name, what string) {
	if other := l.taken[name]; other.what != "" && other.what != what {
		l.fail(key, "%s %q has the name of the %s at %s: rename one of them", what, name, other.what, l.source(other.key))
		return
	}
	l.taken[name] = taken{key, what}
}

// taken is the key that has given a block or a group its name.
type taken struct {
	key  *yaml.Node
	what string
}

func (l *loader) readBlock(e entry, s *scope) {
	name := s.prefix + e.key.Value
	what := fmt.Sprintf("block %q", name)
	l.takeName(e.key, name, "block")
	place := diagram.Place{Source: l.source(e.key)}
	if len(l.threads) == 1 {
		place.Thread = l.threads[0]
	}
	if s.thread != "" {
		place.Thread = s.thread
	}
	place.Every = s.every
	if child(e.value, "run") != nil {
		l.readForeign(e, s)
		return
	}
	l.blockNames = append(l.blockNames, name)
	given := l.overridesOf(name)
	var typ, params, script *yaml.Node
	l.fields(e.value, what, map[string]func(*yaml.Node){
		"type": func(v *yaml.Node) { typ = s.fill(l, v) },
		"thread": func(v *yaml.Node) {
			v = s.fill(l, v)
			l.noteTexts(v, place.Source)
			place.Thread = l.text(v, "thread")
		},
		"every":  func(v *yaml.Node) { place.Every = l.count(s.fill(l, v), "every", diagram.MaxEvery) },
		"offset": func(v *yaml.Node) { place.Offset = l.int(s.fill(l, v), "offset") },
		"params": func(v *yaml.Node) { params = l.repeatInLists(s.fill(l, v), s) },
		"script": func(v *yaml.Node) { script = s.fill(l, v) },
		"level":  func(*yaml.Node) {},
	}, "; parameters of the type stand under params, as params: {gain: 2}")
	place.Level = l.memberLevel(e, s, what)
	if script != nil && script.Tag != "!!null" { // an overlay removes it by null
		place.Script = true
		l.readBlockScript(name, l.dirOf(e.key, s), script)
	}
	if params != nil {
		l.notePaths("blocks."+name+".params", l.dirOf(e.key, s), params)
	}
	switch {
	case typ == nil && l.added[e.key]:
		others := slices.DeleteFunc(slices.Clone(l.blockNames), func(other string) bool { return other == name })
		l.fail(e.key, "there is no %s that the overlay could change%s (a new block wants a type)", what, among(name, others))
	case typ == nil:
		l.fail(e.key, "%s has no type: write type: flow.Gain, or another that sinew blocks lists", what)
	}
	if typ == nil {
		l.diagram.Broken(name)
		return
	}
	l.noteBlockFiles(name, typ.Value, l.dirOf(e.key, s), params, given)
	reg, ok := l.registry.Lookup(typ.Value)
	if !ok {
		l.fail(typ, "%s: no block type %q%s", what, typ.Value, nearest.Later(typ.Value, l.registry.Types))
		l.diagram.Broken(name)
		return
	}
	if place.Thread == "" {
		l.failThread(e.key, what)
		l.diagram.Broken(name)
		return
	}
	sources := map[string]*yaml.Node{}
	place.Given = port.Given{Params: map[string]any{}, Files: noted{Folder(l.dirOf(e.key, s)), l.files}}
	for _, p := range l.entries(params, "params") {
		place.Given.Params[p.key.Value] = l.value(p.value)
		sources[p.key.Value] = p.value
		l.sys.places.params[name+"."+p.key.Value] = p.value
		l.noteTexts(p.value, l.source(p.value))
	}
	for _, o := range given {
		place.Given.Params[o.param] = l.value(o.value)
		sources[o.param] = o.value
		place.Given.ThisRun = append(place.Given.ThisRun, o.param)
	}
	place.ParamSource = func(param string) string {
		if n := sources[param]; n != nil {
			return l.source(n)
		}
		return l.source(e.key)
	}
	l.sys.places.blocks[name] = e.value
	if s.within != "" {
		l.sys.places.within[name] = s.within
	}
	l.diagram.Add(name, reg.New(), place)
}

// readBlockScript reads which script belongs to a block. The file must exist; other hosts also need it.
func (l *loader) readBlockScript(block, dir string, n *yaml.Node) {
	name := l.text(n, "script")
	path := l.named(n, dir, name)
	l.privileges = append(l.privileges, Privilege{Key: "blocks." + block + ".script", Source: l.source(n), same: "script " + path})
	if !l.reach.holds(path) {
		return
	}
	file, err := noted{Folder(dir), l.files}.Open(name)
	if err != nil {
		l.failFile(path, n, err)
		return
	}
	_ = file.Close() // it was only read
	l.sys.Scripts = append(l.sys.Scripts, BlockScript{Block: block, Path: path})
}

// failThread reports that a block has no thread: once where the system has none.
func (l *loader) failThread(n *yaml.Node, what string) {
	if len(l.threads) > 0 {
		l.fail(n, "%s does not say on which thread it runs: write thread: %s", what, strings.Join(l.threads, " or "))
	} else if !l.threadless {
		l.threadless = true
		l.fail(n, "%s needs a thread, and the system has none: write threads: {main: {period: 10ms}}", what)
	}
}
