// Package proof decides by the exact engine whether motions in time and straight edges are free of contacts at all times, between samples as well
// as at them. A [Prover] belongs to one goroutine; after its first motion it allocates nothing.
package proof
