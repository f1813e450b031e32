package batch

import (
	"fmt"
	"unsafe"

	"github.com/sinew-robotics/sinew/robot/multibody"
)

// Lanes is how many states the kernels evaluate at once. Multiples of it waste nothing.
const Lanes = 8

// Batch evaluates one model in many states. It holds all memory that this needs: no method allocates, and one goroutine
// uses it at a time.
type Batch struct {
	model  *multibody.Model
	bodies []body // without the world; empty where the kernels cannot serve
	links  []link
	spins  []spin
	steps  *steps // nil: state by state
	single *single

	world   world
	scratch *float64
	pose    []float64    // 12 rows
	walked  [2][]float64 // 6 rows each
	square  []float64    // 36 rows
	packed  packed
}

// New returns a batch for m.
func New(m *multibody.Model) *Batch { return newBatch(m, processor()) }

// newBatch returns a batch that uses the given kernels, which may be none.
func newBatch(m *multibody.Model, k *kernels) *Batch {
	b := &Batch{model: m, single: newSingle(m)}
	if k == nil || !served(m) {
		return b
	}
	b.steps = &k.steps
	b.plan(k)
	return b
}

// Model returns the model that b evaluates.
func (b *Batch) Model() *multibody.Model { return b.model }

// vector is an argument with its number of coordinates.
type vector struct {
	name   string
	values []float64
	rows   int
}

// states returns the number of states of the vectors; it panics unless they agree.
func states(function string, vectors ...vector) int {
	n := 0
	for i := range vectors {
		if v := &vectors[i]; v.rows > 0 {
			n = len(v.values) / v.rows
			break
		}
	}
	for i := range vectors {
		if v := &vectors[i]; len(v.values) != n*v.rows {
			wrongLength(function, v, n)
		}
	}
	return n
}

//go:noinline
func wrongLength(function string, v *vector, n int) {
	panic(fmt.Sprintf("batch.%s: %s has length %d, want %d: %d coordinates of %d states",
		function, v.name, len(v.values), n*v.rows, v.rows, n))
}

// aligned returns n numbers that begin at a multiple of 64 bytes.
func aligned(n int) []float64 {
	x := make([]float64, n+7)
	skip := int(-uintptr(unsafe.Pointer(&x[0]))>>3) & 7
	return x[skip:][:n:n]
}

// packed holds fewer states than Lanes, padded.
type packed struct {
	q, v, a, tau []float64
}

// pad copies n < Lanes states and repeats the last one.
func pad(to, from []float64, n int) {
	for row := 0; row*n < len(from); row++ {
		for s := range Lanes {
			to[row*Lanes+s] = from[row*n+min(s, n-1)]
		}
	}
}

// unpad copies n < Lanes states back.
func unpad(to, from []float64, n int) {
	for row := 0; row*n < len(to); row++ {
		copy(to[row*n:row*n+n], from[row*Lanes:])
	}
}

// pack copies rows of n states from the given row on, the states s … s+7 of each, and returns the first number.
func pack(to, from []float64, row, n, s int) *float64 {
	for i := 0; i < len(to); i += Lanes {
		*(*[Lanes]float64)(to[i:]) = [Lanes]float64(from[row*n+s:])
		row++
	}
	return &to[0]
}

// unpack copies them back.
func unpack(to, from []float64, row, n, s int) {
	for i := 0; i < len(from); i += Lanes {
		*(*[Lanes]float64)(to[row*n+s:]) = [Lanes]float64(from[i:])
		row++
	}
}
