package testkit

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
)

// SeedVariable is the environment variable that gives random tests their seed: to repeat one that failed, or all.
const SeedVariable = "SINEW_SEED"

// Rand returns a source of random numbers with a new seed, or that of [SeedVariable]. If the test fails, it prints the seed and how to
// repeat the test with it.
func Rand(t testing.TB) *rand.Rand {
	t.Helper()
	seed := rand.Uint64()
	if text, ok := os.LookupEnv(SeedVariable); ok {
		given, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			t.Fatalf("%s=%q: expected an unsigned number", SeedVariable, text)
		}
		seed = given
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("seed %d; repeat with: %s=%d go test -run '^%s$'", seed, SeedVariable, seed, t.Name())
		}
	})
	return rand.New(rand.NewPCG(seed, 0))
}
