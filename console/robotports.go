package console

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/sinew-robotics/sinew/net/admin"
)

// Names that tell what a port holds.
var (
	positionNames = []string{"position", "positions", "q", "joint_position", "joint_positions"}
	desiredNames  = []string{"position", "positions", "desired", "reference", "target", "q"}
	plannerWords  = []string{"generator", "reference", "desired", "trajectory", "planner"}
)

// findPorts finds the ports that tell where n joints are and ought to be.
func (e *robotReply) findPorts(ctx context.Context, sys *shown, b admin.Block, st *admin.Structure, n int) {
	outputs := map[string]admin.Port{}
	for _, p := range b.Ports {
		if p.Kind == "output" {
			outputs[p.Name] = p
		}
	}
	for _, name := range positionNames {
		if p, ok := outputs[name]; ok && isJointUnit(p.Unit) && sys.length(ctx, b.Name+"."+name, p.Type) == n {
			e.Position = b.Name + "." + name
			for i := range n {
				e.Signals = append(e.Signals, signalRequest{Ref: e.Position, Element: i})
			}
		}
	}
	if e.Signals == nil {
		e.Signals = family(b, n)
	}
	e.Base = baseOf(b.Name, outputs)
	for _, o := range st.Blocks {
		if o.Name == b.Name || !slices.ContainsFunc(plannerWords, func(w string) bool { return strings.Contains(strings.ToLower(o.Name+" "+o.Type), w) }) {
			continue
		}
		for _, p := range o.Ports {
			ref := o.Name + "." + p.Name
			if e.Desired == nil && p.Kind == "output" && slices.Contains(desiredNames, p.Name) && isJointUnit(p.Unit) && sys.length(ctx, ref, p.Type) == n {
				e.Desired = &ref
			}
		}
	}
}

// length returns how many numbers a port holds: -1 where it holds something else.
func (s *shown) length(ctx context.Context, ref, typ string) int {
	switch {
	case typ == "float64":
		return 1
	case !strings.HasPrefix(typ, "float64["):
		return -1
	case typ != "float64[]":
		n, err := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(typ, "float64["), "]"))
		if err != nil {
			return -1
		}
		return n
	}
	r, err := s.Read(ctx, ref)
	list, ok := r.Value.([]any)
	if err != nil || !ok {
		return -1
	}
	return len(list)
}

// family returns the ports angle1 … anglen of a block, or whatever they are called, where there is one for each joint.
func family(b admin.Block, n int) []signalRequest {
	stems := map[string]int{}
	for _, p := range b.Ports {
		stem := strings.TrimRight(p.Name, "0123456789")
		if p.Kind == "output" && p.Type == "float64" && isJointUnit(p.Unit) && stem != p.Name {
			stems[stem]++
		}
	}
	for _, stem := range []string{"angle", "position", "joint", "q"} {
		if stems[stem] != n {
			continue
		}
		var list []signalRequest
		for i := range n {
			list = append(list, signalRequest{Ref: b.Name + "." + stem + strconv.Itoa(i+1)})
		}
		return list
	}
	return nil
}

// baseOf finds the ports that tell where a robot's root link is, when nothing holds it.
func baseOf(block string, outputs map[string]admin.Port) *robotBase {
	for _, prefix := range []string{"base_", ""} {
		position, orientation := prefix+"position", prefix+"orientation"
		if outputs[position].Type == "float64[3]" && outputs[orientation].Type == "float64[4]" {
			return &robotBase{block + "." + position, block + "." + orientation}
		}
	}
	return nil
}
