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

// putProgram saves a program.
func (s *Server) putProgram(ctx context.Context, c *call, q programText) (*files.ProgramText, error) {
	if err := s.listed(ctx, &q.programFile); err != nil {
		return nil, err
	}
	return s.files.PutProgram(ctx, c, q.System, q.File, q.Text, q.Version)
}
