package deploy

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sinew-robotics/sinew/internal/proc"
	"github.com/sinew-robotics/sinew/net/system"
)

// memberVariable is in the environment of every process of a system that is up, from its fork on: the folder of the system,
// and below it the name of the process. Processes hand it on to those that they start. So none is lost when the supervisor
// is killed, whenever that is. [Decision 9] explains why.
//
// [Decision 9]: https://github.com/sinew-robotics/sinew/blob/main/docs/decisions/0009-members-by-mark.md
const memberVariable = "SINEW_UP"

// mark returns the environment of a process of a system; the supervisor's own has no name.
func mark(folder, process string) []string {
	return append(os.Environ(), memberVariable+"="+folder+string(filepath.Separator)+process)
}

// members returns the living processes of the system of a folder, except the caller: those of one process and what it has
// started, or all, the supervisor among them, where the name is empty.
func members(folder, process string) []*proc.Process {
	return proc.Marked(memberVariable, func(value string) bool {
		in, name := filepath.Split(value)
		return filepath.Clean(in) == filepath.Clean(folder) && (process == "" || name == process)
	})
}

// memberProcess returns the name of the process of the plan that p is, or that has started it; "" for a supervisor.
func memberProcess(p *proc.Process) string {
	_, name := filepath.Split(p.Mark)
	return name
}

// markedSystems returns the names of the systems in the folder up that living processes belong to, sorted.
func markedSystems(up string) (names []string) {
	up += string(filepath.Separator)
	proc.Marked(memberVariable, func(value string) bool {
		if rest, ok := strings.CutPrefix(value, up); ok {
			if name, _, _ := strings.Cut(rest, string(filepath.Separator)); system.CheckName(name) == nil {
				names = append(names, name)
			}
		}
		return false
	})
	slices.Sort(names)
	return slices.Compact(names)
}

// head returns the process that a supervisor has started under a name, among its members: the oldest head of a group in the
// supervisor's session. Cores and daemons have sessions of their own.
func head(list []*proc.Process) (first *proc.Process) {
	for _, p := range list {
		if p.PID == p.Group && p.PID != p.Session && (first == nil || p.Since.Before(first.Since)) {
			first = p
		}
	}
	return first
}
