package main

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/mesh"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

const (
	cells = 100 // that the extent of all parts is divided into, where their volume is counted
	steps = 40  // that the extent of a part is divided into, where points of its surface are taken
)

// part is one shape of a result, with its surface in the frame of the mesh.
type part struct {
	geometry.Part
	points    []spatial.Vec3
	triangles [][3]int
}

func newPart(p geometry.Part) part {
	points, triangles := p.Shape.Surface()
	out := part{Part: p, triangles: triangles}
	for _, x := range points {
		out.points = append(out.points, p.Pose.Apply(x))
	}
	return out
}

// corners returns the number of corners of a hull or mesh; 0 for other shapes.
func (p *part) corners() int {
	if k := p.Shape.Kind(); k == geometry.Hull || k == geometry.Mesh {
		return len(p.points)
	}
	return 0
}

// measures describe shapes around a mesh.
type measures struct {
	shapes, corners int
	volume          float64 // of all together, m³, counted in cells
	protrusion      float64 // the greatest distance from the mesh of a point on a shape that is not inside of the mesh, m
	outside         float64 // the greatest distance of a vertex of the mesh from the shapes, m; 0: all are inside
}

func (m *measures) add(o measures) {
	m.shapes, m.corners, m.volume = m.shapes+o.shapes, m.corners+o.corners, m.volume+o.volume
	m.protrusion, m.outside = max(m.protrusion, o.protrusion), max(m.outside, o.outside)
}

// rounding is a distance that counts as none, m: programs write few digits.
const rounding = 1e-9

// measure judges shapes around a mesh, by the pair queries of package geometry.
func measure(points []spatial.Vec3, triangles [][3]int, parts []part) (m measures, err error) {
	if len(parts) == 0 {
		return m, errors.New("no shapes")
	}
	source, err := geometry.NewMesh(points, triangles)
	if err != nil {
		return m, err
	}
	dot, err := geometry.NewSphere(0)
	if err != nil {
		return m, err
	}
	var q geometry.Query
	here := spatial.IdentityPose()
	m.shapes = len(parts)
	for i := range parts {
		p := &parts[i]
		m.corners += p.corners()
		p.sample(func(x spatial.Vec3) {
			at := spatial.Translation(x)
			c, e := q.Distance(source, &here, dot, &at, nil)
			if err = errors.Join(err, e); c.Distance > m.protrusion && winding(points, triangles, x) < 0.5 {
				m.protrusion = c.Distance
			}
		})
	}
	for _, x := range points {
		least, at := math.Inf(1), spatial.Translation(x)
		for i := range parts {
			c, e := q.Distance(parts[i].Shape, &parts[i].Pose, dot, &at, nil)
			err = errors.Join(err, e)
			if c.Distance > 0 && parts[i].Shape.Kind() == geometry.Mesh && winding(parts[i].points, parts[i].triangles, x) > 0.5 {
				c.Distance = 0
			}
			least = min(least, c.Distance)
		}
		if least > rounding {
			m.outside = max(m.outside, least)
		}
	}
	m.volume = volume(parts)
	return m, err
}

// sample calls f for points on the surface of a part, at most a 40th of its extent apart; of a ball, for the corners of its surface.
func (p *part) sample(f func(spatial.Vec3)) {
	if p.Shape.Kind() == geometry.Sphere {
		for _, x := range p.points {
			f(x)
		}
		return
	}
	low, high := bounds(p.points)
	step := high.Sub(low).Norm() / steps
	for _, t := range p.triangles {
		a, b, c := p.points[t[0]], p.points[t[1]], p.points[t[2]]
		n := int(math.Ceil(max(b.Sub(a).Norm(), c.Sub(a).Norm(), c.Sub(b).Norm()) / step))
		for i := range n + 1 {
			for j := range n + 1 - i {
				f(a.Add(b.Sub(a).Scale(float64(i) / float64(max(n, 1)))).Add(c.Sub(a).Scale(float64(j) / float64(max(n, 1)))))
			}
		}
	}
}

func bounds(points []spatial.Vec3) (low, high spatial.Vec3) {
	low, high = points[0], points[0]
	for _, p := range points {
		low = spatial.Vec3{X: min(low.X, p.X), Y: min(low.Y, p.Y), Z: min(low.Z, p.Z)}
		high = spatial.Vec3{X: max(high.X, p.X), Y: max(high.Y, p.Y), Z: max(high.Z, p.Z)}
	}
	return low, high
}

// winding returns how often a closed surface winds around a point: 1 inside, 0 outside; between these for a surface with holes (Jacobson, Kavan and
// Sorkine-Hornung, Robust Inside-Outside Segmentation, 2013).
func winding(points []spatial.Vec3, triangles [][3]int, x spatial.Vec3) float64 {
	angle := 0.0
	for _, t := range triangles {
		a, b, c := points[t[0]].Sub(x), points[t[1]].Sub(x), points[t[2]].Sub(x)
		la, lb, lc := a.Norm(), b.Norm(), c.Norm()
		angle += math.Atan2(a.Dot(b.Cross(c)), la*lb*lc+a.Dot(b)*lc+b.Dot(c)*la+c.Dot(a)*lb)
	}
	return angle / (2 * math.Pi)
}

// volume returns the volume of the union of parts, m³. Columns of cells along z are cut with the surfaces: a convex part has one interval on each.
func volume(parts []part) float64 {
	var all []spatial.Vec3
	for i := range parts {
		all = append(all, parts[i].points...)
	}
	low, high := bounds(all)
	size := high.Sub(low).Scale(1.0 / cells)
	total := 0.0
	for ix := range cells {
		for iy := range cells {
			x, y := low.X+(float64(ix)+0.5)*size.X, low.Y+(float64(iy)+0.5)*size.Y
			var inside [cells]bool
			for i := range parts {
				parts[i].fill(x, y, low.Z, size.Z, &inside)
			}
			for _, in := range inside {
				if in {
					total += size.X * size.Y * size.Z
				}
			}
		}
	}
	return total
}

// fill marks the cells of a column that are inside of a part: between crossings upward and downward.
func (p *part) fill(x, y, low, step float64, inside *[cells]bool) {
	var turns [cells + 1]int // of the number of surfaces around, at the first cell above each crossing
	for _, t := range p.triangles {
		a, b, c := p.points[t[0]], p.points[t[1]], p.points[t[2]]
		area := (b.X-a.X)*(c.Y-a.Y) - (c.X-a.X)*(b.Y-a.Y)
		if area == 0 {
			continue
		}
		u := ((b.X-x)*(c.Y-y) - (c.X-x)*(b.Y-y)) / area
		v := ((c.X-x)*(a.Y-y) - (a.X-x)*(c.Y-y)) / area
		w := 1 - u - v
		if u < 0 || v < 0 || w < 0 {
			continue
		}
		k := int(math.Ceil((u*a.Z+v*b.Z+w*c.Z-low)/step - 0.5))
		turn := 1
		if area > 0 { // the upper side
			turn = -1
		}
		turns[min(max(k, 0), cells)] += turn
	}
	around := 0
	for k := range cells {
		if around += turns[k]; around > 0 {
			inside[k] = true
		}
	}
}

// obj writes a surface as OBJ.
func obj(s *mesh.Surface) []byte {
	var b bytes.Buffer
	for _, p := range s.Points {
		fmt.Fprintf(&b, "v %v %v %v\n", p.X, p.Y, p.Z)
	}
	for _, t := range s.Triangles {
		fmt.Fprintf(&b, "f %d %d %d\n", t[0]+1, t[1]+1, t[2]+1)
	}
	return b.Bytes()
}

// hulls runs a program that writes convex hulls as the objects of an OBJ file.
func hulls(file, program string, arguments ...string) (list []part, took time.Duration, err error) {
	if took, err = run(program, arguments...); err != nil {
		return nil, 0, err
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, 0, err
	}
	for _, object := range strings.Split("\n"+string(text), "\no ")[1:] {
		var points []spatial.Vec3
		for _, line := range strings.Split(object, "\n") {
			var p spatial.Vec3
			if n, _ := fmt.Sscanf(line, "v %g %g %g", &p.X, &p.Y, &p.Z); n == 3 {
				points = append(points, p)
			}
		}
		hull, err := geometry.NewHull(points)
		if err != nil {
			return nil, 0, err
		}
		list = append(list, newPart(geometry.Part{Shape: hull, Pose: spatial.IdentityPose()}))
	}
	return list, took, nil
}

// meshPart reads a surface that need not be convex.
func meshPart(file string) ([]part, error) {
	s, err := mesh.Read(os.DirFS(filepath.Dir(file)), filepath.Base(file))
	if err != nil {
		return nil, err
	}
	shape, err := geometry.NewMesh(s.Points, s.Triangles)
	if err != nil {
		return nil, err
	}
	return []part{newPart(geometry.Part{Shape: shape, Pose: spatial.IdentityPose()})}, nil
}

// foam runs the program that foam runs, with foam's own options, on the mesh with its middle at the origin, as foam does. The program reads faces with
// normals only, and ignores these.
func foam(program, file, branch string) ([]part, time.Duration, error) {
	s, err := mesh.Read(os.DirFS(filepath.Dir(file)), filepath.Base(file))
	if err != nil {
		return nil, 0, err
	}
	low, high := bounds(s.Points)
	middle := low.Add(high).Scale(0.5)
	s.Transform(spatial.Identity(), middle.Scale(-1))
	text := obj(s)
	tree := filepath.Join(filepath.Dir(file), "tree.obj")
	if err := os.WriteFile(tree, corner.ReplaceAll(text, []byte("f $1//$1 $2//$2 $3//$3")), 0o600); err != nil {
		return nil, 0, err
	}
	took, err := run(program, "-nopause", "-branch", branch, "-depth", "1", "-testerLevels", "2", "-numCover", "5000", "-minCover", "5", "-initSpheres", "1000",
		"-minSpheres", "200", "-erFact", "2", "-maxOptLevel", "1", "-expand", "-merge", "-balExcess", "0.05", tree)
	if err != nil {
		return nil, 0, err
	}
	list, err := spheres(strings.TrimSuffix(tree, ".obj")+"-medial.sph", middle)
	return list, took, err
}

// corner matches a face of three corners.
var corner = regexp.MustCompile(`(?m)^f (\d+) (\d+) (\d+)$`)

// spheres reads the last level of a tree of spheres: lines of centre and radius, about an origin, after a line with the
// numbers of levels and branches.
func spheres(file string, origin spatial.Vec3) (list []part, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var levels, branch int
	lines := strings.Split(string(text), "\n")
	if n, err := fmt.Sscanf(lines[0], "%d %d", &levels, &branch); n != 2 {
		return nil, fmt.Errorf("read %s: its first line has no numbers of levels and branches: %w", filepath.Base(file), err)
	}
	first, width := 1, 1
	for range levels - 1 {
		first, width = first+width, width*branch
	}
	for _, line := range lines[first:min(first+width, len(lines))] {
		var p spatial.Vec3
		var r float64
		if n, _ := fmt.Sscanf(line, "%g %g %g %g", &p.X, &p.Y, &p.Z, &r); n != 4 || r <= 0 {
			continue // an empty branch
		}
		ball, err := geometry.NewSphere(r)
		if err != nil {
			return nil, err
		}
		list = append(list, newPart(geometry.Part{Shape: ball, Pose: spatial.Translation(p.Add(origin))}))
	}
	return list, nil
}
