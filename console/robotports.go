package console

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sinew-robotics/sinew/net/admin"
)

// robotPorts are what the blocks of a system show of one robot. Several ports of one block follow one another, in its order.
type robotPorts struct {
	Position []string   `json:"position"`       // where its joints are; empty where nobody tells
	Desired  []string   `json:"desired"`        // where they ought to be
	Contacts []string   `json:"contacts"`       // forces on it
	Base     *robotBase `json:"base,omitempty"` // of a robot that nothing holds
	Move     string     `json:"move,omitempty"` // operation that lets its joints go somewhere in a time

	torque []jointPort // inputs of a simulator
}

// robotBase names the ports that tell where a robot's root link is in the world.
type robotBase struct {
	Position    string `json:"position"`    // [x, y, z] in m
	Orientation string `json:"orientation"` // quaternion [x, y, z, w]
}

// jointPort is a port that holds numbers of joints.
type jointPort struct {
	ref    string
	single bool // one number, not a list of one
	length int
}

func refsOf(ports []jointPort) []string {
	refs := []string{}
	for _, p := range ports {
		refs = append(refs, p.ref)
	}
	return refs
}

// shower is a block that shows something of a robot.
type shower struct {
	block  string
	words  shownWords
	joints map[string][]jointPort // by word
}

// showerOf returns what a block shows, and what is wrong with it.
func (s *shown) showerOf(ctx context.Context, b admin.Block, types map[string]string) (shower, []string) {
	words, wrong := wordsOf(b, types)
	sh := shower{block: b.Name, words: words, joints: map[string][]jointPort{}}
	for _, word := range []string{showPosition, showDesired, showTorque} {
		for _, p := range words.ports[word] {
			j := jointPort{ref: b.Name + "." + p.Name, single: p.Type == "float64"}
			j.length = s.length(ctx, j.ref, p.Type)
			sh.joints[word] = append(sh.joints[word], j)
		}
	}
	return sh, wrong
}

// empty reports whether the block shows nothing.
func (sh *shower) empty() bool { return len(sh.words.ports) == 0 && sh.words.move == "" }

// count returns of how many joints the block tells, 0 where it tells of none.
func (sh *shower) count() int {
	for _, word := range []string{showPosition, showDesired, showTorque} {
		if n := total(sh.joints[word]); n > 0 {
			return n
		}
	}
	return 0
}

func total(ports []jointPort) int {
	n := 0
	for _, p := range ports {
		n += p.length
	}
	return n
}

// give adds what the block shows to a robot of n joints that has not got it yet, and says what does not fit.
func (sh *shower) give(r *robotPorts, n int) []string {
	var wrong []string
	joints := func(word string) []jointPort {
		ports := sh.joints[word]
		if len(ports) > 0 && total(ports) != n {
			wrong = append(wrong, fmt.Sprintf("%s: the tag show says %q of %d joints, the robot has %d", strings.Join(refsOf(ports), ", "), word, total(ports), n))
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
	if p := joints(showTorque); len(r.torque) == 0 {
		r.torque = p
	}
	for _, p := range sh.words.ports[showContact] {
		r.Contacts = append(r.Contacts, sh.block+"."+p.Name)
	}
	place, orientation := sh.words.ports[showPlace], sh.words.ports[showOrientation]
	switch {
	case len(place) == 1 && len(orientation) == 1 && r.Base == nil:
		r.Base = &robotBase{sh.block + "." + place[0].Name, sh.block + "." + orientation[0].Name}
	case len(place) != len(orientation):
		wrong = append(wrong, fmt.Sprintf("%s: %q and %q are shown together only", sh.block, showPlace, showOrientation))
	}
	if r.Move == "" && sh.words.move != "" {
		r.Move = sh.block + "." + sh.words.move
	}
	return wrong
}

// length returns how many numbers a port holds.
func (s *shown) length(ctx context.Context, ref, typ string) int {
	_, count, many := strings.Cut(strings.TrimSuffix(typ, "]"), "[")
	if !many {
		return 1
	}
	if n, err := strconv.Atoi(count); err == nil {
		return n
	}
	r, err := s.Read(ctx, ref)
	list, ok := r.Value.([]any)
	if err != nil || !ok {
		return 0
	}
	return len(list)
}

// leadsTo returns those of some blocks that are the fewest steps behind a block: along its links, and from a block to those
// that its constants name, as a joint names its card.
func leadsTo(st *admin.Structure, from string, wanted []string) []string {
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
