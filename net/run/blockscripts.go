package run

import (
	"errors"
	"fmt"
	"path/filepath"
	"sync/atomic"

	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/port"
	"github.com/sinew-robotics/sinew/net/script"
	"github.com/sinew-robotics/sinew/net/system"
	"github.com/sinew-robotics/sinew/net/thread"
)

// blockScripts are the scripts that run in the activities of blocks of this process.
type blockScripts struct {
	list []*blockScript
	left atomic.Int32 // that have not ended
}

// blockScript is the script of a block.
type blockScript struct {
	block   *port.Instance
	file    string          // absolute
	program *script.Program // nil in a front that has taken up a core: it runs there
	ended   bool            // it is no longer among those left
}

// loadBlockScripts finds the scripts of the blocks of this process, and reads them where read is true.
func (r *Running) loadBlockScripts(read bool) error {
	instances := map[string]*port.Instance{}
	for _, b := range r.sys.Net.Blocks {
		instances[b.Name] = b
	}
	var errs []error
	for _, s := range r.sys.Scripts {
		e := &blockScript{block: instances[s.Block], file: s.Path}
		if e.block == nil {
			continue // it is in another process
		}
		if file, err := filepath.Abs(s.Path); err == nil {
			e.file = file
		}
		if read {
			var err error
			if e.program, err = script.Load(system.Folder("."), s.Path); err != nil {
				errs = append(errs, fmt.Errorf("script of block %q: %w", s.Block, err))
			}
		}
		r.scripts.list = append(r.scripts.list, e)
	}
	r.scripts.left.Store(int32(len(r.scripts.list)))
	return errors.Join(errs...)
}

// startBlockScripts loads the scripts of the blocks, shows them to tools, and makes them run where the threads are in this process.
func (r *Running) startBlockScripts() error {
	core, apart := r.threads.(*sharedCore)
	if err := r.loadBlockScripts(!apart || !core.taken); err != nil {
		return err
	}
	if len(r.scripts.list) > 0 {
		r.Local.ShowScripts(r.script)
	}
	if own, ok := r.threads.(*ownThreads); ok {
		r.runBlockScripts(own.core)
	}
	return nil
}

// runBlockScripts makes the scripts of the blocks run with the core, in their blocks' activities. In virtual time without an end and
// without a script of its own the system stops when all of them have ended.
func (r *Running) runBlockScripts(core *thread.Core) {
	last := r.options.Virtual && r.options.Until == 0 && r.sys.Script == ""
	for _, s := range r.scripts.list {
		core.RunIn(s.block, func(a *thread.Activity) func() error {
			run, err := s.program.RunFor(s.block.Name, admin.NewLocal(a.Front, r.files()).As(a.Participant()), a)
			return func() error {
				if err == nil {
					err = run()
				}
				if !s.ended {
					s.ended = true
					if r.scripts.left.Add(-1) == 0 && last {
						core.Stop()
					}
				}
				if err != nil {
					return fmt.Errorf("its script: %w", err)
				}
				return nil
			}
		})
	}
}

// script describes the script of a block; nil where it has none.
func (r *Running) script(block string) *admin.Script {
	for _, s := range r.scripts.list {
		if s.block.Name != block {
			continue
		}
		e, state := &admin.Script{File: s.file, State: admin.ScriptRunning}, r.Front.State(s.block)
		switch {
		case state.TaskFailed:
			e.State = admin.ScriptFailed
			for _, f := range r.Front.InError() {
				if f.Block == block {
					e.Error = f.Why
				}
			}
		case state.TaskEnded:
			e.State = admin.ScriptEnded
		case state.Faulted || state.Disabled || state.Resting:
			e.State = admin.ScriptPaused
		}
		return e
	}
	return nil
}
