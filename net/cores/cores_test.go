package cores

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/proc"
	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/internal/testkit"
)

// hold makes the memory of a core, with its note, and takes seats as core and front do.
func hold(t *testing.T, name string, seats ...int) *rt.Shared {
	t.Helper()
	shared, err := rt.CreateShared(Path(name), 4096)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = shared.Close() })
	for _, seat := range seats {
		if !shared.Take(seat) {
			t.Fatalf("%s: seat %d is taken", name, seat)
		}
	}
	if err := os.WriteFile(Note(name), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	return shared
}

func folder(t *testing.T) {
	t.Helper()
	dir := testkit.SharedFolder(t)
	if dir == "" {
		t.Skip("SKIPPED: no shared memory between processes on this system")
	}
	t.Setenv("SINEW_SHM", dir)
}

func TestListNamesTheCoresOfOneSystemAlone(t *testing.T) {
	folder(t)
	hold(t, "arm", CoreSeat, FrontSeat)
	hold(t, "arm.left", CoreSeat)
	hold(t, "arms", FrontSeat)
	hold(t, "dead")
	for of, want := range map[string][]Core{
		"":         {{"arm", true, true}, {"arm.left", true, false}, {"arms", false, true}},
		"arm":      {{"arm", true, true}, {"arm.left", true, false}},
		"arm.left": {{"arm.left", true, false}},
		"dead":     nil,
		"../arm":   nil,
	} {
		if got := List(of); !slices.Equal(got, want) {
			t.Errorf("List(%q) = %+v, want %+v", of, got, want)
		}
	}
	if c := Find("arm.left"); !c.Orphaned() || !strings.Contains(c.Advice(), "`sinew attach arm.left` takes it up, `sinew down arm left` ends it") {
		t.Errorf("%+v: %s", c, c.Advice())
	}
	if Find("arm").Orphaned() || Find("arms").Orphaned() {
		t.Error("a core with a front, or a front without a core, is no orphan")
	}
}

// Memory is removed only when no core and no front holds a seat.
func TestRemoveLeavesMemoryWithASeatTaken(t *testing.T) {
	folder(t)
	held := hold(t, "arm", CoreSeat)
	if Remove("arm") {
		t.Error("memory of a running core counts as removed")
	}
	held.Leave(CoreSeat)
	if !Remove("arm") {
		t.Error("memory without seats is still there")
	}
	for _, path := range []string{Path("arm"), Note("arm")} {
		if _, err := os.Stat(path); !os.IsNotExist(err) {
			t.Errorf("%s is still there: %v", path, err)
		}
	}
	if !Remove("arm") || !Remove("../arm") {
		t.Error("what is not there counts as not removed")
	}
	if err := End("arm", time.Second); err != nil {
		t.Errorf("ending a system without cores: %v", err)
	}
}

func TestKilledCoresAreReportedWithTheConsequence(t *testing.T) {
	err := Killed("arm", []*proc.Process{{PID: 7, Command: Program + "sinew run"}, {PID: 8, Command: "sinew run"}}, time.Second)
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != 2 || !strings.HasSuffix(lines[0], "was killed: its blocks may not have been brought to rest") || !strings.HasSuffix(lines[1], "within 1s and was killed") {
		t.Errorf("got %q", lines)
	}
	if err := Killed("arm", nil, time.Second); err != nil {
		t.Errorf("none was killed: %v", err)
	}
}
