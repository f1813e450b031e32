package plans

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sinew-robotics/sinew/robot/planning/space"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/scene/exact"
)

// Limits of slices.
const (
	mostCells = 96                     // of a side
	sliceTime = 500 * time.Millisecond // after which the rest of a slice stays unknown
)

// SliceRequest asks which configurations of two joints are free while the others stay.
type SliceRequest struct {
	System  string    `json:"system"`
	Robot   string    `json:"robot"`
	Objects []Object  `json:"objects"`
	Q       []float64 `json:"q"`     // positions of all joints, rad or m
	X       int       `json:"x"`     // index of the joint along x
	Y       int       `json:"y"`     // index of the joint along y, another one
	Cells   int       `json:"cells"` // of each side, 2 to 96
}

// SliceReply holds a slice of the configuration space.
type SliceReply struct {
	// Rows have a character for the middle of each cell, from the lower limits on: "." is free, "#" in collision, "?" not checked in time.
	Rows []string `json:"rows"`
}

// Slice checks the configurations of two joints by the exact engine. Rows that take more than half a second together stay unknown.
func (p *Plans) Slice(ctx context.Context, q SliceRequest) (*SliceReply, error) {
	w, joints, err := p.worldOf(ctx, q.System, q.Robot, q.Q)
	if err != nil {
		return nil, fmt.Errorf("slice the configuration space: %w", err)
	}
	switch n := joints.Dim(); {
	case q.X < 0 || q.X >= n || q.Y < 0 || q.Y >= n || q.X == q.Y:
		return nil, fmt.Errorf("slice the configuration space: joints %d and %d: want two of 0 to %d", q.X, q.Y, n-1)
	case !oneJoint(w.Scene, joints, q.X) || !oneJoint(w.Scene, joints, q.Y):
		return nil, errors.New("slice the configuration space: want two joints with one coordinate each")
	case q.Cells < 2 || q.Cells > mostCells || len(q.Objects) > mostObjects:
		return nil, fmt.Errorf("slice the configuration space: %d cells among %d obstacles: want 2 to %d cells and at most %d obstacles", q.Cells, len(q.Objects), mostCells, mostObjects)
	}
	s, err := sceneWith(w.Scene, q.Objects)
	if err != nil {
		return nil, err
	}
	turn, err := p.take(ctx)
	if err != nil {
		return nil, fmt.Errorf("slice the configuration space: %w", err)
	}
	defer turn.end()
	engine, point, full := exact.New(s), append([]float64{}, q.Q...), make([]float64, s.NQ())
	middle := func(joint, k int) float64 {
		_, lower, upper := joints.Limits(joint)
		return lower + (upper-lower)*(float64(k)+0.5)/float64(q.Cells)
	}
	reply := &SliceReply{}
	begin := time.Now()
	for y := range q.Cells {
		begin = begin.Add(turn.pass())
		row := make([]byte, q.Cells)
		late := time.Since(begin) > sliceTime || ctx.Err() != nil
		for x := range row {
			if row[x] = '?'; late {
				continue
			}
			point[q.X], point[q.Y] = middle(q.X, x), middle(q.Y, y)
			joints.Configuration(point, full)
			_, hit, err := engine.Collide(full)
			if row[x] = '.'; hit || err != nil {
				row[x] = '#'
			}
		}
		reply.Rows = append(reply.Rows, string(row))
	}
	return reply, nil
}

// oneJoint reports whether a value of a space is the coordinate of a joint that has no other.
func oneJoint(s *scene.Scene, of space.Robots, value int) bool {
	name, _, _ := of.Limits(value)
	j, err := s.Models()[0].Model.Joint(name)
	return err == nil && j.Type.NQ() == 1
}
