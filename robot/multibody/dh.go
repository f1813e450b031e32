package multibody

import (
	"fmt"
	"math"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Convention defines how the four Denavit–Hartenberg parameters of a link multiply.
type Convention uint8

const (
	StandardDH Convention = iota // Rz(θ) Tz(d) Tx(a) Rx(α) (Denavit and Hartenberg 1955): joint i moves along z of frame i-1
	ModifiedDH                   // Rx(α) Tx(a) Rz(θ) Tz(d) (Craig 1986): joint i moves along z of frame i
)

// DHLink is one row of a Denavit–Hartenberg table. The joint's coordinate adds to Theta (revolute) or to D (prismatic).
type DHLink struct {
	Type     JointType       // Revolute, Continuous, Prismatic or Fixed
	Theta, D float64         // rad, m
	A, Alpha float64         // m, rad
	Inertia  spatial.Inertia // of the link, in its Denavit–Hartenberg frame
	Limits   *Limits         // nil: unlimited; rad or m, as the joint's coordinate
}

// FromDH returns the chain that the table describes. Links "base", "link1", "link2", … stand in the Denavit–Hartenberg
// frames, joints are "joint1", "joint2", …. In the standard convention the axis of a joint does not pass through the frame
// of its link; an additional link "axis1", … then stands at the joint. It panics on other joint types.
func FromDH(name string, c Convention, rows []DHLink) Tree {
	t := Tree{Name: name, Links: []Link{{Name: "base"}}}
	parent := "base"
	for i, row := range rows {
		switch row.Type {
		case Revolute, Continuous, Prismatic, Fixed:
		default:
			panic(fmt.Sprintf("multibody.FromDH: row %d is %s, want revolute, continuous, prismatic or fixed", i, row.Type))
		}
		link := Link{Name: fmt.Sprintf("link%d", i+1), Inertia: row.Inertia}
		along := spatial.Pose{R: exactRotZ(row.Theta), P: spatial.Vec3{Z: row.D}}
		across := spatial.Pose{R: exactRotX(row.Alpha), P: spatial.Vec3{X: row.A}}
		j := Joint{
			Name: fmt.Sprintf("joint%d", i+1), Type: row.Type, Parent: parent, Child: link.Name,
			Axis: spatial.Vec3{Z: 1}, Limits: row.Limits,
		}
		if c == ModifiedDH {
			j.Placement = across.Mul(along)
			t.Joints = append(t.Joints, j)
		} else {
			axis := Link{Name: fmt.Sprintf("axis%d", i+1)}
			j.Placement, j.Child = along, axis.Name
			t.Links = append(t.Links, axis)
			t.Joints = append(t.Joints, j, Joint{
				Name: link.Name + "_frame", Type: Fixed, Parent: axis.Name, Child: link.Name, Placement: across,
			})
		}
		t.Links = append(t.Links, link)
		parent = link.Name
	}
	return t
}

// exactRotX and exactRotZ give multiples of a quarter turn exactly, which tables abound in: math.Pi/2 means a right angle.
func exactRotX(angle float64) spatial.Mat3 {
	s, c := quarter(angle)
	return spatial.Mat3{{1, 0, 0}, {0, c, -s}, {0, s, c}}
}

func exactRotZ(angle float64) spatial.Mat3 {
	s, c := quarter(angle)
	return spatial.Mat3{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}
}

// quarter returns sine and cosine, exact where the angle is the number closest to a multiple of π/2.
func quarter(angle float64) (s, c float64) {
	switch angle {
	case math.Pi / 2:
		return 1, 0
	case -math.Pi / 2:
		return -1, 0
	case math.Pi, -math.Pi:
		return 0, -1
	}
	return math.Sincos(angle)
}
