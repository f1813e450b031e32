package block

import (
	"fmt"
	"testing"

	"github.com/sinew-robotics/sinew/net/clock"
)

// doubtful gives notice as often as its constant asks for.
type doubtful struct {
	Times Const[int]
}

func (d *doubtful) Setup(s *Setup) error {
	for k := range d.Times.Value() {
		s.Notice(fmt.Sprint("doubt ", k))
	}
	return nil
}

func (d *doubtful) Step(clock.Tick) error { return nil }

func TestNoticesOfASetupAreLimitedAndTheRestIsCounted(t *testing.T) {
	for _, c := range []struct {
		times, kept int
		last        string
	}{{1, 1, "doubt 0"}, {MaxNotices, MaxNotices, "doubt 9"}, {MaxNotices + 5, MaxNotices, "and 6 more notices"}} {
		got := inspect(t, &doubtful{Times: NewConst(c.times)}, nil).Notices
		if len(got) != c.kept || got[len(got)-1] != c.last {
			t.Errorf("after %d notices the block has %q: want %d that end with %q", c.times, got, c.kept, c.last)
		}
	}
}
