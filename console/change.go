package console

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/sinew-robotics/sinew/net/admin"
)

// mostSaid is how many bytes of a value the log shows.
const mostSaid = 200

// said writes a value for the log.
func said(v any) string {
	text, err := json.Marshal(finite(v))
	if err != nil {
		return "?"
	}
	if len(text) > mostSaid {
		return string(text[:mostSaid]) + "…"
	}
	return string(text)
}

type feedRequest struct {
	System string   `json:"system"`
	Ref    string   `json:"ref"`
	Value  any      `json:"value"`
	For    *float64 `json:"for_s"` // the port is released when it is not fed again for so long; nil: it is held until it is released
}

func (s *Server) feed(ctx context.Context, c *call, a feedRequest) (any, error) {
	c.changed(a.System, "%s = %s", a.Ref, said(a.Value))
	sys, err := s.catalog.get(a.System)
	if err != nil {
		return nil, err
	}
	if a.For == nil {
		return nil, sys.Feed(ctx, a.Ref, admin.Number(a.Value))
	}
	lasts := min(*a.For, 2*admin.LongestFeed.Seconds()) // more is refused alike
	began, err := sys.FeedFor(ctx, a.Ref, admin.Number(a.Value), time.Duration(lasts*float64(time.Second)))
	c.quiet = !began // who steers is told of once
	return nil, err
}

func (s *Server) release(ctx context.Context, c *call, a refRequest) (any, error) {
	c.changed(a.System, "%s", a.Ref)
	sys, err := s.catalog.get(a.System)
	if err != nil {
		return nil, err
	}
	return nil, sys.Release(ctx, a.Ref)
}

type setRequest struct {
	System string         `json:"system"`
	Block  string         `json:"block"`
	Values map[string]any `json:"values"`
}

func (s *Server) set(ctx context.Context, c *call, a setRequest) (any, error) {
	c.changed(a.System, "%s %s", a.Block, said(a.Values))
	if len(a.Values) == 0 {
		return nil, errors.New("set: wants values")
	}
	sys, err := s.catalog.get(a.System)
	if err != nil {
		return nil, err
	}
	return nil, sys.SetParams(ctx, a.Block, admin.Number(a.Values).(map[string]any))
}

type callRequest struct {
	System string         `json:"system"`
	Ref    string         `json:"ref"`
	Args   []any          `json:"args"`
	Named  map[string]any `json:"named"`
}

func (s *Server) call(ctx context.Context, c *call, a callRequest) (any, error) {
	c.changed(a.System, "%s %s%s", a.Ref, saidUnlessNone(a.Args == nil, a.Args), saidUnlessNone(a.Named == nil, a.Named))
	sys, err := s.catalog.get(a.System)
	if err != nil {
		return nil, err
	}
	args, _ := admin.Number(a.Args).([]any)
	named, _ := admin.Number(a.Named).(map[string]any)
	return sys.Call(ctx, a.Ref, args, named)
}

func saidUnlessNone(none bool, v any) string {
	if none {
		return ""
	}
	return said(v)
}

type blockRequest struct {
	System string `json:"system"`
	Block  string `json:"block"`
}

func (s *Server) reset(ctx context.Context, c *call, a blockRequest) (any, error) {
	c.changed(a.System, "%s", a.Block)
	sys, err := s.catalog.get(a.System)
	if err != nil {
		return nil, err
	}
	return nil, sys.Reset(ctx, a.Block)
}

type enableRequest struct {
	System string `json:"system"`
	Block  string `json:"block"`
	On     *bool  `json:"on"`
}

// enable lets a block run or not.
func (s *Server) enable(ctx context.Context, c *call, a enableRequest) (any, error) {
	if a.On == nil {
		return nil, errors.New("enable: wants on, true or false")
	}
	c.changed(a.System, "%s = %v", a.Block, *a.On)
	sys, err := s.catalog.get(a.System)
	if err != nil {
		return nil, err
	}
	return nil, sys.Enable(ctx, a.Block, *a.On)
}

func (s *Server) stop(ctx context.Context, c *call, a systemRequest) (any, error) {
	c.changed(a.System, "")
	sys, err := s.catalog.get(a.System)
	if err != nil {
		return nil, err
	}
	return nil, sys.Stop(ctx)
}
