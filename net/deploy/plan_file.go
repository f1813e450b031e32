package deploy

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sinew-robotics/sinew/internal/private"
	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/net/system"
)

// maxPlan is how many bytes of a plan that another host sends are read.
const maxPlan = 16 << 20

// ReadPlan reads the plan of a system that is up on this host. It fails if the system is not up or its plan is broken; the
// error names the file.
func ReadPlan(name string) (*Plan, error) {
	console, err := At(name)
	if err != nil {
		return nil, fmt.Errorf("read the plan of %q: %w", name, err)
	}
	plan, err := console.plan()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%q is not up on this host; sinew ps lists what runs", name)
	}
	return plan, err
}

// plan reads the plan in the folder; [fs.ErrNotExist] if there is none.
func (c Client) plan() (*Plan, error) {
	path := filepath.Join(c.Folder, planName)
	plan, err := ReadPlanFile(path)
	if err == nil && plan.System != filepath.Base(c.Folder) {
		return nil, fmt.Errorf("read %s: it is the plan of %q", path, plan.System)
	}
	return plan, err
}

// ReadPlanFile reads a plan from a file in a private folder. The error names the file.
func ReadPlanFile(path string) (*Plan, error) {
	text, err := private.Read(path)
	if err != nil {
		return nil, fmt.Errorf("read the plan: %w", err)
	}
	plan, err := parsePlan(text)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return plan, nil
}

// parsePlan reads a plan from JSON and checks it.
func parsePlan(text []byte) (*Plan, error) {
	var p Plan
	if err := json.Unmarshal(text, &p); err != nil {
		return nil, err
	}
	for _, plan := range p.all() {
		if err := plan.check(); err != nil {
			return nil, err
		}
		if plan.System != p.System {
			return nil, fmt.Errorf("host %q: its plan is that of the system %q, not %q", plan.Host, plan.System, p.System)
		}
	}
	if err := p.checkNeeds(); err != nil {
		return nil, err
	}
	for i := range p.Remotes {
		switch r := &p.Remotes[i]; {
		case len(r.Plan.Remotes) > 0:
			return nil, fmt.Errorf("host %q: its plan has further hosts in it", r.Plan.Host)
		case r.SSH == "" || strings.HasPrefix(r.SSH, "-"):
			return nil, fmt.Errorf("host %q: %q is no destination of ssh", r.Plan.Host, r.SSH)
		}
	}
	return &p, nil
}

// check returns an error where a name cannot be that of a file, or a process cannot be started.
func (p *Plan) check() error {
	if err := system.CheckName(p.System); err != nil {
		return err
	}
	if err := system.CheckPart("host", p.Host); err != nil {
		return err
	}
	if p.DeadMan < 0 {
		return fmt.Errorf("host %q: the dead-man time %v is negative", p.Host, p.DeadMan)
	}
	known := map[string]bool{}
	for i := range p.Processes {
		q := &p.Processes[i]
		if err := system.CheckPart("process", q.Name); err != nil {
			return err
		}
		switch {
		case known[q.Name]:
			return fmt.Errorf("process %q: there are two of that name", q.Name)
		case len(q.Command) == 0 || q.Command[0] == "":
			return fmt.Errorf("process %q: it has no command", q.Name)
		case q.Priority < 0 || q.Priority > rt.MaxPriority:
			return fmt.Errorf("process %q: priority %d is not between 0 and %d", q.Name, q.Priority, rt.MaxPriority)
		case q.CPU < 0:
			return fmt.Errorf("process %q: cpu %d is negative", q.Name, q.CPU)
		case !slices.Contains(restarts, q.Restart):
			return fmt.Errorf("process %q: no restart policy is called %q", q.Name, q.Restart)
		}
		known[q.Name] = true
	}
	return nil
}

// restarts are the policies as plans call them.
var restarts = []string{system.RestartNever.String(), system.RestartFailure.String(), system.RestartAlways.String()}
