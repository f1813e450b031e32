package console

import (
	"context"
	"fmt"
	"slices"

	"github.com/sinew-robotics/sinew/console/files"
	"github.com/sinew-robotics/sinew/console/plans"
	"github.com/sinew-robotics/sinew/console/robots"
)

// programFile names a program of a robot.
type programFile struct {
	plans.Entry
	File string `json:"file"` // absolute path, as listed
}

// programText is a new text of a program.
type programText struct {
	programFile
	Text    string `json:"text"`
	Version string `json:"version"` // of the text that was edited; "": any
}

// listed fails for a file that is no program of the robot.
func (s *Server) listed(ctx context.Context, q *programFile) error {
	list, err := s.plans.Programs(ctx, q.Entry)
	if err == nil && !slices.ContainsFunc(list, func(p robots.Program) bool { return p.File == q.File }) {
		err = fmt.Errorf("%s is no program of robot %q", q.File, q.Robot)
	}
	return err
}

// program returns the text of a program.
func (s *Server) program(ctx context.Context, q programFile) (*files.ProgramText, error) {
	if err := s.listed(ctx, &q); err != nil {
		return nil, err
	}
	return s.files.Program(q.File)
}

// putProgram saves a program of a robot without a system. It rejects a text with mistakes, as net.put does for the files of systems.
func (s *Server) putProgram(ctx context.Context, c *call, q programText) (*files.ProgramText, error) {
	if q.System != robots.NoSystem {
		return nil, fmt.Errorf("save %s: it is a file of %q: save it by net.put", q.File, q.System)
	}
	if err := s.listed(ctx, &q.programFile); err != nil {
		return nil, err
	}
	if err := s.plans.CheckProgram(ctx, q.Entry, q.File, q.Text); err != nil {
		return nil, fmt.Errorf("save %s: the program has mistakes, and the file stays as it is: %w", q.File, err)
	}
	return s.files.PutProgram(ctx, c, q.System, q.File, q.Text, q.Version)
}
