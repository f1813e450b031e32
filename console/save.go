package console

import (
	"context"
	"path/filepath"

	"github.com/sinew-robotics/sinew/net/system"
)

type saveRequest struct {
	System string `json:"system"`
	DryRun bool   `json:"dry_run"`
}

// save writes tuned parameters back into the system's files, comments and layout untouched, and returns what that
// changes; with dry_run it only tells.
func (s *Server) save(ctx context.Context, c *call, a saveRequest) (any, error) {
	c.changed(a.System, "dry_run=%v", a.DryRun)
	if a.DryRun {
		c.quiet = true
	}
	sys, err := s.catalog.get(a.System)
	if err != nil {
		return nil, err
	}
	path, err := s.placeOf(ctx, a.System)
	if err != nil {
		return nil, err
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	changes, err := sys.Tuned(ctx)
	if err != nil || len(changes) == 0 {
		return map[string]string{"diff": ""}, err
	}
	texts, err := sys.SaveParams(ctx, changes)
	if err != nil {
		return nil, err
	}
	changed, err := system.Diff(filepath.Dir(path), texts)
	if err != nil {
		return nil, err
	}
	if !a.DryRun {
		if err := system.Write(texts); err != nil {
			return nil, err
		}
	}
	return map[string]string{"diff": changed}, nil
}
