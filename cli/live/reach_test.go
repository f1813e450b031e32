package live

import (
	"slices"
	"testing"

	"github.com/sinew-robotics/sinew/net/deploy"
)

// A command that names one process of a system asks the host that runs it, and no other.
func TestOneProcessIsSoughtOnItsHost(t *testing.T) {
	on := func(host string, processes ...deploy.PlannedProcess) deploy.Plan {
		return deploy.Plan{System: "cell", Host: host, Processes: processes}
	}
	ours := func(name string) deploy.PlannedProcess { return deploy.PlannedProcess{Name: name, ReportsReady: true} }
	plan := on("desk", ours("panel"))
	plan.Remotes = []deploy.RemotePlan{{Plan: on("arm", ours("mover"), ours("control"), deploy.PlannedProcess{Name: "driver"})}, {Plan: on("camera", ours("vision"))}, {Plan: on("disk", deploy.PlannedProcess{Name: "backup"})}}
	const desk, arm, camera = "cell on this host", "cell on host arm", "cell on host camera"
	for process, want := range map[string][]string{
		"":        {arm, camera, desk},
		"unknown": {arm, camera, desk},
		"panel":   {desk},
		"mover":   {arm},
		"control": {arm, camera, desk}, // which sinew may have added on each host
		"driver":  {arm},               // which answers that it is a foreign program
		"vision":  {camera},
		"backup":  {desk}, // no process of its host is on the control plane
	} {
		var got []string
		for _, a := range planned(&plan, process) {
			got = append(got, a.String())
		}
		if !slices.Equal(got, want) {
			t.Errorf("for %q it asks %q, want %q", process, got, want)
		}
	}
}
