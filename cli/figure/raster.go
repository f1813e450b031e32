package figure

import (
	"bufio"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"math"

	xdraw "golang.org/x/image/draw"
)

// maxDots is the maximum number of dots of a picture: 400 MB of memory.
const maxDots = 100_000_000

// rasterCanvas draws a PNG.
type rasterCanvas struct {
	*typeface
	picture *image.RGBA
	scale   float64 // dots per point
	covered coverage
}

func newRaster(width, height float64, font *typeface) (*rasterCanvas, error) {
	const scale = dotsPerInch / 72.0
	w, h := math.Round(width*scale), math.Round(height*scale)
	if !(w*h <= maxDots) {
		return nil, fmt.Errorf("a picture of %.0f × %.0f dots is larger than the limit of %d: make it smaller or write SVG", w, h, maxDots)
	}
	c := &rasterCanvas{typeface: font, picture: image.NewRGBA(image.Rect(0, 0, int(w), int(h))), scale: scale}
	draw.Draw(c.picture, c.picture.Bounds(), image.White, image.Point{}, draw.Src)
	c.covered = newCoverage(int(w), int(h))
	return c, nil
}

func (c *rasterCanvas) line(points []point, s stroke) {
	scaled := make([]point, len(points))
	for i, p := range points {
		scaled[i] = point{p.x * c.scale, p.y * c.scale}
	}
	pieces := [][]point{scaled}
	if s.dashed {
		pieces = dashes(scaled, dashLength*c.scale, dashGap*c.scale)
	}
	for _, piece := range pieces {
		c.covered.addLine(piece, s.width*c.scale/2)
	}
	c.covered.paint(c.picture, s.color)
}

func (c *rasterCanvas) text(at point, s string, size float64, a align, upward bool) {
	shift := [...]float64{start: 0, middle: 0.5, end: 1}[a] * c.textWidth(s, size)
	if upward {
		at.y += shift
	} else {
		at.x -= shift
	}
	c.draw(c.picture, point{at.x * c.scale, at.y * c.scale}, s, size*c.scale, upward)
}

func (c *rasterCanvas) image(where rect, picture image.Image) {
	dot := func(v float64) int { return int(math.Round(v * c.scale)) }
	to := image.Rect(dot(where.left), dot(where.top), dot(where.right), dot(where.bottom))
	xdraw.BiLinear.Scale(c.picture, to, picture, picture.Bounds(), xdraw.Over, nil)
}

// WriteTo writes the PNG.
func (c *rasterCanvas) WriteTo(w io.Writer) (int64, error) {
	counter := &counter{w: w}
	out := bufio.NewWriter(counter)
	if err := png.Encode(out, c.picture); err != nil {
		return counter.n, err
	}
	return counter.n, out.Flush()
}

type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n += int64(n)
	return n, err
}

// coverage is the share of each dot that a line covers: 0 … 255.
type coverage struct {
	mask  *image.Alpha
	dirty image.Rectangle // dots that are not 0
}

func newCoverage(w, h int) coverage { return coverage{mask: image.NewAlpha(image.Rect(0, 0, w, h))} }

// addLine covers the dots within radius (in dots) of a line through points; those at its edge partly.
func (c *coverage) addLine(points []point, radius float64) {
	for i := range points {
		c.addSegment(points[max(i-1, 0)], points[i], radius)
	}
}

// addSegment covers a segment with round ends. A dot that several segments touch gets the largest of their shares, so
// that segments much shorter than a dot do not thicken the line.
func (c *coverage) addSegment(a, b point, radius float64) {
	reach := radius + 1
	dx, dy := b.x-a.x, b.y-a.y
	length2 := dx*dx + dy*dy
	bounds := c.mask.Rect
	top, bottom := math.Min(a.y, b.y)-reach, math.Max(a.y, b.y)+reach
	first, last := int(math.Max(math.Floor(top), 0)), int(math.Min(math.Ceil(bottom), float64(bounds.Max.Y)))
	for y := first; y < last; y++ {
		middle := float64(y) + 0.5
		// the part of the segment near this row
		from, to := 0.0, 1.0
		if dy != 0 {
			from, to = (middle-reach-a.y)/dy, (middle+reach-a.y)/dy
			from, to = math.Max(math.Min(from, to), 0), math.Min(math.Max(from, to), 1)
			if from > to {
				continue
			}
		}
		left, right := a.x+dx*from, a.x+dx*to
		left, right = math.Min(left, right)-reach, math.Max(left, right)+reach
		x0, x1 := int(math.Max(math.Floor(left), 0)), int(math.Min(math.Ceil(right), float64(bounds.Max.X)))
		if x0 >= x1 {
			continue
		}
		row := c.mask.Pix[y*c.mask.Stride:]
		for x := x0; x < x1; x++ {
			px, py := float64(x)+0.5-a.x, middle-a.y
			along := 0.0
			if length2 > 0 {
				along = math.Max(0, math.Min(1, (px*dx+py*dy)/length2))
			}
			distance := math.Hypot(px-along*dx, py-along*dy)
			share := math.Max(0, math.Min(1, radius+0.5-distance)) * math.Min(1, 2*radius)
			row[x] = max(row[x], uint8(share*255+0.5))
		}
		c.dirty = c.dirty.Union(image.Rect(x0, y, x1, y+1))
	}
}

// paint paints a color weighted by the coverage, and clears the coverage.
func (c *coverage) paint(to *image.RGBA, ink color.Color) {
	draw.DrawMask(to, c.dirty, image.NewUniform(ink), image.Point{}, c.mask, c.dirty.Min, draw.Over)
	for y := c.dirty.Min.Y; y < c.dirty.Max.Y; y++ {
		clear(c.mask.Pix[y*c.mask.Stride+c.dirty.Min.X : y*c.mask.Stride+c.dirty.Max.X])
	}
	c.dirty = image.Rectangle{}
}

// Dash pattern of lines, in points.
const (
	dashLength = 4.0
	dashGap    = 3.0
)

// dashes splits a line into pieces of a length with gaps between them.
func dashes(points []point, length, gap float64) (pieces [][]point) {
	var piece []point
	left, drawing := length, true // until the next change
	for i, p := range points {
		if i == 0 {
			piece = []point{p}
			continue
		}
		at := points[i-1]
		for {
			d := math.Hypot(p.x-at.x, p.y-at.y)
			if d <= left {
				left -= d
				if drawing {
					piece = append(piece, p)
				}
				break
			}
			at = point{at.x + (p.x-at.x)*left/d, at.y + (p.y-at.y)*left/d}
			if drawing {
				pieces = append(pieces, append(piece, at))
				piece, left = nil, gap
			} else {
				piece, left = []point{at}, length
			}
			drawing = !drawing
		}
	}
	if len(piece) > 1 {
		pieces = append(pieces, piece)
	}
	return pieces
}
