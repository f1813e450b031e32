package docs

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

// TestHelpPageMatchesTheCommand holds docs/reference/commands.md against the help of the command.
func TestHelpPageMatchesTheCommand(t *testing.T) {
	root := testkit.Root(t)
	sinew := filepath.Join(t.TempDir(), "sinew.exe")
	build := exec.Command("go", "build", "-o", sinew, "./cmd/sinew")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	var b strings.Builder
	b.WriteString("# Commands\n\nOn this page you find every verb of the command with its flags. Generated from the command's own help by `go test ./internal/docs -run HelpPage -update`.\n")
	writeHelp(t, &b, sinew, nil)
	path := filepath.Join(root, "docs/reference/commands.md")
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if page, err := os.ReadFile(path); err != nil || string(page) != b.String() {
		t.Errorf("docs/reference/commands.md differs from the help of the command (%v): run go test ./internal/docs -run HelpPage -update", err)
	}
}

// writeHelp writes the help of a verb and of those below it.
func writeHelp(t *testing.T, b *strings.Builder, sinew string, verb []string) {
	out, err := exec.Command(sinew, append([]string{"help"}, verb...)...).Output()
	if err != nil {
		t.Fatalf("help %q: %v", verb, err)
	}
	fmt.Fprintf(b, "\n## %s\n\n```text\n%s\n```\n", strings.Join(append([]string{"sinew"}, verb...), " "), strings.TrimSpace(string(out)))
	_, list, _ := strings.Cut(string(out), "[command]\n") // the groups of verbs follow
	list, _, _ = strings.Cut(list, "\nFlags:\n")
	for line := range strings.Lines(list) {
		if words := strings.Fields(line); strings.HasPrefix(line, "  ") && words[0] != "help" && words[0] != "completion" {
			writeHelp(t, b, sinew, append(verb[:len(verb):len(verb)], words[0]))
		}
	}
}
