package admin

import (
	"context"

	"github.com/sinew-robotics/sinew/net/system"
)

// Types implements [System].
func (l *Local) Types(_ context.Context, name string, params map[string]any) ([]BlockType, error) {
	if l.files == nil {
		return nil, errNoFile
	}
	return l.files.Types(name, params)
}

// Check implements [System].
func (l *Local) Check(_ context.Context, texts map[string]string) ([]FileError, error) {
	if l.files == nil {
		return nil, errNoFile
	}
	return l.files.Check(texts), nil
}

// Tuned implements [System].
func (l *Local) Tuned(ctx context.Context) ([]system.Change, error) {
	if l.files == nil {
		return nil, errNoFile
	}
	return l.files.Tuned(ctx, l)
}

// SaveParams implements [System].
func (l *Local) SaveParams(_ context.Context, changes []system.Change) (map[string]string, error) {
	if l.files == nil {
		return nil, errNoFile
	}
	return l.files.SaveParams(changes)
}
