package run

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/cores"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/system"
)

// Load reads the files of a running core again, for [Attach]. The name is SYSTEM or SYSTEM.PROCESS. Load changes the working directory
// to that of the core: paths in the files may be relative to it. It fails if the core does not run, or if its system has no file.
func Load(name string, registry *block.Registry) (*system.System, error) {
	core, err := findCore(name)
	if err != nil {
		return nil, err
	}
	_ = core.shared.Close()
	n, err := readNote(name)
	if err != nil {
		return nil, fmt.Errorf("take up the core of %q, which goes on: how it was started cannot be read; sinew down %s ends it: %w", name, name, err)
	}
	if err := os.Chdir(n.Dir); err != nil {
		return nil, err
	}
	sys, err := system.Load(n.File, system.Options{Registry: registry, Overlays: n.Overlays, Params: n.Params, Process: n.Process, Name: n.System, Restore: true})
	if err != nil {
		return nil, err
	}
	return sys, nil
}

// Attach prepares this process as the new front of a running core, as [System] does for a new core. The script of the system is not run again, and those of blocks go on in the core. Attach
// fails if the core does not run, has a front or executes a different net.
func Attach(ctx context.Context, sys *system.System, o Options) (*Running, error) {
	r := newRunning(sys, o)
	core, err := findCore(r.Name)
	if err != nil {
		return nil, err
	}
	if err := core.enter(sys.Net); err != nil {
		return nil, errors.Join(err, core.shared.Close())
	}
	r.sys.Net.Notices = slices.DeleteFunc(r.sys.Net.Notices, func(n diagram.Notice) bool { // the core was given its values before
		return r.sys.Net.Kept != nil && n.Source == r.sys.Net.Kept.Source
	})
	r.threads, r.Front, r.sys.Script = core, core.front, ""
	return r.prepare(ctx)
}

// coresOf returns the cores of the processes of a system that is up, as the remedy for the system's name alone.
func coresOf(name string) string {
	var own []string
	for _, core := range cores.List(name) {
		own = append(own, core.Name)
	}
	if len(own) == 0 {
		return "sinew ps lists what runs"
	}
	return "it is up, and its cores are those of its processes: sinew attach " + strings.Join(own, ", or ")
}

// findCore opens the memory of a core that runs.
func findCore(name string) (*sharedCore, error) {
	if err := cores.Check(name); err != nil {
		return nil, err
	}
	c := &sharedCore{name: name, path: cores.Path(name), taken: true}
	var err error
	c.shared, err = rt.OpenShared(c.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("no core of a system %q runs here; %s", name, coresOf(name))
	}
	if err != nil {
		return nil, fmt.Errorf("find the core of %q: %w", name, err)
	}
	if !c.shared.Taken(cores.CoreSeat) {
		_ = c.shared.Close()
		cores.Remove(name)
		return nil, fmt.Errorf("the core of %q has died: its blocks were not brought to rest; start it again with sinew run", name)
	}
	return c, nil
}
