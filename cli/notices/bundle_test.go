package notices

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

// runtimeParts are the development packages whose code the compiler puts into the pages.
func runtimeParts() []string { return []string{"svelte", "clsx", "devalue", "esm-env"} }

const (
	apache        = "Apache-2.0"
	apacheExample = "github.com/nats-io/nats.go" // has the plain text of the licence
)

// bundled returns the packages in the console's pages. If they are not installed, their texts are those of the list,
// while names and licences are checked against the lock file. Packages without a licence file get the plain text of
// the Apache License.
func bundled(t *testing.T, others []part) (parts []part) {
	t.Helper()
	ui := filepath.Join(testkit.Root(t), "console", "ui")
	b, err := os.ReadFile(filepath.Join(ui, "package-lock.json"))
	if err != nil {
		t.Fatal(err)
	}
	var lock struct {
		Packages map[string]struct {
			Dev     bool
			License string
		}
	}
	if err := json.Unmarshal(b, &lock); err != nil {
		t.Fatal(err)
	}
	var names []string
	for path, p := range lock.Packages {
		if path != "" && (!p.Dev || slices.Contains(runtimeParts(), packageName(path))) {
			names = append(names, path)
		}
	}
	slices.Sort(names)
	if len(names) < len(runtimeParts()) {
		t.Fatalf("the lock file has only %q", names)
	}
	for _, path := range names {
		name := packageName(path) + " (console)"
		licence := lock.Packages[path].License
		p := newPart(t, name, licenceFiles(filepath.Join(ui, path)))
		if p.texts == nil {
			p.texts = listedTexts(name)
		}
		if p.texts == nil && licence == apache {
			i := slices.IndexFunc(others, func(o part) bool { return o.name == apacheExample })
			p.texts = others[i].texts
		}
		if p.texts == nil {
			t.Errorf("%s: no licence file, and none in the list: npm ci in console/ui, then -update", name)
		}
		p.licences = []string{licence}
		parts = append(parts, p)
	}
	return parts
}

// packageName returns the name of a package by its path in the lock file.
func packageName(path string) string {
	_, name, _ := strings.Cut(path, "node_modules/")
	return name
}

// listedTexts returns the texts in the list for a part.
func listedTexts(name string) (texts []string) {
	for section := range strings.SplitSeq(text, "\n## ") {
		title, rest, _ := strings.Cut(section, "\n\n```text\n")
		if slices.Contains(strings.Split(title, ", "), name) {
			texts = append(texts, strings.TrimSuffix(strings.TrimRight(rest, "\n"), "\n```"))
		}
	}
	return texts
}
