package description

import (
	"io/fs"
	"math"
	"slices"
	"strings"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

const (
	inertiaTolerance = 1e-6 // of the moments' relations: files round to a few digits
	longestOrigin    = 50.  // m; beyond it a length is suspected to be in millimetres
	largestMesh      = 50.  // factor of scale
	heaviestLink     = 1e5  // kg
)

func (l *linter) link(link *Link) {
	if link.Inertial != nil {
		l.inertial(link)
	}
	for i := range link.Visuals {
		v := &link.Visuals[i]
		l.origin("the visual of link "+link.Name, v.Origin, v.Position)
		l.geometry(link.Name, v.Geometry, v.Position)
		if v.Material != nil {
			l.material(v.Material)
		}
	}
	for i := range link.Collisions {
		c := &link.Collisions[i]
		l.origin("the collision of link "+link.Name, c.Origin, c.Position)
		l.geometry(link.Name, c.Geometry, c.Position)
	}
}

func (l *linter) inertial(link *Link) {
	i := link.Inertial
	inertia := i.Spatial()
	if err := inertia.Check(inertiaTolerance); err != nil {
		l.impossible("inertia", i.Position, "link %q: %s", link.Name, strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	turns := i.Inertia != (spatial.Sym3{})
	switch {
	case i.Mass == 0 && turns:
		l.impossible("inertia", i.Position, "link %q has rotational inertia but no mass", link.Name)
	case i.Mass > 0 && !turns:
		l.suspicious("inertia", i.Position, "link %q has mass but no rotational inertia: a point", link.Name)
	case i.Mass > heaviestLink:
		l.suspicious("units", i.Position, "link %q has a mass of %g kg: is it in grams?", link.Name, i.Mass)
	}
	if i.Mass > 0 && i.Inertia.Trace() > i.Mass*longestOrigin*longestOrigin {
		l.suspicious("units", i.Position, "link %q has the rotational inertia of a body of many metres: is it in kg mm² or g mm²?", link.Name)
	}
	l.origin("the inertial of link "+link.Name, i.Origin, i.Position)
}

// origin suspects units other than metres and radians.
func (l *linter) origin(of string, o Origin, at Position) {
	if d := o.XYZ.Norm(); d > longestOrigin {
		l.suspicious("units", at, "the origin of %s is %g m away: is it in millimetres?", of, d)
	}
	for _, a := range []float64{o.RPY.X, o.RPY.Y, o.RPY.Z} {
		if likeDegrees(a) {
			l.suspicious("units", at, "the origin of %s is turned by %g rad: is it in degrees?", of, a)
			return
		}
	}
}

// likeDegrees reports whether an angle in radians is a round number beyond two turns.
func likeDegrees(a float64) bool {
	return math.Abs(a) > 4*math.Pi && math.Abs(a-math.Round(a)) < 1e-9
}

func (l *linter) geometry(link string, g Geometry, at Position) {
	switch g := g.(type) {
	case Box:
		l.dimension("edge", "box", link, at, g.Size.X, g.Size.Y, g.Size.Z)
	case Cylinder:
		l.dimension("radius or length", "cylinder", link, at, g.Radius, g.Length)
	case Sphere:
		l.dimension("radius", "sphere", link, at, g.Radius)
	case Capsule:
		l.dimension("radius or length", "capsule", link, at, g.Radius, g.Length)
	case Mesh:
		l.mesh(link, g, at)
	}
}

func (l *linter) dimension(what, shape, link string, at Position, sizes ...float64) {
	switch smallest := slices.Min(sizes); {
	case smallest < 0:
		l.impossible("geometry", at, "the %s of the %s of link %q is negative: %g m", what, shape, link, smallest)
	case smallest == 0:
		l.suspicious("geometry", at, "the %s of the %s of link %q is zero", what, shape, link)
	case slices.Max(sizes) > longestOrigin:
		l.suspicious("units", at, "the %s of link %q is %g m large: is it in millimetres?", shape, link, slices.Max(sizes))
	}
}

func (l *linter) mesh(link string, mesh Mesh, at Position) {
	s := mesh.Scale
	switch {
	case s.X == 0 || s.Y == 0 || s.Z == 0:
		l.impossible(meshRule, at, "the scale of mesh %q of link %q is zero", mesh.URI, link)
	case math.Max(math.Abs(s.X), math.Max(math.Abs(s.Y), math.Abs(s.Z))) > largestMesh:
		l.suspicious("units", at, "mesh %q of link %q is enlarged %g times: is the factor the wrong way round?", mesh.URI, link, s.X)
	}
	err := l.missing(mesh.URI)
	if err == nil {
		return
	}
	first, again := l.lost[err.Error()] // one finding for all shapes of a file, and of a package whose place is not known
	if !again {
		l.suspicious(meshRule, at, "mesh %q of link %q cannot be found: %v", mesh.URI, link, err)
		l.lost[err.Error()] = &lost{finding: len(l.findings) - 1}
		return
	}
	first.more++
}

// missing returns why a file cannot be found. A robot that was not read from a file has no files.
func (l *linter) missing(uri string) error {
	if l.robot.Resources.FS == nil {
		return nil
	}
	fsys, name, err := l.robot.Resources.Find(uri)
	if err == nil {
		_, err = fs.Stat(fsys, name)
	}
	return err
}

func (l *linter) material(m *Material) {
	if c := m.Color; c != nil && slices.ContainsFunc(c[:], func(x float64) bool { return x < 0 || x > 1 }) {
		l.suspicious("material", m.Position, "the colour %v of material %q is outside 0 to 1: is it in 0 to 255?", *c, m.Name)
	}
	if m.Texture != "" {
		if err := l.missing(m.Texture); err != nil {
			l.suspicious("material", m.Position, "texture %q of material %q cannot be found: %v", m.Texture, m.Name, err)
		}
	}
	if !m.defined() && m.Name != "" && !l.defined[m.Name] {
		l.suspicious("material", m.Position, "material %q is not defined", m.Name)
	}
}

// materials notes which materials are defined, for the whole robot or in a visual.
func (l *linter) materials() {
	l.defined = map[string]bool{}
	for i := range l.robot.Materials {
		m := &l.robot.Materials[i]
		l.defined[m.Name] = l.defined[m.Name] || m.defined()
	}
	for i := range l.robot.Links {
		for _, v := range l.robot.Links[i].Visuals {
			if v.Material != nil && v.Material.defined() {
				l.defined[v.Material.Name] = true
			}
		}
	}
}
