package live

import (
	"slices"
	"strings"

	"github.com/sinew-robotics/sinew/net/deploy"
)

// SupervisorLog returns what the supervisor of a system on this host did, with times, oldest first; nothing for a system that is not
// up here. The name may be SYSTEM.PROCESS.
func SupervisorLog(name string) []deploy.LogLine {
	system, _, _ := strings.Cut(name, ".")
	console, err := deploy.At(system)
	if err != nil {
		return nil
	}
	lines := console.Tail(deploy.SupervisorLog).Read(true)
	return slices.DeleteFunc(lines, func(l deploy.LogLine) bool { return l.Time.IsZero() })
}
