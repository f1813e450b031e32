package diagram

import (
	"cmp"
	"slices"

	"github.com/sinew-robotics/sinew/net/port"
)

// This file puts the parts of blocks in groups with levels into the order of Scholl, Albiez and Gassmann 2001, section 2.2: Sense
// from the lowest level up, Control from the highest level down.

// member is a block or a group of those on one thread.
type member struct {
	block   *placed // nil: a group
	group   *Group  // nil: a block, or the net where it is not declared
	level   int
	members []*member // in the order of Add
}

// orderLevels makes the levels of groups decide the order of the parts in g, and the order of Add where they leave a choice.
func (d *Diagram) orderLevels(g *graph, t *thread) {
	if len(d.groups) == 0 {
		return
	}
	root := &member{group: d.groups[""]}
	of := map[*Group]*member{d.groups[""]: root}
	for _, b := range t.blocks {
		at := root
		for _, around := range d.around(b.Name) {
			inner := of[around]
			if inner == nil {
				inner = &member{group: around, level: around.Level}
				of[around] = inner
				at.members = append(at.members, inner)
			}
			at = inner
		}
		at.members = append(at.members, &member{block: b, level: b.Level})
	}
	next := 0
	root.visit(false, func(b *placed) {
		for _, n := range g.of[b] {
			if n.part != port.Control {
				n.index = 2 * next
			}
		}
		next++
	})
	next = 0
	root.visit(true, func(b *placed) {
		for _, n := range g.of[b] {
			if n.part == port.Control {
				n.index = 2*next + 1
			}
		}
		next++
	})
	root.constrain(g)
}

// hasLevels reports whether the members have levels.
func (m *member) hasLevels() bool { return m.group != nil && m.group.Levels > 0 }

// visit visits the blocks in the order of their levels, from the lowest up or from the highest down.
func (m *member) visit(down bool, visit func(*placed)) {
	if m.block != nil {
		visit(m.block)
		return
	}
	members := m.members
	if m.hasLevels() {
		members = slices.Clone(members)
		slices.SortStableFunc(members, func(a, b *member) int {
			if down {
				return cmp.Compare(b.level, a.level)
			}
			return cmp.Compare(a.level, b.level)
		})
	}
	for _, inner := range members {
		inner.visit(down, visit)
	}
}

// constrain puts a point between each two levels of the groups, for Sense and for Control. In a group with levels, blocks with one
// direction only sense.
func (m *member) constrain(g *graph) {
	for _, inner := range m.members {
		inner.constrain(g)
	}
	if !m.hasLevels() {
		return
	}
	levels := map[int][]*node{}
	for _, inner := range m.members {
		inner.visit(false, func(b *placed) {
			for _, n := range g.of[b] {
				levels[inner.level] = append(levels[inner.level], n)
				if n.part == port.Whole && len(g.turn.next) > 0 {
					n.before(g.turn, nil)
				}
			}
		})
	}
	sorted := make([]int, 0, len(levels))
	for level := range levels {
		sorted = append(sorted, level)
	}
	slices.Sort(sorted)
	for i := 1; i < len(sorted); i++ {
		up, down := &node{index: atOnce}, &node{index: atOnce}
		g.nodes = append(g.nodes, up, down)
		for _, n := range levels[sorted[i-1]] {
			if n.part == port.Control {
				down.before(n, nil)
			} else {
				n.before(up, nil)
			}
		}
		for _, n := range levels[sorted[i]] {
			if n.part == port.Control {
				n.before(down, nil)
			} else {
				up.before(n, nil)
			}
		}
	}
}
