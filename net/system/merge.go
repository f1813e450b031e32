package system

import (
	"slices"

	"go.yaml.in/yaml/v4"
)

// overlayKey names the sequence in which links of overlays are kept apart from those of the base, because they
// replace what is linked already.
const overlayKey = "\x00overlay links"

// merge puts an overlay over a base: mappings are merged key by key, null deletes, links are added, and everything
// else replaces what was there.
func (f *files) merge(base, over *yaml.Node) {
	for _, e := range f.entries(over, "overlay") {
		i := slices.IndexFunc(base.Content, func(n *yaml.Node) bool { return n.Value == e.key.Value })
		// Keys stand at even places; a scalar value of the same text does not count.
		for i >= 0 && i%2 == 1 {
			j := slices.IndexFunc(base.Content[i+1:], func(n *yaml.Node) bool { return n.Value == e.key.Value })
			if j < 0 {
				i = -1
				break
			}
			i += 1 + j
		}
		switch {
		case i < 0 && e.value.Tag == "!!null":
			f.fail(e.key, "the overlay deletes %q, which is not there", e.key.Value)
		case i < 0:
			base.Content = append(base.Content, e.key, e.value)
		case e.value.Tag == "!!null":
			base.Content = slices.Delete(base.Content, i, i+2)
		case e.value.Kind == yaml.MappingNode && base.Content[i+1].Kind == yaml.MappingNode:
			f.merge(base.Content[i+1], e.value)
		default:
			base.Content[i], base.Content[i+1] = e.key, e.value
		}
	}
}

// overlay merges what a system or a group has over the base; its links are kept apart, after those of earlier overlays.
func (f *files) overlay(base, over *yaml.Node) {
	if links := child(over, "links"); links != nil && links.Kind == yaml.SequenceNode {
		remove(over, "links")
		kept := child(base, overlayKey)
		if kept == nil {
			kept = &yaml.Node{Kind: yaml.SequenceNode}
			base.Content = append(base.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: overlayKey}, kept)
		}
		kept.Content = append(kept.Content, links.Content...)
	}
	if groups := child(over, "groups"); groups != nil && groups.Kind == yaml.MappingNode {
		for _, e := range f.entries(groups, "groups") {
			under := child(child(base, "groups"), e.key.Value)
			if isInline(under) && e.value.Kind == yaml.MappingNode {
				f.overlay(under, e.value)
				remove(groups, e.key.Value)
			}
		}
	}
	f.merge(base, over)
}

// isInline reports whether a group is written in its place.
func isInline(group *yaml.Node) bool {
	return group != nil && group.Kind == yaml.MappingNode && child(group, "include") == nil
}
