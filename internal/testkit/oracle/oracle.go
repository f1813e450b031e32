// Package oracle runs other implementations of the formats that sinew uses: npm packages, run by node. `npm ci` in
// this folder installs them; without them tests are skipped with a message.
package oracle

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

// Ask runs a script of this folder with in as JSON on its standard input and decodes its output, also JSON, into out.
func Ask(t testing.TB, script string, in, out any) {
	t.Helper()
	dir := filepath.Join(testkit.Root(t), "internal", "testkit", "oracle")
	if _, err := os.Stat(filepath.Join(dir, "node_modules")); err != nil {
		t.Skip("SKIPPED: the oracles are not installed: run `npm ci` in internal/testkit/oracle")
	}
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("SKIPPED: there is no node to run the oracles with")
	}
	question, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	var answer, complaint bytes.Buffer
	cmd := exec.Command("node", filepath.Join(dir, script))
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(question), &answer, &complaint
	if err := cmd.Run(); err != nil {
		t.Fatalf("oracle %s: %v\n%s", script, err, &complaint)
	}
	if err := json.Unmarshal(answer.Bytes(), out); err != nil {
		t.Fatalf("oracle %s: %v in %.200s", script, err, &answer)
	}
}
