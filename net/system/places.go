package system

import (
	"fmt"

	"go.yaml.in/yaml/v4"
)

// places is where the parameters of a system are written.
type places struct {
	params   map[string]*yaml.Node // the values, by "block.param"
	blocks   map[string]*yaml.Node // the mapping of each block
	within   map[string]string     // by block: the name with the range that repeats it
	defaults map[*yaml.Node]groupDefault
	composed map[*yaml.Node]bool // values that contain parameters of a group, as in "${side}_arm"
	origin   map[*yaml.Node]string
	layers   map[*yaml.Node][]*yaml.Node // what overlays put over a mapping
	covered  map[*yaml.Node]*yaml.Node   // the values of the system's parameters in the files, by those of the command line that count instead
}

// groupDefault is the place where a value that replaces the default of a group's parameter must be given.
type groupDefault struct {
	include *yaml.Node // the mapping that includes the group
	name    string
}

func newPlaces(f *files) places {
	return places{params: map[string]*yaml.Node{}, blocks: map[string]*yaml.Node{}, within: map[string]string{}, defaults: map[*yaml.Node]groupDefault{},
		composed: map[*yaml.Node]bool{}, origin: f.origin, layers: f.layers, covered: map[*yaml.Node]*yaml.Node{}}
}

// at names the place of a node: a file that is included several times has several nodes there.
func (p *places) at(n *yaml.Node) string {
	return fmt.Sprintf("%s:%d:%d", p.origin[n], n.Line, n.Column)
}

// where names the place of a value, or the default of the block's type where no file has one.
func (p *places) where(n *yaml.Node) string {
	if n == nil {
		return "the default of its type"
	}
	return "the value at " + p.at(n)
}

// sharing returns the parameters whose values stand at the place of a node.
func (p *places) sharing(n *yaml.Node) (refs []string) {
	for ref, other := range p.params {
		if p.at(other) == p.at(n) {
			refs = append(refs, ref)
		}
	}
	return refs
}

// fromDefault returns the parameters that have the default of a group's parameter, for one place that includes the group.
func (p *places) fromDefault(d groupDefault) (refs []string) {
	for ref, node := range p.params {
		if other, ok := p.defaults[node]; ok && other.name == d.name && p.at(other.include) == p.at(d.include) {
			refs = append(refs, ref)
		}
	}
	return refs
}

// includes returns for how many places that include the group its default counts.
func (p *places) includes(n *yaml.Node) int {
	from := map[string]bool{}
	for node, d := range p.defaults {
		if p.at(node) == p.at(n) {
			from[p.at(d.include)] = true
		}
	}
	return len(from)
}
