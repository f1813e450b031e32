package files

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"go.yaml.in/yaml/v4"

	"github.com/sinew-robotics/sinew/internal/durable"
	"github.com/sinew-robotics/sinew/internal/yamlfault"
)

// The boxes of a net's file that were placed by hand are in a file of its name, in a folder beside it: layout/NAME.
const (
	layoutFolder = "layout"
	maxLayout    = 1 << 20 // bytes
	maxPlace     = 1e6     // px
)

// Place is the position of a box: px to the right and down from the upper left corner of its group's contents, where the rows of
// ports are 18 px high.
type Place [2]float64

// Layout holds the boxes of one file that were placed by hand.
type Layout struct {
	File    string           `json:"file"`              // absolute path of the file that describes the boxes
	Name    string           `json:"name"`              // of the layout's own file, relative to the folder of the system file
	Groups  []string         `json:"groups"`            // whose contents the file describes; none: those of the system
	Boxes   map[string]Place `json:"boxes"`             // by the full name of a block or group in the file
	Problem string           `json:"problem,omitempty"` // why the layout's file cannot be read; there are no boxes then
	Version string           `json:"version"`
}

// LayoutReply holds the layouts of all files of a system, the system file's first.
type LayoutReply struct {
	Layouts []Layout `json:"layouts"`
}

// Layouts returns the boxes of a system that were placed by hand. A layout that cannot be read has a problem. It
// fails for a system that is not known.
func (f *Files) Layouts(ctx context.Context, name string) (*LayoutReply, error) {
	path, err := f.place(ctx, name)
	if err != nil {
		return nil, err
	}
	all, err := f.netFiles(name)
	if err != nil {
		return nil, err
	}
	r := &LayoutReply{[]Layout{}}
	for _, file := range all {
		l := Layout{File: file.File, Name: layoutPath(file.File), Groups: file.Groups, Boxes: map[string]Place{}, Version: durable.Absent}
		text, err := readLimited(l.Name, maxLayout)
		if err == nil {
			l.Version = durable.Version(text)
			l.Boxes, err = readLayout(withoutMark(text))
		}
		if short, err := filepath.Rel(filepath.Dir(path), l.Name); err == nil {
			l.Name = filepath.ToSlash(short)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			l.Boxes, l.Problem = map[string]Place{}, fmt.Sprintf("read %s: %v", l.Name, err)
		}
		r.Layouts = append(r.Layouts, l)
	}
	return r, nil
}

// LayoutRequest holds the boxes of a file of a system that were placed by hand.
type LayoutRequest struct {
	System  string           `json:"system"`
	File    string           `json:"file"` // absolute path of the file that describes the boxes; "": the system file
	Boxes   map[string]Place `json:"boxes"`
	Version string           `json:"version"` // of the layout that was edited, "absent" where there was none; "": any
}

// LayoutVersion is the version of a layout that was written.
type LayoutVersion struct {
	Version string `json:"version"`
}

// PutLayout writes the boxes of a file that were placed by hand. A new layout needs the role own. It fails for a file that is not
// one of the system's, for positions beyond a million px, and if the layout has changed since the version that was edited.
func (f *Files) PutLayout(ctx context.Context, r Caller, q LayoutRequest) (*LayoutVersion, error) {
	r.Changed(q.System, "%s", filepath.Base(q.File))
	d, err := f.edit(ctx, q.System, q.File)
	if err != nil {
		return nil, err
	}
	path := layoutPath(d.file.File)
	what := fmt.Sprintf("write the layout of %s", d.file.Name)
	r.Changed(q.System, "%s: %d boxes", d.file.Name, len(q.Boxes))
	text, err := writeLayout(q.Boxes, filepath.Base(path))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", what, err)
	case len(text) > maxLayout:
		return nil, fmt.Errorf("%s: %d bytes; limit: %d bytes", what, len(text), maxLayout)
	}
	if err := needForFile(r, what, path); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	err = durable.Update(ctx, durable.Edit{Path: path, Was: q.Version, Text: text})
	if errors.Is(err, durable.ErrChanged) {
		return nil, changedMeanwhile(path)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	return &LayoutVersion{durable.Version(text)}, nil
}

// layoutPath returns the path of the layout of a file.
func layoutPath(file string) string {
	return filepath.Join(filepath.Dir(file), layoutFolder, filepath.Base(file))
}

// writeLayout writes boxes in the order of their names; name is the file's, for its first line.
func writeLayout(boxes map[string]Place, name string) ([]byte, error) {
	entries := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	for _, box := range slices.Sorted(maps.Keys(boxes)) {
		p := boxes[box]
		if err := p.check(); err != nil {
			return nil, fmt.Errorf("box %q: %w", box, err)
		}
		key, place := &yaml.Node{}, &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Style: yaml.FlowStyle}
		key.SetString(box)
		for _, x := range p {
			place.Content = append(place.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: strconv.FormatFloat(x, 'f', -1, 64)})
		}
		entries.Content = append(entries.Content, key, place)
	}
	key := &yaml.Node{HeadComment: fmt.Sprintf("# Boxes of ../%s that were placed by hand on the console's page Net, which writes this file:\n# [x, y] in px from the upper left corner of the group.", name)}
	key.SetString("boxes")
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := errors.Join(e.Encode(&yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Content: []*yaml.Node{key, entries}}), e.Close()); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func (p Place) check() error {
	for _, x := range p {
		if math.IsNaN(x) || math.Abs(x) > maxPlace {
			return fmt.Errorf("position %v; limit: %.0f px", x, maxPlace)
		}
	}
	return nil
}

// readLayout reads the boxes of a layout. It rejects everything that it does not know.
func readLayout(text []byte) (map[string]Place, error) {
	boxes := map[string]Place{}
	var doc yaml.Node
	if err := yamlfault.Read("", text, &doc); err != nil {
		return nil, err
	}
	if len(doc.Content) == 0 {
		return boxes, nil // an empty file
	}
	root := doc.Content[0]
	if root.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("line %d: expected the key boxes", root.Line)
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		key, value := root.Content[i], root.Content[i+1]
		switch {
		case key.Value != "boxes":
			return nil, fmt.Errorf("line %d: unknown key %q; the only key is boxes", key.Line, key.Value)
		case i > 0:
			return nil, fmt.Errorf("line %d: duplicate key boxes", key.Line)
		case value.Kind == yaml.MappingNode:
		case value.Tag == "!!null":
			continue
		default:
			return nil, fmt.Errorf("line %d: boxes: expected NAME: [x, y]", value.Line)
		}
		for k := 0; k+1 < len(value.Content); k += 2 {
			name, place := value.Content[k], value.Content[k+1]
			p, err := readPlace(place)
			if _, twice := boxes[name.Value]; twice {
				err = errors.New("placed twice")
			}
			if name.Kind != yaml.ScalarNode || name.Value == "" {
				err = errors.New("expected the name of a block or group")
			}
			if err != nil {
				return nil, fmt.Errorf("line %d: box %q: %w", name.Line, name.Value, err)
			}
			boxes[name.Value] = p
		}
	}
	return boxes, nil
}

func readPlace(n *yaml.Node) (Place, error) {
	var p Place
	if n.Kind != yaml.SequenceNode || len(n.Content) != len(p) {
		return p, errors.New("expected [x, y]")
	}
	for i, c := range n.Content {
		if c.Kind != yaml.ScalarNode || c.Decode(&p[i]) != nil {
			return p, fmt.Errorf("expected a number, got %q", c.Value)
		}
	}
	return p, p.check()
}
