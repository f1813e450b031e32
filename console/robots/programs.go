package robots

import (
	"context"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/system"
	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/trajectory"
)

// Program is a file of moves of a robot.
type Program struct {
	Block  string `json:"block"`  // that executes it; "" for a robot without a system
	Number int    `json:"number"` // by which the block runs it, from 1
	Name   string `json:"name"`   // as the block names it
	File   string `json:"file"`   // absolute path

	Files fs.FS                                   `json:"-"` // in which Name is, and the files that it names
	Arm   func(ctx context.Context) (*Arm, error) `json:"-"` // for which it is compiled
}

// Arm is what a program moves.
type Arm struct {
	Joints []string            // in the order of the description
	Limits []trajectory.Limits // of each, finite

	Semantic *description.Semantic // with the states that programs name; nil: there is no SRDF file
}

// Programs returns the programs of a robot. Those of a system are the files that a block with a constant programs and an operation run lists, where its
// description has the robot's joints; files that are not on this host are left out.
func (r *Robots) Programs(ctx context.Context, name, robot string) ([]Program, error) {
	of, err := r.find(ctx, name, robot)
	if err != nil {
		return nil, err
	}
	list := []Program{}
	if name == NoSystem {
		w, err := of.world()
		if err != nil {
			return nil, err
		}
		return append(list, w.Programs...), nil
	}
	st, err := r.structure(ctx, name)
	if err != nil {
		return nil, err
	}
	for _, b := range st.Blocks {
		files := namesOf(b, "programs")
		if len(files) == 0 || descriptionOf(b) == "" || !slices.ContainsFunc(b.Operations, func(o admin.Operation) bool { return o.Name == "run" }) {
			continue
		}
		if x, err := r.find(ctx, name, b.Name); err != nil || !slices.Equal(x.jointNames(), of.jointNames()) {
			continue
		}
		for k, file := range files {
			if p, ok := r.programIn(name, file); ok {
				p.Block, p.Number, p.Arm = b.Name, k+1, func(ctx context.Context) (*Arm, error) { return r.armOf(ctx, name, b) }
				list = append(list, p)
			}
		}
	}
	return list, nil
}

// PathArm returns what the block that runs paths of a robot moves, within the limits of its description and of its present parameters. It fails for a robot without such
// a block.
func (r *Robots) PathArm(ctx context.Context, name, robot string) (*Arm, error) {
	list, err := r.List(ctx, name)
	if err != nil {
		return nil, err
	}
	st, err := r.structure(ctx, name)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(list.Robots, func(x Robot) bool { return x.Name == robot && x.Path != nil })
	if i < 0 {
		return nil, fmt.Errorf("no block runs paths of robot %q", robot)
	}
	block, _, _ := strings.Cut(list.Robots[i].Path.Run, ".")
	k := slices.IndexFunc(st.Blocks, func(b admin.Block) bool { return b.Name == block })
	if k < 0 {
		return nil, fmt.Errorf("block %q, which runs paths of robot %q, has gone", block, robot)
	}
	return r.armOf(ctx, name, st.Blocks[k])
}

// programIn finds a file in the folders of a system's files.
func (r *Robots) programIn(name, file string) (Program, bool) {
	for _, dir := range r.folders(name)() {
		path, err := filepath.Abs(filepath.Join(dir, filepath.FromSlash(file)))
		if info, is := os.Stat(path); err == nil && is == nil && info.Mode().IsRegular() {
			return Program{Name: filepath.ToSlash(file), File: path, Files: system.Folder(dir)}, true
		}
	}
	return Program{}, false
}

// armOf returns what a block of programs moves, within the limits of its description and of its present parameters.
func (r *Robots) armOf(ctx context.Context, name string, b admin.Block) (*Arm, error) {
	axes, err := r.axesOf(ctx, name, b)
	if err != nil {
		return nil, err
	}
	sys, err := r.options.Systems.System(name)
	if err != nil {
		return nil, err
	}
	var given [3][]float64
	for i, param := range []string{"max_velocity", "max_acceleration", "max_jerk"} {
		v, err := sys.Param(ctx, b.Name+"."+param)
		if err != nil {
			return nil, err
		}
		if given[i] = numbers(v); len(given[i]) == 0 {
			return nil, fmt.Errorf("%s.%s is %v: wants numbers", b.Name, param, v)
		}
	}
	arm := &Arm{Joints: axes.names, Semantic: semanticOf(b, r.folders(name))}
	for i, velocity := range axes.velocity {
		if v := each(given[0], i); v > 0 {
			velocity = v
		}
		if !(velocity > 0) || math.IsInf(velocity, 1) {
			return nil, fmt.Errorf("joint %q has no greatest velocity: give %s.max_velocity, in rad/s or m/s", axes.names[i], b.Name)
		}
		arm.Limits = append(arm.Limits, trajectory.Limits{Velocity: velocity, Acceleration: each(given[1], i), Jerk: each(given[2], i)})
	}
	return arm, nil
}
