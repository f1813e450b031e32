package schedule

import (
	"testing"

	"github.com/sinew-robotics/sinew/net/link"
)

// turns returns which links of given priorities send a number of datagrams one after the other.
func turns(s link.Scheduler, n int, priorities ...int) (list []int) {
	waiting := make([]link.Waiting, len(priorities))
	for i, p := range priorities {
		waiting[i].Spec = &link.Spec{Priority: p}
	}
	for k := range n {
		next := s.Next(waiting)
		waiting[next].Last = uint64(k + 1)
		list = append(list, next)
	}
	return list
}

func check(t *testing.T, got []int, want ...int) {
	t.Helper()
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("links %v send, want %v", got, want)
		}
	}
}

func TestRoundRobinGivesEachLinkItsTurn(t *testing.T) {
	check(t, turns(RoundRobin(), 7, 0, 9, 3), 0, 1, 2, 0, 1, 2, 0)
}

func TestPriorityPrefersTheUrgentAndAmongEqualsTakesTurns(t *testing.T) {
	check(t, turns(Priority(), 3, 0, 9, 3), 1, 1, 1)
	check(t, turns(Priority(), 4, 5, 0, 5), 0, 2, 0, 2)
}
