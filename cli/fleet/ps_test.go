package fleet

import (
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/net/deploy"
)

func TestPsShowsPriorityAndProcessorOfProgramsAndBridges(t *testing.T) {
	var table strings.Builder
	states := []deploy.Status{
		{Name: "bridge", Host: "robot", State: deploy.Running, PID: 5, Priority: 70, CPU: 2},
		{Name: "plant", Host: "robot", State: deploy.Running, PID: 6, Note: "without priority 60: `sinew logs lab plant` has the reason"},
	}
	if err := printStates(&table, "lab", states, false); err != nil {
		t.Fatal(err)
	}
	var rows []string
	for line := range strings.Lines(table.String()) {
		rows = append(rows, strings.Join(strings.Fields(line), " "))
	}
	want := []string{"lab host state pid for restarts priority cpu ended with, and notes", "bridge robot running 5 – 0 70 2",
		"plant robot running 6 – 0 – – without priority 60: `sinew logs lab plant` has the reason"}
	if got := strings.Join(rows, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("ps prints\n%s", got)
	}
}
