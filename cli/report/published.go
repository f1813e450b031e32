package report

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"go.yaml.in/yaml/v4"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/internal/yamlfault"
)

// Published holds the figures of a publication about a control cycle, which a page prints beside the measured ones.
type Published struct {
	Source   string
	From, To string   // steps that begin and end the cycle: "" for all of it
	Without  []string // steps that the published cycle does not have, such as a simulation: no figure counts them
	Figures  []Figure
}

// Figure is one published duration and what it is compared with: the sum of some steps, a share of the cycle, or the sum of the
// steps that the cycle of the first log does not have. A figure with none of them stands alone.
type Figure struct {
	Name      string
	Published float64  // µs
	Steps     []string // names as in "joint1.Sense", or "pid1" of a block with one step
	CycleOf   int      // the cycle, divided by this; 0: no share
	More      bool     // the steps that the first log does not have
	Note      string   // why it stands alone
}

// ReadPublished reads figures in YAML; name is that of the file, for errors. The keys are source, cycle (its first and last step),
// without (steps that no figure counts) and figures: a list of name, published_us and one of steps, cycle_of, more_than_first and note.
func ReadPublished(r io.Reader, name string) (*Published, error) {
	text, err := io.ReadAll(io.LimitReader(r, 1<<20))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	var root yaml.Node
	if err := yamlfault.Read(name, text, &root); err != nil {
		return nil, fmt.Errorf("read %w", err)
	}
	if len(root.Content) == 0 {
		return nil, fmt.Errorf("read %s: the file is empty: wants source, cycle and figures", name)
	}
	p := &publishedReader{name: name}
	out := &Published{}
	p.keys(root.Content[0], map[string]func(*yaml.Node){
		"source": func(n *yaml.Node) { out.Source = p.text(n) },
		"cycle": func(n *yaml.Node) {
			steps := p.list(n)
			if len(steps) != 2 {
				p.fail(n, "cycle wants its first and its last step, as [sampler, joint2.Control]")
				return
			}
			out.From, out.To = steps[0], steps[1]
		},
		"without": func(n *yaml.Node) { out.Without = p.list(n) },
		"figures": func(n *yaml.Node) {
			if n.Kind != yaml.SequenceNode {
				p.fail(n, "figures wants a list")
				return
			}
			for _, item := range n.Content {
				out.Figures = append(out.Figures, p.figure(item))
			}
		},
	})
	if len(p.errs) == 0 && len(out.Figures) == 0 {
		p.fail(&root, "the file has no figures")
	}
	return out, errors.Join(p.errs...)
}

// publishedReader collects the mistakes of a file.
type publishedReader struct {
	name string
	errs []error
}

func (p *publishedReader) fail(n *yaml.Node, format string, args ...any) {
	p.errs = append(p.errs, fmt.Errorf("%s:%d:%d: %w", p.name, max(n.Line, 1), max(n.Column, 1), fmt.Errorf(format, args...)))
}

// keys gives each value of a mapping to the function of its key.
func (p *publishedReader) keys(n *yaml.Node, known map[string]func(*yaml.Node)) {
	if n.Kind != yaml.MappingNode {
		p.fail(n, "wants a mapping, as name: value")
		return
	}
	var names []string
	for name := range known {
		names = append(names, name)
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if read := known[key.Value]; read != nil {
			read(n.Content[i+1])
			continue
		}
		p.fail(key, "no key %q%s", key.Value, nearest.Hint(key.Value, names))
	}
}

func (p *publishedReader) text(n *yaml.Node) string {
	if n.Kind != yaml.ScalarNode || n.Value == "" {
		p.fail(n, "wants a text")
	}
	return n.Value
}

func (p *publishedReader) list(n *yaml.Node) (list []string) {
	if n.Kind != yaml.SequenceNode {
		p.fail(n, "wants a list of steps, as [joint1.Sense]")
		return nil
	}
	for _, c := range n.Content {
		list = append(list, p.text(c))
	}
	return list
}

func (p *publishedReader) figure(n *yaml.Node) (f Figure) {
	kinds := 0
	p.keys(n, map[string]func(*yaml.Node){
		"name": func(v *yaml.Node) { f.Name = p.text(v) },
		"published_us": func(v *yaml.Node) {
			x, err := strconv.ParseFloat(v.Value, 64)
			if err != nil || !(x > 0) || x > 1e12 {
				p.fail(v, "published_us wants a number of microseconds above 0, got %q", v.Value)
			}
			f.Published = x
		},
		"steps": func(v *yaml.Node) { f.Steps, kinds = p.list(v), kinds+1 },
		"cycle_of": func(v *yaml.Node) {
			x, err := strconv.Atoi(v.Value)
			if err != nil || x < 1 {
				p.fail(v, "cycle_of wants what the cycle is divided by, 1 or more, got %q", v.Value)
			}
			f.CycleOf, kinds = x, kinds+1
		},
		"more_than_first": func(v *yaml.Node) {
			f.More, kinds = v.Value == "true", kinds+1
		},
		"note": func(v *yaml.Node) { f.Note, kinds = p.text(v), kinds+1 },
	})
	switch {
	case n.Kind != yaml.MappingNode:
	case f.Name == "" || f.Published == 0:
		p.fail(n, "a figure wants name and published_us")
	case kinds != 1:
		p.fail(n, "figure %q wants exactly one of steps, cycle_of, more_than_first and note", f.Name)
	}
	return f
}

// publishedRow is a figure beside those of the logs.
type publishedRow struct {
	Name, Published, Note string
	Cells                 []publishedCell
}

// Columns returns the number of columns of the cells.
func (r publishedRow) Columns() int { return 2 * len(r.Cells) }

// publishedCell is what a log has for a figure.
type publishedCell struct{ Median, Drawn string }

// checkCycle returns an error where a log does not have the steps with which the cycle begins and ends.
func (p *Published) checkCycle(l *Log) error {
	known := stepsOf(l.Statistics)
	for _, name := range []string{p.From, p.To} {
		if len(known) > 0 && !slices.Contains(known, name) {
			return fmt.Errorf("%s: cycle names the step %q, which the log does not have%s", l.Path(), name, nearest.Hint(name, known))
		}
	}
	return nil
}

// checkWithout returns an error for a step of without that no log has, as a misspelled one would count.
func (p *Published) checkWithout(logs []*Log) error {
	var known []string
	for _, l := range logs {
		known = append(known, stepsOf(l.Statistics)...)
	}
	for _, name := range p.Without {
		if len(known) > 0 && !slices.Contains(known, name) {
			return fmt.Errorf("published figures: without names the step %q, which no log has%s", name, nearest.Hint(name, known))
		}
	}
	return nil
}

// compare returns the rows of the table: for each log the sum of the medians of the steps, and their sum in the drawn cycle. base
// holds the steps of the first log, in its cycle or not.
func (p *Published) compare(cycles []cycle, base []string) (rows []publishedRow) {
	for _, f := range p.Figures {
		row := publishedRow{Name: f.Name, Published: number(f.Published), Note: f.Note}
		if f.More {
			row.Published = "+" + row.Published
		}
		for i, c := range cycles {
			row.Cells = append(row.Cells, f.cell(c.except(p.Without), base, i == 0))
		}
		rows = append(rows, row)
	}
	return rows
}

func (f *Figure) cell(c cycle, base []string, first bool) publishedCell {
	none := publishedCell{"–", "–"}
	switch {
	case len(c.spans) == 0 || f.Note != "":
		return none
	case f.More && (first || len(base) == 0):
		return none
	case f.More:
		median, drawn := 0.0, 0.0
		for _, s := range c.spans {
			if !slices.Contains(base, s.name) {
				median, drawn = median+s.median, drawn+s.end-s.begin
			}
		}
		if drawn == 0 {
			return none
		}
		return publishedCell{"+" + number(median), "+" + number(drawn)}
	case f.CycleOf > 0:
		return publishedCell{number(c.median() / float64(f.CycleOf)), number(c.length() / float64(f.CycleOf))}
	}
	median, drawn := 0.0, 0.0
	for _, name := range f.Steps {
		m, d, ok := c.sum(name)
		if !ok {
			return none
		}
		median, drawn = median+m, drawn+d
	}
	return publishedCell{number(median), number(drawn)}
}

// number is a duration in µs with three digits.
func number(us float64) string {
	if us >= 999.5 {
		return strconv.FormatFloat(us, 'f', 0, 64)
	}
	return strconv.FormatFloat(us, 'g', 3, 64)
}
