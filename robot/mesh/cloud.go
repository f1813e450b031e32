package mesh

import (
	"fmt"
	"io/fs"
	"math"
	"path"
	"strings"

	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// MaxPoints is the greatest number of points of a cloud.
const MaxPoints = 3 * MaxTriangles

// Cloud is a set of points, as a depth camera or a scanner measures them.
type Cloud struct {
	Points  []spatial.Vec3 // m, in the frame of the sensor
	Width   int            // points in a row of the image, in the order of the file
	Height  int            // rows; 1: the points have no order
	Dropped int            // points without a finite place, which cameras write where they see nothing; they are not among Points
	Sensor  spatial.Pose   // of the sensor in the world, if the file has it; else the identity
}

// ReadCloud reads the points of a .pcd or .ply file.
func ReadCloud(fsys fs.FS, file string) (*Cloud, error) {
	var read func(*source) (*Cloud, error)
	switch extension := strings.ToLower(path.Ext(file)); extension {
	case ".pcd":
		read = readPCD
	case ".ply":
		read = readPLYCloud
	default:
		return nil, fmt.Errorf("%s: the extension %q is that of no point cloud: want .pcd or .ply", file, extension)
	}
	src, err := open(fsys, file)
	if err != nil {
		return nil, err
	}
	c, err := read(src)
	if err != nil {
		return nil, err
	}
	if len(c.Points) == 0 {
		return nil, fmt.Errorf("%s: the file has no points with a place; %d have none", file, c.Dropped)
	}
	return c, nil
}

// add appends a point, or counts it as dropped. It reports whether the point may be: a finite one beyond the limit may not.
func (c *Cloud) add(p spatial.Vec3) bool {
	if sum := p.X + p.Y + p.Z; math.IsNaN(sum) || math.IsInf(sum, 0) {
		c.Dropped++
		return true
	}
	c.Points = append(c.Points, p)
	return max(math.Abs(p.X), math.Abs(p.Y), math.Abs(p.Z)) <= geometry.Limit
}

// readPLYCloud reads the vertices of a PLY file.
func readPLYCloud(src *source) (*Cloud, error) {
	p, err := plyHeader(src)
	if err != nil {
		return nil, err
	}
	c := &Cloud{Height: 1, Sensor: spatial.IdentityPose()}
	err = p.each(func(element string, at int, xyz []float64, _ [][]float64) error {
		if v := (spatial.Vec3{X: xyz[0], Y: xyz[1], Z: xyz[2]}); element == "vertex" && !c.add(v) {
			return p.fail(at, "point %d: %s", len(c.Points)+c.Dropped, badPoint(v))
		}
		return nil
	})
	c.Width = len(c.Points) + c.Dropped
	return c, err
}
