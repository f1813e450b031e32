package model

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/internal/durable"
	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// simplifyFlags are the flags of the verb.
type simplifyFlags struct {
	source     sourceFlags
	out        outputFlags
	file       string // to write
	primitives bool
	hulls      bool
	spheres    bool
	bounding   int // corners of each hull; 0: not asked for
}

func simplifyCommand() *cobra.Command {
	var f simplifyFlags
	cmd := &cobra.Command{
		Use:   "simplify FILE (--primitives|--hulls|--spheres|--bounding N)",
		Short: "Replace the collision meshes of a robot by simpler shapes around them, and write it as URDF",
		Long: `Replace the collision meshes of a robot by simpler shapes around them, and write it as URDF. Every vertex of a mesh is inside its shape.

  --primitives  the box, cylinder or ball of the least volume, along the principal axes or a face of the mesh's convex hull
  --hulls       the convex hull
  --bounding N  a convex hull of at most N corners around the mesh, by the rule of the bounding mesh (Gaschler, Fischer and Knoll 2015); hulls of few corners may keep some more
  --spheres     spheres, as sinew model spheres finds them

Each mesh gets one shape, except with --spheres; boxes, cylinders and balls stay. Hulls are written as OBJ files beside the URDF, where MuJoCo finds them. A robot without
collision geometry gets the shapes of its visuals. The table has for each link the corners of its meshes and of its shapes, the volume of the shapes (where hulls and
primitives overlap, of each) beside that of the meshes' convex hulls, and by how much the shapes stick out of the meshes at most.`,
		Example: "  sinew model simplify panda.urdf --bounding 32 -o panda_bounding.urdf\n  sinew model simplify panda.urdf --primitives",
		Args:    cobra.ExactArgs(1),
		RunE:    func(cmd *cobra.Command, args []string) error { return f.run(cmd, args[0]) },
	}
	f.source.registerFile(cmd)
	f.out.register(cmd, oneObject)
	cmd.Flags().StringVarP(&f.file, "output", "o", "", "URDF `file` to write; it must not exist, nor those of its hulls")
	cmd.Flags().BoolVar(&f.primitives, "primitives", false, "boxes, cylinders and balls")
	cmd.Flags().BoolVar(&f.hulls, "hulls", false, "convex hulls")
	cmd.Flags().BoolVar(&f.spheres, "spheres", false, "spheres that stick out by about 12 mm at most")
	cmd.Flags().IntVar(&f.bounding, "bounding", 0, "convex hulls of at most `N` corners, from 4")
	cmd.MarkFlagsMutuallyExclusive("primitives", "hulls", "spheres", "bounding")
	cmd.MarkFlagsOneRequired("primitives", "hulls", "spheres", "bounding")
	return cmd
}

// simplified is a robot whose collision geometry is simpler, with what it was made of.
type simplified struct {
	robot *description.Robot
	links []simplifiedLink
	files map[string][]byte // hulls as OBJ, by the names in the URDF
	notes []string
}

// simplifiedLink describes what the shapes of a link became.
type simplifiedLink struct {
	Link       string  `json:"link"`
	Meshes     int     `json:"meshes"`
	Corners    int     `json:"mesh_corners"` // vertices of the meshes, as the files have them without repetition
	Shapes     int     `json:"shapes"`
	After      int     `json:"shape_corners"` // of hulls
	Volume     float64 `json:"volume"`        // of the shapes, m³
	HullVolume float64 `json:"hull_volume"`   // of the meshes' convex hulls, m³
	Protrusion float64 `json:"protrusion"`    // m
}

func (f *simplifyFlags) run(cmd *cobra.Command, file string) error {
	switch {
	case f.file != "" && strings.ToLower(filepath.Ext(f.file)) != ".urdf":
		return fmt.Errorf("write %s: want a file with the extension .urdf", f.file)
	case cmd.Flags().Changed("bounding") && f.bounding < 4:
		return fmt.Errorf("--bounding %d: wants at least 4 corners", f.bounding)
	}
	robot, err := f.source.read(file)
	if err != nil {
		return err
	}
	stem := strings.TrimSuffix(filepath.Base(f.file), filepath.Ext(f.file))
	s, err := f.simplify(robot, stem)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if f.file != "" {
		if err := f.write(s); err != nil {
			return err
		}
	}
	return f.out.write(cmd.OutOrStdout(), map[string]any{"robot": robot.Name, "links": s.links, "notes": s.notes}, func(w io.Writer) { f.print(w, s) })
}

// simplify replaces the meshes; the names of the files of hulls begin with stem.
func (f *simplifyFlags) simplify(robot *description.Robot, stem string) (*simplified, error) {
	solid, note := robot.Solid()
	s := &simplified{robot: solid, links: []simplifiedLink{}, files: map[string][]byte{}, notes: []string{}}
	if note != "" {
		s.notes = append(s.notes, note)
	}
	if f.spheres {
		return s, s.cover()
	}
	var wrong []error
	for i := range solid.Links {
		l := &solid.Links[i]
		report := simplifiedLink{Link: l.Name}
		for k := range l.Collisions {
			c := &l.Collisions[k]
			m, ok := c.Geometry.(description.Mesh)
			if !ok {
				continue
			}
			surface, err := solid.Surface(m)
			if err == nil {
				err = f.replace(s, &report, c, surface.Points, surface.Triangles, fmt.Sprintf("%s_%s_%d.obj", stem, plain(l.Name), k))
			}
			if err != nil {
				wrong = append(wrong, fmt.Errorf("%s: collision geometry of link %q: %w", c.Position, l.Name, err))
			}
		}
		if report.Meshes > 0 {
			s.links = append(s.links, report)
		}
	}
	if len(s.links) == 0 && len(wrong) == 0 {
		return nil, fmt.Errorf("robot %q has no meshes to simplify", robot.Name)
	}
	return s, errors.Join(wrong...)
}

// replace gives a collision another geometry: the shape around the points of a mesh.
func (f *simplifyFlags) replace(s *simplified, report *simplifiedLink, c *description.Collision, points []spatial.Vec3, triangles [][3]int, file string) error {
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
	if f.primitives {
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
		if f.bounding > 0 {
			if hull, err = hull.Bounding(f.bounding); err != nil {
				return err
			}
			corners, faces = hull.Surface()
		}
		report.After += len(corners)
		report.Volume += volumeInside(corners, faces)
		s.files[file] = obj(corners, faces)
		c.Geometry = description.Mesh{URI: file, Scale: spatial.Vec3{X: 1, Y: 1, Z: 1}}
	}
	out, err := protrusion(points, triangles, corners, faces)
	report.Protrusion = max(report.Protrusion, out)
	return err
}

// cover replaces all collision geometry by spheres.
func (s *simplified) cover() error {
	spheres := &spheresFlags{tolerance: coverTolerance}
	links, err := spheres.cover(s.robot, &s.notes)
	if err != nil {
		return err
	}
	balls := map[string][]scene.Ball{}
	for _, l := range links {
		if l.report.Outside > 0 {
			return fmt.Errorf("link %s lies outside its spheres by %.3g mm", l.name, 1000*l.report.Outside)
		}
		for i := range l.spheres { // a triangle without area may have a ball without radius, which MuJoCo rejects
			l.spheres[i].Radius = max(l.spheres[i].Radius, leastRadius)
		}
		balls[l.name] = l.spheres
		report := simplifiedLink{Link: l.name, Shapes: len(l.spheres), Protrusion: l.report.Protrusion, Volume: volumeOfBalls(l.spheres)}
		s.links = append(s.links, report)
	}
	s.robot = s.robot.OfSpheres(balls)
	return nil
}

// leastRadius is the radius of the smallest sphere, m.
const leastRadius = 1e-4

// ballCells is how many cells the extent of balls is divided into, where their volume is counted.
const ballCells = 100

// volumeOfBalls returns the volume of the union of balls, to a few percent, m³.
func volumeOfBalls(balls []scene.Ball) float64 {
	around := scene.EnclosingBalls(balls)
	low, cell := around.Center.Sub(spatial.Vec3{X: around.Radius, Y: around.Radius, Z: around.Radius}), 2*around.Radius/ballCells
	inside := map[[3]int]bool{}
	for _, b := range balls {
		first := b.Center.Sub(spatial.Vec3{X: b.Radius, Y: b.Radius, Z: b.Radius}).Sub(low).Scale(1 / cell)
		n := int(2*b.Radius/cell) + 2
		for i := range n * n * n {
			at := [3]int{int(first.X) + i%n, int(first.Y) + i/n%n, int(first.Z) + i/n/n}
			middle := low.Add(spatial.Vec3{X: float64(at[0]) + 0.5, Y: float64(at[1]) + 0.5, Z: float64(at[2]) + 0.5}.Scale(cell))
			if middle.Sub(b.Center).Norm() <= b.Radius {
				inside[at] = true
			}
		}
	}
	return float64(len(inside)) * cell * cell * cell
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

// write writes the URDF and the files of its hulls.
func (f *simplifyFlags) write(s *simplified) error {
	var text bytes.Buffer
	if err := description.WriteURDF(&text, s.robot); err != nil {
		return err
	}
	dir := filepath.Dir(f.file)
	names := slices.Sorted(maps.Keys(s.files))
	for _, name := range append([]string{filepath.Base(f.file)}, names...) {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			return fmt.Errorf("write %s: the file exists; name another one", filepath.Join(dir, name))
		}
	}
	for _, name := range names {
		if err := durable.WriteFile(filepath.Join(dir, name), s.files[name], 0o644); err != nil {
			return err
		}
	}
	return durable.WriteFile(f.file, text.Bytes(), 0o644)
}

// print prints the links with their shapes.
func (f *simplifyFlags) print(w io.Writer, s *simplified) {
	t := newTable("link", "meshes", "corners", "shapes", "corners", "volume", "<", "of hulls", "<", "stick out", "<")
	optional := func(n int) string {
		if n == 0 {
			return ""
		}
		return fmt.Sprint(n)
	}
	sum, worst := 0.0, 0.0
	for _, l := range s.links {
		hulls := ""
		if l.HullVolume > 0 {
			hulls = fmt.Sprintf("%.1f", 1e6*l.HullVolume)
		}
		unit := ""
		if hulls != "" {
			unit = "cm³"
		}
		t.row(l.Link, optional(l.Meshes), optional(l.Corners), fmt.Sprint(l.Shapes), optional(l.After), fmt.Sprintf("%.1f", 1e6*l.Volume), "cm³", hulls, unit, fmt.Sprintf("%.1f", 1000*l.Protrusion), "mm")
		sum, worst = sum+l.Volume, max(worst, l.Protrusion)
	}
	t.print(w)
	fmt.Fprintf(w, "%.1f cm³ around %d links, which stick out by at most %.1f mm\n", 1e6*sum, len(s.links), 1000*worst)
	for _, note := range s.notes {
		fmt.Fprintln(w, note)
	}
	if f.file != "" {
		fmt.Fprintf(w, "wrote %s and %d files of hulls\n", f.file, len(s.files))
	}
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

// volumeInside returns the volume inside of a closed surface whose triangles are counterclockwise from outside, m³.
func volumeInside(points []spatial.Vec3, triangles [][3]int) (v float64) {
	for _, t := range triangles {
		v += points[t[0]].Dot(points[t[1]].Cross(points[t[2]])) / 6
	}
	return v
}

// protrusionSteps is how many pieces the extent of a shape is divided into, where its distance from a mesh is sampled.
const protrusionSteps = 24

// protrusion returns the greatest distance of sampled points of a surface from a mesh, m.
func protrusion(points []spatial.Vec3, triangles [][3]int, corners []spatial.Vec3, faces [][3]int) (far float64, err error) {
	mesh, err := geometry.NewMesh(points, triangles)
	if err != nil {
		return 0, err
	}
	dot, err := geometry.NewSphere(0)
	if err != nil {
		return 0, err
	}
	low, high := corners[0], corners[0]
	for _, p := range corners {
		low = spatial.Vec3{X: min(low.X, p.X), Y: min(low.Y, p.Y), Z: min(low.Z, p.Z)}
		high = spatial.Vec3{X: max(high.X, p.X), Y: max(high.Y, p.Y), Z: max(high.Z, p.Z)}
	}
	step := high.Sub(low).Norm() / protrusionSteps
	var q geometry.Query
	identity := spatial.IdentityPose()
	for _, f := range faces {
		a, b, c := corners[f[0]], corners[f[1]], corners[f[2]]
		n := int(math.Ceil(max(b.Sub(a).Norm(), c.Sub(a).Norm(), c.Sub(b).Norm()) / step))
		for i := range n + 1 {
			for j := range n + 1 - i {
				at := spatial.Translation(a.Add(b.Sub(a).Scale(float64(i) / float64(n))).Add(c.Sub(a).Scale(float64(j) / float64(n))))
				contact, err := q.Distance(mesh, &identity, dot, &at, nil)
				if err != nil {
					return 0, err
				}
				far = max(far, contact.Distance)
			}
		}
	}
	return far, nil
}
