package model

import (
	"fmt"
	"image/color"
	"io"
	"strings"

	"github.com/sinew-robotics/sinew/cli/figure"
	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/multibody"
)

// Colors of the graph of a robot, as in figure 5 of Rickert and Gaschler, Robotics Library, 2017.
var (
	worldColor  = color.RGBA{0x1f, 0x6f, 0xd0, 0xff}
	bodyColor   = color.RGBA{0x9a, 0xa0, 0xa6, 0xff}
	frameColor  = color.RGBA{0x22, 0x25, 0x29, 0xff}
	movingColor = color.RGBA{0xc8, 0x2d, 0x1f, 0xff}
)

// graph is a robot as vertices and edges: the world, bodies, which have a mass, and frames, which have none; fixed and moving joints.
type graph struct {
	robot *description.Robot
	root  string
	below map[string][]*description.Joint
}

// newGraph returns the graph of a robot. With a floating base the world is a vertex of its own; else the root link is the world.
func newGraph(robot *description.Robot, floating bool) *graph {
	g := &graph{robot: robot, below: childJoints(robot)}
	child := map[string]bool{}
	for i := range robot.Joints {
		child[robot.Joints[i].Child] = true
	}
	for _, l := range robot.Links {
		if !child[l.Name] {
			g.root = l.Name
		}
	}
	if floating {
		joint := &description.Joint{Name: rootJoint, Type: multibody.Floating, Child: g.root}
		g.root, g.below[""] = "", []*description.Joint{joint}
	}
	return g
}

// vertex describes a link: its name and color.
func (g *graph) vertex(link *description.Link) (name string, c color.RGBA) {
	switch {
	case link.Name == "":
		return "world", worldColor
	case link.Name == g.root:
		return link.Name, worldColor
	case link.Inertial != nil && link.Inertial.Mass > 0:
		return link.Name, bodyColor
	}
	return link.Name, frameColor
}

// edge describes a joint: its name, color, and whether it follows another one.
func (g *graph) edge(j *description.Joint) (name string, c color.RGBA, follows bool) {
	if j.Type == multibody.Fixed {
		return j.Name, frameColor, false
	}
	name = j.Name + " (" + j.Type.String() + ")"
	if j.Mimic != nil {
		name = j.Name + " (" + j.Type.String() + ", follows " + j.Mimic.Joint + ")"
	}
	return name, movingColor, j.Mimic != nil
}

// link returns the link of a name; "" is the world of a floating base.
func (g *graph) link(name string) *description.Link {
	for i := range g.robot.Links {
		if g.robot.Links[i].Name == name {
			return &g.robot.Links[i]
		}
	}
	return &description.Link{}
}

// writeSVG writes the graph as a picture.
func (g *graph) writeSVG(w io.Writer) error {
	var branch func(name string) *figure.Vertex
	branch = func(name string) *figure.Vertex {
		v := &figure.Vertex{}
		v.Name, v.Color = g.vertex(g.link(name))
		for _, j := range g.below[name] {
			below := branch(j.Child)
			below.Edge.Name, below.Edge.Color, below.Edge.Dashed = g.edge(j)
			v.Below = append(v.Below, below)
		}
		return v
	}
	f, err := figure.Tree("svg", g.robot.Name, branch(g.root), []figure.Key{
		{Name: "world", Color: worldColor}, {Name: "body", Color: bodyColor}, {Name: "frame", Color: frameColor},
		{Name: "fixed", Color: frameColor, Edge: true}, {Name: "moving", Color: movingColor, Edge: true},
	})
	if err != nil {
		return err
	}
	_, err = f.WriteTo(w)
	return err
}

// writeDot writes the graph in the language of Graphviz.
func (g *graph) writeDot(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "digraph %s {\n\tnode [shape=ellipse, style=filled, fontname=\"sans-serif\", fontcolor=white];\n\tedge [fontname=\"sans-serif\"];\n", quoteDot(g.robot.Name))
	var branch func(name string)
	branch = func(name string) {
		label, c := g.vertex(g.link(name))
		fmt.Fprintf(&b, "\t%s [label=%s, color=%q];\n", quoteDot(name), quoteDot(label), hexColor(c))
		for _, j := range g.below[name] {
			label, c, follows := g.edge(j)
			style := "solid"
			if follows {
				style = "dashed"
			}
			fmt.Fprintf(&b, "\t%s -> %s [label=%s, color=%q, style=%s];\n", quoteDot(name), quoteDot(j.Child), quoteDot(label), hexColor(c), style)
			branch(j.Child)
		}
	}
	branch(g.root)
	b.WriteString("}\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func hexColor(c color.RGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// quoteDot writes a string of Graphviz, where backslashes begin sequences and ampersands entities.
func quoteDot(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "&", "&amp;", "\n", " ").Replace(s) + `"`
}
