package space

import "math"

// Embedding maps the points of a space to points of R^n whose Euclidean distance is at most that of the space. So it shows which points are surely too
// far away, by numbers of which a processor compares many at once. Near points are embedded nearly as far apart as they are, except those of cars, which may have to turn.
//
// An angle becomes its cosine and sine; a rotation becomes its matrix over √2, since the norm of the difference of two matrices is 2√2 sin(θ/2) for the angle θ
// between them; a car becomes its place, since no way is shorter than the straight line.
type Embedding struct {
	parts []embedded
	dim   int
}

// embedded is a value or a rotation of a point.
type embedded struct {
	as     embedKind
	value  int     // the first one
	weight float64 // of its distances
}

type embedKind int

const (
	asLine embedKind = iota
	asCircle
	asRotation
)

// EmbeddingOf returns the embedding of a space of this package, and nil for other spaces.
func EmbeddingOf(s Space) *Embedding {
	e := &Embedding{}
	if !e.add(s, 0, 1) {
		return nil
	}
	return e
}

// add adds the embedding of a space whose points begin at a value; false means that there is none.
func (e *Embedding) add(s Space, value int, weight float64) bool {
	switch s := s.(type) {
	case interface{ Flat() *Axes }:
		for i, circle := range s.Flat().Circle {
			if circle {
				e.part(asCircle, value+i, weight)
			} else {
				e.part(asLine, value+i, weight)
			}
		}
	case Rotations:
		e.part(asRotation, value, weight)
	case Dubins, ReedsShepp:
		e.part(asLine, value, weight)
		e.part(asLine, value+1, weight)
	case *Product:
		for i, f := range s.factors {
			if !e.add(f.Space, value+s.first[i], weight*f.Weight) {
				return false
			}
		}
	case *Coordinates:
		return e.add(s.Space, value, weight)
	default:
		return false
	}
	return true
}

func (e *Embedding) part(as embedKind, value int, weight float64) {
	if as == asRotation {
		weight /= math.Sqrt2
	}
	e.parts = append(e.parts, embedded{as, value, weight})
	e.dim += [...]int{asLine: 1, asCircle: 2, asRotation: 9}[as]
}

// Dim returns the number of values of embedded points.
func (e *Embedding) Dim() int { return e.dim }

// Embed writes the embedded point of p, which has the values of the space, to out, which has [Embedding.Dim] values.
func (e *Embedding) Embed(p, out []float64) {
	k := 0
	for _, part := range e.parts {
		w, x := part.weight, p[part.value]
		switch part.as {
		case asLine:
			out[k] = w * x
			k++
		case asCircle:
			sin, cos := math.Sincos(x)
			out[k], out[k+1] = w*cos, w*sin
			k += 2
		case asRotation:
			m := quat(p[part.value:]).Unit().Mat3()
			for _, row := range m {
				for _, v := range row {
					out[k] = w * v
					k++
				}
			}
		}
	}
}
