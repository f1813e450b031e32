package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/sinew-robotics/sinew/net/record"
)

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"timeline":  timeline,
	"rest":      rest,
	"histogram": histogram,
	"us":        microseconds,
	"seconds":   func(s float64) string { return fmt.Sprintf("%.3g s", s) },
	"mrad":      func(v float64) string { return fmt.Sprintf("%.3g", v) },
}).Parse(pageText))

// pageData is what the page shows.
type pageData struct {
	Title      string
	Logs       []logData
	References []string
	Motion     []figure
	Errors     []figure
	Table      []errorRow
}

// logData is what the page says of one log.
type logData struct {
	Title, File string
	Statistics  *record.RunStatistics
	Samples     uint64
	Lost        uint64
	Damage      []string
}

// figure is a chart with its caption.
type figure struct {
	Caption string
	Chart   template.HTML
}

// errorRow compares one signal between the logs.
type errorRow struct {
	Signal, Unit string
	Cells        []errorCell
}

type errorCell struct {
	RMS, Max float64
	Ratio    string // of the first log's RMS to this one's
	Missing  bool
}

// Page writes a page about one run, or one that compares several. References are lines about published figures, to be
// read beside the measured ones.
func Page(w io.Writer, logs []*Log, references []string) error {
	d := pageData{References: references}
	var titles []string
	for _, l := range logs {
		titles = append(titles, l.Title())
		d.Logs = append(d.Logs, describe(l))
	}
	d.Title = strings.Join(titles, " and ")
	if err := d.addMotion(logs); err != nil {
		return err
	}
	if err := d.addErrors(logs); err != nil {
		return err
	}
	return page.Execute(w, d)
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

// addMotion draws for each joint and log what was desired and what was measured.
func (d *pageData) addMotion(logs []*Log) error {
	for i, l := range logs {
		pairs, err := l.pairs()
		if err != nil {
			return err
		}
		if len(pairs) == 0 {
			continue
		}
		var signals []Signal
		dashed := map[int]bool{}
		for _, p := range pairs {
			dashed[len(signals)] = true
			signals = append(signals, p.desired, p.measured)
		}
		d.Motion = append(d.Motion, figure{d.Logs[i].Title + ": desired (dashed) and measured positions", lines(signals, dashed)})
	}
	return nil
}

// addErrors draws each error signal of all logs in one chart, and sums them up.
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
		d.Errors = append(d.Errors, figure{name + ": desired minus measured", lines(drawn, nil)})
	}
	return nil
}
