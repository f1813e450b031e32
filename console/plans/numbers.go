package plans

import (
	"encoding/base64"
	"encoding/binary"
	"math"
)

// Numbers is a table of numbers, row by row. In replies it is a string: base64 of float32 in little-endian order.
type Numbers []float64

// MarshalJSON writes the string.
func (n Numbers) MarshalJSON() ([]byte, error) {
	data := make([]byte, 0, 4*len(n))
	for _, x := range n {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(x)))
	}
	text := make([]byte, 2+base64.StdEncoding.EncodedLen(len(data)))
	base64.StdEncoding.Encode(text[1:], data)
	text[0], text[len(text)-1] = '"', '"'
	return text, nil
}

// Row returns row i of a table with rows of this width.
func (n Numbers) Row(i, width int) []float64 { return n[i*width : (i+1)*width] }
