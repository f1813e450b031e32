package system

import (
	"maps"
	"slices"

	"go.yaml.in/yaml/v4"

	"github.com/sinew-robotics/sinew/internal/nearest"
)

// overlayKey names the sequence in which links of overlays are kept apart from those of the base, because they
// replace what is linked already.
const overlayKey = "\x00overlay links"

// merge puts an overlay over a base: mappings are merged key by key, null deletes, links are added, and everything
// else replaces what was there.
func (f *files) merge(base, over *yaml.Node) {
	at, gone := keyIndex(base), map[string]int{} // by key: its line in the base
	f.layers[base] = append(f.layers[base], over)
	for _, e := range f.entries(over, "overlay") {
		i, there := at[e.key.Value]
		switch {
		case !there && e.value.Tag == "!!null":
			f.fail(e.key, "the overlay deletes %q, which is not there%s", e.key.Value,
				nearest.Later(e.key.Value, func() []string { return slices.Sorted(maps.Keys(at)) }))
		case !there:
			f.added[e.key] = true
			base.Content = append(base.Content, e.key, e.value)
		case e.value.Tag == "!!null":
			gone[e.key.Value] = base.Content[i].Line
		case e.value.Kind == yaml.MappingNode && base.Content[i+1].Kind == yaml.MappingNode:
			f.merge(base.Content[i+1], e.value)
		default:
			base.Content[i], base.Content[i+1] = e.key, e.value
		}
	}
	if len(gone) == 0 {
		return
	}
	kept := base.Content[:0]
	for i := 0; i+1 < len(base.Content); i += 2 {
		key := base.Content[i]
		switch line, deleted := gone[key.Value]; {
		case !deleted:
			kept = append(kept, key, base.Content[i+1])
		case at[key.Value] != i:
			f.fail(key, "%q is there twice, first in line %d", key.Value, line)
		}
	}
	base.Content = kept
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
		var at map[string]int
		below := child(base, "groups")
		if below != nil && below.Kind == yaml.MappingNode {
			at = keyIndex(below)
		}
		var left []*yaml.Node
		for _, e := range f.entries(groups, "groups") {
			if i, there := at[e.key.Value]; there && isInline(below.Content[i+1]) && e.value.Kind == yaml.MappingNode {
				f.overlay(below.Content[i+1], e.value)
				continue
			}
			left = append(left, e.key, e.value)
		}
		groups.Content = left
	}
	f.merge(base, over)
}

// isInline reports whether a group is written in its place.
func isInline(group *yaml.Node) bool {
	return group != nil && group.Kind == yaml.MappingNode && child(group, "include") == nil
}
