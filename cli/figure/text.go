package figure

import (
	"fmt"
	"image"
	"image/draw"
	"math"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// typeface sets text in Go Regular.
type typeface struct {
	font   *sfnt.Font
	buffer sfnt.Buffer
	units  fixed.Int26_6 // of the font per em
}

func newTypeface() (*typeface, error) {
	f, err := sfnt.Parse(goregular.TTF)
	if err != nil {
		return nil, fmt.Errorf("read the font: %w", err)
	}
	return &typeface{font: f, units: fixed.Int26_6(f.UnitsPerEm())}, nil
}

// each calls with for each glyph and its position in ems from the start of the text, and returns the end of the text.
func (t *typeface) each(s string, with func(glyph sfnt.GlyphIndex, x float64)) (end float64) {
	for _, r := range s {
		glyph, err := t.font.GlyphIndex(&t.buffer, r)
		if err != nil {
			continue // the font is embedded in this program
		}
		if with != nil {
			with(glyph, end)
		}
		if advance, err := t.font.GlyphAdvance(&t.buffer, glyph, t.units, font.HintingNone); err == nil {
			end += float64(advance) / float64(t.units)
		}
	}
	return end
}

// textWidth returns the width of a text of a size, in the unit of the size.
func (t *typeface) textWidth(s string, size float64) float64 { return t.each(s, nil) * size }

// draw writes a text that starts at a position, in dots; upward rotates it by 90° counterclockwise.
func (t *typeface) draw(to *image.RGBA, at point, s string, size float64, upward bool) {
	t.each(s, func(glyph sfnt.GlyphIndex, x float64) {
		segments, err := t.font.LoadGlyph(&t.buffer, glyph, t.units, nil)
		if err != nil {
			return
		}
		place := func(p fixed.Point26_6) point {
			right, down := (x+float64(p.X)/float64(t.units))*size, float64(p.Y)/float64(t.units)*size
			if upward {
				return point{at.x + down, at.y - right}
			}
			return point{at.x + right, at.y + down}
		}
		fill(to, segments, place)
	})
}

// fill paints the outline of a glyph.
func fill(to *image.RGBA, segments sfnt.Segments, place func(fixed.Point26_6) point) {
	area := rect{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	for _, s := range segments {
		for _, arg := range s.Args[:arguments(s.Op)] {
			p := place(arg)
			area = rect{math.Min(area.left, p.x), math.Min(area.top, p.y), math.Max(area.right, p.x), math.Max(area.bottom, p.y)}
		}
	}
	box := image.Rect(int(math.Floor(area.left)), int(math.Floor(area.top)), int(math.Ceil(area.right)), int(math.Ceil(area.bottom)))
	if len(segments) == 0 || box.Empty() {
		return
	}
	r := vector.NewRasterizer(box.Dx(), box.Dy())
	at := func(p fixed.Point26_6) (x, y float32) {
		q := place(p)
		return float32(q.x - float64(box.Min.X)), float32(q.y - float64(box.Min.Y))
	}
	for _, s := range segments {
		x, y := at(s.Args[0])
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			r.ClosePath()
			r.MoveTo(x, y)
		case sfnt.SegmentOpLineTo:
			r.LineTo(x, y)
		case sfnt.SegmentOpQuadTo:
			x1, y1 := at(s.Args[1])
			r.QuadTo(x, y, x1, y1)
		case sfnt.SegmentOpCubeTo:
			x1, y1 := at(s.Args[1])
			x2, y2 := at(s.Args[2])
			r.CubeTo(x, y, x1, y1, x2, y2)
		}
	}
	r.ClosePath()
	mask := image.NewAlpha(image.Rect(0, 0, box.Dx(), box.Dy()))
	r.Draw(mask, mask.Rect, image.Opaque, image.Point{})
	draw.DrawMask(to, box, image.NewUniform(ink), image.Point{}, mask, image.Point{}, draw.Over)
}

// arguments returns the number of points of a segment.
func arguments(op sfnt.SegmentOp) int {
	switch op {
	case sfnt.SegmentOpQuadTo:
		return 2
	case sfnt.SegmentOpCubeTo:
		return 3
	}
	return 1
}
