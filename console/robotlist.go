package console

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sinew-robotics/sinew/net/admin"
)

// robotReply tells a page of a robot.
type robotReply struct {
	Name   string   `json:"name"` // the block that has it
	URDF   string   `json:"urdf"`
	Joints []string `json:"joints"`
	Links  []string `json:"links"`
	robotPorts
	Problem string `json:"problem,omitempty"` // why it cannot be shown

	file string
}

// robotsReply tells of all robots of a system, and what is wrong with that which blocks show of them.
type robotsReply struct {
	Robots []robotReply `json:"robots"`
	Notes  []string     `json:"notes"`
}

// robotList lists the robots of a system: the blocks that read a description. Of several that read the same one those
// count that tell where its joints are, or the first.
func (s *Server) robotList(ctx context.Context, _ *call, a systemRequest) (any, error) {
	return s.robotsOf(ctx, a.System)
}

func (s *Server) robotsOf(ctx context.Context, system string) (robotsReply, error) {
	sys, err := s.catalog.get(system)
	if err != nil {
		return robotsReply{}, err
	}
	st, err := s.structureOf(ctx, system, askPatience)
	if err != nil {
		return robotsReply{}, err
	}
	all := robotsReply{Robots: []robotReply{}, Notes: []string{}}
	var others []shower // without a description
	for _, b := range st.Blocks {
		shows, wrong := sys.showerOf(ctx, b, st.Types)
		all.Notes = append(all.Notes, wrong...)
		file := descriptionOf(b)
		if file == "" {
			if !shows.empty() {
				others = append(others, shows)
			}
			continue
		}
		e := robotReply{Name: b.Name, URDF: robotAddress(system, b.Name, "robot.urdf"), file: file,
			Joints: []string{}, Links: []string{}, robotPorts: robotPorts{Position: []string{}, Desired: []string{}, Contacts: []string{}}}
		r, err := sys.robots.get(system, b, file, s.dirsOf(system))
		if err != nil {
			e.Problem = err.Error()
		} else {
			e.Joints, e.Links = r.jointNames(), r.model.Links()
			all.Notes = append(all.Notes, shows.give(&e.robotPorts, len(e.Joints))...)
		}
		all.Robots = append(all.Robots, e)
	}
	// Who tells where joints are decides which descriptions are robots; what else is shown is of one of those.
	for _, telling := range []bool{true, false} {
		for i := range others {
			if sh := &others[i]; telling == (len(sh.joints[showPosition]) > 0) {
				all.Notes = append(all.Notes, sh.giveTo(all.Robots, st)...)
			}
		}
		if telling {
			all.Robots = onceEach(all.Robots)
		}
	}
	return all, nil
}

// giveTo adds what a block without a description shows to the robot that it means: the one with as many joints; of several
// the one that its links lead to first.
func (sh *shower) giveTo(list []robotReply, st *admin.Structure) []string {
	var fit []string
	for _, r := range list {
		if r.Problem == "" && (sh.count() == 0 || sh.count() == len(r.Joints)) {
			fit = append(fit, r.Name)
		}
	}
	if len(fit) > 1 {
		fit = leadsTo(st, sh.block, fit)
	}
	switch {
	case len(fit) == 1:
		i := slices.IndexFunc(list, func(r robotReply) bool { return r.Name == fit[0] })
		return sh.give(&list[i].robotPorts, len(list[i].Joints))
	case len(fit) > 1:
		return []string{fmt.Sprintf("%s: what it shows may be of %s: its links lead to both", sh.block, strings.Join(fit, " and "))}
	case sh.count() > 0:
		return []string{fmt.Sprintf("%s: what it shows is of %d joints, and no robot is of as many behind its links", sh.block, sh.count())}
	}
	return []string{fmt.Sprintf("%s: its links lead to no robot", sh.block)}
}

// onceEach leaves out descriptions whose joints nobody tells where there is another one of the same robot.
func onceEach(list []robotReply) []robotReply {
	var kept []robotReply
	for i, e := range list {
		told := len(e.Position) > 0
		double := slices.ContainsFunc(list, func(o robotReply) bool {
			return len(o.Position) > 0 && (o.file == e.file || e.Problem == "" && slices.Equal(o.Joints, e.Joints))
		}) || slices.ContainsFunc(list[:i], func(o robotReply) bool { return o.file == e.file })
		if told || !double {
			kept = append(kept, e)
		}
	}
	return kept
}
