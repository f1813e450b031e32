package system

import (
	"fmt"
	"maps"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/sinew-robotics/sinew/net/diagram"
)

// rangeIn finds a range, as {1-40}, in the name of a block or group, in a link, or in a text of a list. A bound may be a parameter of
// the group, as in {1-${n}}.
var rangeIn = regexp.MustCompile(`\{((?:\$\{[^}]*\}|[^{}-])*)-((?:\$\{[^}]*\}|[^{}-])*)\}`)

// indexName is what the number of a repetition is called: ${i}.
const indexName = "i"

// maxRepeated is how many repetitions all ranges of a system have together.
const maxRepeated = diagram.MaxLinks

// repetition is one of those that a range asks for: the text with the number in the range's place, and a scope in which ${i} is it.
type repetition struct {
	text  string
	scope *scope
}

// repeat returns what a text stands for: itself, or with a range in it one repetition for each number. A mistake in the range is
// reported at n, and nothing is returned.
func (l *loader) repeat(n *yaml.Node, text string, s *scope) []repetition {
	at := rangeIn.FindStringSubmatchIndex(text)
	if at == nil {
		if open := strings.IndexAny(placeholder.ReplaceAllString(text, ""), "{}"); open >= 0 {
			l.fail(n, badRange, text, maxRepeated)
			return nil
		}
		return []repetition{{text, s}}
	}
	if s.params[indexName] != s.number {
		l.fail(n, "%q: ${%s} is the number of a range, but also a parameter here: rename the parameter", text, indexName)
		return nil
	}
	first, ok := l.bound(n, text[at[2]:at[3]], s)
	last, ok2 := l.bound(n, text[at[4]:at[5]], s)
	switch before, after := text[:at[0]], text[at[1]:]; {
	case !ok || !ok2:
		l.fail(n, badRange, text, maxRepeated)
		return nil
	case rangeIn.MatchString(after):
		l.fail(n, "%q has two ranges: write the second as ${%s}, the number of the first", text, indexName)
		return nil
	case first > last:
		l.fail(n, "%q: the range is empty: it counts up, as in {%d-%d}", text, last, first)
		return nil
	case last-first >= maxRepeated-l.repeated:
		l.fail(n, "%q: the ranges of a system have at most %d numbers together", text, maxRepeated)
		return nil
	default:
		list := make([]repetition, 0, last-first+1)
		for i := first; i <= last; i++ {
			list = append(list, repetition{before + strconv.Itoa(i) + after, s.numbered(l, n, i, text)})
		}
		l.repeated += len(list)
		return list
	}
}

// bound reads an end of a range.
func (l *loader) bound(n *yaml.Node, text string, s *scope) (int, bool) {
	at := *n
	at.Kind, at.Tag, at.Content, at.Value = yaml.ScalarNode, "!!str", nil, text
	l.origin[&at] = l.origin[n]
	value := strings.TrimSpace(s.fill(l, &at).Value)
	k, err := strconv.Atoi(value)
	return k, err == nil && k >= 0 && k <= maxRepeated
}

// badRange is the error of braces that are no range.
const badRange = "%q: braces want a range of whole numbers from 0 to %d, as in joint{1-40}"

// numbered returns the scope in which ${i} is a number of the range in text.
func (s *scope) numbered(l *loader, n *yaml.Node, i int, text string) *scope {
	own := *s
	own.within = s.prefix + text
	own.params = maps.Clone(s.params)
	if own.params == nil {
		own.params = map[string]*yaml.Node{}
	}
	number := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: strconv.Itoa(i), Line: n.Line, Column: n.Column}
	l.origin[number] = l.origin[n]
	l.sys.places.composed[number] = true // it has no place of its own that could be changed
	own.params[indexName], own.number = number, number
	return &own
}

// repeatEntries calls read for each repetition of the entries of a mapping, with the key of that repetition. The entry that an overlay has
// for one of them is put over it.
func (l *loader) repeatEntries(list []entry, s *scope, read func(entry, *scope)) {
	type reading struct {
		entry
		scope *scope
	}
	var all []reading
	over := map[string]entry{} // by name
	for _, e := range list {
		if !strings.ContainsAny(e.key.Value, "{}") {
			all = append(all, reading{e, s})
			if l.added[e.key] {
				over[e.key.Value] = e
			}
			continue
		}
		for _, r := range l.repeatKey(e.key, s) {
			key := *e.key
			key.Value = r.text
			l.origin[&key] = l.origin[e.key]
			if dir, ok := l.dirs[e.key]; ok {
				l.dirs[&key] = dir
			}
			all = append(all, reading{entry{&key, e.value}, r.scope})
		}
	}
	put := map[*yaml.Node]bool{}
	for k, r := range all {
		if o, there := over[r.key.Value]; there && r.scope != s && o.value.Kind == yaml.MappingNode && r.value.Kind == yaml.MappingNode {
			all[k].value = l.clone(r.value)
			if isInline(r.value) {
				l.overlay(all[k].value, l.clone(o.value))
			} else {
				l.merge(all[k].value, l.clone(o.value))
			}
			put[o.key] = true
		}
	}
	for _, r := range all {
		if l.faults.Full() || len(l.blockNames) > diagram.MaxBlocks+1 {
			return // more of them would only be counted
		}
		if !put[r.key] {
			read(r.entry, r.scope)
		}
	}
}

// repeatKey returns the repetitions of a name with a range.
func (l *loader) repeatKey(key *yaml.Node, s *scope) []repetition {
	at := rangeIn.FindStringIndex(key.Value)
	if at == nil {
		at = []int{0, 0}
	}
	switch outside := key.Value[:at[0]] + " " + key.Value[at[1]:]; {
	case rangeIn.MatchString(outside):
		l.fail(key, "%q has two ranges: repeat a group by the second, with the first in it", key.Value)
		return nil
	case placeholder.MatchString(outside):
		l.fail(key, "%q: a name takes no parameters; the number of a range stands where the range is", key.Value)
		return nil
	}
	return l.repeat(key, key.Value, s)
}

// clone copies a tree, for an overlay to change.
func (l *loader) clone(n *yaml.Node) *yaml.Node {
	c := *n
	c.Content = make([]*yaml.Node, len(n.Content))
	for k, e := range n.Content {
		c.Content[k] = l.clone(e)
	}
	l.origin[&c] = l.origin[n]
	if l.added[n] {
		l.added[&c] = true
	}
	return &c
}

// repeatLink returns the links that an entry of links stands for: a text, or a mapping with the text under the key link.
func (l *loader) repeatLink(item *yaml.Node, s *scope) (items []*yaml.Node, scopes []*scope) {
	text := item
	if item.Kind == yaml.MappingNode {
		text = child(item, "link")
	}
	if text == nil || text.Kind != yaml.ScalarNode {
		return []*yaml.Node{item}, []*scope{s}
	}
	for _, link := range l.spelled(text, text.Value) {
		if s.params[indexName] == nil && strings.Contains(link, "${"+indexName+"}") && !rangeIn.MatchString(link) {
			l.fail(text, "link %q: ${%s} wants a range at the other end, as in joint{1-40}.position", link, indexName)
			continue
		}
		repeated := []repetition{{link, s}}
		if strings.Contains(link, "{") {
			repeated = l.repeat(text, link, s)
		}
		for _, r := range repeated {
			items, scopes = append(items, l.withText(item, text, r.text)), append(scopes, r.scope)
		}
	}
	return items, scopes
}

// withText returns an entry of links with another text of its ends.
func (l *loader) withText(item, text *yaml.Node, value string) *yaml.Node {
	if value == text.Value {
		return item
	}
	one := *text
	one.Value = value
	l.origin[&one] = l.origin[text]
	if item == text {
		return &one
	}
	mapping := *item
	mapping.Content = append([]*yaml.Node(nil), item.Content...)
	for k := 1; k < len(mapping.Content); k += 2 {
		if mapping.Content[k] == text {
			mapping.Content[k] = &one
		}
	}
	l.origin[&mapping] = l.origin[item]
	return &mapping
}

// repeatInLists returns the params of a block with the texts of lists repeated that have a range: [joint{1-3}] is [joint1, joint2, joint3].
func (l *loader) repeatInLists(n *yaml.Node, s *scope) *yaml.Node {
	if n.Kind != yaml.SequenceNode && n.Kind != yaml.MappingNode {
		return n
	}
	changed := false
	content := make([]*yaml.Node, 0, len(n.Content))
	for _, c := range n.Content {
		if n.Kind == yaml.SequenceNode && c.Kind == yaml.ScalarNode && rangeIn.MatchString(c.Value) {
			for _, r := range l.repeat(c, c.Value, s) {
				one := *c
				one.Value = r.text
				l.origin[&one] = l.origin[c]
				content = append(content, &one)
			}
			changed = true
			continue
		}
		inner := l.repeatInLists(c, s)
		changed = changed || inner != c
		content = append(content, inner)
	}
	if !changed {
		return n
	}
	if len(content) > maxFilled {
		l.fail(n, "with its ranges written out this list has more than %d parts", maxFilled)
		content = nil
	}
	repeated := *n
	repeated.Content = content
	l.origin[&repeated] = l.origin[n]
	l.sys.places.composed[&repeated] = true
	return &repeated
}

// oneOfRange returns errors in which those of repetitions at the same place are one, which gives their number.
func (l *loader) oneOfRange(errs diagram.Errors) diagram.Errors {
	if l.repeated == 0 {
		return errs
	}
	var kept diagram.Errors
	count := map[[2]string]int{}
	key := func(e *diagram.Error) [2]string {
		return [2]string{e.Source, digits.ReplaceAllString(e.Err.Error(), "#")}
	}
	for _, e := range errs {
		if count[key(e)]++; e.Source == "" || count[key(e)] == 1 {
			kept = append(kept, e)
		}
	}
	for k, e := range kept {
		if more := count[key(e)] - 1; e.Source != "" && more > 0 {
			kept[k] = &diagram.Error{Source: e.Source, Err: fmt.Errorf("%w (and %d more like it)", e.Err, more)}
		}
	}
	return kept
}

var digits = regexp.MustCompile(`\d+`)

// without shows how a range is written without the block of one of its numbers, as "pid{1-2}, pid3 and pid{4-40}".
func without(within, block string) string {
	at := rangeIn.FindStringSubmatchIndex(within)
	if at == nil || len(block) <= at[0] {
		return "a block of its own"
	}
	rest, _, _ := strings.Cut(block[at[0]:], ".")
	number, err := strconv.Atoi(strings.TrimSuffix(rest, within[at[1]:]))
	first, last := within[at[2]:at[3]], within[at[4]:at[5]]
	if err != nil {
		return "a block of its own"
	}
	before, after := within[:at[0]], within[at[1]:]
	part := func(a, b string) string {
		if a == b {
			return before + a + after
		}
		return before + "{" + a + "-" + b + "}" + after
	}
	var words []string
	n := strconv.Itoa(number)
	if first != n {
		words = append(words, part(first, strconv.Itoa(number-1)))
	}
	words = append(words, part(n, n))
	if last != n {
		words = append(words, part(strconv.Itoa(number+1), last))
	}
	return strings.Join(words, ", ")
}
