package plan

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sinew-robotics/sinew/cli/model"
	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/scenario"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/scene/exact"
)

const (
	resolution  = 1.0 / 32 // of robots whose file names none, rad or m
	pairSamples = 10_000   // by which pairs of links are found that need no check
)

// robot is a robot to plan for, alone in its scene.
type robot struct {
	name       string
	scene      *scene.Scene
	resolution float64
	notes      []string              // what the user should know about it
	described  *description.Robot    // nil: it is no description
	semantic   *description.Semantic // of an SRDF file; nil: none
	joints     []string              // those that move, of an XRDF file; nil: all
	defaults   map[string]float64    // positions of joints that are not given, of an XRDF file
}

// readRobot reads a robot from a JSON file of package scenario, or from a description of any kind, to which SRDF and XRDF files add; "": none.
func readRobot(file, srdf, xrdf string) (*robot, error) {
	if strings.EqualFold(filepath.Ext(file), ".json") {
		if srdf+xrdf != "" {
			return nil, fmt.Errorf("--srdf %q, --xrdf %q: %s lists its own pairs and spheres; leave both out", srdf, xrdf, file)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		r, err := scenario.ReadRobot(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		s, err := scene.New(r.Scene)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		return &robot{name: r.Name, scene: s, resolution: 1 / r.Resolution}, nil
	}
	d, err := model.Read(file)
	if err != nil {
		return nil, err
	}
	r := &robot{name: d.Name, resolution: resolution}
	var x *description.XRDF
	if xrdf != "" {
		if x, err = description.ReadXRDF(os.DirFS(filepath.Dir(xrdf)), filepath.Base(xrdf)); err != nil {
			return nil, err
		}
		if d, r.notes, err = x.Apply(d); err != nil {
			return nil, err
		}
		r.joints, r.defaults = x.Joints, x.Positions
	}
	m, err := d.Model()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if x == nil {
		var note string
		if d, note = d.Solid(); note != "" {
			r.notes = append(r.notes, note)
		}
	}
	shapes, err := d.Shapes()
	if err != nil {
		return nil, err
	}
	part := scene.Model{Model: m, Shapes: shapes}
	listed := x != nil && len(x.Ignored) > 0 // whether a file lists pairs; an SRDF file may have groups alone
	if x != nil {
		part.Allowed = x.Allowed()
	}
	if srdf != "" {
		if err := r.readSRDF(d, srdf); err != nil {
			return nil, err
		}
		pairs := r.semantic.Allowed(d)
		listed = listed || len(pairs) > 0
		part.Allowed = append(part.Allowed, pairs...)
	}
	if r.scene, err = scene.New(part); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if !listed {
		return r, r.findPairs()
	}
	return r, nil
}

// readSRDF adds the groups and states of an SRDF file.
func (r *robot) readSRDF(d *description.Robot, file string) (err error) {
	r.described = d
	r.semantic, err = description.ReadSRDF(os.DirFS(filepath.Dir(file)), filepath.Base(file), description.Options{})
	return err
}

// moving returns the joints that --joints names, each itself or by a group of the SRDF file: of a group those that can be planned for. Without the
// flag they are those of an XRDF file, or nil for all.
func (r *robot) moving(flag string) (joints []string, err error) {
	if flag == "" {
		return r.joints, nil
	}
	m := r.scene.Models()[0].Model
	for _, name := range strings.Split(flag, ",") {
		if _, err := m.Joint(name); err == nil || r.semantic == nil {
			joints = append(joints, name)
			continue
		}
		var groups []string
		for _, g := range r.semantic.Groups {
			groups = append(groups, g.Name)
		}
		if !slices.Contains(groups, name) {
			return nil, fmt.Errorf("--joints %s: the robot has no joint and the SRDF file no group of that name%s", name, nearest.Hint(name, append(groups, jointNames(m)...)))
		}
		of, err := r.semantic.Joints(r.described, name)
		if err != nil {
			return nil, fmt.Errorf("--joints %s: %w", name, err)
		}
		for _, joint := range of {
			if j, err := m.Joint(joint); err == nil && j.Mimic == nil && j.Type.NQ() > 0 && !slices.Contains(joints, joint) {
				joints = append(joints, joint)
			}
		}
	}
	if len(joints) == 0 {
		return nil, fmt.Errorf("--joints %s: the group has no joint that moves", flag)
	}
	return joints, nil
}

// jointNames returns the names of a model's joints that have one coordinate of their own.
func jointNames(m *multibody.Model) (names []string) {
	for _, j := range m.Joints() {
		if j.Mimic == nil && j.Type.NQ() == 1 {
			names = append(names, j.Name)
		}
	}
	return names
}

// findPairs allows the pairs of links that need no check according to samples.
func (r *robot) findPairs() error {
	found, err := scene.FindAllowed(exact.New(r.scene), pairSamples, 0)
	if err != nil {
		return err
	}
	of := map[string]int{}
	var pairs []scene.Pair
	for _, p := range found {
		of[p.Reason]++
		pairs = append(pairs, p.Pair)
	}
	if len(pairs) > 0 {
		r.notes = append(r.notes, fmt.Sprintf("%d pairs of links are not checked, found by %d samples: %d always touch, %d never, %d are adjacent; --srdf FILE gives a list",
			len(pairs), pairSamples, of[scene.Always], of[scene.Never], of[scene.Adjacent]))
	}
	r.scene, err = r.scene.Allow(pairs...)
	return err
}
