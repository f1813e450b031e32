package deploy

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/sinew-robotics/sinew/internal/proc"
)

// equal reports whether two plans are the same, keys of links included.
func (p *Plan) equal(other *Plan) bool {
	a, errA := json.Marshal(p)
	b, errB := json.Marshal(other)
	return errA == nil && errB == nil && bytes.Equal(a, b)
}

// free makes room for a system on this host. It fails where something of the system runs; files that a dead system left
// behind are cleaned.
func (c Client) free(system string, clean func() error) error {
	if _, err := c.Status(); err == nil {
		return fmt.Errorf("%q is up already: sinew ps %s shows it, sinew down %s stops it", system, system, system)
	}
	if c.supervised() {
		return fmt.Errorf("%q is being stopped: wait until sinew ps no longer shows it", system)
	}
	if list := c.working(); len(list) > 0 {
		return fmt.Errorf("%q has lost its supervisor, and %s goes on: sinew down %s stops it", system, proc.Names(list[:1]), system)
	}
	if !c.exists() {
		return nil
	}
	return clean()
}

// abandoned reports whether processes of the system go on here, or may go on elsewhere, without a supervisor here.
func (c Client) abandoned() bool {
	if c.supervised() {
		return false
	}
	plan, err := ReadPlan(filepath.Base(c.Folder))
	if err != nil {
		return false
	}
	if _, err := os.Stat(filepath.Join(c.Folder, endedName)); err == nil {
		return false
	}
	return len(plan.Remotes) > 0 || len(c.working()) > 0
}

// working returns the living processes of the system, without supervisors and the ssh that they have started.
func (c Client) working() []*proc.Process {
	return slices.DeleteFunc(members(c.Folder, ""), func(p *proc.Process) bool { return memberProcess(p) == "" })
}

// TakeUp starts a new supervisor, with the same plan, for a system whose supervisor was killed. The new one takes over the
// processes that still run and starts the others. TakeUp reports whether there was such a system; sinew is the path of this
// host's command.
func TakeUp(system, sinew string) (Client, bool, error) {
	console, err := At(system)
	if err != nil {
		return console, false, err
	}
	if !console.abandoned() {
		return console, false, nil
	}
	return console, true, console.takeUp(sinew)
}

func (c Client) takeUp(sinew string) error {
	if err := c.supervise(sinew); err != nil {
		return fmt.Errorf("take up %q, which has lost its supervisor: %w", filepath.Base(c.Folder), err)
	}
	return nil
}
