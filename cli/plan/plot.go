package plan

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/sinew-robotics/sinew/cli/figure"
	"github.com/sinew-robotics/sinew/cli/verb"
)

// plotFormat returns the format of a picture by the extension of its file.
func plotFormat(file string) (string, error) {
	switch extension := strings.ToLower(filepath.Ext(file)); extension {
	case ".svg", ".png":
		return extension[1:], nil
	}
	return "", fmt.Errorf("--plot %s: want a file that ends in .svg or .png", file)
}

// plot draws the joints over time, or without a motion over the way, with discs at the waypoints.
func (a *answer) plot(file string, t *task) error {
	format, err := plotFormat(file)
	if err != nil {
		return err
	}
	f, err := figure.New(format, 16, 9)
	if err != nil {
		return err
	}
	var p figure.Plot
	if m := a.Motion; m != nil && m.Failure == "" {
		p = a.lines("time", "s", m.Times, m.Positions)
	} else {
		at, points := along(a.Path, t.space, 20)
		p = a.lines("way", "rad, m", at, points)
		ends, _ := along(a.Path, t.space, 1)
		for i := range a.Joints {
			dots := figure.Dots{X: ends, Color: p.Lines[i].Color, Radius: 2}
			for _, q := range a.Path {
				dots.Y = append(dots.Y, q[i])
			}
			p.Dots = append(p.Dots, dots)
		}
	}
	f.Column(filepath.Base(a.File)+", "+a.Planner, []figure.Plot{p})
	to, err := verb.Create(file, a.File)
	if err != nil {
		return err
	}
	if _, err := f.WriteTo(to); err != nil {
		to.Close()
		return err
	}
	return to.Close()
}

// lines returns a plot of the joints.
func (a *answer) lines(over, unit string, at []float64, points [][]float64) figure.Plot {
	p := figure.Plot{X: figure.Axis{Label: over, Unit: unit}, Y: figure.Axis{Label: "joints", Unit: "rad, m"}}
	palette := figure.Palette()
	for i, name := range a.Joints {
		line := figure.Line{Name: name, X: at, Color: palette[i%len(palette)], Width: 1.2, Dashed: i/len(palette)%2 == 1}
		for _, q := range points {
			line.Y = append(line.Y, q[i])
		}
		p.Lines = append(p.Lines, line)
	}
	return p
}
