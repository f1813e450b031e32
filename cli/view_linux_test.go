package cli_test

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

// loudSystem has three signals whose numbers show to which of them they belong, and a block that prints.
const loudSystem = `system: loud
threads: {t: {period: 5ms}}
blocks:
  first: {type: cli_test.Loud, params: {digit: 1, print: true}}
  second: {type: cli_test.Loud, params: {digit: 2}}
  third: {type: cli_test.Loud, params: {digit: 3}}
`

// TestNumbersStayBesideTheirNamesWhileLinesScrollAboveTheView runs a system in a terminal, lets a block print, and signs in to its console,
// which prints, too: each name of the table stands in one row with its own number, below all that was printed.
func TestNumbersStayBesideTheirNamesWhileLinesScrollAboveTheView(t *testing.T) {
	testkit.UserFolder(t)
	t.Setenv("TMPDIR", t.TempDir())
	file := filepath.Join(t.TempDir(), "loud.yaml")
	if err := os.WriteFile(file, []byte(loudSystem), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = exec.Command("sinew", "down", "loud").Run() }) // its core, if the test fails
	cmd := exec.Command("sinew", "run", "--console", file)
	screen := startInTerminal(t, cmd)
	table := func() bool {
		for name, digit := range map[string]string{"first": "1", "second": "2", "third": "3"} {
			if screen.find(`^`+name+`\.out +(`+digit+`\d{3}\.0000) `) == "" || screen.find(`(`+name+`\.out)`) == "" {
				return false
			}
		}
		return screen.find(`^t +(\d+) .*%$`) != "" && screen.find(`^(thread +runs +slips)`) != ""
	}
	var address string
	testkit.Await(t, "the console's address", func() bool { address = screen.find(`^console: (http://\S+)$`); return address != "" })
	testkit.Await(t, "the table", table)
	answer, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	testkit.Await(t, "the line that a user has signed in, in one piece", func() bool {
		return screen.find(`^time=\S+ level=INFO msg="console: (signed in)" .*from=\S+$`) != ""
	})
	testkit.Await(t, "the table below it", table)
	printed := func() (last int) {
		for _, row := range screen.rows() {
			if n, found := strings.CutPrefix(row, "first prints "); found {
				last, _ = strconv.Atoi(n)
			}
		}
		return last
	}
	until := printed() + 2*terminalRows // what was on the screen has scrolled away
	testkit.Await(t, "many lines of the block", func() bool { return printed() > until })
	testkit.Await(t, "the table below them", table)
	screen.press("q")
	if err := cmd.Wait(); err != nil {
		t.Error("the run has ended with", err)
	}
}
