package system_test

import (
	"path/filepath"
	"testing"

	"github.com/sinew-robotics/sinew/net/system"
)

// Foreign programs, whether blocks or processes, and the bridges of hosts have a priority and a processor.
func TestProgramsAndBridgesHaveAScheduling(t *testing.T) {
	s := load(t, filepath.Join(write(t, "a.yaml", `
system: a
threads: {main: {period: 10ms}}
blocks:
  wave:  {type: rig.Wave}
  plant: {run: [./plant], in: [u]}
links: [wave.out -> plant.u]
deploy:
  hosts:
    here:  {bridge: {priority: 70}}
    there: {ssh: robot@there, bridge: {priority: 80, cpu: 2}}
    other: {ssh: robot@other}
  processes:
    plant:  {host: there, priority: 60, cpu: 3}
    camera: {run: [./camera], cpu: 1}
`), "a.yaml"), system.Options{})
	for name, want := range map[string]system.Scheduling{"plant": {Priority: 60, CPU: 3}, "camera": {CPU: 1}, "main": {}} {
		if p := s.Deploy.Process(name); p.Scheduling != want {
			t.Errorf("process %q has %+v, want %+v", name, p.Scheduling, want)
		}
	}
	for host, want := range map[string]system.Scheduling{system.LocalHost: {Priority: 70}, "there": {Priority: 80, CPU: 2}, "other": {}} {
		if got := s.Deploy.Bridge(host); got != want {
			t.Errorf("the bridge of %s has %+v, want %+v", host, got, want)
		}
	}
}
