package curve

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
)

// Functions are stored as JSON objects with one key, the kind:
//
//	{"polynomial": {"domain": [0, 2], "coefficients": [1, 0, 3]}}
//	{"sinusoid": {"domain": [0, 1], "offset": 0, "cos": 1, "sin": 0, "rate": 6.28}}
//	{"piecewise": {"start": 0, "pieces": [ … ]}}
//	{"nested": {"outer": { … }, "inner": { … }}}
//
// A Vector is an array of them, a Path an object with x, y and z; rotations are {"start": [x, y, z, w], "vector": [ … ]}
// for a polynomial and {"pieces": [ … ], "start": 0} for a spline. Numbers come back bit for bit.

// maxNesting bounds how deeply functions from a file may be nested.
const maxNesting = 100

type (
	polynomialJSON struct {
		Domain       [2]float64 `json:"domain"`
		Coefficients []float64  `json:"coefficients"`
	}
	sinusoidJSON struct {
		Domain [2]float64 `json:"domain"`
		Offset float64    `json:"offset"`
		Cos    float64    `json:"cos"`
		Sin    float64    `json:"sin"`
		Rate   float64    `json:"rate"`
	}
	piecewiseJSON struct {
		Start  float64           `json:"start"`
		Pieces []json.RawMessage `json:"pieces"`
	}
	nestedJSON struct {
		Outer json.RawMessage `json:"outer"`
		Inner json.RawMessage `json:"inner"`
	}
	functionJSON struct {
		Polynomial *polynomialJSON `json:"polynomial,omitempty"`
		Sinusoid   *sinusoidJSON   `json:"sinusoid,omitempty"`
		Piecewise  *piecewiseJSON  `json:"piecewise,omitempty"`
		Nested     *nestedJSON     `json:"nested,omitempty"`
	}
)

// Marshal returns the function as JSON. It fails for functions of other packages and for numbers that are not finite.
func Marshal(f Function) ([]byte, error) {
	var w functionJSON
	switch f := f.(type) {
	case Polynomial:
		w.Polynomial = &polynomialJSON{[2]float64{f.lower, f.upper}, append([]float64{}, f.c...)}
	case *Polynomial:
		return Marshal(*f)
	case Sinusoid:
		w.Sinusoid = &sinusoidJSON{[2]float64{f.lower, f.upper}, f.offset, f.cos, f.sin, f.rate}
	case Piecewise:
		w.Piecewise = &piecewiseJSON{Start: f.knots[0]}
		for i, p := range f.pieces {
			data, err := Marshal(p)
			if err != nil {
				return nil, fmt.Errorf("piece %d: %w", i, err)
			}
			w.Piecewise.Pieces = append(w.Piecewise.Pieces, data)
		}
	case Nested:
		outer, err1 := Marshal(f.outer)
		inner, err2 := Marshal(f.inner)
		if err := errors.Join(err1, err2); err != nil {
			return nil, err
		}
		w.Nested = &nestedJSON{outer, inner}
	default:
		return nil, fmt.Errorf("curve: a %T cannot be stored", f)
	}
	return json.Marshal(w)
}

// Unmarshal reads a function that Marshal wrote. The error describes what is invalid.
func Unmarshal(data []byte) (Function, error) { return unmarshal(data, maxNesting) }

func unmarshal(data []byte, depth int) (Function, error) {
	if depth == 0 {
		return nil, fmt.Errorf("curve: functions nested more than %d deep", maxNesting)
	}
	var w functionJSON
	if err := json.Unmarshal(data, &w); err != nil {
		return nil, fmt.Errorf("curve: reading a function: %w", err)
	}
	switch {
	case w.Polynomial != nil:
		d := w.Polynomial.Domain
		return Polynomial{c: w.Polynomial.Coefficients, lower: d[0], upper: d[1]}, domain(d)
	case w.Sinusoid != nil:
		s := w.Sinusoid
		return Sinusoid{s.Offset, s.Cos, s.Sin, s.Rate, s.Domain[0], s.Domain[1]}, domain(s.Domain)
	case w.Piecewise != nil:
		var pieces []Function
		for i, raw := range w.Piecewise.Pieces {
			f, err := unmarshal(raw, depth-1)
			if err != nil {
				return nil, fmt.Errorf("piece %d: %w", i, err)
			}
			pieces = append(pieces, f)
		}
		if pieces == nil {
			return nil, errors.New("curve: a piecewise function without pieces")
		}
		return NewPiecewise(w.Piecewise.Start, pieces...), nil
	case w.Nested != nil:
		outer, err1 := unmarshal(w.Nested.Outer, depth-1)
		inner, err2 := unmarshal(w.Nested.Inner, depth-1)
		if err := errors.Join(err1, err2); err != nil {
			return nil, err
		}
		return Nested{outer, inner}, nil
	}
	return nil, errors.New(`curve: reading a function: expected one of the keys "polynomial", "sinusoid", "piecewise", "nested"`)
}

func domain(d [2]float64) error {
	if d[0] > d[1] || math.IsInf(d[1]-d[0], 0) {
		return fmt.Errorf("curve: reading a function: domain [%v, %v]: expected the lower end first", d[0], d[1])
	}
	return nil
}

// MarshalJSON encodes the components as an array.
func (v Vector) MarshalJSON() ([]byte, error) {
	raw := make([]json.RawMessage, len(v))
	for i, f := range v {
		data, err := Marshal(f)
		if err != nil {
			return nil, fmt.Errorf("component %d: %w", i, err)
		}
		raw[i] = data
	}
	return json.Marshal(raw)
}

// UnmarshalJSON reads what MarshalJSON writes. The error describes what is invalid.
func (v *Vector) UnmarshalJSON(data []byte) error {
	var raw []json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil {
		return fmt.Errorf("curve: reading a vector of functions: %w", err)
	}
	out := make(Vector, len(raw))
	for i := range raw {
		f, err := Unmarshal(raw[i])
		if err != nil {
			return fmt.Errorf("component %d: %w", i, err)
		}
		out[i] = f
	}
	*v = out
	return nil
}

type pathJSON struct {
	X json.RawMessage `json:"x"`
	Y json.RawMessage `json:"y"`
	Z json.RawMessage `json:"z"`
}

// MarshalJSON stores the three coordinates.
func (p Path) MarshalJSON() ([]byte, error) {
	x, err1 := Marshal(p.X)
	y, err2 := Marshal(p.Y)
	z, err3 := Marshal(p.Z)
	if err := errors.Join(err1, err2, err3); err != nil {
		return nil, err
	}
	return json.Marshal(pathJSON{x, y, z})
}

// UnmarshalJSON reads what MarshalJSON writes. The error describes what is invalid.
func (p *Path) UnmarshalJSON(data []byte) error {
	var w pathJSON
	if err := json.Unmarshal(data, &w); err != nil {
		return fmt.Errorf("curve: reading a path: %w", err)
	}
	x, err1 := Unmarshal(w.X)
	y, err2 := Unmarshal(w.Y)
	z, err3 := Unmarshal(w.Z)
	if err := errors.Join(err1, err2, err3); err != nil {
		return err
	}
	*p = Path{x, y, z}
	return nil
}
