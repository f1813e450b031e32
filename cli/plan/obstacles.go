package plan

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/mesh"
	"github.com/sinew-robotics/sinew/robot/scenario"
	"github.com/sinew-robotics/sinew/robot/scene"
)

// Scene returns a robot with obstacles, as the verb reads them from the files of its argument, --srdf and --scene, and what the user should know about them. Without an SRDF file ("")
// the pairs of links that need no check are found by samples.
func Scene(robot, srdf, obstacles string) (world *scene.Scene, notes []string, err error) {
	r, err := readRobot(robot, srdf, "")
	if err != nil {
		return nil, nil, err
	}
	if obstacles == "" {
		return r.scene, r.notes, nil
	}
	world, notes, err = Surround(r.scene, obstacles)
	return world, append(r.notes, notes...), err
}

// Surround adds the obstacles of a file to the scene of a robot, and returns what the user should know about them.
func Surround(world *scene.Scene, obstacles string) (*scene.Scene, []string, error) {
	r := &robot{scene: world}
	notes, err := r.addObstacles(ends{scene: obstacles, radius: pointRadius})
	return r.scene, notes, err
}

// checkClearance fails for a clearance that is no length, or from nothing.
func (e *ends) checkClearance() error {
	switch {
	case !(e.clearance >= 0 && e.clearance <= 1):
		return fmt.Errorf("--clearance is %g: want a length from 0 to 1 m", e.clearance)
	case e.clearance > 0 && e.scene == "":
		return errors.New("--clearance keeps away from the obstacles of --scene: add that, or leave it out")
	}
	return nil
}

// addObstacles adds what --scene names, larger by --clearance, and returns what the user should know about it.
func (r *robot) addObstacles(e ends) (notes []string, err error) {
	switch strings.ToLower(filepath.Ext(e.scene)) {
	case ".pcd", ".ply":
		note, err := r.addCloud(e.scene, e.radius, e.clearance)
		if err != nil {
			return nil, fmt.Errorf("--scene %s: %w", e.scene, err)
		}
		return []string{note}, nil
	}
	return nil, r.addScene(e)
}

// addScene adds the obstacles of a MoveIt scene, whose frame must be the robot's root. The object of --carry keeps its size.
func (r *robot) addScene(e ends) error {
	file := e.scene
	w, err := scenario.ReadMoveIt(os.DirFS(filepath.Dir(file)), filepath.Base(file))
	if err != nil {
		return fmt.Errorf("--scene %s: %w", file, err)
	}
	if root := r.scene.Models()[0].Model.Links()[0]; w.Frame != "" && w.Frame != "world" && w.Frame != root {
		return fmt.Errorf("--scene %s: its poses are in the frame %q: want %q, the robot's root link, or world", file, w.Frame, root)
	}
	for i, o := range w.Objects {
		if o.Name == e.tool.carry {
			continue
		}
		if w.Objects[i], err = o.Padded(e.clearance); err != nil {
			return fmt.Errorf("--clearance %g: %w", e.clearance, err)
		}
	}
	s, err := r.scene.Add(w.Objects...)
	if err != nil {
		return fmt.Errorf("--scene %s: %w", file, err)
	}
	r.scene = s
	return nil
}

// addCloud adds the points of a file as balls, and returns a note about them. Their frame is that of the sensor, whose pose relative to the robot's root
// link a PCD file may have.
func (r *robot) addCloud(file string, radius, clearance float64) (note string, err error) {
	if !(radius > 0) {
		return "", fmt.Errorf("--point-radius is %g: want a positive length; a point alone would hardly be hit", radius)
	}
	c, err := mesh.ReadCloud(os.DirFS(filepath.Dir(file)), filepath.Base(file))
	if err != nil {
		return "", err
	}
	shape, err := geometry.NewCloud(c.Points, []float64{radius + clearance})
	if err != nil {
		return "", err
	}
	r.scene, err = r.scene.Add(scene.Object{Name: "cloud", Pose: c.Sensor, Parts: []geometry.Part{{Shape: shape}}})
	note = fmt.Sprintf("%d points with a radius of %g mm are obstacles", len(c.Points), 1000*radius)
	if c.Dropped > 0 {
		note += fmt.Sprintf("; %d more have no finite place and are dropped", c.Dropped)
	}
	return note, err
}
