package fleet_test

import (
	"testing"

	"github.com/sinew-robotics/sinew/net/deploy"
	"github.com/sinew-robotics/sinew/net/thread"
)

func TestNothingKillsACoreThatMayStillStopItsBlocks(t *testing.T) {
	if deploy.StopGrace <= thread.LongestStop {
		t.Errorf("a core may need %v to stop, and is killed after %v", thread.LongestStop, deploy.StopGrace)
	}
}
