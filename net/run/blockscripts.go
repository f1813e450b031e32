package run

import (
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"

	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/port"
	"github.com/sinew-robotics/sinew/net/script"
	"github.com/sinew-robotics/sinew/net/system"
	"github.com/sinew-robotics/sinew/net/thread"
)

// blockScripts are the scripts that belong to blocks of this process.
type blockScripts struct {
	mu   sync.Mutex
	list []*blockScript
	turn atomic.Int32 // the one that begins next: in virtual time they begin one after the other
	left atomic.Int32 // that have not ended
}

// blockScript is the script of a block in execution.
type blockScript struct {
	block   *port.Instance
	file    string
	program *script.Program
	ended   bool
	err     error
}

// startBlockScripts makes the scripts of the blocks begin with the threads. In virtual time without an end and without a script of
// its own the system stops when all of them have ended.
func (r *Running) startBlockScripts() error {
	all, instances := &r.scripts, map[string]*port.Instance{}
	for _, b := range r.sys.Net.Blocks {
		instances[b.Name] = b
	}
	var errs []error
	for _, s := range r.sys.Scripts {
		b := instances[s.Block]
		if b == nil {
			continue // it is in another process
		}
		program, err := script.Load(system.Folder("."), s.Path)
		if err != nil {
			errs = append(errs, fmt.Errorf("script of block %q: %w", s.Block, err))
			continue
		}
		file, err := filepath.Abs(s.Path)
		if err != nil {
			file = s.Path
		}
		all.list = append(all.list, &blockScript{block: b, file: file, program: program})
	}
	if len(errs) > 0 {
		return errors.Join(errs...)
	}
	if len(all.list) == 0 {
		return nil
	}
	all.left.Store(int32(len(all.list)))
	r.Local.ShowScripts(r.script)
	last := r.options.Virtual && r.options.Until == 0 && r.sys.Script == ""
	for i, s := range all.list {
		r.Front.Go(func(p *thread.Participant) {
			if p.Wait(0, func() bool { return int(all.turn.Load()) == i }) != nil {
				return // the system has stopped
			}
			all.turn.Add(1)
			owner := script.Owner{Block: s.block.Name, Runs: func() bool { return r.executes(s.block) }}
			err := s.program.RunFor(owner, r.Local.As(p), r.lines)
			all.end(s, err)
			if err != nil && !last {
				fmt.Fprintf(r.lines, "sinew: the script of block %q has stopped, the system goes on: %v\n", s.block.Name, err)
			}
			if all.left.Add(-1) == 0 && last {
				r.Front.Stop()
			}
		})
	}
	return nil
}

// executes reports whether a block is executed.
func (r *Running) executes(b *port.Instance) bool {
	s := r.Front.State(b)
	return !s.Faulted && !s.Disabled && !s.Resting
}

// end notes how a script has ended.
func (a *blockScripts) end(s *blockScript, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	s.ended, s.err = true, err
}

// failure returns the errors that ended scripts.
func (a *blockScripts) failure() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	var errs []error
	for _, s := range a.list {
		if s.err != nil {
			errs = append(errs, fmt.Errorf("script of block %q: %w", s.block.Name, s.err))
		}
	}
	return errors.Join(errs...)
}

// script describes the script of a block; nil where it has none.
func (r *Running) script(block string) *admin.Script {
	r.scripts.mu.Lock()
	defer r.scripts.mu.Unlock()
	for _, s := range r.scripts.list {
		if s.block.Name != block {
			continue
		}
		e := &admin.Script{File: s.file, State: admin.ScriptRunning}
		switch {
		case s.err != nil:
			e.State, e.Error = admin.ScriptFailed, s.err.Error()
		case s.ended:
			e.State = admin.ScriptEnded
		case !r.executes(s.block):
			e.State = admin.ScriptPaused
		}
		return e
	}
	return nil
}
