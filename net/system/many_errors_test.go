package system_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/system"
)

// many are files with n faults, or n entries that once were compared with each other.
var many = map[string]func(n int) []string{
	"wrong types": func(n int) []string {
		return []string{"main.yaml", smallHead + "blocks:\n" + repeat(n, "  block%d: {type: rig.Wav}\n")}
	},
	"wrong parameters": func(n int) []string {
		return []string{"main.yaml", smallHead + "blocks:\n" + repeat(n, "  block%d: {type: rig.Wave, params: {amplitud: 1}}\n")}
	},
	"no such thread": func(n int) []string {
		return []string{"main.yaml", smallHead + "blocks:\n" + repeat(n, "  block%d: {type: rig.Wave, thread: s}\n")}
	},
	"unknown keys": func(n int) []string {
		return []string{"main.yaml", smallHead + "blocks:\n  w: {type: rig.Wave}\n" + repeat(6*n, "key%d: 1\n")}
	},
	"unknown keys of one block": func(n int) []string {
		return []string{"main.yaml", smallHead + "blocks:\n  w:\n    type: rig.Wave\n" + repeat(6*n, "    key%d: 1\n")}
	},
	"keys that are there twice": func(n int) []string {
		return []string{"main.yaml", smallHead + "blocks:\n" + repeat(n/2, "  block%d: {type: rig.Wave}\n") + repeat(n/2, "  block%d: {type: rig.Wave}\n")}
	},
	"links to no block": func(n int) []string {
		return []string{"main.yaml", smallHead + "blocks:\n" + repeat(n/5, "  block%d: {type: rig.Sum}\n") + "links:\n" + repeat(n, "  - blok%d.out -> block1.a\n")}
	},
	"links to one input": func(n int) []string {
		return []string{"main.yaml", smallHead + "blocks: {w: {type: rig.Wave}, s: {type: rig.Sum}}\nlinks:\n" + repeat(n, "  - w.out -> s.a # %d\n")}
	},
	"wrong links of groups": func(n int) []string {
		return []string{"main.yaml", smallHead + "groups: {g: {blocks: {w: {type: rig.Wave}}, ports: {out: w.out}}}\nlinks:\n" + repeat(n, "  - g.out%d -> g.in\n")}
	},
	"threads": func(n int) []string {
		return []string{"main.yaml", smallHead + repeat(n, "  t%d: {period: 1ms}\n")}
	},
	"processes": func(n int) []string {
		return []string{"main.yaml", smallHead + "deploy:\n  processes:\n" + repeat(n, "    p%d: {threads: [tt], needs: [mani]}\n")}
	},
	"foreign programs": func(n int) []string {
		return []string{"main.yaml", smallHead + "blocks:\n" + repeat(n, "  f%d: {run: [x], in: [a]}\n")}
	},
	"an overlay of many keys": func(n int) []string {
		return []string{"main.yaml", "base: base.yaml\nblocks:\n" + repeat(n, "  blok%d: {every: 2}\n"), "base.yaml", smallHead + "blocks:\n" + repeat(n, "  block%d: {type: rig.Wave}\n")}
	},
	"an overlay of many links": func(n int) []string {
		return []string{"main.yaml", "base: base.yaml\nlinks:\n" + repeat(n, "  - block%[1]d.out -> blok%[1]d.in\n"),
			"base.yaml", smallHead + "blocks: {w: {type: rig.Wave}}\nlinks:\n" + repeat(n, "  - block%[1]d.out -> blok%[1]d.in\n")}
	},
	"an included file of many blocks": func(n int) []string {
		return []string{"main.yaml", "include: [more.yaml]\n" + smallHead + "blocks:\n" + repeat(n, "  block%d: {type: rig.Wav}\n"),
			"more.yaml", "blocks:\n" + repeat(n, "  block%d: {type: rig.Wave}\n")}
	},
	"anchors and aliases": func(n int) []string {
		return []string{"main.yaml", smallHead + "blocks:\n  a: &a {type: rig.Wave}\n" + repeat(n, "  block%d: *a\n")}
	},
}

const smallHead = "system: x\nthreads:\n  t: {period: 1ms}\n"

func repeat(n int, line string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, line, i)
	}
	return b.String()
}

// TestErrorsAreCountedAboveALimitInLinearTime checks files with n and with 4n faults: a check that compares each with all takes
// sixteen times as long.
func TestErrorsAreCountedAboveALimitInLinearTime(t *testing.T) {
	const small, large, times = 2000, 8000, 10
	for name, files := range many {
		t.Run(name, func(t *testing.T) {
			lasts := func(n int) time.Duration {
				path := filepath.Join(write(t, files(n)...), "main.yaml")
				begin := time.Now()
				_, err := system.Load(path, system.Options{Registry: registry()})
				took := time.Since(begin)
				var all diagram.Errors
				if !errors.As(err, &all) || len(all) > diagram.MaxErrors+1 {
					t.Fatalf("%d errors", len(all))
				}
				if last := all[len(all)-1].Error(); len(all) > diagram.MaxErrors && !strings.HasPrefix(last, "… and ") {
					t.Fatalf("the last error is %q", last)
				}
				return took
			}
			ratio := 0.0
			for range 5 { // a machine that does something else in between
				a, b := lasts(small), lasts(large)
				if ratio = float64(b) / float64(a); ratio < times {
					t.Logf("%d: %v, %d: %v", small, a, large, b)
					return
				}
			}
			t.Errorf("four times as many faults take %.0f times as long", ratio)
		})
	}
}
