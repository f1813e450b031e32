package console

import (
	"context"
	"os"
	"slices"
	"time"

	"github.com/sinew-robotics/sinew/net/admin"
)

type noArguments struct{}

type systemRequest struct {
	System string `json:"system"`
}

type refRequest struct {
	System string `json:"system"`
	Ref    string `json:"ref"`
}

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
func (s *Server) systems(ctx context.Context, _ *call, _ noArguments) (any, error) {
	list := []systemSummary{}
	running := s.catalog.systems.List()
	for _, name := range s.catalog.names() {
		e := systemSummary{Name: name, Processes: []admin.Process{}}
		if !slices.Contains(running, name) {
			if s.options.Start != nil { // it may be started again
				e.Problem = "it does not run"
				list = append(list, e)
			}
			continue
		}
		st, err := s.structureOf(ctx, name, listPatience)
		if err != nil {
			e.Problem = err.Error()
		} else {
			e.Processes, e.Alive = st.Processes, true
		}
		list = append(list, e)
	}
	return list, nil
}

func (s *Server) structureOf(ctx context.Context, name string, patience time.Duration) (*admin.Structure, error) {
	sys, err := s.catalog.get(name)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	st, err := sys.Structure(ctx)
	if err != nil {
		return nil, err
	}
	if p := &st.Processes[0]; p.Name == "" { // it is a part of this process
		p.Name, p.Host, p.Version = admin.MainProcess, thisHost(), s.options.Version
		for i := range st.Threads {
			st.Threads[i].Process, st.Threads[i].Host = admin.MainProcess, thisHost()
		}
		for i := range st.Blocks {
			st.Blocks[i].Process = admin.MainProcess
		}
	}
	s.catalog.note(name, st)
	return st, nil
}

func thisHost() string {
	name, _ := os.Hostname()
	return name
}

func (s *Server) structure(ctx context.Context, _ *call, a systemRequest) (any, error) {
	st, err := s.structureOf(ctx, a.System, askPatience)
	if err != nil {
		return nil, err
	}
	st.Warnings = append(st.Warnings, misshownIn(st)...)
	return st, nil
}

func (s *Server) read(ctx context.Context, _ *call, a refRequest) (any, error) {
	sys, err := s.catalog.get(a.System)
	if err != nil {
		return nil, err
	}
	return sys.Read(ctx, a.Ref)
}

func (s *Server) param(ctx context.Context, _ *call, a refRequest) (any, error) {
	sys, err := s.catalog.get(a.System)
	if err != nil {
		return nil, err
	}
	return sys.Param(ctx, a.Ref)
}

func (s *Server) statistics(ctx context.Context, _ *call, a systemRequest) (any, error) {
	sys, err := s.catalog.get(a.System)
	if err != nil {
		return nil, err
	}
	all, err := sys.Statistics(ctx)
	if err != nil {
		return nil, err
	}
	for i := range all.Threads {
		if t := &all.Threads[i]; t.Process == "" { // as in the structure
			t.Process, t.Host = admin.MainProcess, thisHost()
		}
	}
	return all, nil
}

// periods returns the period of each block's thread in seconds; 0 where it is triggered or not known.
func (s *shown) periods(ctx context.Context) map[string]float64 {
	list := map[string]float64{}
	st, err := s.Structure(ctx)
	if err != nil {
		return list // taps tell what is wrong
	}
	type place struct{ process, thread string }
	threads := map[place]float64{}
	for _, t := range st.Threads {
		threads[place{t.Process, t.Name}] = t.Period
	}
	for _, b := range st.Blocks {
		list[b.Name] = threads[place{b.Process, b.Thread}]
	}
	return list
}
