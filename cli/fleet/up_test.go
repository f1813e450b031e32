package fleet

import (
	"testing"

	"github.com/sinew-robotics/sinew/net/deploy"
)

func TestUpNamesTheReasonOrTheLogOfAProcessThatDoesNotRun(t *testing.T) {
	for _, c := range []struct {
		status deploy.Status
		want   string
	}{
		{deploy.Status{Name: "arm", Host: "robot", State: deploy.Failed, Exit: "exit status 3", LastLine: "no motor"}, `process "arm" is failed: exit status 3: no motor`},
		{deploy.Status{Name: "arm", Host: "robot", State: deploy.Failed, Exit: "signal: killed"}, `process "arm" is failed: signal: killed`},
		{deploy.Status{Name: "arm", Host: "robot", State: deploy.Starting, LastLine: "looking for cards"}, `process "arm" is starting: looking for cards`},
		{deploy.Status{Name: "arm", Host: "robot", State: deploy.Waiting}, "process \"arm\" is waiting: `sinew logs lab supervisor` shows what host robot has started, and what failed"},
		{deploy.Status{Name: "arm", Host: "robot", State: deploy.Starting}, "process \"arm\" is starting: `sinew logs lab arm` shows what it has printed"},
	} {
		if got := notRunning("lab", c.status).Error(); got != c.want {
			t.Errorf("%s: %s\nwant %s", c.status.State, got, c.want)
		}
	}
}
