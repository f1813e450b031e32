package candidate

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

func TestPageOfReliabilityHasTheDeadline(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(testkit.Root(t), "docs/reliability.md"))
	if err != nil {
		t.Fatal(err)
	}
	for row := range strings.Lines(string(page)) {
		if strings.HasPrefix(row, "| the check of a candidate hangs |") {
			if want := fmt.Sprintf("| %g s |", Deadline.Seconds()); !strings.Contains(row, want) {
				t.Errorf("wants %q in: %s", want, row)
			}
			return
		}
	}
	t.Error("no row on checks of candidates that hang")
}
