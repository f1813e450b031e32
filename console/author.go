package console

import (
	"context"

	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/system"
)

// author is who knows the types of blocks that a system's files may name, and what they come to: the system itself while it
// runs, else the console with its own types.
type author interface {
	Types(ctx context.Context, name string, params map[string]any) ([]admin.BlockType, error)
	Check(ctx context.Context, texts map[string]string) ([]admin.FileError, error)
	SaveParams(ctx context.Context, changes []system.Change) (map[string]string, error)
}

// authorOf returns the author of a system that runs, or that was seen when it did.
func (s *Server) authorOf(ctx context.Context, name string) (author, error) {
	_, err := s.structureOf(ctx, name, listPatience)
	switch {
	case err == nil:
		return s.catalog.get(name)
	case s.catalog.known(name).file == "":
		return nil, err
	}
	return idle{s.filesOf(name)}, nil
}

// filesOf returns the files of a system that was seen, as the console reads them.
func (s *Server) filesOf(name string) admin.Files {
	was := s.catalog.known(name)
	return admin.Files{Path: was.file, Options: system.Options{Registry: s.options.Registry, Overlays: was.overlays, Params: was.params}}
}

// idle are the files of a system that does not run.
type idle struct{ admin.Files }

// Types implements author.
func (i idle) Types(_ context.Context, name string, params map[string]any) ([]admin.BlockType, error) {
	return i.Files.Types(name, params)
}

// Check implements author.
func (i idle) Check(_ context.Context, texts map[string]string) ([]admin.FileError, error) {
	return i.Files.Check(texts), nil
}

// SaveParams implements author.
func (i idle) SaveParams(_ context.Context, changes []system.Change) (map[string]string, error) {
	return i.Files.SaveParams(changes)
}
