package robots

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/system"
)

// structurePatience is how long a system may take to describe itself.
const structurePatience = 10 * time.Second

// Systems gives access to the systems that the console shows.
type Systems interface {
	// System returns a running system. It is the same value until the system is restarted.
	System(name string) (admin.System, error)
	// Structure describes a running system.
	Structure(ctx context.Context, name string) (*admin.Structure, error)
	// File returns the path of a system's file on this host, or "".
	File(name string) string
}

// Options configure [New].
type Options struct {
	Systems  Systems
	Registry *block.Registry // types of blocks; the folders of a system's files are found with them
	Log      *slog.Logger
	// Warn is called once for each mesh that cannot be loaded, with a sentence for people.
	Warn func(system, text string)
}

// Robots holds the robots of the systems that pages look at.
type Robots struct {
	options Options

	mu      sync.Mutex
	systems map[string]*systemRobots // by the system's name
	alone   []*robot                 // those of no system, in the order of Add
	warned  map[string]bool          // meshes, by system, block and name
}

// New returns robots that are read when pages ask for them.
func New(o Options) *Robots {
	return &Robots{options: o, systems: map[string]*systemRobots{}, warned: map[string]bool{}}
}

// systemRobots are the robots of one run of a system.
type systemRobots struct {
	system admin.System
	mu     sync.Mutex
	all    map[string]*robot // by the block that reads the description
	list   *List             // the last one; nil: none was asked for
}

// Forget drops what was read for a system that has ended. Until then, its robots stay as they were.
func (r *Robots) Forget(system string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.systems, system)
}

// of returns the robots of a running system, and drops those of an earlier run; of a system that has ended, those of its last run.
func (r *Robots) of(name string) (*systemRobots, error) {
	sys, err := r.options.Systems.System(name)
	r.mu.Lock()
	defer r.mu.Unlock()
	switch list := r.systems[name]; {
	case list != nil && (err != nil || list.system == sys):
		return list, nil
	case err != nil:
		return nil, err
	}
	list := &systemRobots{system: sys, all: map[string]*robot{}}
	r.systems[name] = list
	return list, nil
}

// read returns the robot that a block reads from a file. The file is read once, as by the block itself.
func (l *systemRobots) read(system, block, file string, locked []string, dirs func() []string) (*robot, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if x := l.all[block]; x != nil {
		return x, nil
	}
	x, err := readRobot(system, block, file, locked, dirs)
	if err != nil {
		return nil, err
	}
	l.all[block] = x
	return x, nil
}

// known returns the robot of a block that was read already, or nil.
func (l *systemRobots) known(block string) *robot {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.all[block]
}

// noted returns the list that was made last, or nil.
func (l *systemRobots) noted() *List {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.list
}

// note keeps a list, which must not be changed.
func (l *systemRobots) note(list *List) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = list
}

// find returns the robot of a block.
func (r *Robots) find(ctx context.Context, system, block string) (*robot, error) {
	if system == NoSystem {
		return r.findAlone(block)
	}
	list, err := r.of(system)
	if err != nil {
		return nil, err
	}
	if x := list.known(block); x != nil {
		return x, nil
	}
	st, err := r.structure(ctx, system)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, b := range st.Blocks {
		file := descriptionOf(b)
		if b.Name == block && file != "" {
			return list.read(system, b.Name, file, lockedOf(b), r.folders(system))
		}
		if file != "" {
			names = append(names, b.Name)
		}
	}
	return nil, fmt.Errorf("no block %q reads a robot%s", block, nearest.Hint(block, names))
}

func (r *Robots) structure(ctx context.Context, system string) (*admin.Structure, error) {
	ctx, cancel := context.WithTimeout(ctx, structurePatience)
	defer cancel()
	return r.options.Systems.Structure(ctx, system)
}

// folders returns the folders that a system's blocks may read files from: that of the system file first.
func (r *Robots) folders(name string) func() []string {
	return func() []string {
		path := r.options.Systems.File(name)
		dirs := []string{filepath.Dir(path)}
		if sys, err := system.Load(path, system.Options{Registry: r.options.Registry}); err == nil {
			for _, f := range sys.Files {
				if dir := filepath.Dir(f); !slices.Contains(dirs, dir) {
					dirs = append(dirs, dir)
				}
			}
		}
		return dirs
	}
}
