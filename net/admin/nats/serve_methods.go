package nats

import (
	"context"
	"fmt"

	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/admin/request"
	"github.com/sinew-robotics/sinew/net/record"
	"github.com/sinew-robotics/sinew/net/system"
)

// The arguments of methods that only the control plane has.
type (
	typesRequest struct {
		Ref   string         `json:"ref,omitempty"`   // a type; "": all
		Named map[string]any `json:"named,omitempty"` // its parameters
	}
	checkRequest struct {
		Texts map[string]string `json:"texts,omitempty"` // of files, by absolute path
	}
	saveRequest struct {
		Changes []system.Change `json:"changes,omitempty"`
	}
	tapRequest struct {
		Client string     `json:"client"`
		Taps   []tapOrder `json:"taps,omitempty"`
	}
	untapRequest struct {
		Client string `json:"client"`
		IDs    []int  `json:"ids,omitempty"` // of taps; nil: all
	}
)

// tapOrder asks for a tap; its samples bear the id.
type tapOrder struct {
	ID    int    `json:"id"`
	Ref   string `json:"ref"`
	Every int    `json:"every"`
}

// methods returns the methods of the process. A site grants the right to each by subjects: docs/reference/control-plane.md.
func (s *Service) methods() []request.Entry[sender] {
	type (
		call     = request.Call[sender]
		none     = request.None
		rewrites = map[string]system.Rewrite // by path
	)
	p := s.process
	return append(request.Systems[sender](s.find, request.Unlimited),
		request.Method("time", request.View, func(context.Context, *call, none) (moment, error) { return moment{p.Now(), s.micro.Info().ID}, nil }),
		request.Method("history", request.View, func(context.Context, *call, none) (admin.History, error) { return s.history(), nil }),
		request.Command("note", request.Drive, func(_ context.Context, c *call, a noteRequest) error { return s.note(a, c.Sender.Actor()) }),
		request.Method("tap", request.View, func(ctx context.Context, _ *call, a tapRequest) (tapped, error) { return s.taps.tap(ctx, a) }),
		request.Command("untap", request.View, func(_ context.Context, _ *call, a untapRequest) error { s.taps.untap(a); return nil }),
		request.Method("tuned", request.View, func(ctx context.Context, _ *call, _ none) ([]system.Change, error) { return p.Tuned(ctx) }),
		request.Method("types", request.Tune, func(ctx context.Context, _ *call, a typesRequest) ([]admin.BlockType, error) {
			return p.Types(ctx, a.Ref, a.Named)
		}),
		request.Method("check", request.Tune, func(ctx context.Context, _ *call, a checkRequest) (admin.Findings, error) {
			return p.Check(ctx, a.Texts)
		}),
		request.Method("save", request.Tune, func(ctx context.Context, _ *call, a saveRequest) (rewrites, error) {
			return p.SaveParams(ctx, a.Changes)
		}),
	)
}

// find returns the process for a request that names its system, or none.
func (s *Service) find(name string) (admin.System, error) {
	if name != "" && name != s.id.System {
		return nil, fmt.Errorf("the request names the system %q, its subject %q", name, s.id.System)
	}
	return s.process, nil
}

// identified is a process that knows its name and host.
type identified struct {
	admin.Running
	id Identity
}

// Structure returns the structure of the process, with its name at each thread and block.
func (p identified) Structure(ctx context.Context) (*admin.Structure, error) {
	st, err := p.Running.Structure(ctx)
	if err != nil {
		return nil, err
	}
	st.System = p.id.System
	for i := range st.Processes { // this one
		x := &st.Processes[i]
		x.Name, x.Host, x.Version, x.Command, x.Dir, x.Supervised = p.id.Process, p.id.Host, p.id.Version, p.id.Command, p.id.Dir, p.id.Supervised
	}
	for i := range st.Threads {
		st.Threads[i].Process, st.Threads[i].Host = p.id.Process, p.id.Host
	}
	for i := range st.Blocks {
		st.Blocks[i].Process = p.id.Process
	}
	return st, nil
}

// Statistics returns the statistics of the process, with its name at each thread.
func (p identified) Statistics(ctx context.Context) (*record.RunStatistics, error) {
	st, err := p.Running.Statistics(ctx)
	if err != nil {
		return nil, err
	}
	for i := range st.Threads {
		st.Threads[i].Process, st.Threads[i].Host = p.id.Process, p.id.Host
	}
	return st, nil
}
