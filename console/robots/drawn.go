package robots

import (
	"fmt"
	"slices"

	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// descriptionOfScene returns a description of the robot of a scene, for robots that were read from files that pages cannot draw: links look like their
// shapes, and shapes that URDF does not know are meshes at addresses of this server. A robot whose base is not the origin hangs on a link of its own.
func descriptionOfScene(name string, s *scene.Scene) *description.Robot {
	m := s.Models()[0]
	links := m.Model.Links()
	d := &description.Robot{Name: name}
	for _, l := range links {
		d.Links = append(d.Links, description.Link{Name: l})
	}
	bodies := s.Bodies()
	for i := range bodies {
		b := &bodies[i]
		if b.Object || b.Model != 0 {
			continue
		}
		l := &d.Links[b.Link]
		for k := range b.Parts {
			l.Visuals = append(l.Visuals, visualsOf(&b.Parts[k], address(NoSystem, name, "shape", fmt.Sprint(i), fmt.Sprint(k)+surfaceFile))...)
		}
	}
	carriers := map[int]string{0: links[0]} // the link that a joint carries, by the body that it is part of
	carried := map[string]bool{links[0]: true}
	for _, j := range m.Model.Joints() {
		i, err := m.Model.Link(j.Child)
		if err != nil {
			continue // a model names its own links
		}
		body, _ := m.Model.LinkFrame(i)
		carriers[body], carried[j.Child] = j.Child, true
		d.Joints = append(d.Joints, drawnJoint(&j.Joint))
	}
	for i, l := range links {
		if carried[l] {
			continue
		}
		body, at := m.Model.LinkFrame(i)
		first, err := m.Model.Link(carriers[body])
		if err != nil {
			continue
		}
		_, from := m.Model.LinkFrame(first)
		d.Joints = append(d.Joints, fixed("fixed_"+l, carriers[body], l, from.InvMul(at)))
	}
	if base := identity(m.Base); base != spatial.IdentityPose() {
		world := "world"
		for slices.Contains(links, world) {
			world += "_"
		}
		d.Links = append([]description.Link{{Name: world}}, d.Links...)
		d.Joints = append(d.Joints, fixed("fixed_"+links[0], world, links[0], base))
	}
	return d
}

func fixed(name, parent, child string, at spatial.Pose) description.Joint {
	return description.Joint{Name: name, Type: multibody.Fixed, Parent: parent, Child: child, Origin: origin(at)}
}

func drawnJoint(j *multibody.Joint) description.Joint {
	x := description.Joint{Name: j.Name, Type: j.Type, Parent: j.Parent, Child: j.Child, Origin: origin(identity(j.Placement)), Axis: j.Axis, Mimic: j.Mimic}
	if j.Limits != nil && j.Type.NQ() == 1 {
		x.Limits = []multibody.Limits{*j.Limits}
	}
	return x
}

// identity returns a pose whose zero value means the identity.
func identity(p spatial.Pose) spatial.Pose {
	if p.R == (spatial.Mat3{}) {
		p.R = spatial.Identity()
	}
	return p
}

func origin(p spatial.Pose) description.Origin {
	roll, pitch, yaw := p.R.RPY()
	return description.Origin{XYZ: p.P, RPY: spatial.Vec3{X: roll, Y: pitch, Z: yaw}}
}

// visualsOf returns what a part looks like; mesh is where its surface is found if it needs one. Planes, clouds and distance fields are not drawn: no link has
// them.
func visualsOf(p *geometry.Part, mesh string) []description.Visual {
	v := description.Visual{Origin: origin(p.Pose)}
	here := spatial.IdentityPose()
	b := p.Shape.Bounds(&here)
	size, r := b.Max.Sub(b.Min), p.Shape.Radius()
	switch kind := p.Shape.Kind(); {
	case kind == geometry.Plane || kind == geometry.Cloud || kind == geometry.DistanceField:
		return nil
	case kind == geometry.Sphere:
		v.Geometry = description.Sphere{Radius: r}
	case kind == geometry.Capsule:
		v.Geometry = description.Capsule{Radius: r, Length: size.Z - 2*r}
	case kind == geometry.Box && r == 0:
		v.Geometry = description.Box{Size: size}
	case kind == geometry.Cylinder && r == 0:
		v.Geometry = description.Cylinder{Radius: size.X / 2, Length: size.Z}
	default:
		v.Geometry = description.Mesh{URI: mesh, Scale: spatial.Vec3{X: 1, Y: 1, Z: 1}}
	}
	return []description.Visual{v}
}
