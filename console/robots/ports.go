package robots

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sinew-robotics/sinew/net/admin"
)

// Ports are what the blocks of a system show of one robot, as "block.port". Several ports of one block follow one another, in its order.
type Ports struct {
	Position []string `json:"position"`       // measured joint positions; empty where no block publishes them
	Desired  []string `json:"desired"`        // desired joint positions
	Contacts []string `json:"contacts"`       // forces on the robot
	Base     *Base    `json:"base,omitempty"` // of a robot that is not fixed to the world
	Move     string   `json:"move,omitempty"` // operation that moves the joints to positions in a time

	Path *Path `json:"path,omitempty"` // what moves the joints along a path

	Torque []JointPort `json:"-"` // inputs of a simulator
}

// Base names the ports with the pose of a robot's root link in the world.
type Base struct {
	Position    string `json:"position"`    // [x, y, z] in m
	Orientation string `json:"orientation"` // quaternion [x, y, z, w]
}

// Path names the operations of a block that runs paths within the limits of the joints.
type Path struct {
	Point string `json:"point"` // adds a point: positions of the joints
	Run   string `json:"run"`   // runs the points, and forgets them
	// Outcome returns {begun}: false while the motion is prepared. It fails with the reason if the path cannot be run. "": there is none.
	Outcome string `json:"outcome,omitempty"`
}

// JointPort is a port that holds numbers of joints.
type JointPort struct {
	Ref    string // "block.port"
	Single bool   // one number, not a list
	Length int    // how many numbers
}

func refsOf(ports []JointPort) []string {
	refs := []string{}
	for _, p := range ports {
		refs = append(refs, p.Ref)
	}
	return refs
}

// shown is what a block shows of a robot.
type shown struct {
	block  string
	tags   tags
	joints map[string][]JointPort // by word
}

// shownBy returns what a block shows, and what is wrong with its tags.
func shownBy(ctx context.Context, sys admin.System, b admin.Block, types map[string]string) (shown, []string) {
	tags, wrong := tagsOf(b, types)
	sh := shown{block: b.Name, tags: tags, joints: map[string][]JointPort{}}
	for _, word := range []string{showPosition, showDesired, ShowTorque} {
		for _, p := range tags.ports[word] {
			j := JointPort{Ref: b.Name + "." + p.Name, Single: p.Type == "float64"}
			j.Length = lengthOf(ctx, sys, j.Ref, p.Type)
			sh.joints[word] = append(sh.joints[word], j)
		}
	}
	return sh, wrong
}

// empty reports whether the block shows nothing.
func (sh *shown) empty() bool {
	return len(sh.tags.ports) == 0 && sh.tags.move == "" && sh.tags.path == ""
}

// count returns for how many joints the block has ports, 0 for none.
func (sh *shown) count() int {
	for _, word := range []string{showPosition, showDesired, ShowTorque} {
		if n := total(sh.joints[word]); n > 0 {
			return n
		}
	}
	return 0
}

func total(ports []JointPort) int {
	n := 0
	for _, p := range ports {
		n += p.Length
	}
	return n
}

// addTo adds what the block shows to a robot of n joints where the robot lacks it, and returns what does not fit.
func (sh *shown) addTo(r *Ports, n int) []string {
	var wrong []string
	joints := func(word string) []JointPort {
		ports := sh.joints[word]
		if len(ports) > 0 && total(ports) != n {
			wrong = append(wrong, fmt.Sprintf("%s: the tag show is %q of %d joints, the robot has %d", strings.Join(refsOf(ports), ", "), word, total(ports), n))
			return nil
		}
		return ports
	}
	if p := joints(showPosition); len(r.Position) == 0 {
		r.Position = refsOf(p)
	}
	if p := joints(showDesired); len(r.Desired) == 0 {
		r.Desired = refsOf(p)
	}
	if p := joints(ShowTorque); len(r.Torque) == 0 {
		r.Torque = p
	}
	for _, p := range sh.tags.ports[showContact] {
		r.Contacts = append(r.Contacts, sh.block+"."+p.Name)
	}
	place, orientation := sh.tags.ports[showPlace], sh.tags.ports[showOrientation]
	switch {
	case len(place) == 1 && len(orientation) == 1 && r.Base == nil:
		r.Base = &Base{sh.block + "." + place[0].Name, sh.block + "." + orientation[0].Name}
	case len(place) != len(orientation):
		wrong = append(wrong, fmt.Sprintf("%s: the tags show %q and %q must be used together", sh.block, showPlace, showOrientation))
	}
	if r.Move == "" && sh.tags.move != "" {
		r.Move = sh.block + "." + sh.tags.move
	}
	switch point, path := sh.tags.point, sh.tags.path; {
	case (point == "") != (path == ""):
		wrong = append(wrong, fmt.Sprintf("%s: the tags show %q and %q must be used together", sh.block, showPoint, showPath))
	case path != "" && r.Path == nil:
		r.Path = &Path{Point: sh.block + "." + point, Run: sh.block + "." + path}
		if sh.tags.outcome != "" {
			r.Path.Outcome = sh.block + "." + sh.tags.outcome
		}
	}
	return wrong
}

// lengthOf returns how many numbers a port holds.
func lengthOf(ctx context.Context, sys admin.System, ref, typ string) int {
	_, count, many := strings.Cut(strings.TrimSuffix(typ, "]"), "[")
	if !many {
		return 1
	}
	if n, err := strconv.Atoi(count); err == nil {
		return n
	}
	r, err := sys.Read(ctx, ref)
	list, ok := r.Value.([]any)
	if err != nil || !ok {
		return 0
	}
	return len(list)
}

// nearestBehind returns those of some blocks that are the fewest steps behind a block: along its links, and from a block to those that its
// constants name, as a joint names its card.
func nearestBehind(st *admin.Structure, from string, wanted []string) []string {
	next := map[string][]string{}
	names := map[string]bool{}
	for _, b := range st.Blocks {
		names[b.Name] = true
	}
	for _, l := range st.Links {
		from, _, _ := strings.Cut(l.From, "[") // as in "joint.position[0:3]"
		to, _, _ := strings.Cut(l.To, "[")
		next[blockOf(from)] = append(next[blockOf(from)], blockOf(to))
	}
	for _, b := range st.Blocks {
		for _, p := range b.Params {
			if name, ok := p.Value.(string); ok && p.Fixed && names[name] {
				next[b.Name] = append(next[b.Name], name)
			}
		}
	}
	been := map[string]bool{from: true}
	for ring := []string{from}; len(ring) > 0; {
		var found, outer []string
		for _, b := range ring {
			if slices.Contains(wanted, b) {
				found = append(found, b)
			}
			for _, n := range next[b] {
				if !been[n] {
					been[n] = true
					outer = append(outer, n)
				}
			}
		}
		if len(found) > 0 {
			return found
		}
		ring = outer
	}
	return nil
}

// blockOf returns the block of "block.port".
func blockOf(ref string) string {
	if dot := strings.LastIndexByte(ref, '.'); dot > 0 {
		return ref[:dot]
	}
	return ref
}
