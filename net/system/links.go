package system

import (
	"slices"
	"time"

	"go.yaml.in/yaml/v4"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/diagram"
	netlink "github.com/sinew-robotics/sinew/net/link"
)

func (l *loader) readLinks(n *yaml.Node, s *scope, replace bool) {
	if n.Kind != yaml.SequenceNode {
		l.fail(n, "links wants a list, as - a.out -> b.in")
		return
	}
	l.links = slices.Grow(l.links, min(len(n.Content), max(0, diagram.MaxLinks+1-len(l.links))))
	for _, item := range n.Content {
		items, scopes := l.repeatLink(item, s)
		for k := range items {
			if !l.readLink(items[k], scopes[k], replace) {
				return
			}
		}
	}
}

// readLink reads one link, or those of two whole blocks; false where there are too many.
func (l *loader) readLink(item *yaml.Node, s *scope, replace bool) bool {
	if len(l.links) > diagram.MaxLinks {
		return false // the diagram reports that they are too many
	}
	item = s.fill(l, item)
	var link diagram.Link
	text := item
	if item.Kind == yaml.MappingNode {
		text = l.readLinkOptions(item, &link)
	}
	if text == nil || text.Kind != yaml.ScalarNode {
		l.fail(item, "a link is \"a.out -> b.in\", or a mapping with the key link")
		return true
	}
	pairs, err := l.ends(text.Value, s)
	if err != nil {
		l.fail(text, "%w", err)
		return l.selected <= diagram.MaxSelected
	}
	link.Replace, link.Source = replace, l.source(text)
	for _, pair := range pairs {
		link.From, link.To = pair[0], pair[1]
		l.links = append(l.links, link)
	}
	return true
}

// maxLinkPriority is the priority of the most urgent links.
const maxLinkPriority = 99

// readEncoding reads an encoding: its name, or a mapping from it to its options.
func (l *loader) readEncoding(n *yaml.Node) *netlink.Coded {
	name, c := n, &netlink.Coded{}
	if n.Kind == yaml.MappingNode && len(n.Content) == 2 {
		name = n.Content[0]
		c.Options = map[string]string{}
		for _, e := range l.entries(n.Content[1], "encode") {
			c.Options[e.key.Value] = l.text(e.value, e.key.Value)
		}
	}
	if name.Kind != yaml.ScalarNode {
		l.fail(n, "encode wants the name of an encoding, or one with its options, as {quantized: {min: -3.2, max: 3.2, bits: 12}}")
		return nil
	}
	var ok bool
	if c.Encoding, ok = l.registry.Encoding(name.Value); !ok {
		l.fail(name, "encode: no encoding %q%s", name.Value, nearest.Later(name.Value, l.registry.Encodings))
		return nil
	}
	return c
}

func (l *loader) readLinkOptions(n *yaml.Node, link *diagram.Link) (text *yaml.Node) {
	l.fields(n, "a link", map[string]func(*yaml.Node){
		"link":   func(v *yaml.Node) { text = v },
		"every":  func(v *yaml.Node) { link.Every = l.count(v, "every", diagram.MaxEvery) },
		"delay":  func(v *yaml.Node) { link.Delay = l.bool(v, "delay") },
		"newest": func(v *yaml.Node) { link.Newest = l.bool(v, "newest") },
		"direct": func(v *yaml.Node) { link.Direct = l.bool(v, "direct") },
		"encode": func(v *yaml.Node) { link.Encode = l.readEncoding(v) },
		"priority": func(v *yaml.Node) {
			if link.Priority = l.int(v, "priority"); link.Priority < 0 || link.Priority > maxLinkPriority {
				l.fail(v, "priority of a link wants a number from 0 to %d, the most urgent, got %d", maxLinkPriority, link.Priority)
			}
		},
		"wait":   func(v *yaml.Node) { link.Wait = l.duration(v, "wait") },
		"buffer": func(v *yaml.Node) { link.Buffer = l.count(v, "buffer", diagram.MaxBuffer) },
		"max_rate": func(v *yaml.Node) {
			if hz := l.float(v, "max_rate"); hz >= 1/diagram.MaxAge.Seconds() && hz <= maxRate {
				link.Pause = time.Duration(float64(time.Second) / hz)
			} else {
				l.fail(v, "max_rate wants a positive number of values a second, at least one in %v and at most %v, got %q", diagram.MaxAge, maxRate, v.Value)
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
