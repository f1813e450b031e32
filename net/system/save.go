package system

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"go.yaml.in/yaml/v4"

	"github.com/sinew-robotics/sinew/internal/durable"
	"github.com/sinew-robotics/sinew/net/diagram"
)

// Change is a tuned value to be written back: the text that stands for it in YAML.
type Change struct {
	Block string `json:"block"`
	Param string `json:"param"`
	Value string `json:"value"` // as YAML, in one line
}

// Rewrite is a new content of a file, and the version of the content that it was made from.
type Rewrite struct {
	Text string `json:"text"` // of the whole file
	Was  string `json:"was"`  // as durable.Version returns it
}

func (c *Change) ref() string { return c.Block + "." + c.Param }

// SaveParams returns the files of the system with the given values in the places of the old ones: comments and layout
// stay. Nothing is written. The keys are paths.
//
// A value goes to where the old one stands: the system file, an overlay, an included file, the file of a group, or the params of
// its include. A value in the file of a group holds for all its includes: where they are several, the new value goes to the
// params of the include that it is for. A value that an overlay deletes with null takes the place of that null. One place that stands for parameters with different new values is an error,
// and so is a place where the value would not count.
func (s *System) SaveParams(changes []Change) (map[string]Rewrite, error) {
	p := patch{places: s.places, given: s.options.Texts, values: map[string]string{}, texts: map[string]string{}, edits: map[string]map[edit]bool{}, added: map[string]*addition{}}
	for _, c := range changes {
		p.values[c.ref()] = c.Value
	}
	var errs diagram.Errors
	for _, c := range changes {
		if err := p.change(c); err != nil {
			errs = append(errs, &diagram.Error{Err: fmt.Errorf("save %s: %w", c.ref(), err)})
		}
	}
	for _, key := range slices.Sorted(maps.Keys(p.added)) {
		if err := p.insert(p.added[key]); err != nil {
			errs = append(errs, &diagram.Error{Err: fmt.Errorf("save parameters: %w", err)})
		}
	}
	texts := p.apply()
	if errs == nil {
		errs = s.verify(texts, p.values)
	}
	if errs != nil {
		return nil, errs
	}
	return texts, nil
}

// verify reads the files with their new texts, and returns what would change that is not to.
func (s *System) verify(texts map[string]Rewrite, values map[string]string) (errs diagram.Errors) {
	o := s.options
	o.Texts = maps.Clone(o.Texts)
	if o.Texts == nil {
		o.Texts = map[string][]byte{}
	}
	for path, file := range texts {
		abs, err := filepath.Abs(path)
		if err != nil {
			return diagram.Errors{{Err: fmt.Errorf("save parameters: %w", err)}}
		}
		o.Texts[abs] = []byte(file.Text)
	}
	o.Candidate, o.has = true, s.Files
	fresh, err := Load(s.Path, o)
	if err != nil {
		return diagram.Errors{{Err: fmt.Errorf("save parameters: the file would no longer be right: %w", err)}}
	}
	was := map[string][]byte{}
	for ref, cdr := range s.values() {
		was[ref] = cdr
	}
	for ref, cdr := range fresh.values() {
		value, wanted := values[ref]
		switch node := fresh.places.params[ref]; {
		case !wanted && !bytes.Equal(cdr, was[ref]):
			errs = append(errs, &diagram.Error{Err: fmt.Errorf(
				"save parameters: %s would change too: %s would count for it; edit the files by hand", ref, fresh.places.where(node))})
		case wanted && !fresh.places.gives(node, value):
			errs = append(errs, &diagram.Error{Err: fmt.Errorf(
				"save %s: a file over the one that has the value gives another, %s: write %s there by hand", ref, fresh.places.where(node), value)})
		}
	}
	return errs
}

// gives reports whether the value at a node of a file is the given one, in YAML, or whether one of the command line counts instead.
func (p *places) gives(n *yaml.Node, value string) bool {
	var doc yaml.Node
	if n == nil || yaml.Unmarshal([]byte(value), &doc) != nil || len(doc.Content) != 1 {
		return false
	}
	return p.covered[n] != nil || equal(n, doc.Content[0])
}

// equal reports whether two values are the same, however they are written: a list of one may be without brackets.
func equal(a, b *yaml.Node) bool {
	switch {
	case a.Kind == yaml.ScalarNode && b.Kind == yaml.SequenceNode && len(b.Content) == 1:
		return equal(a, b.Content[0])
	case a.Kind != b.Kind || len(a.Content) != len(b.Content):
		return false
	case a.Kind == yaml.ScalarNode:
		return same(a, b)
	case a.Kind == yaml.MappingNode:
		for i := 0; i+1 < len(a.Content); i += 2 {
			if v := child(b, a.Content[i].Value); v == nil || !equal(a.Content[i+1], v) {
				return false
			}
		}
		return true
	}
	for i := range a.Content {
		if !equal(a.Content[i], b.Content[i]) {
			return false
		}
	}
	return true
}

// values yields the values of the parameters in the files, as CDR.
func (s *System) values() iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for _, b := range s.Net.Blocks {
			for _, p := range b.Params {
				if p.Layout == nil {
					continue
				}
				cdr := make([]byte, p.Layout.Size())
				if !yield(b.Name+"."+p.Name, cdr[:p.Encode(cdr)]) {
					return
				}
			}
		}
	}
}

// patch is the edits that changes of parameters make to files.
type patch struct {
	places
	given  map[string][]byte        // Options.Texts
	values map[string]string        // the new ones, by "block.param"
	texts  map[string]string        // of the files, by path
	edits  map[string]map[edit]bool // by path; what several blocks share is edited once
	added  map[string]*addition     // by the place that it goes to
}

// edit replaces the bytes from begin to end of a file.
type edit struct {
	begin, end int
	text       string
}

// addition holds parameters that a block, or the include of a group, does not give so far.
type addition struct {
	to     *yaml.Node // the mapping of the block or of the group
	params []*Change
}

// change finds the place of a change.
func (p *patch) change(c Change) error {
	node, given := p.params[c.ref()]
	if !given {
		return p.add(c)
	}
	switch d, isDefault := p.defaults[node]; {
	case p.composed[node] && p.within[c.Block] != "":
		return fmt.Errorf("%s: its value is composed of the number of the range %s; change it by hand", p.at(node), p.within[c.Block])
	case p.composed[node]:
		return fmt.Errorf("%s: its value is composed of the group's parameters; change them by hand", p.at(node))
	case isDefault && p.includes(node) > 1:
		if other := p.other(c.Value, p.fromDefault(d)); other != "" {
			return p.conflict(c.Block, other, d.include)
		}
		p.note(d.include, &Change{Param: d.name, Value: likeDefault(node, c.Value)})
		return nil
	}
	if other := p.other(c.Value, p.sharing(node)); other != "" {
		return p.conflict(c.Block, other, cmp.Or(p.covered[node], node))
	}
	node = cmp.Or(p.covered[node], node)
	path, err := p.open(node)
	if err != nil {
		return err
	}
	list, err := replace(p.texts[path], node, c.Value)
	if err != nil {
		return fmt.Errorf("in %s: %w", path, err)
	}
	for _, e := range list {
		p.edit(path, e)
	}
	return nil
}

// likeDefault writes a list of one without brackets where the default of a group's parameter has none.
func likeDefault(node *yaml.Node, value string) string {
	var doc yaml.Node
	if node.Kind == yaml.ScalarNode && yaml.Unmarshal([]byte(value), &doc) == nil && len(doc.Content) == 1 && len(doc.Content[0].Content) == 1 &&
		doc.Content[0].Kind == yaml.SequenceNode {
		return flow(doc.Content[0].Content[0])
	}
	return value
}

// add gives a block a parameter that its file does not give.
func (p *patch) add(c Change) error {
	node, ok := p.blocks[c.Block]
	if !ok {
		return fmt.Errorf("no such block in the file")
	}
	var refs []string
	for name, other := range p.blocks {
		if p.at(other) == p.at(node) {
			refs = append(refs, name+"."+c.Param)
		}
	}
	if other := p.other(c.Value, refs); other != "" {
		return p.conflict(c.Block, other, node)
	}
	p.note(node, &c)
	return nil
}

// note gathers what goes to one place.
func (p *patch) note(to *yaml.Node, c *Change) {
	a := p.added[p.at(to)]
	if a == nil {
		a = &addition{to: to}
		p.added[p.at(to)] = a
	}
	if !slices.ContainsFunc(a.params, func(b *Change) bool { return b.Param == c.Param }) {
		a.params = append(a.params, c)
	}
}

// other returns the first of some parameters that is not to have the given value, or "".
func (p *patch) other(value string, refs []string) string {
	slices.Sort(refs)
	for _, ref := range refs {
		if v, changed := p.values[ref]; !changed || v != value {
			return ref
		}
	}
	return ""
}

func (p *patch) conflict(block, other string, n *yaml.Node) error {
	if within := p.within[block]; within != "" {
		return fmt.Errorf("its place at %s is that of the range %s, so that it would change %s too: tune all of the range alike, or take it out of the range by hand, as %s",
			p.at(n), within, other, without(within, block))
	}
	return fmt.Errorf("its place at %s stands for %s too, which has another value: make it a parameter of the group, as ${name}, by hand", p.at(n), other)
}

// open reads the file of a node, once, and returns its path.
func (p *patch) open(n *yaml.Node) (string, error) {
	path := p.origin[n]
	if _, ok := p.texts[path]; !ok {
		text, err := contents(path, p.given, nil)
		if err != nil {
			return "", err
		}
		p.texts[path] = string(text)
	}
	return path, nil
}

func (p *patch) edit(path string, e edit) {
	if p.edits[path] == nil {
		p.edits[path] = map[edit]bool{}
	}
	p.edits[path][e] = true
}

// apply returns the edited texts.
func (p *patch) apply() map[string]Rewrite {
	result := map[string]Rewrite{}
	for path, edits := range p.edits {
		text := p.texts[path]
		was := durable.Version([]byte(text))
		for _, e := range slices.SortedFunc(maps.Keys(edits), func(a, b edit) int { return b.begin - a.begin }) {
			text = text[:e.begin] + e.text + text[e.end:]
		}
		result[path] = Rewrite{text, was}
	}
	return result
}

// Diff shows how the files on disk differ from new texts, by path, as `diff -u` does; paths are relative to dir where they
// lie in it.
func Diff(dir string, files map[string]Rewrite) (string, error) {
	var all strings.Builder
	for _, path := range slices.Sorted(maps.Keys(files)) {
		old, err := os.ReadFile(path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // what is new is compared with nothing
			return "", fmt.Errorf("show changes: %w", err)
		}
		name := path
		if short, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(short) {
			name = short
		}
		all.Write(diff.Diff(name, old, name, []byte(files[path].Text)))
	}
	return all.String(), nil
}

// Write replaces files by new texts, completely or not at all each. When one of them is no longer what its text was made from,
// none is written and the error is durable.ErrChanged.
func Write(ctx context.Context, files map[string]Rewrite) error {
	var edits []durable.Edit
	for _, path := range slices.Sorted(maps.Keys(files)) {
		edits = append(edits, durable.Edit{Path: path, Was: files[path].Was, Text: []byte(files[path].Text)})
	}
	if err := durable.Update(ctx, edits...); err != nil {
		return fmt.Errorf("save parameters: %w", err)
	}
	return nil
}
