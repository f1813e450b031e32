package servo

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
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
	program int       // its index; -1: a path through points
	points  []float64 // of the path, one after another
	start   []float64 // of the joints that programs move
	held    []float64 // of all joints
	limits  []trajectory.Limits
	player  *program.Player
	failure ProgramFailure
	problem error // why there is no player
}

// prepared is a program that was compiled from initial before the start.
type prepared struct {
	player *program.Player // nil: none, or it has run
	limits []trajectory.Limits
	texts  map[string][]byte // of the files that were read
}

// memorizing remembers the files that are read.
type memorizing struct {
	fs.FS
	texts map[string][]byte
}

// ReadFile implements [fs.ReadFileFS].
func (m memorizing) ReadFile(file string) ([]byte, error) {
	text, err := fs.ReadFile(m.FS, file)
	if err == nil {
		m.texts[file] = text
	}
	return text, err
}

// prepared compiles a program from initial.
func (p *Program) prepared(file string, initial []float64, limits []trajectory.Limits) (prepared, error) {
	files := memorizing{p.files, map[string][]byte{}}
	player, err := p.compile(files, file, initial, p.usually, limits)
	return prepared{player, slices.Clone(limits), files.texts}, err
}

// take returns the player of a request that was prepared, nil if there is none or something has changed since.
func (p *Program) take(d *desk) *program.Player {
	r := &p.ready[d.program]
	if r.player == nil || !slices.Equal(d.start, p.Initial.Value()) || !slices.Equal(d.limits, r.limits) || !p.othersRest() {
		return nil
	}
	for file, text := range r.texts {
		if now, err := fs.ReadFile(p.files, file); err != nil || !bytes.Equal(now, text) {
			return nil
		}
	}
	player := r.player
	r.player = nil // it runs once
	return player
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
func (p *Program) read(files fs.FS, file string) (*program.Program, error) {
	text, err := program.Read(files, file)
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
func (p *Program) compile(files fs.FS, file string, start, held []float64, limits []trajectory.Limits) (*program.Player, error) {
	text, err := p.read(files, file)
	if err != nil {
		return nil, err
	}
	model, err := p.modelAt(held)
	if err != nil {
		return nil, err
	}
	return p.playerOf(text, model, start, limits)
}

// compilePath returns a player for a path through points.
func (p *Program) compilePath(points, start, held []float64, limits []trajectory.Limits) (*program.Player, error) {
	model, err := p.modelAt(held)
	if err != nil {
		return nil, err
	}
	return p.playerOf(program.Through(model, start, points), model, start, limits)
}

func (p *Program) playerOf(text *program.Program, model *multibody.Model, start []float64, limits []trajectory.Limits) (*program.Player, error) {
	motion, err := program.Compile(text, program.Robot{Model: model, Limits: slices.Clone(limits), Semantic: p.semantic}, start)
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
		p.compileRequest(d)
		d.status.Store(deskAnswered)
	}
}

// compileRequest makes the player of a request, or states why there is none.
func (p *Program) compileRequest(d *desk) {
	var err error
	if d.program < 0 {
		d.player, err = p.compilePath(d.points, d.start, d.held, d.limits)
	} else if d.player = p.take(d); d.player == nil {
		d.player, err = p.compile(p.files, p.Programs.Value()[d.program], d.start, d.held, d.limits)
	}
	if err == nil {
		return
	}
	d.failure = ProgramFailure{S: -1}
	text := err.Error()
	var e *program.Error
	var problems document.Problems
	switch {
	case errors.As(err, &e):
		d.failure = ProgramFailure{int64(e.At.Line), int64(e.Number), e.S}
		if d.program < 0 {
			text = "run the path: " + e.Message()
		}
	case errors.As(err, &problems):
		d.failure.Line = int64(problems[0].Position.Line)
	}
	d.problem = errors.New(text)
}
