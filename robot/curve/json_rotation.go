package curve

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

type quatPolynomialJSON struct {
	Start  [4]float64 `json:"start"`
	Vector Vector     `json:"vector"`
}

// MarshalJSON stores the start and the rotation vector.
func (p QuatPolynomial) MarshalJSON() ([]byte, error) {
	return json.Marshal(quatPolynomialJSON{[4]float64{p.start.X, p.start.Y, p.start.Z, p.start.W}, Vector{p.r[0], p.r[1], p.r[2]}})
}

// UnmarshalJSON reads what MarshalJSON writes. The error describes what is invalid.
func (p *QuatPolynomial) UnmarshalJSON(data []byte) error {
	var w quatPolynomialJSON
	if err := json.Unmarshal(data, &w); err != nil {
		return fmt.Errorf("curve: reading a quaternion polynomial: %w", err)
	}
	q := QuatPolynomial{start: spatial.Quat{X: w.Start[0], Y: w.Start[1], Z: w.Start[2], W: w.Start[3]}}
	if n := q.start.Norm(); !(math.Abs(n-1) < 1e-6) {
		return fmt.Errorf("curve: reading a quaternion polynomial: start has the norm %v, expected 1", n)
	}
	if len(w.Vector) != 3 {
		return fmt.Errorf("curve: reading a quaternion polynomial: %d components, expected 3", len(w.Vector))
	}
	for i, f := range w.Vector {
		r, ok := f.(Polynomial)
		if !ok {
			return fmt.Errorf("curve: reading a quaternion polynomial: component %d is no polynomial", i)
		}
		q.r[i] = r
	}
	*p = q
	return nil
}

type quatSplineJSON struct {
	Start  float64          `json:"start"`
	Pieces []QuatPolynomial `json:"pieces"`
}

// MarshalJSON stores the pieces.
func (s QuatSpline) MarshalJSON() ([]byte, error) {
	if s.pieces == nil {
		return nil, errors.New("curve: a QuatSpline without pieces cannot be stored")
	}
	return json.Marshal(quatSplineJSON{s.knots[0], s.pieces})
}

// UnmarshalJSON reads what MarshalJSON writes. The error describes what is invalid.
func (s *QuatSpline) UnmarshalJSON(data []byte) error {
	var w quatSplineJSON
	if err := json.Unmarshal(data, &w); err != nil {
		return err
	}
	if len(w.Pieces) == 0 {
		return errors.New("curve: reading a quaternion spline: it has no pieces")
	}
	knots := []float64{w.Start}
	for _, p := range w.Pieces {
		lower, upper := p.Domain()
		knots = append(knots, knots[len(knots)-1]+(upper-lower))
	}
	*s = QuatSpline{pieces: w.Pieces, knots: knots}
	return nil
}
