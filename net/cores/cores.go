// Package cores finds the cores of this host and their fronts, and ends them.
//
// A system that runs in real time is two processes, which share memory under the name of a file: the core executes the threads, the
// front serves everything else. Each holds a seat, a lock on that file, for as long as it lives. So the kernel reports which of
// them are alive, however a process has ended, and nothing has to be written before it is killed.
package cores

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sinew-robotics/sinew/internal/proc"
	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/net/system"
)

// The seats of the memory that a core and its front share.
const (
	CoreSeat  = iota // taken while the core runs
	FrontSeat        // taken while a front runs
	coreSeats
)

const coreSuffix = ".core"

// Program precedes the name of the program in the command line of a core: ps(1) shows the core of sinew run as core/sinew run.
const Program = "core/"

// Path returns the file whose memory a core and its front share. The name is that of a system, or SYSTEM.PROCESS.
func Path(name string) string {
	return filepath.Join(rt.SharedFolder(), name+coreSuffix)
}

// Core describes a core and its front as the kernel knows them: by the locks that they hold on their memory.
type Core struct {
	Name  string // of the system, or SYSTEM.PROCESS
	Runs  bool   // a core holds its seat
	Front bool   // a front holds its seat
}

// Check returns an error unless the name is that of a system or SYSTEM.PROCESS: only those have cores.
func Check(name string) error {
	name, process, several := strings.Cut(name, ".")
	err := system.CheckName(name)
	if err == nil && several {
		err = system.CheckPart("process", process)
	}
	return err
}

// Find returns the core of a system, or of SYSTEM.PROCESS. Without such a core neither Runs nor Front is set.
func Find(name string) Core {
	c := Core{Name: name}
	if Check(name) != nil {
		return c
	}
	shared, err := rt.OpenShared(Path(name))
	if err != nil {
		return c
	}
	defer shared.Close()
	c.Runs, c.Front = shared.Taken(CoreSeat), shared.Taken(FrontSeat)
	return c
}

// List returns the cores of this user on this host that run or have a front: those of one system, the one of a SYSTEM.PROCESS, or
// all where the name is empty.
func List(of string) (list []Core) {
	for _, c := range files(of) {
		if c.Runs || c.Front {
			list = append(list, c)
		}
	}
	return list
}

// files returns the same, and those of which only the memory is left.
func files(of string) (list []Core) {
	paths, _ := filepath.Glob(Path("*")) // the pattern is well formed
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), coreSuffix)
		if system, _, _ := strings.Cut(name, "."); Check(name) == nil && (of == "" || of == system || of == name) {
			list = append(list, Find(name))
		}
	}
	return list
}

// End ends the cores and fronts of a system on this host as [Core.End] does, and removes memory that dead ones left behind.
func End(system string, grace time.Duration) error {
	var errs []error
	for _, c := range files(system) {
		errs = append(errs, c.End(grace))
	}
	return errors.Join(errs...)
}

// System returns the name of the core's system, and that of the process where it is one of several.
func (c Core) System() (system, process string) {
	system, process, _ = strings.Cut(c.Name, ".")
	return system, process
}

// Orphaned reports whether the core runs without a front.
func (c Core) Orphaned() bool { return c.Runs && !c.Front }

// Processes returns the processes of core and front; nil for one that is not there or cannot be seen.
func (c Core) Processes() (core, front *proc.Process) {
	holders := proc.Holders(Path(c.Name), coreSeats)
	return holders[CoreSeat], holders[FrontSeat]
}

// End ends the core and its front in order: both get SIGTERM, upon which the core brings its blocks to rest. A process that is left
// after the grace is killed and named in the error. Unused memory is removed.
func (c Core) End(grace time.Duration) error {
	killed, err := proc.End(func() []*proc.Process {
		core, front := c.Processes()
		return slices.DeleteFunc([]*proc.Process{core, front}, func(p *proc.Process) bool { return p == nil })
	}, grace)
	if err != nil {
		return fmt.Errorf("end the core of %q: %w", c.Name, err)
	}
	if !removeSoon(c.Name) {
		return fmt.Errorf("end the core of %q: the process that holds %s cannot be seen; end it by hand", c.Name, Path(c.Name))
	}
	return Killed(c.Name, killed, grace)
}

// Killed returns an error that names the processes that had to be killed after the grace; nil where there were none. For a core it
// adds that its blocks may not have been brought to rest.
func Killed(name string, killed []*proc.Process, grace time.Duration) error {
	var errs []error
	for _, p := range killed {
		consequence := ""
		if strings.HasPrefix(p.Command, Program) {
			consequence = ": its blocks may not have been brought to rest"
		}
		errs = append(errs, fmt.Errorf("%s: %s did not end within %v and was killed%s", name, proc.Names([]*proc.Process{p}), grace, consequence))
	}
	return errors.Join(errs...)
}

// Remove removes the memory of a core and the note of how it was started, and reports whether they are gone: it stays while a
// process holds a seat. Taking both seats first, the front's before the core's, keeps others from entering at the same time, and
// leaves alone a core that its front has just started.
func Remove(name string) bool {
	if Check(name) != nil {
		return true
	}
	path := Path(name)
	shared, err := rt.OpenShared(path)
	if err != nil {
		return os.IsNotExist(err)
	}
	defer shared.Close()
	if !shared.Take(FrontSeat) || !shared.Take(CoreSeat) {
		return false
	}
	if shared.Current(path) {
		_ = os.Remove(Note(name))
		_ = os.Remove(path)
	}
	return true
}

// removalPatience is how long the last thread of a process may take to end after the first: until then its seats are held, although the
// process is a zombie.
const removalPatience = 5 * time.Second

// removeSoon is Remove for a core whose processes have just ended.
func removeSoon(name string) bool {
	for deadline := time.Now().Add(removalPatience); ; time.Sleep(10 * time.Millisecond) {
		if Remove(name) {
			return true
		}
		if time.Now().After(deadline) {
			return false
		}
	}
}

// Note returns the file that describes how a core was started.
func Note(name string) string { return Path(name) + ".json" }

// Advice returns the commands that take up or end a core without a front.
func (c Core) Advice() string {
	system, process := c.System()
	end := "sinew down " + system
	if process != "" {
		end += " " + process
	}
	return fmt.Sprintf("no front: commands go on; `sinew attach %s` takes it up, `%s` ends it", c.Name, end)
}
