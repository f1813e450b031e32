package diagram

import (
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/net/clock"
)

// printer is a block that may wait for a terminal.
type printer struct{ relay }

func (*printer) MayBlock() {}

func (*printer) Step(clock.Tick) error { return nil }

func TestBlocksThatMayWaitAreRefusedInThreadsWithPriority(t *testing.T) {
	for priority, want := range map[int]string{
		0:  "",
		50: `block "p": a step of diagram.printer may read files, print or wait, and thread "t" has priority 50: place it in a thread without one`,
	} {
		d := New("test")
		d.Thread(Thread{Name: "t", Period: time.Millisecond, Priority: priority})
		d.Add("p", &printer{}, Place{Thread: "t"})
		if _, err := d.Build(); errorText(err) != want {
			t.Errorf("priority %d: got %v, want %s", priority, err, want)
		}
	}
}
