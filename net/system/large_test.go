package system_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/system"
	"github.com/sinew-robotics/sinew/net/thread"
)

// large is a file of n blocks and 2n links, in which each block adds what the two blocks before it have.
func large(n int) string {
	var b strings.Builder
	b.WriteString("system: large\nthreads: {a: {period: 1ms}, b: {period: 2ms}}\nblocks:\n")
	for i := range n {
		fmt.Fprintf(&b, "  block%d: {type: rig.Sum, thread: %c}\n", i, 'a'+i*2/n)
	}
	b.WriteString("links:\n")
	for i := range n {
		// Written against the order of execution, so that there is something to sort.
		k := n - 1 - i
		a, c := max(k-1, 0), max(k-2, 0)
		if k == 0 {
			b.WriteString("  - {link: block0.out -> block0.a, delay: true}\n  - {link: block0.out -> block0.b, delay: true}\n")
			continue
		}
		fmt.Fprintf(&b, "  - block%d.out -> block%d.a\n  - block%d.out -> block%d.b\n", a, k, c, k)
	}
	return b.String()
}

func TestFileOfTenThousandBlocksLoads(t *testing.T) {
	const n = 10_000
	path := filepath.Join(write(t, "large.yaml", large(n)), "large.yaml")
	begin := time.Now()
	s := load(t, path, system.Options{})
	t.Logf("%d blocks and %d links loaded in %v", len(s.Net.Blocks), len(s.Net.Links), time.Since(begin))
	if len(s.Net.Blocks) != n || len(s.Net.Links) != 2*n {
		t.Fatalf("%d blocks, %d links", len(s.Net.Blocks), len(s.Net.Links))
	}
	core := execute(t, s, thread.Options{Until: clock.At(10 * time.Millisecond)})
	for _, st := range core.Front().Stats() {
		if st.Activations < 5 || st.Faults != 0 {
			t.Errorf("%s: %d activations, %d faults", st.Thread, st.Activations, st.Faults)
		}
	}
}

func BenchmarkLoadLarge(b *testing.B) {
	path := filepath.Join(write(b, "large.yaml", large(10_000)), "large.yaml")
	for b.Loop() {
		load(b, path, system.Options{})
	}
}
