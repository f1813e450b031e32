package figure

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"html"
	"image"
	"image/color"
	"image/png"
	"io"
	"strconv"
)

// vectorCanvas draws an SVG.
type vectorCanvas struct {
	*typeface
	b   bytes.Buffer
	err error
}

func newVector(width, height float64, font *typeface) *vectorCanvas {
	c := &vectorCanvas{typeface: font}
	fmt.Fprintf(&c.b, `<svg xmlns="http://www.w3.org/2000/svg" width="%spt" height="%spt" viewBox="0 0 %s %s" font-family="Helvetica, Arial, sans-serif" fill="%s">`+"\n",
		number(width), number(height), number(width), number(height), hex(ink))
	fmt.Fprintf(&c.b, `<rect width="%s" height="%s" fill="#fff"/>`+"\n", number(width), number(height))
	return c
}

// number writes a length with the visible precision.
func number(v float64) string {
	s := strconv.FormatFloat(v, 'f', 2, 64)
	for s[len(s)-1] == '0' {
		s = s[:len(s)-1]
	}
	if s[len(s)-1] == '.' {
		s = s[:len(s)-1]
	}
	if s == "-0" {
		return "0"
	}
	return s
}

func hex(c color.Color) string {
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}

func (c *vectorCanvas) line(points []point, s stroke) {
	if len(points) == 0 {
		return
	}
	if len(points) == 1 {
		fmt.Fprintf(&c.b, `<circle cx="%s" cy="%s" r="%s" fill="%s"/>`+"\n", number(points[0].x), number(points[0].y), number(s.width/2), hex(s.color))
		return
	}
	fmt.Fprintf(&c.b, `<polyline fill="none" stroke="%s" stroke-width="%s" stroke-linejoin="round"`, hex(s.color), number(s.width))
	if s.dashed {
		fmt.Fprintf(&c.b, ` stroke-dasharray="%g %g"`, dashLength, dashGap)
	} else {
		c.b.WriteString(` stroke-linecap="round"`)
	}
	c.b.WriteString(` points="`)
	for i, p := range points {
		if i > 0 {
			c.b.WriteByte(' ')
		}
		c.b.WriteString(number(p.x) + "," + number(p.y))
	}
	c.b.WriteString(`"/>` + "\n")
}

func (c *vectorCanvas) text(at point, s string, size float64, a align, upward bool) {
	place := fmt.Sprintf(`x="%s" y="%s"`, number(at.x), number(at.y))
	if upward {
		place = fmt.Sprintf(`transform="translate(%s %s) rotate(-90)"`, number(at.x), number(at.y))
	}
	anchor := [...]string{start: "", middle: ` text-anchor="middle"`, end: ` text-anchor="end"`}[a]
	fmt.Fprintf(&c.b, `<text %s font-size="%s"%s>%s</text>`+"\n", place, number(size), anchor, html.EscapeString(s))
}

func (c *vectorCanvas) image(where rect, picture image.Image) {
	var data bytes.Buffer
	if err := png.Encode(&data, picture); err != nil {
		c.err = err
		return
	}
	fmt.Fprintf(&c.b, `<image x="%s" y="%s" width="%s" height="%s" preserveAspectRatio="none" href="data:image/png;base64,%s"/>`+"\n",
		number(where.left), number(where.top), number(where.width()), number(where.height()), base64.StdEncoding.EncodeToString(data.Bytes()))
}

// WriteTo writes the SVG.
func (c *vectorCanvas) WriteTo(w io.Writer) (int64, error) {
	if c.err != nil {
		return 0, c.err
	}
	n, err := w.Write(append(c.b.Bytes(), "</svg>\n"...))
	return int64(n), err
}
