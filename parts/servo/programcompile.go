package servo

import (
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/description/document"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/program"
	"github.com/sinew-robotics/sinew/robot/trajectory"
)

// desk is where the control thread leaves a request for the compiling goroutine, and takes the result. Its fields belong to the side that status names.
type desk struct {
	status  atomic.Int32
	file    string    // "": a path through points
	points  []float64 // of the path, one after another
	start   []float64 // of the joints that programs move
	held    []float64 // of all joints
	limits  []trajectory.Limits
	player  *program.Player
	failure ProgramFailure
}

// Sides of a desk.
const (
	deskFree int32 = iota
	deskAsked
	deskAnswered
)

// glance is how often the compiling goroutine looks for a request: the control thread wakes no other one.
const glance = 10 * time.Millisecond

// read reads a program and checks the names of its outputs.
func (p *Program) read(file string) (*program.Program, error) {
	text, err := program.Read(p.files, file)
	if err != nil {
		return nil, err
	}
	var report document.Report
	for _, m := range text.Moves {
		for _, o := range m.Output {
			if !slices.Contains(p.Names.Value(), o.Name) {
				report.Addf(o.At, "the block has no output %q: add it to its parameter output_names%s", o.Name, nearest.Hint(o.Name, p.Names.Value()))
			}
		}
	}
	if err := report.Err(); err != nil {
		return nil, err
	}
	return text, nil
}

// fileErrors returns the mistakes of a program with their places in its file.
func fileErrors(err error) error {
	var problems document.Problems
	var move *program.Error
	switch {
	case errors.As(err, &problems):
		list := make([]error, len(problems))
		for i, x := range problems {
			list[i] = &block.FileError{File: x.Position.File, Line: x.Position.Line, Column: x.Position.Column, Err: errors.New(x.Message)}
		}
		return errors.Join(list...)
	case errors.As(err, &move) && move.At.File != "":
		return &block.FileError{File: move.At.File, Line: move.At.Line, Column: move.At.Column, Err: errors.New(move.Message())}
	}
	return err
}

// modelAt returns the robot with joints for those that programs move alone: the others are fixed where held has them.
func (p *Program) modelAt(held []float64) (*multibody.Model, error) {
	robot, err := description.Read(p.files, p.URDF.Value(), description.Options{})
	if err != nil {
		return nil, err
	}
	lock := slices.Clone(p.Locked.Value())
	for i, name := range p.all.names {
		if k := p.all.at[i]; !slices.Contains(p.axes.at, k) {
			lock = append(lock, fmt.Sprintf("%s=%v", name, p.all.within(i, held[k])))
		}
	}
	if err := robot.Lock(lock...); err != nil {
		return nil, err
	}
	return robot.Model()
}

// compile returns a player for the program of a file that begins at start, while the other joints rest where held has them.
func (p *Program) compile(file string, start, held []float64, limits []trajectory.Limits) (*program.Player, error) {
	text, err := p.read(file)
	if err != nil {
		return nil, err
	}
	model, err := p.modelAt(held)
	if err != nil {
		return nil, err
	}
	return playerOf(text, model, start, limits)
}

// compilePath returns a player for a path through points.
func (p *Program) compilePath(points, start, held []float64, limits []trajectory.Limits) (*program.Player, error) {
	model, err := p.modelAt(held)
	if err != nil {
		return nil, err
	}
	return playerOf(movePath(model, start, points), model, start, limits)
}

func playerOf(text *program.Program, model *multibody.Model, start []float64, limits []trajectory.Limits) (*program.Player, error) {
	motion, err := program.Compile(text, program.Robot{Model: model, Limits: slices.Clone(limits)}, start)
	if err != nil {
		return nil, err
	}
	return program.NewPlayer(motion), nil
}

// serve answers requests until quit is closed.
func (p *Program) serve(quit <-chan struct{}, finished chan<- struct{}) {
	defer close(finished)
	ticker := time.NewTicker(glance)
	defer ticker.Stop()
	for {
		select {
		case <-quit:
			return
		case <-ticker.C:
		}
		d := &p.desk
		if d.status.Load() != deskAsked {
			continue
		}
		var err error
		if d.file == "" {
			d.player, err = p.compilePath(d.points, d.start, d.held, d.limits)
		} else {
			d.player, err = p.compile(d.file, d.start, d.held, d.limits)
		}
		d.failure = ProgramFailure{S: -1}
		var e *program.Error
		if errors.As(err, &e) {
			d.failure = ProgramFailure{int64(e.At.Line), int64(e.Number), e.S}
		}
		d.status.Store(deskAnswered)
	}
}
