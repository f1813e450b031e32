package multibody

import (
	"encoding/xml"
	"fmt"
	"strings"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// loadURDF reads the kinematics and inertias of a URDF. It is for the tests of this package only, which may not import
// the real reader.
func loadURDF(text []byte) (Tree, error) {
	type origin struct {
		XYZ string `xml:"xyz,attr"`
		RPY string `xml:"rpy,attr"`
	}
	type link struct {
		Link string `xml:"link,attr"`
	}
	var x struct {
		Name  string `xml:"name,attr"`
		Links []struct {
			Name     string `xml:"name,attr"`
			Inertial *struct {
				Origin origin `xml:"origin"`
				Mass   struct {
					Value float64 `xml:"value,attr"`
				} `xml:"mass"`
				I struct {
					XX float64 `xml:"ixx,attr"`
					XY float64 `xml:"ixy,attr"`
					XZ float64 `xml:"ixz,attr"`
					YY float64 `xml:"iyy,attr"`
					YZ float64 `xml:"iyz,attr"`
					ZZ float64 `xml:"izz,attr"`
				} `xml:"inertia"`
			} `xml:"inertial"`
		} `xml:"link"`
		Joints []struct {
			Name   string `xml:"name,attr"`
			Type   string `xml:"type,attr"`
			Parent link   `xml:"parent"`
			Child  link   `xml:"child"`
			Origin origin `xml:"origin"`
			Axis   struct {
				XYZ string `xml:"xyz,attr"`
			} `xml:"axis"`
			Mimic *struct {
				Joint      string  `xml:"joint,attr"`
				Multiplier float64 `xml:"multiplier,attr"`
				Offset     float64 `xml:"offset,attr"`
			} `xml:"mimic"`
		} `xml:"joint"`
	}
	if err := xml.Unmarshal(text, &x); err != nil {
		return Tree{}, err
	}
	vec := func(s string) (v spatial.Vec3) {
		if strings.TrimSpace(s) != "" {
			if _, err := fmt.Sscan(s, &v.X, &v.Y, &v.Z); err != nil {
				panic(err)
			}
		}
		return v
	}
	pose := func(o origin) spatial.Pose {
		r := vec(o.RPY)
		return spatial.Pose{R: spatial.RPY(r.X, r.Y, r.Z), P: vec(o.XYZ)}
	}
	t := Tree{Name: x.Name}
	for _, l := range x.Links {
		var i spatial.Inertia
		if in := l.Inertial; in != nil {
			p := pose(in.Origin)
			i = p.Inertia(spatial.Inertia{Mass: in.Mass.Value, Rotational: spatial.Sym3{
				XX: in.I.XX, XY: in.I.XY, XZ: in.I.XZ, YY: in.I.YY, YZ: in.I.YZ, ZZ: in.I.ZZ,
			}})
		}
		t.Links = append(t.Links, Link{Name: l.Name, Inertia: i})
	}
	types := map[string]JointType{
		"fixed": Fixed, "revolute": Revolute, "continuous": Continuous, "prismatic": Prismatic, "floating": Floating,
	}
	for _, j := range x.Joints {
		axis := spatial.Vec3{X: 1}
		if j.Axis.XYZ != "" {
			axis = vec(j.Axis.XYZ)
		}
		tj := Joint{
			Name: j.Name, Type: types[j.Type], Parent: j.Parent.Link, Child: j.Child.Link,
			Placement: pose(j.Origin), Axis: axis,
		}
		if m := j.Mimic; m != nil {
			tj.Mimic = &Mimic{Joint: m.Joint, Multiplier: m.Multiplier, Offset: m.Offset}
		}
		t.Joints = append(t.Joints, tj)
	}
	return t, nil
}
