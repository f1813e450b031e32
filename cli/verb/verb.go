// Package verb holds helpers that all verbs of the command share.
package verb

import (
	"encoding/json"
	"errors"
	"math"
	"strconv"
)

// ErrReported makes the command end with exit code 1 after the verb has printed the error itself. Its text is empty.
var ErrReported = errors.New("")

// Count returns a number of things as text: "1 link", "2 links".
func Count(n int, of string) string {
	if n == 1 {
		return "1 " + of
	}
	return strconv.Itoa(n) + " " + of + "s"
}

// Number is a float64 that encodes as JSON: NaN and infinities become null.
type Number float64

// MarshalJSON encodes the number, or null for NaN and infinities.
func (n Number) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(n)) || math.IsInf(float64(n), 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(n))
}
