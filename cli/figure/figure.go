package figure

import (
	"fmt"
	"image"
	"image/color"
	"io"
)

const (
	pointsPerCM = 72 / 2.54
	dotsPerInch = 200
)

// Figure is a drawing of plots.
type Figure struct {
	canvas
	width, height float64
}

// New returns an empty figure of a size in cm, for format "png" or "svg".
func New(format string, width, height float64) (*Figure, error) {
	f := &Figure{width: width * pointsPerCM, height: height * pointsPerCM}
	font, err := newTypeface()
	if err != nil {
		return nil, err
	}
	switch format {
	case "png":
		if f.canvas, err = newRaster(f.width, f.height, font); err != nil {
			return nil, err
		}
	case "svg":
		f.canvas = newVector(f.width, f.height, font)
	default:
		return nil, fmt.Errorf("format %q: wants png or svg", format)
	}
	return f, nil
}

// point is a position on the paper, in points.
type point struct{ x, y float64 }

// rect is an area on the paper, in points.
type rect struct{ left, top, right, bottom float64 }

func (r rect) width() float64  { return r.right - r.left }
func (r rect) height() float64 { return r.bottom - r.top }

// stroke is the style of a line.
type stroke struct {
	color  color.Color
	width  float64
	dashed bool
}

// align selects the part of a text that is at its position, which is on the base line.
type align int

const (
	start align = iota
	middle
	end
)

// canvas is the output of a figure.
type canvas interface {
	io.WriterTo
	// line draws a line through points, with round corners. A single point is a dot.
	line(points []point, s stroke)
	// text writes a line of text; upward rotates it by 90° counterclockwise.
	text(at point, s string, size float64, a align, upward bool)
	// image fills an area.
	image(where rect, picture image.Image)
	// textWidth returns the width of a text in points.
	textWidth(s string, size float64) float64
}
