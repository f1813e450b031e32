package files

import (
	"context"
	"path/filepath"

	"github.com/sinew-robotics/sinew/net/system"
)

// SaveRequest asks to save the tuned parameters of a system.
type SaveRequest struct {
	System string `json:"system"`
	DryRun bool   `json:"dry_run"` // nothing is written
}

// SaveReply holds what saving changes.
type SaveReply struct {
	Diff string `json:"diff"` // of all files; "" where nothing was tuned
}

// Save writes tuned parameters into the files of a running system, comments and layout untouched, and returns what that changes.
func (f *Files) Save(ctx context.Context, r Caller, q SaveRequest) (*SaveReply, error) {
	r.Changed(q.System, "dry_run=%v", q.DryRun)
	if q.DryRun {
		r.Unchanged()
	}
	sys, err := f.systems.System(q.System)
	if err != nil {
		return nil, err
	}
	path, err := f.place(ctx, q.System)
	if err != nil {
		return nil, err
	}
	changes, err := sys.Tuned(ctx)
	if err != nil || len(changes) == 0 {
		return &SaveReply{}, err
	}
	texts, err := sys.SaveParams(ctx, changes)
	if err != nil {
		return nil, err
	}
	changed, err := system.Diff(filepath.Dir(path), texts)
	if err != nil {
		return nil, err
	}
	now := map[string][]byte{}
	for path, file := range texts {
		now[path] = []byte(file.Text)
	}
	if err := f.needForTexts(r, q.System, nil, now); err != nil {
		return nil, err
	}
	if !q.DryRun {
		if err := system.Write(ctx, texts); err != nil {
			return nil, err
		}
	}
	return &SaveReply{changed}, nil
}
