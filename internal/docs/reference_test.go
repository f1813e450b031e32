package docs

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/system"
	"github.com/sinew-robotics/sinew/parts/flow"
	"github.com/sinew-robotics/sinew/parts/servo"
)

var update = flag.Bool("update", false, "write the generated pages of docs/reference")

// TestBlocks holds docs/reference/blocks.md against the blocks themselves.
func TestBlocks(t *testing.T) {
	var b strings.Builder
	b.WriteString("# Block types\n\nGenerated from the blocks by `go test ./internal/docs -run Blocks -update`. Blocks with a number of ports or\nelements `n` are shown with n = 2. Every block has the input `enable` besides: while it reads false, the block is not executed.\n")
	for _, e := range slices.Concat(flow.Blocks(), servo.Blocks()) {
		describe(&b, e)
	}
	path := filepath.Join(testkit.Root(t), "docs/reference/blocks.md")
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if page, err := os.ReadFile(path); err != nil || string(page) != b.String() {
		t.Errorf("docs/reference/blocks.md is not what the blocks are (%v): run go test ./internal/docs -run Blocks -update", err)
	}
}

// describe writes the section of one type.
func describe(b *strings.Builder, e block.Entry) {
	var in block.Inspector
	none := system.Folder("testdata")
	given := block.Given{Params: map[string]any{}, Files: none}
	i, _ := in.Inspect("it", e.New(), given)
	if i.Param("n") != nil {
		given.Params["n"] = 2
	}
	i, _ = in.Inspect("it", e.New(), given) // files and peers are missing: no matter here
	fresh, _ := in.Inspect("it", e.New(), block.Given{Files: none})
	fmt.Fprintf(b, "\n## %s\n\n`%s`: %s.\n", e.Type, e.Type, e.Doc)
	if len(i.Params) > 0 {
		b.WriteString("\n| parameter | type | default | bounds | unit | meaning |\n|---|---|---|---|---|---|\n")
	}
	for _, p := range i.Params {
		kind := strings.ReplaceAll(fmt.Sprintf("%T", p.Value()), "|", " ")
		if p.Fixed {
			kind += ", constant"
		}
		fmt.Fprintf(b, "| `%s` | %s | %s | %s | %s | %s |\n", p.Name, kind, value(fresh.Param(p.Name).Value()), bounds(p), p.Unit, p.Doc)
	}
	rows := 0
	for _, p := range i.Ports {
		if p == i.Enable {
			continue
		}
		if rows++; rows == 1 {
			b.WriteString("\n| port | kind | type | unit | meaning |\n|---|---|---|---|---|\n")
		}
		fmt.Fprintf(b, "| `%s` | %s | %s | %s | %s |\n", p.Name, p.Kind, p.Type.GoType(), p.Unit, p.Doc)
	}
	if len(i.Operations) > 0 {
		b.WriteString("\n| operation | meaning |\n|---|---|\n")
	}
	for _, o := range i.Operations {
		fmt.Fprintf(b, "| `%s` | %s |\n", o.Name, o.Doc)
	}
}

// value writes a default; nothing where it is empty.
func value(v any) string {
	if text := fmt.Sprint(v); text != "" && text != "[]" {
		return "`" + text + "`"
	}
	return ""
}

func bounds(p *block.Parameter) string {
	switch low, high := !math.IsInf(p.Min, 0), !math.IsInf(p.Max, 0); {
	case low && high:
		return fmt.Sprintf("%v to %v", p.Min, p.Max)
	case low:
		return fmt.Sprintf("from %v", p.Min)
	case high:
		return fmt.Sprintf("to %v", p.Max)
	}
	return ""
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
