package console

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/sinew-robotics/sinew/console/robots"
	"github.com/sinew-robotics/sinew/console/systems"
	"github.com/sinew-robotics/sinew/console/watch"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/admin/request"
	"github.com/sinew-robotics/sinew/net/record"
	"github.com/sinew-robotics/sinew/net/system"
)

// systemSummary is an entry of the list of systems.
type systemSummary struct {
	Name      string          `json:"name"`
	Processes []admin.Process `json:"processes"`
	Alive     bool            `json:"alive"`
	Problem   string          `json:"problem,omitempty"`
}

// listPatience is how long the list of systems waits for one of them.
const listPatience = 2 * time.Second

// systems lists the systems that run.
func (s *Server) systems(ctx context.Context, _ *call, _ request.None) ([]systemSummary, error) {
	list := []systemSummary{}
	running := s.pool.Running()
	for _, name := range s.pool.Names() {
		e := systemSummary{Name: name, Processes: []admin.Process{}}
		if !slices.Contains(running, name) {
			if s.options.Start != nil { // it may be started again
				e.Problem = "not running"
				list = append(list, e)
			}
			continue
		}
		st, err := s.structureSoon(ctx, name)
		if err != nil {
			e.Problem = err.Error()
		} else {
			e.Processes, e.Alive = st.Processes, true
		}
		list = append(list, e)
	}
	return list, nil
}

// structureSoon describes a running system, or fails where it takes longer than an entry of a list may.
func (s *Server) structureSoon(ctx context.Context, name string) (*admin.Structure, error) {
	ctx, cancel := context.WithTimeout(ctx, listPatience)
	defer cancel()
	return s.pool.Structure(ctx, name)
}

// shown is a running system as pages see it.
type shown struct {
	*systems.System
	pool *systems.Pool
	end  func(ctx context.Context, system string) error // nil: it has no supervisor
	all  func(system string) []admin.Process            // of the supervisor; nil: it has none
}

// find returns the running system that a request names.
func (s *Server) find(name string) (admin.System, error) {
	sys, err := s.pool.Get(name)
	if err != nil {
		return nil, err
	}
	return shown{sys, s.pool, s.options.Stop, s.options.Processes}, nil
}

// Structure describes the system, with warnings of tags that pages cannot show.
func (x shown) Structure(ctx context.Context) (*admin.Structure, error) {
	st, err := x.pool.Structure(ctx, x.Name())
	if err == nil {
		st.Warnings = append(st.Warnings, robots.CheckTags(st)...)
		x.addProcesses(st)
	}
	return st, err
}

// addProcesses adds what the supervisor reports of a system's processes: the state and last line of each, and those that are not on the
// control plane, such as programs in other languages.
func (x shown) addProcesses(st *admin.Structure) {
	if x.all == nil || !slices.ContainsFunc(st.Processes, isSupervised) {
		return
	}
	for _, p := range x.all(x.Name()) {
		i := slices.IndexFunc(st.Processes, func(known admin.Process) bool { return known.Name == p.Name })
		if i < 0 {
			st.Processes = append(st.Processes, p)
			continue
		}
		st.Processes[i].State, st.Processes[i].LastLine = p.State, p.LastLine
	}
}

// Statistics returns the statistics of the system, with the name of this process at the threads of a system in it.
func (x shown) Statistics(ctx context.Context) (*record.RunStatistics, error) {
	all, err := x.System.Statistics(ctx)
	if err != nil {
		return nil, err
	}
	for i := range all.Threads {
		if t := &all.Threads[i]; t.Process == "" { // as in the structure
			t.Process, t.Host = system.MainProcess, systems.ThisHost()
		}
	}
	return all, nil
}

// Condition returns the condition of the system, with the name of this process at the threads of a system in it, and with the programs in other
// languages that do not run.
func (x shown) Condition(ctx context.Context) (*admin.Condition, error) {
	c, err := x.System.Condition(ctx)
	if err != nil {
		return nil, err
	}
	for i := range c.Slips {
		if c.Slips[i].Process == "" { // as in the structure
			c.Slips[i].Process = system.MainProcess
		}
	}
	for _, p := range x.programs() {
		if p.Problem != "" {
			c.Problems = append(c.Problems, fmt.Sprintf("process %s: %s: %s", p.Name, p.State, p.Problem))
		}
	}
	return c, nil
}

// programs returns what the supervisor reports of processes that are not on the control plane: programs in other languages. It returns none
// before the system has described itself.
func (x shown) programs() []admin.Process {
	st := x.pool.Seen(x.Name()).Structure
	if x.all == nil || st == nil || !slices.ContainsFunc(st.Processes, isSupervised) {
		return nil
	}
	return slices.DeleteFunc(x.all(x.Name()), func(p admin.Process) bool {
		return slices.ContainsFunc(st.Processes, func(known admin.Process) bool { return known.Name == p.Name })
	})
}

func isSupervised(p admin.Process) bool { return p.Supervised }

// Stop stops the whole system. One that has a supervisor is stopped by it: else the supervisor would start its processes again.
func (x shown) Stop(ctx context.Context) error {
	supervised := x.pool.Seen(x.Name()).Program.Supervised
	if st, err := x.pool.Structure(ctx, x.Name()); err == nil {
		supervised = slices.ContainsFunc(st.Processes, isSupervised)
	}
	if supervised && x.end != nil {
		return x.end(ctx, x.Name())
	}
	return x.System.Stop(ctx)
}

// watch begins to send a page what is new at signals.
func (s *Server) watch(ctx context.Context, c *call, a watch.Request) (*watch.Reply, error) {
	return s.watches.Watch(ctx, c.Sender.Session, a)
}

type watchID struct {
	ID string `json:"id"`
}

// unwatch ends a watch.
func (s *Server) unwatch(_ context.Context, c *call, a watchID) error {
	return s.watches.Unwatch(c.Sender.Session, a.ID)
}
