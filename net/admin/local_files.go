package admin

import (
	"context"

	"github.com/sinew-robotics/sinew/net/system"
)

// CheckWith makes c answer what is asked of candidates for the files of the system. Without it [Local.Types], [Local.Check] and
// [Local.SaveParams] are refused. Call it before the system is served.
func (l *Local) CheckWith(c Checker) {
	if l.files != nil {
		l.files.Checker = c
	}
}

// ShowScripts makes the structure show the scripts of blocks, which of returns; nil for a block without one. Call it before the
// system is served.
func (l *Local) ShowScripts(of func(block string) *Script) { l.script = of }

// Types implements [System].
func (l *Local) Types(ctx context.Context, name string, params map[string]any) ([]BlockType, error) {
	if l.files == nil {
		return nil, ErrNoFile
	}
	return l.files.Types(ctx, name, params)
}

// Check implements [System].
func (l *Local) Check(ctx context.Context, texts map[string]string) (Findings, error) {
	if l.files == nil {
		return Findings{}, ErrNoFile
	}
	return l.files.Check(ctx, texts)
}

// Tuned implements [System].
func (l *Local) Tuned(ctx context.Context) ([]system.Change, error) {
	if l.files == nil {
		return l.tunedOfProgram(ctx)
	}
	return l.files.Tuned(ctx, l)
}

// SaveParams implements [System].
func (l *Local) SaveParams(ctx context.Context, changes []system.Change) (map[string]system.Rewrite, error) {
	if l.files == nil {
		return l.saveOfProgram(changes)
	}
	return l.files.SaveParams(ctx, changes)
}
