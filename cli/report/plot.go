package report

import (
	"io"

	"github.com/sinew-robotics/sinew/cli/figure"
)

// PlotOptions configure the appearance of a plot.
type PlotOptions struct {
	Title         string
	Width, Height float64 // in cm; 0: 16 wide, and 6 for each panel
}

const (
	plotWidth   = 16.0
	panelHeight = 6.0
	plotColumns = 2000 // of a line; a line with more points keeps the extremes of each column
	lineWidth   = 0.9  // points
)

// Plot writes signals as format "png" or "svg". Signals with the same unit share a panel; the panels share the time
// axis.
func Plot(w io.Writer, format string, signals []Signal, o PlotOptions) error {
	panels := byUnit(signals)
	if o.Width == 0 {
		o.Width = plotWidth
	}
	if o.Height == 0 {
		o.Height = panelHeight * float64(len(panels))
	}
	f, err := figure.New(format, o.Width, o.Height)
	if err != nil {
		return err
	}
	var plots []figure.Plot
	for _, signals := range panels {
		plots = append(plots, newPanel(signals))
	}
	f.Column(o.Title, plots)
	_, err = f.WriteTo(w)
	return err
}

// byUnit groups signals by their unit, in order of first appearance.
func byUnit(signals []Signal) [][]Signal {
	var panels [][]Signal
	at := map[string]int{}
	for _, s := range signals {
		i, ok := at[s.Unit]
		if !ok {
			i = len(panels)
			at[s.Unit] = i
			panels = append(panels, nil)
		}
		panels[i] = append(panels[i], s)
	}
	return panels
}

// newPanel returns a plot of signals of one unit over time.
func newPanel(signals []Signal) figure.Plot {
	p := figure.Plot{X: figure.Axis{Label: "time", Unit: "s"}, Y: figure.Axis{Unit: signals[0].Unit}}
	palette := figure.Palette()
	for i, s := range signals {
		small := thin(s, plotColumns)
		line := figure.Line{Name: s.Name, X: small.Time, Y: small.Values, Color: palette[i%len(palette)], Width: lineWidth, Dashed: i/len(palette)%2 == 1}
		if !s.hasNumbers() {
			line.Name += " (no numbers)"
		}
		p.Lines = append(p.Lines, line)
	}
	return p
}

func (s Signal) hasNumbers() bool {
	for _, v := range s.Values {
		if finite(v) {
			return true
		}
	}
	return false
}
