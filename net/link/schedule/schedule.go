// Package schedule has the schedulers of links that every program has: which of the links that wait for room on a carrier sends next.
package schedule

import (
	"cmp"

	"github.com/sinew-robotics/sinew/net/link"
)

// RoundRobin returns the scheduler round_robin: one datagram of each waiting link in turn, whatever its priority. It "does not
// guarantee any communication properties" (FAST-Robots, 2003, section 5).
func RoundRobin() link.Scheduler {
	return link.Scheduler{Name: "round_robin", Doc: "One datagram of each waiting link in turn.",
		Next: least(func(a, b *link.Waiting) int { return cmp.Compare(a.Last, b.Last) })}
}

// Priority returns the scheduler priority: of the waiting links one of the highest priority, among equals in turn. It guarantees the bandwidth
// for the most urgent link alone: one that sends more than the carrier carries stops all below it (section 5).
func Priority() link.Scheduler {
	return link.Scheduler{Name: "priority", Doc: "The waiting link of the highest priority first.",
		Next: least(func(a, b *link.Waiting) int {
			if order := cmp.Compare(b.Spec.Priority, a.Spec.Priority); order != 0 {
				return order
			}
			return cmp.Compare(a.Last, b.Last)
		})}
}

// least returns a scheduler's choice of the first link in an order.
func least(compare func(a, b *link.Waiting) int) func([]link.Waiting) int {
	return func(waiting []link.Waiting) (first int) {
		for i := range waiting {
			if compare(&waiting[i], &waiting[first]) < 0 {
				first = i
			}
		}
		return first
	}
}
