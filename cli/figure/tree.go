package figure

import (
	"image/color"
	"math"
)

// Vertex is a vertex of a tree that [Tree] draws: a disc with its name, below the edge that leads to it.
type Vertex struct {
	Name  string
	Color color.RGBA
	Edge  Edge // from the vertex above; not drawn at the root

	Below []*Vertex
}

// Edge leads from a vertex to one below.
type Edge struct {
	Name   string // stands beside the edge; "": nothing
	Color  color.RGBA
	Dashed bool
}

// Key explains the vertices and edges of a tree that have a color.
type Key struct {
	Name  string
	Color color.RGBA
	Edge  bool // of edges, else of vertices
}

// Lengths in a tree, in points.
const (
	treeStep  = 40.0 // from a vertex to those below
	treeGap   = 14.0 // between two columns
	treeDot   = 8.0  // diameter
	treeLine  = 1.4
	treeText  = treeDot/2 + 4 // from the middle of a vertex, or from an edge, to its name
	treeBend  = 14.0          // from a vertex to the bend of its edges
	treeFont  = 1.15          // room for text: the viewer's font may be wider than Go Regular
	keyGap    = 16.0
	keySample = 14.0 // length of a line
)

// Tree returns a drawing of a tree, with a title and a key above, for format "png" or "svg". The root is at the top; the first vertex below
// another one stands right under it, the others to its right. The size follows from the tree.
func Tree(format, title string, root *Vertex, keys []Key) (*Figure, error) {
	font, err := newTypeface()
	if err != nil {
		return nil, err
	}
	l := treeLayout{font: font, width: map[*Vertex]float64{}}
	keyWidth := 0.0
	for _, k := range keys {
		keyWidth += keySample + 4 + treeFont*font.textWidth(k.Name, tickSize) + keyGap
	}
	width := math.Max(math.Max(l.measure(root), keyWidth), treeFont*font.textWidth(title, titleSize)) + 2*edge
	top := edge + titleRoom + 2*legendRoom
	height := top + float64(l.depth(root)-1)*treeStep + treeDot + edge
	f, err := New(format, width/pointsPerCM, height/pointsPerCM)
	if err != nil {
		return nil, err
	}
	f.text(point{edge, edge + 0.8*titleSize}, title, titleSize, start, false)
	x, y := edge, edge+titleRoom+0.5*legendRoom
	for _, k := range keys {
		if k.Edge {
			f.line([]point{{x, y}, {x + keySample, y}}, stroke{color: k.Color, width: treeLine})
		} else {
			f.line([]point{{x + keySample/2, y}}, stroke{color: k.Color, width: treeDot})
		}
		f.text(point{x + keySample + 4, y + 0.35*tickSize}, k.Name, tickSize, start, false)
		x += keySample + 4 + treeFont*font.textWidth(k.Name, tickSize) + keyGap
	}
	l.draw(f, root, point{edge + treeDot/2, top})
	return f, nil
}

// treeLayout arranges the vertices of a tree in columns.
type treeLayout struct {
	font  *typeface
	width map[*Vertex]float64 // of a vertex with all below it
}

// measure computes the widths of a vertex and of all below it.
func (l *treeLayout) measure(v *Vertex) float64 {
	own := treeDot/2 + treeText + treeFont*math.Max(l.font.textWidth(v.Name, labelSize), l.font.textWidth(v.Edge.Name, tickSize)) + treeGap
	for _, w := range v.Below {
		l.measure(w)
	}
	l.width[v] = math.Max(own, l.below(v))
	return l.width[v]
}

// below returns the width of all below a vertex.
func (l *treeLayout) below(v *Vertex) (sum float64) {
	for _, w := range v.Below {
		sum += l.width[w]
	}
	return sum
}

// depth returns the number of vertices on the longest way down.
func (l *treeLayout) depth(v *Vertex) int {
	deepest := 0
	for _, w := range v.Below {
		deepest = max(deepest, l.depth(w))
	}
	return deepest + 1
}

// draw draws a vertex at a position with all below it: edges first, so that discs lie on them, and those of distant columns before those of near ones, with
// which they share a part.
func (l *treeLayout) draw(f *Figure, v *Vertex, at point) {
	x := at.x + l.below(v)
	for i := len(v.Below) - 1; i >= 0; i-- {
		w := v.Below[i]
		x -= l.width[w]
		to := point{x, at.y + treeStep}
		line := []point{at, to}
		if i > 0 {
			line = []point{at, {at.x, at.y + treeBend}, {x, at.y + treeBend}, to}
		}
		f.line(line, stroke{color: w.Edge.Color, width: treeLine, dashed: w.Edge.Dashed})
		f.text(point{x + treeText, (at.y+treeBend+to.y)/2 + 0.2*tickSize}, w.Edge.Name, tickSize, start, false)
		l.draw(f, w, to)
	}
	f.line([]point{at}, stroke{color: v.Color, width: treeDot})
	f.text(point{at.x + treeText, at.y + 0.35*labelSize}, v.Name, labelSize, start, false)
}
