package hosts

import (
	"hash/fnv"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// waysVariable selects for all tests how ssh reaches the hosts: by [kept] or by [single]. Without it tests take one of the two by their
// names, so that about half of them use each.
const waysVariable = "SINEW_TEST_CONNECTIONS"

// The two ways in which sinew calls ssh. The length of the path of the user's folder decides: sockets of kept connections lie in it.
const (
	kept   = "kept"   // one connection for many calls
	single = "single" // one connection for each call
)

// EachWay runs a test twice, as subtests: where ssh keeps its connections for later calls, and where each call has its own.
func EachWay(t *testing.T, test func(t *testing.T)) {
	for _, way := range []string{kept, single} {
		t.Run(way, func(t *testing.T) {
			t.Setenv(waysVariable, way)
			test(t)
		})
	}
}

// choose makes the user's folder.
func (n *Network) choose() {
	n.t.Helper()
	switch way := os.Getenv(waysVariable); way {
	case kept, single:
		n.Kept = way == kept
	case "":
		sum := fnv.New32a()
		_, _ = sum.Write([]byte(n.t.Name()))
		n.Kept = sum.Sum32()%2 == 0
	default:
		n.t.Fatalf("%s=%s: expected %s or %s", waysVariable, way, kept, single)
	}
	n.User = filepath.Join(n.Dir, "u")
	if !n.Kept {
		n.User = filepath.Join(n.Dir, strings.Repeat("long", 15))
	}
	if err := os.Mkdir(n.User, 0o700); err != nil {
		n.t.Fatal(err)
	}
}
