package robots

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/robot/simplify"
)

// Robot describes a robot to a page.
type Robot struct {
	Name   string   `json:"name"`   // the block that reads its description
	URDF   string   `json:"urdf"`   // path of its description on this server
	Joints []string `json:"joints"` // that move, in the order of its vectors
	Links  []string `json:"links"`
	Shapes []int    `json:"-"` // number of shapes that each of Links is drawn with
	Ports
	Groups  []Group  `json:"groups,omitempty"`  // of its joints, which blocks command apart
	Torques []string `json:"torque,omitempty"`  // ports with the torques of its joints: inputs of its simulator
	Push    *Push    `json:"push,omitempty"`    // of a simulator that pushes a link
	Problem string   `json:"problem,omitempty"` // why its description cannot be read
	// Simplified has what became of the collision geometry of each link; its visuals are what that was before. nil: nothing was simplified.
	Simplified []simplify.Link `json:"simplified,omitempty"`

	file string
}

// Push names what pushes a link of a simulated robot.
type Push struct {
	Port string `json:"port"` // "block.port": input with the force on the origin of the link, [x, y, z] in N, in the axes of the world
	Link string `json:"link"` // that is pushed
}

// pushOf returns what pushes a link of the robot of a block: its input push, and its constant pushed with the name of the link.
func pushOf(b admin.Block) *Push {
	var p Push
	for _, x := range b.Params {
		if link, _ := x.Value.(string); x.Name == "pushed" && x.Fixed {
			p.Link = link
		}
	}
	for _, x := range b.Ports {
		if x.Name == "push" && x.Kind == "input" && x.Type == "float64[3]" && x.Unit == "N" {
			p.Port = b.Name + "." + x.Name
		}
	}
	if p.Port == "" || p.Link == "" {
		return nil
	}
	return &p
}

// List holds the robots of a system.
type List struct {
	Robots []Robot  `json:"robots"`
	Notes  []string `json:"notes"` // what is wrong with the tags show of its blocks
}

// List returns the robots of a system: the blocks that read a description. Of several that read the same one, those count that publish
// the positions of its joints, or else the first; what the others show belongs to one of those. Of a system that has ended it returns the last
// list; for [NoSystem], the robots that belong to none. Callers do not change it.
func (r *Robots) List(ctx context.Context, system string) (*List, error) {
	if system == NoSystem {
		return r.listAlone(), nil
	}
	run, err := r.of(system)
	if err != nil {
		return nil, err
	}
	st, err := r.structure(ctx, system)
	switch last := run.noted(); {
	case err != nil && last != nil:
		return last, nil
	case err != nil:
		return nil, err
	}
	all := &List{Robots: []Robot{}, Notes: []string{}}
	var others []shown        // without a robot of their own
	var parts, further []part // commanded by blocks, and named by SRDF files only
	own := map[string]shown{}
	for _, b := range st.Blocks {
		shows, wrong := shownBy(ctx, run.system, b, st.Types)
		all.Notes = append(all.Notes, wrong...)
		file := descriptionOf(b)
		if file == "" {
			if !shows.empty() {
				others = append(others, shows)
			}
			continue
		}
		e := Robot{Name: b.Name, URDF: address(system, b.Name, "robot.urdf"), file: file, Push: pushOf(b),
			Joints: []string{}, Links: []string{}, Ports: Ports{Position: []string{}, Desired: []string{}, Contacts: []string{}}}
		x, err := run.read(system, b.Name, file, lockedOf(b), r.folders(system))
		if err != nil {
			e.Problem = err.Error()
		} else {
			e.Joints, e.Links = x.jointNames(), x.model.Links()
			e.Shapes = x.shapes(e.Links)
			switch p, isPart, err := x.partOf(b, &shows, file, r.folders(system)); {
			case err != nil:
				all.Notes = append(all.Notes, err.Error())
			case isPart: // its ports are not those of all joints
				parts = append(parts, p)
				shows = shown{block: b.Name}
			}
			further = append(further, x.groupsOf(b, file, r.folders(system))...)
			all.Notes = append(all.Notes, shows.addTo(&e.Ports, len(e.Joints))...)
		}
		all.Robots = append(all.Robots, e)
		own[b.Name] = shows
	}
	// Joint positions decide which descriptions are robots; what else is shown belongs to one of those.
	for _, positions := range []bool{true, false} {
		for i := range others {
			if sh := &others[i]; positions == (len(sh.joints[showPosition]) > 0) {
				all.Notes = append(all.Notes, sh.assign(all.Robots, st)...)
			}
		}
		if positions {
			known := all.Robots
			all.Robots = onceEach(all.Robots)
			for _, e := range known { // a block such as a planner reads the description of a robot that another block publishes
				sh := own[e.Name]
				if !sh.empty() && !slices.ContainsFunc(all.Robots, func(r Robot) bool { return r.Name == e.Name }) {
					others = append(others, sh)
				}
			}
		}
	}
	parts = append(parts, further...)
	for i := range all.Robots {
		all.Robots[i].addParts(parts)
		all.Robots[i].Torques = refsOf(all.Robots[i].Torque)
	}
	run.note(all)
	return all, nil
}

// assign adds what a block without a description shows to the robot that it means: the one with as many joints; of several the one
// that its links lead to first.
func (sh *shown) assign(list []Robot, st *admin.Structure) []string {
	var fit []string
	for _, r := range list {
		if r.Problem == "" && (sh.count() == 0 || sh.count() == len(r.Joints)) {
			fit = append(fit, r.Name)
		}
	}
	if len(fit) > 1 {
		fit = nearestBehind(st, sh.block, fit)
	}
	switch {
	case len(fit) == 1:
		i := slices.IndexFunc(list, func(r Robot) bool { return r.Name == fit[0] })
		return sh.addTo(&list[i].Ports, len(list[i].Joints))
	case len(fit) > 1:
		return []string{fmt.Sprintf("%s: its tags show fit %s; link the block to one of them", sh.block, strings.Join(fit, " and "))}
	case sh.count() > 0:
		return []string{fmt.Sprintf("%s: its tags show cover %d joints, but no linked robot has that number", sh.block, sh.count())}
	}
	return []string{fmt.Sprintf("%s: no robot is linked to this block", sh.block)}
}

// onceEach leaves out descriptions without joint positions where there is another one of the same robot.
func onceEach(list []Robot) []Robot {
	kept := []Robot{} // a page reads a list, also an empty one
	for i, e := range list {
		positions := len(e.Position) > 0
		double := slices.ContainsFunc(list, func(o Robot) bool {
			return len(o.Position) > 0 && (o.file == e.file || e.Problem == "" && slices.Equal(o.Joints, e.Joints))
		}) || slices.ContainsFunc(list[:i], func(o Robot) bool { return o.file == e.file })
		if positions || !double {
			kept = append(kept, e)
		}
	}
	return kept
}
