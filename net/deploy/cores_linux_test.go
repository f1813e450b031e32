package deploy

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/private"
	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/net/cores"
)

// takeSeats makes the memory of a core whose seats this process takes.
func takeSeats(t *testing.T, name string, seats ...int) {
	t.Helper()
	if err := private.Make(rt.SharedFolder()); err != nil {
		t.Fatal(err)
	}
	shared, err := rt.CreateShared(cores.Path(name), 4096)
	if err != nil {
		t.Fatal(err)
	}
	for _, seat := range seats {
		if !shared.Take(seat) {
			t.Fatalf("seat %d is taken", seat)
		}
	}
	t.Cleanup(func() {
		shared.Close()
		cores.Remove(name)
	})
}

func TestStatusOfAFailedFrontDescribesItsCore(t *testing.T) {
	system := fmt.Sprintf("seats%d", os.Getpid())
	takeSeats(t, system+".attached", cores.CoreSeat, cores.FrontSeat)
	takeSeats(t, system+".orphan", cores.CoreSeat)
	for _, state := range []State{Failed, Ended, Stopped, Restarting} {
		s := Status{Name: "attached", State: state, Exit: "signal: killed"}
		if s.noteCore(system); s.State != Running || s.PID != os.Getpid() || s.HasFailed() || !strings.Contains(s.Note, "attached by hand") {
			t.Errorf("%s with a front attached by hand: %+v", state, s)
		}
		s = Status{Name: "orphan", State: state}
		if s.noteCore(system); s.State != NoFront || s.PID != os.Getpid() || !strings.Contains(s.Note, "`sinew up FILE orphan`") {
			t.Errorf("%s without a front: %+v", state, s)
		}
		s = Status{Name: "none", State: state}
		if s.noteCore(system); s.State != state || s.Note != "" {
			t.Errorf("%s without a core: %+v", state, s)
		}
	}
}
