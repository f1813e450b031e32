package simplify

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/scene/cover"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Method is a kind of shapes.
type Method int

const (
	Primitives Method = iota // the box, cylinder or ball of the least volume around each mesh
	Hulls                    // the convex hull of each mesh
	Bounding                 // a convex hull of few corners around each mesh
	Spheres                  // spheres that cover all geometry of a link
)

// Options configure [Simplify].
type Options struct {
	Method    Method
	Corners   int     // of each hull at most, from 4; hulls of few corners may keep some more. Used with [Bounding]
	Tolerance float64 // by which spheres stick out, about, m, above 0. Used with [Spheres]
	Stem      string  // that the names of the files of hulls begin with
}

// Result is a robot whose collision geometry is simpler, with what it was made of.
type Result struct {
	Robot *description.Robot
	Links []Link            // those with simplified geometry, in the order of the description
	Files map[string][]byte // hulls as OBJ, by the names in the description; to be written beside it
	Notes []string          // sentences for users
}

// Link describes what the geometry of a link became.
type Link struct {
	Link       string  `json:"link"`
	Meshes     int     `json:"meshes"`        // before
	Corners    int     `json:"mesh_corners"`  // vertices of the meshes, as the files have them without repetition
	Shapes     int     `json:"shapes"`        // after
	After      int     `json:"shape_corners"` // of hulls
	Volume     float64 `json:"volume"`        // of the shapes, m³: of spheres together, to a few percent; of others the sum
	HullVolume float64 `json:"hull_volume"`   // the sum of the volumes of the convex hulls of what was replaced, m³
	Protrusion float64 `json:"protrusion"`    // by how much the shapes stick out of what they replace, m, at sampled points
}

// Simplify returns the robot with simpler collision geometry; a robot without collision geometry gets shapes around its visuals. All methods but [Spheres]
// replace meshes and keep boxes, cylinders and balls. It fails for a robot without meshes, for a mesh that cannot be read or is flat, and reports all of
// these together with their positions.
func Simplify(robot *description.Robot, o Options) (*Result, error) {
	solid, note := robot.Solid()
	r := &Result{Robot: solid, Links: []Link{}, Files: map[string][]byte{}, Notes: []string{}}
	if note != "" {
		r.Notes = append(r.Notes, note)
	}
	if o.Method == Spheres {
		return r, r.cover(o.Tolerance)
	}
	var wrong []error
	for i := range solid.Links {
		l := &solid.Links[i]
		report := Link{Link: l.Name}
		for k := range l.Collisions {
			c := &l.Collisions[k]
			m, ok := c.Geometry.(description.Mesh)
			if !ok {
				continue
			}
			surface, err := solid.Surface(m)
			if err == nil {
				err = r.replace(&report, o, c, surface.Points, surface.Triangles, fmt.Sprintf("%s_%s_%d.obj", o.Stem, plain(l.Name), k))
			}
			if err != nil {
				wrong = append(wrong, fmt.Errorf("%s: collision geometry of link %q: %w", c.Position, l.Name, err))
			}
		}
		if report.Meshes > 0 {
			r.Links = append(r.Links, report)
		}
	}
	if len(r.Links) == 0 && len(wrong) == 0 {
		return nil, fmt.Errorf("robot %q has no meshes to simplify", robot.Name)
	}
	return r, errors.Join(wrong...)
}

// replace gives a collision another geometry: the shape around the points of a mesh.
func (r *Result) replace(report *Link, o Options, c *description.Collision, points []spatial.Vec3, triangles [][3]int, file string) error {
	hull, err := geometry.NewHull(points)
	if err != nil {
		return err
	}
	corners, faces := hull.Surface()
	hullVolume := volumeInside(corners, faces)
	if !(hullVolume > 0) {
		return errors.New("the mesh is flat: a shape around it would have no volume")
	}
	report.Meshes, report.Shapes, report.Corners, report.HullVolume = report.Meshes+1, report.Shapes+1, report.Corners+len(points), report.HullVolume+hullVolume
	if o.Method == Primitives {
		part, volume, err := geometry.Enclosing(points)
		if err != nil {
			return err
		}
		at := c.Origin.Pose().Mul(part.Pose)
		roll, pitch, yaw := at.R.RPY()
		c.Origin = description.Origin{XYZ: at.P, RPY: spatial.Vec3{X: roll, Y: pitch, Z: yaw}}
		if c.Geometry, err = primitive(part.Shape); err != nil {
			return err
		}
		report.Volume += volume
		corners, faces = part.Shape.Surface()
		for i := range corners {
			corners[i] = part.Pose.Apply(corners[i])
		}
	} else {
		if o.Method == Bounding {
			if hull, err = hull.Bounding(o.Corners); err != nil {
				return err
			}
			corners, faces = hull.Surface()
		}
		report.After += len(corners)
		report.Volume += volumeInside(corners, faces)
		r.Files[file] = obj(corners, faces)
		c.Geometry = description.Mesh{URI: file, Scale: spatial.Vec3{X: 1, Y: 1, Z: 1}}
	}
	out, err := protrusion(points, triangles, corners, faces)
	report.Protrusion = max(report.Protrusion, out)
	return err
}

// leastRadius is the radius of the smallest sphere, m.
const leastRadius = 1e-4

// cover replaces all collision geometry by spheres.
func (r *Result) cover(tolerance float64) error {
	bodies, err := r.Robot.SolidBodies()
	if err != nil {
		return err
	}
	if len(bodies) == 0 {
		return fmt.Errorf("robot %q has no geometry to cover: describe collision geometry", r.Robot.Name)
	}
	shapes, err := r.Robot.Shapes()
	if err != nil {
		return err
	}
	balls := map[string][]scene.Ball{}
	for _, name := range slices.Sorted(maps.Keys(bodies)) {
		fitter, err := cover.New(bodies[name])
		if err != nil {
			return fmt.Errorf("link %q: %w", name, err)
		}
		spheres := fitter.Fit(tolerance)
		check := fitter.Check(spheres)
		if check.Outside > 0 {
			return fmt.Errorf("link %s lies outside its spheres by %.3g mm", name, 1000*check.Outside)
		}
		for i := range spheres { // a triangle without area may have a ball without radius, which MuJoCo rejects
			spheres[i].Radius = max(spheres[i].Radius, leastRadius)
		}
		balls[name] = spheres
		report := Link{Link: name, Shapes: len(spheres), Protrusion: check.Protrusion, Volume: volumeOfBalls(spheres)}
		if err := r.describe(&report, shapes[name]); err != nil {
			return err
		}
		r.Links = append(r.Links, report)
	}
	r.Robot = r.Robot.OfSpheres(balls)
	return nil
}

// describe counts the meshes of a link, and adds up the volumes of the hulls of its geometry.
func (r *Result) describe(report *Link, parts []geometry.Part) error {
	i := slices.IndexFunc(r.Robot.Links, func(l description.Link) bool { return l.Name == report.Link })
	for _, c := range r.Robot.Links[i].Collisions {
		m, ok := c.Geometry.(description.Mesh)
		if !ok {
			continue
		}
		surface, err := r.Robot.Surface(m)
		if err != nil {
			return err
		}
		report.Meshes, report.Corners = report.Meshes+1, report.Corners+len(surface.Points)
	}
	for _, part := range parts {
		points, _ := part.Shape.Surface()
		hull, err := geometry.NewHull(points)
		if err != nil {
			return fmt.Errorf("link %q: %w", report.Link, err)
		}
		report.HullVolume += volumeInside(hull.Surface())
	}
	return nil
}

// primitive returns the geometry of a URDF for a shape.
func primitive(shape *geometry.Shape) (description.Geometry, error) {
	at := spatial.IdentityPose()
	b := shape.Bounds(&at)
	size := b.Max.Sub(b.Min)
	switch shape.Kind() {
	case geometry.Box:
		return description.Box{Size: size}, nil
	case geometry.Cylinder:
		return description.Cylinder{Radius: size.X / 2, Length: size.Z}, nil
	case geometry.Sphere:
		return description.Sphere{Radius: shape.Radius()}, nil
	}
	return nil, fmt.Errorf("a %v is no primitive of URDF", shape.Kind())
}

// plain returns a name for a file: other characters than letters and digits become underscores.
func plain(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, name)
}

// obj writes triangles as OBJ, so that each number reads back equal.
func obj(points []spatial.Vec3, triangles [][3]int) []byte {
	var b bytes.Buffer
	for _, p := range points {
		fmt.Fprintf(&b, "v %v %v %v\n", p.X, p.Y, p.Z)
	}
	for _, t := range triangles {
		fmt.Fprintf(&b, "f %d %d %d\n", t[0]+1, t[1]+1, t[2]+1)
	}
	return b.Bytes()
}
