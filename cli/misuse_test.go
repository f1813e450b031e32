package cli_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/cli"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// forgetful has a Step without an error, and a tag that means nothing.
type forgetful struct {
	Angle block.Out[float64] `unti:"rad"`
}

func (f *forgetful) Step(clock.Tick) {}

func TestCommandReportsMisuseOfBlocksWithoutAStack(t *testing.T) {
	var out, errs bytes.Buffer
	code := cli.Execute([]string{"check", "x.yaml"}, &out, &errs, []block.Entry{block.Of[forgetful]("")})
	lines := strings.Split(strings.TrimSpace(errs.String()), "\n")
	if code != 1 || out.Len() > 0 || len(lines) != 2 {
		t.Fatalf("exit code %d, printed %q and %q, want two lines about the type", code, out.String(), errs.String())
	}
	for k, want := range []string{"misuse_test.go:", `has no tag "unti"; did you mean "unit"?`} {
		if !strings.HasPrefix(lines[k], "sinew: block type cli_test.forgetful: ") || !strings.Contains(lines[k], want) {
			t.Errorf("line %d is %q, want %q in it", k+1, lines[k], want)
		}
	}
}
