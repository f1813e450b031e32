package system

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"go.yaml.in/yaml/v4"

	"github.com/sinew-robotics/sinew/internal/yamlfault"
	"github.com/sinew-robotics/sinew/net/block"
)

// Source is a file that describes a part of a system.
type Source struct {
	Path   string // absolute
	Kind   SourceKind
	Groups []string // those that it describes, where it is a [GroupSource]
	Blocks []string // those that read it, where it is a [BlockSource]
	Format string   // of a [BlockSource], as "program": that of the constant by which blocks name it
}

// SourceKind is the way in which a file belongs to a system.
type SourceKind string

// The kinds of files.
const (
	MainSource     SourceKind = "system"  // the one that is run
	BaseSource     SourceKind = "base"    // another one is put over it
	OverlaySource  SourceKind = "overlay" // it is put over the system file
	IncludedSource SourceKind = "include" // it adds to the system, by the key include
	GroupSource    SourceKind = "group"   // it describes a group
	BlockSource    SourceKind = "block"   // a block reads it, and people edit it: it is named by a constant with the tag file
)

// Sources returns the files that a system is made of, that of path first, in the order of reading; those that blocks read follow.
// It does so also where something is wrong with them; files that are not there are left out. No block is made. Without the registry of their
// types the files that blocks read are left out.
func Sources(path string, o Options) []Source {
	types := o.Registry
	o.Registry = block.NewRegistry()
	l := newLoader(path, o)
	l.types = types
	l.readAll()
	return append(l.sources, l.blockSources...)
}

// Options returns how the system was read.
func (s *System) Options() Options { return s.options }

// readSource parses one file into a mapping; nil where it cannot. Group is what it describes, if that is a group.
func (l *loader) readSource(path string, kind SourceKind, group string, from *yaml.Node) *yaml.Node {
	text, err := contents(path, l.files.texts, l.reach)
	if !errors.Is(err, fs.ErrNotExist) {
		l.note(path, kind, group, from)
	}
	if err != nil {
		l.failFile(path, from, err)
		return nil
	}
	l.paths = append(l.paths, path)
	if other := otherKind(path, text); other != "" {
		l.faults.Addf(path+":1:1", "not a system file, but %s", other)
		return nil
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		l.failYAML(path, yamlfault.Explain(text, err))
		return nil
	}
	if second := yamlfault.Second(text); second != nil {
		l.failYAML(path, *second)
		return nil
	}
	if doc.Kind == 0 || len(doc.Content) == 0 {
		l.faults.Addf(path, "the file is empty")
		return nil
	}
	root := doc.Content[0]
	l.own(root, path, 0)
	if root.Kind != yaml.MappingNode {
		l.fail(root, "a system file is a mapping, such as \"system: name\"")
		return nil
	}
	return root
}

// noteBlockFiles adds the files that constants of a block name to the sources: they are among its parameters, or given on the command line.
func (l *loader) noteBlockFiles(name, typ, dir string, params *yaml.Node, given []*override) {
	if l.types == nil {
		return
	}
	formats := l.types.FileConstants(typ)
	for _, constant := range slices.Sorted(maps.Keys(formats)) {
		n := child(params, constant)
		for _, o := range given {
			if o.param == constant {
				n = o.value
			}
		}
		if n == nil {
			continue
		}
		files := n.Content
		if n.Kind == yaml.ScalarNode {
			files = []*yaml.Node{n}
		}
		for _, file := range files {
			path := absolute(Folder(dir).Path(file.Value))
			if info, err := os.Stat(path); file.Kind != yaml.ScalarNode || err != nil || !info.Mode().IsRegular() {
				continue
			}
			i := slices.IndexFunc(l.blockSources, func(s Source) bool { return s.Path == path })
			if i < 0 {
				i = len(l.blockSources)
				l.blockSources = append(l.blockSources, Source{Path: path, Kind: BlockSource, Format: formats[constant]})
			}
			if s := &l.blockSources[i]; !slices.Contains(s.Blocks, name) {
				s.Blocks = append(s.Blocks, name)
			}
		}
	}
}

// kindOf returns how a file that was read belongs to the system, "" if it does not.
func (l *loader) kindOf(path string) SourceKind {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	for _, s := range l.sources {
		if s.Path == path {
			return s.Kind
		}
	}
	return ""
}

// note adds a file that was read to the sources, or a group to those that it describes.
func (l *loader) note(path string, kind SourceKind, group string, from *yaml.Node) {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	i := slices.IndexFunc(l.sources, func(s Source) bool { return s.Path == path })
	if i < 0 {
		i = len(l.sources)
		l.sources = append(l.sources, Source{Path: path, Kind: kind})
		l.reasons[path] = from
	}
	if group != "" {
		l.sources[i].Groups = append(l.sources[i].Groups, group)
	}
}
