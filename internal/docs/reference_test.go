package docs

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/cli/catalog"
	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/system"
	"github.com/sinew-robotics/sinew/parts/flow"
	"github.com/sinew-robotics/sinew/parts/hardware"
	"github.com/sinew-robotics/sinew/parts/mobile"
	"github.com/sinew-robotics/sinew/parts/motion"
	"github.com/sinew-robotics/sinew/parts/servo"
	"github.com/sinew-robotics/sinew/parts/torque"
)

var update = flag.Bool("update", false, "write the generated pages of docs/reference")

// TestBlockPageDescribesEveryType holds docs/reference/blocks.md against the blocks themselves.
func TestBlockPageDescribesEveryType(t *testing.T) {
	var b strings.Builder
	b.WriteString("# Block types\n\nOn this page you find the equations, parameters, ports and operations of every block type that comes with sinew.\n`sinew blocks TYPE` prints the same.\nGenerated from the blocks by `go test ./internal/docs -run BlockPage -update`. Blocks with a number of ports or\nelements `n` are shown with n = 2. Every block has the input `enable` besides: while it reads false, the block is not executed.\nA block with triggers runs only when one of them has a new value. A required input must be linked.\n")
	for _, e := range slices.Concat(flow.Blocks(), servo.Blocks(), torque.Blocks(), motion.Blocks(), hardware.Blocks(), mobile.Blocks()) {
		catalog.Describe(e).Markdown(&b)
	}
	path := filepath.Join(testkit.Root(t), "docs/reference/blocks.md")
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if page, err := os.ReadFile(path); err != nil || string(page) != b.String() {
		t.Errorf("docs/reference/blocks.md is not what the blocks are (%v): run go test ./internal/docs -run BlockPage -update", err)
	}
}

// TestSystemFilePageNamesEveryKey holds docs/reference/system-file.md against the published schema.
func TestSystemFilePageNamesEveryKey(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(testkit.Root(t), "docs/reference/system-file.md"))
	if err != nil {
		t.Fatal(err)
	}
	var doc any
	if err := json.Unmarshal(system.Schema(), &doc); err != nil {
		t.Fatal(err)
	}
	keys := schemaKeys(doc)
	if len(keys) < 30 {
		t.Errorf("the schema has only the keys %q", keys)
	}
	for _, key := range keys {
		if !strings.Contains(string(page), "| `"+key+"` |") {
			t.Errorf("docs/reference/system-file.md has no row for the key %s", key)
		}
	}
}

// schemaKeys returns the names of all properties in a schema.
func schemaKeys(doc any) (keys []string) {
	switch doc := doc.(type) {
	case map[string]any:
		for name, v := range doc {
			if properties, ok := v.(map[string]any); ok && name == "properties" {
				for key, inner := range properties {
					keys = append(keys, key)
					keys = append(keys, schemaKeys(inner)...)
				}
				continue
			}
			keys = append(keys, schemaKeys(v)...)
		}
	case []any:
		for _, v := range doc {
			keys = append(keys, schemaKeys(v)...)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// TestRealTimePageExplainsTheNotices holds the page's table against the notices in package rt.
func TestRealTimePageExplainsTheNotices(t *testing.T) {
	root := testkit.Root(t)
	page, err := os.ReadFile(filepath.Join(root, "docs/howto/run-in-real-time.md"))
	if err != nil {
		t.Fatal(err)
	}
	var code strings.Builder
	for _, file := range []string{"thread_linux.go", "process_linux.go", "memory_linux.go", "latency_linux.go"} {
		text, err := os.ReadFile(filepath.Join(root, "internal/rt", file))
		if err != nil {
			t.Fatal(err)
		}
		code.Write(text)
	}
	n := 0
	for line := range strings.Lines(string(page)) {
		notice, ok := strings.CutPrefix(line, "| `")
		if !ok {
			continue
		}
		n++
		if notice, _, _ = strings.Cut(notice, "`"); !strings.Contains(code.String(), notice) {
			t.Errorf("package rt prints no notice %q", notice)
		}
	}
	if n != 5 {
		t.Errorf("the page explains %d notices, expected 5", n)
	}
}
