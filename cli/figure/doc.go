// Package figure draws plots with axes, and trees, as PNG or SVG, from the standard library and golang.org/x/image.
//
//	f, err := figure.New("svg", 16, 8)
//	f.Column("Two signals", []figure.Plot{{X: figure.Axis{Label: "time [s]", Max: 1}, Y: y, Lines: lines}})
//	_, err = f.WriteTo(w)
//
// Lengths on the paper are points of 1/72 inch from the upper left corner; plotted data have the units of their axes.
// A PNG has 200 dots per inch. Text is set in Go Regular in a PNG, and in the viewer's sans-serif font in an SVG.
package figure
