// Package testkit is what the tests of sinew share: random sweeps that print their seed, comparisons within a
// tolerance, the exact count of allocations, the check that no goroutine is left behind, and the way to the
// repository's files. Only tests import it.
package testkit
