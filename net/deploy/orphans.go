package deploy

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sinew-robotics/sinew/internal/proc"
	"github.com/sinew-robotics/sinew/net/cores"
	"github.com/sinew-robotics/sinew/net/system"
)

// errStopping reports that a supervisor no longer answers because it stops everything.
var errStopping = errors.New("the system is being stopped; a second sinew down ends by force what does not end within 5 s")

// Orphans returns the states of the processes on this host of a system whose supervisor was killed. The error explains what to
// do about them, or that the supervisor is stopping them.
func (c Client) Orphans(name string) ([]Status, error) {
	stopping := c.supervised()
	plan, list, err := c.found()
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	stopped, stoppedErr := readStopped(c.Folder, plan)
	err = errors.Join(err, stoppedErr)
	var all []Status
	for _, p := range plan.Processes {
		s := Status{Name: p.Name, Host: plan.Host, State: Ended, Since: time.Now(), Note: "no supervisor starts it again"}
		if slices.Contains(stopped, p.Name) {
			s.State = Stopped
			s.noteStopped(plan)
		}
		others := 0
		for _, m := range list {
			if memberProcess(m) != p.Name {
				continue
			}
			if s.PID == 0 || m.Since.Before(s.Since) {
				s.PID, s.Since = m.PID, m.Since
			}
			s.State, s.Note = Running, "no supervisor watches it"
			others++
		}
		if added(p.Name) {
			s.Note += "; " + p.purpose()
		}
		s.noteOrphan(name+"."+p.Name, others)
		s.noteScheduling(&p, name)
		all = append(all, s)
	}
	if stopping {
		for i := range all {
			all[i].Note = ""
		}
		return all, errors.Join(err, fmt.Errorf("%s: %w", name, errStopping))
	}
	return all, errors.Join(err, c.lost(name, plan, len(list) > 0))
}

// found returns the plan of a system, with the processes that the kernel knows beside those of the plan, and its living processes on this
// host. If the plan cannot be read, those alone make it.
func (c Client) found() (*Plan, []*proc.Process, error) {
	plan, err := c.plan()
	if plan == nil {
		plan = &Plan{System: filepath.Base(c.Folder), Host: system.LocalHost}
	}
	list := c.working()
	for _, p := range list {
		if name := memberProcess(p); !slices.Contains(plan.names(), name) {
			plan.Processes = append(plan.Processes, PlannedProcess{Name: name})
		}
	}
	return plan, list, err
}

// noteOrphan notes whether the processes are a core without a front, or how many there are of a program.
func (s *Status) noteOrphan(name string, count int) {
	core := cores.Find(name)
	switch {
	case core.Orphaned():
		s.State = NoFront
		if p, _ := core.Processes(); p != nil {
			s.PID = p.PID
		}
		s.Note += "; no front: commands go on"
	case count > 1 && !core.Runs:
		s.Note += fmt.Sprintf("; %d processes", count)
	}
}

// lost returns an error that the supervisor was killed, and what to do.
func (c Client) lost(system string, plan *Plan, alive bool) error {
	var hosts []string
	for _, r := range plan.Remotes {
		hosts = append(hosts, r.Plan.Host)
	}
	switch {
	case alive:
		return fmt.Errorf("%s: %w: it was killed, and what it started goes on; `sinew up FILE` takes it up, `sinew down %s` ends it", system, ErrNoSupervisor, system)
	case hosts != nil:
		return fmt.Errorf("%s: %w here: it was killed; what runs on %s may go on; `sinew up FILE` takes it up, `sinew down %s` ends it", system, ErrNoSupervisor, strings.Join(hosts, ", "), system)
	}
	return fmt.Errorf("%s: %w: it was killed, and nothing of the system runs on this host; `sinew down %s` removes its files", system, ErrNoSupervisor, system)
}
