package system

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/sinew-robotics/sinew/net/block"
)

// Privilege is a statement of a system's files that only an owner may change: it grants roles, starts a program, or
// reads or writes files elsewhere.
type Privilege struct {
	Key    string // where it stands in the tree, as "users.ann" or "blocks.camera.run"
	Source string // as file:line:column

	same string // equal for two privileges that allow the same, under whatever name
	mild bool   // to remove it, or to have it once more, allows nothing
}

// PrivilegeChange is a privilege that files with new texts have and the old ones do not, or the other way round.
type PrivilegeChange struct {
	Privilege
	Removed bool // the new texts do not have it
}

// String returns the change as "users.ann (crane.yaml:12:3)".
func (c PrivilegeChange) String() string {
	if c.Removed {
		return fmt.Sprintf("%s (removed from %s)", c.Key, c.Source)
	}
	return fmt.Sprintf("%s (%s)", c.Key, c.Source)
}

// ownerKeys are the sections of a system file that are privileges. Each entry of those in entryKeys is one of its own.
var (
	ownerKeys = []string{"users", "deploy", "record", "script", "nats", "metrics", "files"}
	entryKeys = []string{"users", "deploy", "deploy.hosts", "deploy.processes"}
)

// Privileges returns the privileges of a system's files, with their bases, includes and overlays. It does so also where something
// is wrong with the files, and without types of blocks.
func Privileges(path string, o Options) []Privilege {
	if o.Registry == nil {
		o.Registry = block.NewRegistry()
	}
	l := read(path, o)
	for _, s := range l.sources {
		if s.Kind != MainSource && s.Kind != OverlaySource {
			l.privileges = append(l.privileges, Privilege{Key: includeKeys[s.Kind], Source: l.source(l.reasons[s.Path]),
				same: "file " + s.Path, mild: s.Kind == GroupSource})
		}
	}
	return l.privileges
}

var includeKeys = map[SourceKind]string{BaseSource: "base", IncludedSource: "include", GroupSource: "include"}

// PrivilegeChanges compares the privileges of new texts with those of the old ones. Names of blocks, order, layout and comments
// do not count.
func PrivilegeChanges(old, now []Privilege) (changes []PrivilegeChange) {
	had := map[string][]Privilege{}
	for _, p := range old {
		had[p.same] = append(had[p.same], p)
	}
	for _, p := range now {
		switch was := had[p.same]; {
		case len(was) > 0 && !p.mild:
			had[p.same] = was[1:]
		case len(was) == 0:
			changes = append(changes, PrivilegeChange{p, false})
		}
	}
	for _, p := range old { // in the order of the files
		if was := had[p.same]; len(was) > 0 && !p.mild {
			had[p.same] = was[1:]
			if !slices.ContainsFunc(changes, func(c PrivilegeChange) bool { return c.Key == p.Key }) { // else it has another value now
				changes = append(changes, PrivilegeChange{p, true})
			}
		}
	}
	return changes
}

// notePrivileges notes the privileged sections of a merged tree.
func (l *loader) notePrivileges(root *yaml.Node) {
	for i := 0; i+1 < len(root.Content); i += 2 {
		if name := root.Content[i].Value; slices.Contains(ownerKeys, name) {
			l.noteSection(name, root.Content[i], root.Content[i+1])
		}
	}
}

func (l *loader) noteSection(name string, key, value *yaml.Node) {
	if slices.Contains(entryKeys, name) && value.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(value.Content); i += 2 {
			l.noteSection(name+"."+value.Content[i].Value, value.Content[i], value.Content[i+1])
		}
		return
	}
	l.privileges = append(l.privileges, Privilege{Key: name, Source: l.source(key), same: name + " " + canonical(value)})
}

// noteRun notes the command of a foreign block.
func (l *loader) noteRun(block string, key *yaml.Node, command []string) {
	l.privileges = append(l.privileges, Privilege{Key: "blocks." + block + ".run", Source: l.source(key), same: fmt.Sprintf("run %q", command)})
}

// notePaths notes which files outside of a folder the parameters of a block name.
func (l *loader) notePaths(key, dir string, n *yaml.Node) {
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			l.notePaths(key, dir, n.Content[i])
			l.notePaths(key+"."+n.Content[i].Value, dir, n.Content[i+1])
		}
	case yaml.SequenceNode:
		for _, c := range n.Content {
			l.notePaths(key, dir, c)
		}
	case yaml.ScalarNode:
		if leadsElsewhere(n.Value) {
			l.privileges = append(l.privileges, Privilege{Key: key, Source: l.source(n), same: "path " + resolvePath(dir, n.Value), mild: true})
		}
	}
}

// leadsElsewhere reports whether a text may name a file outside of a folder: an absolute path, one that climbs, or an address.
func leadsElsewhere(text string) bool {
	return text == ".." || strings.Contains(text, "://") || strings.ContainsAny(text, `/\`) && !filepath.IsLocal(text)
}

// canonical writes a tree without layout, comments and the order of keys.
func canonical(n *yaml.Node) string {
	switch n.Kind {
	case yaml.ScalarNode:
		return fmt.Sprintf("%q", n.Value)
	case yaml.MappingNode:
		var entries []string
		for i := 0; i+1 < len(n.Content); i += 2 {
			entries = append(entries, fmt.Sprintf("%q:%s", n.Content[i].Value, canonical(n.Content[i+1])))
		}
		slices.Sort(entries)
		return "{" + strings.Join(entries, ",") + "}"
	}
	var list []string
	for _, c := range n.Content {
		list = append(list, canonical(c))
	}
	return "[" + strings.Join(list, ",") + "]"
}
