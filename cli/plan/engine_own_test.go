//go:build !fcl

package plan_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/cli"
)

// Without its build tag, the engine FCL is refused with the way to have it.
func TestEngineFCLNamesItsBuildTag(t *testing.T) {
	var stdout, stderr bytes.Buffer
	code := cli.Execute([]string{"plan", "../../examples/plan/gate/gate.xml", "--engine", "fcl"}, &stdout, &stderr)
	if code != 1 || !strings.Contains(stderr.String(), "go run -tags fcl ./cmd/sinew") {
		t.Errorf("exit code %d, stderr %q", code, stderr.String())
	}
}
