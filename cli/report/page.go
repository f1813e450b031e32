package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"
	"sync"

	"github.com/sinew-robotics/sinew/net/record"
)

//go:embed page.html
var pageText string

// page returns the template of the page, parsed at the first call: most verbs need none.
var page = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Funcs(template.FuncMap{
		"histogram": histogram,
		"us":        microseconds,
		"seconds":   func(s float64) string { return fmt.Sprintf("%.3g s", s) },
		"mrad":      func(v float64) string { return fmt.Sprintf("%.3g", v) },
	}).Parse(pageText))
})

// pageData is the content of the page.
type pageData struct {
	Title     string
	Logs      []logData
	Source    string // of the published figures
	Without   string // steps that they do not count
	Published []publishedRow
	Motion    []captioned
	Left      int // signals that are not drawn
	Errors    []captioned
	Table     []errorRow
}

// logData is the part of the page about one log.
type logData struct {
	Title, File string
	Statistics  *record.RunStatistics
	Cycle       []captioned // pictures of the last measured cycle
	Cut         string      // why it is not the published one
	Samples     uint64
	Lost        uint64
	Damage      []string
}

// captioned is a chart with its caption.
type captioned struct {
	Caption string
	Chart   template.HTML
}

// errorRow compares one signal across the logs.
type errorRow struct {
	Signal, Unit string
	Cells        []errorCell
}

type errorCell struct {
	RMS, Max float64
	Ratio    string // RMS of the first log divided by this one's
	Missing  bool
}

// Page writes a page about one run, or one that compares several. The published figures are shown next to the measured ones, and
// the cycles drawn from their first step to their last; nil: there are none. It fails
// if a log cannot be read, w cannot be written, or the published figures name steps that no log has.
func Page(w io.Writer, logs []*Log, published *Published) error {
	d := pageData{}
	var titles []string
	var cycles []cycle
	for _, l := range logs {
		titles = append(titles, l.Title())
		one := describe(l)
		c := cycleOf(l.Statistics)
		if published != nil && published.From != "" {
			if err := published.checkCycle(l); err != nil {
				return err
			}
			whole := c
			if c = c.between(published.From, published.To); len(c.spans) == 0 && len(whole.spans) > 0 {
				one.Cut = fmt.Sprintf("The cycle that was measured last does not reach from %s to the end of %s, such as one in which the run ended: it has no published figures.",
					published.From, published.To)
				one.draw(whole)
			}
		}
		one.draw(c)
		d.Logs, cycles = append(d.Logs, one), append(cycles, c)
	}
	if published != nil {
		if err := published.checkWithout(logs); err != nil {
			return err
		}
		d.Source, d.Without = published.Source, strings.Join(published.Without, ", ")
		d.Published = published.compare(cycles, stepsOf(logs[0].Statistics))
	}
	d.Title = strings.Join(titles, " and ")
	if err := d.addMotion(logs); err != nil {
		return err
	}
	if err := d.addErrors(logs); err != nil {
		return err
	}
	return page().Execute(w, d)
}

func describe(l *Log) logData {
	d := logData{Title: l.Title(), File: l.Path(), Statistics: l.Statistics}
	for _, c := range l.Channels() {
		d.Samples += c.Samples
		d.Lost += c.Lost
	}
	for _, err := range l.Damage() {
		d.Damage = append(d.Damage, err.Error())
	}
	return d
}

// draw adds the pictures of a cycle.
func (d *logData) draw(c cycle) {
	if len(c.spans) == 0 {
		return
	}
	caption := fmt.Sprintf("One cycle of all threads, the last that was measured: %s from the beginning of %s to the end of %s.",
		microseconds(int64(1e3*c.length())), c.spans[0].name, c.last())
	if len(c.without) > 0 {
		caption += " Not in it: " + strings.Join(c.without, ", ") + "."
	}
	d.Cycle = append(d.Cycle, captioned{caption, c.draw()})
	if r := c.rest(); len(r.spans) > 0 {
		d.Cycle = append(d.Cycle, captioned{"The same cycle after the step that takes most of it", r.draw()})
	}
}

// addMotion draws the desired and measured positions of each joint and log.
func (d *pageData) addMotion(logs []*Log) error {
	for i, l := range logs {
		pairs, err := l.pairs()
		if err != nil {
			return err
		}
		var signals []Signal
		dashed := map[int]bool{}
		draw := func() {
			if len(signals) > 0 {
				d.Motion = append(d.Motion, captioned{d.Logs[i].Title + ": desired (dashed) and measured positions", lines(signals, dashed)})
			}
			signals, dashed = nil, map[int]bool{}
		}
		for _, p := range pairs {
			if len(signals)+2*len(p.desired) > chartLines {
				draw()
			}
			for k := range p.desired {
				if len(signals)+2 > chartLines {
					draw()
				}
				dashed[len(signals)] = true
				signals = append(signals, p.desired[k], p.measured[k].Between(p.begin(), 0))
			}
		}
		draw()
		more, left, err := l.overview(len(pairs) > 0)
		if err != nil {
			return err
		}
		d.Motion = append(d.Motion, charts(d.Logs[i].Title, more)...)
		d.Left += left
	}
	return nil
}

// addErrors draws each error signal of all logs in one chart, and summarizes them.
func (d *pageData) addErrors(logs []*Log) error {
	var order []string
	found := map[string][]Signal{}
	for i, l := range logs {
		list, err := l.errors()
		if err != nil {
			return err
		}
		for _, s := range list {
			if found[s.Name] == nil {
				order = append(order, s.Name)
				found[s.Name] = make([]Signal, len(logs))
			}
			found[s.Name][i] = s
		}
	}
	greatest := greatestErrors(order, found)
	for _, name := range order {
		var drawn []Signal
		row := errorRow{Signal: name}
		for i, s := range found[name] {
			if s.Name == "" {
				row.Cells = append(row.Cells, errorCell{Missing: true})
				continue
			}
			cell := errorCell{RMS: s.RMS(), Max: s.MaxAbs()}
			if first := found[name][0]; i > 0 && first.Name != "" && cell.RMS > 0 {
				cell.Ratio = fmt.Sprintf("%.2f ×", first.RMS()/cell.RMS)
			}
			row.Unit = s.Unit
			row.Cells = append(row.Cells, cell)
			s.Name = d.Logs[i].Title
			drawn = append(drawn, s)
		}
		d.Table = append(d.Table, row)
		if greatest[name] {
			d.Errors = append(d.Errors, captioned{name + ": desired minus measured", lines(drawn, nil)})
		}
	}
	return nil
}
