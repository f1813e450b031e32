package amd64

import (
	"fmt"
	"math"
	"strings"
)

// constantTable collects constants and gives each its place.
type constantTable struct {
	name   string
	stride int // bytes a constant takes
	values []uint64
	index  map[uint64]int
}

func (t *constantTable) place(x float64) string {
	pattern := math.Float64bits(x)
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
	for k, pattern := range t.values {
		for at := 0; at < t.stride; at += 8 {
			fmt.Fprintf(&text, "DATA %s<>+%d(SB)/8, $%#016x\n", t.name, k*t.stride+at, pattern)
		}
	}
	if n := len(t.values); n > 0 {
		fmt.Fprintf(&text, "GLOBL %s<>(SB), RODATA|NOPTR, $%d\n\n", t.name, n*t.stride)
	}
	return text.String()
}
