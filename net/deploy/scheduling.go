package deploy

import (
	"fmt"
	"strings"

	"github.com/sinew-robotics/sinew/internal/rt"
)

// scheduling returns what the process requests from the operating system.
func (p *PlannedProcess) scheduling() (r rt.ThreadOptions) {
	r.Priority = p.Priority
	r.Slack = rt.RuntimeSlack
	if !p.ReportsReady { // a foreign program, which must not inherit the slack of the supervisor
		r.Slack = rt.UsualSlack
	}
	if p.CPU > 0 {
		r.CPUs = []int{p.CPU - 1}
	}
	return r
}

// noteScheduling adds to the state of a process how the operating system schedules it, and what it has not granted.
func (s *Status) noteScheduling(p *PlannedProcess, system string) {
	if p.Priority == 0 && p.CPU == 0 || s.PID == 0 {
		return
	}
	is := rt.Scheduled(s.PID)
	if s.Priority = is.Priority; len(is.CPUs) == 1 && p.CPU > 0 {
		s.CPU = is.CPUs[0] + 1
	}
	var missing []string
	if p.Priority > 0 && s.Priority != p.Priority {
		missing = append(missing, fmt.Sprintf("priority %d", p.Priority))
	}
	if p.CPU > 0 && s.CPU != p.CPU {
		missing = append(missing, fmt.Sprintf("cpu %d", p.CPU))
	}
	if missing == nil {
		return
	}
	if s.Note != "" {
		s.Note += "; "
	}
	s.Note += fmt.Sprintf("without %s: `sinew logs %s %s` has the reason", strings.Join(missing, " and "), system, p.Name)
}
