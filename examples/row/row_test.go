package row

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/run"
	"github.com/sinew-robotics/sinew/net/system"
	"github.com/sinew-robotics/sinew/parts/servo"
)

func TestFortyJointsReachTheirTargets(t *testing.T) {
	s, err := system.Load("row.yaml", system.Options{Registry: block.NewRegistry(servo.Blocks())})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Net.Blocks) != 7+3*40 || len(s.Net.Links) != 9+10*40 {
		t.Errorf("%d blocks, %d links", len(s.Net.Blocks), len(s.Net.Links))
	}
	var out bytes.Buffer
	r, err := run.System(context.Background(), s, run.Options{Virtual: true, OneProcess: true, Output: &out})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Wait(); err != nil || !strings.Contains(out.String(), "worst error 0.00") {
		t.Errorf("%v\n%s", err, out.String())
	}
}
