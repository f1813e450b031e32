package amd64

import (
	"fmt"
	"math"
	"strings"
)

// constantTable collects constants and gives each its place.
type constantTable struct {
	name   string
	stride int  // bytes a constant takes
	single bool // float32
	values []uint64
	index  map[uint64]int
}

// notSign is a number whose pattern is all but the sign, in both precisions.
var notSign = math.Float64frombits(1<<63 - 1)

func (t *constantTable) place(x float64) string {
	pattern := math.Float64bits(x)
	if t.single {
		pattern = uint64(math.Float32bits(float32(x)))
		if math.IsNaN(x) {
			pattern = 1<<31 - 1
		}
	}
	k, ok := t.index[pattern]
	if !ok {
		k = len(t.values)
		t.index[pattern] = k
		t.values = append(t.values, pattern)
	}
	return fmt.Sprintf("%s<>+%d(SB)", t.name, k*t.stride)
}

// data writes the table for the assembler.
func (t *constantTable) data() string {
	var text strings.Builder
	size, digits := 8, 18
	if t.single {
		size, digits = 4, 10
	}
	for k, pattern := range t.values {
		for at := 0; at < t.stride; at += size {
			fmt.Fprintf(&text, "DATA %s<>+%d(SB)/%d, $%#0*x\n", t.name, k*t.stride+at, size, digits, pattern)
		}
	}
	if n := len(t.values); n > 0 {
		fmt.Fprintf(&text, "GLOBL %s<>(SB), RODATA|NOPTR, $%d\n\n", t.name, n*t.stride)
	}
	return text.String()
}
