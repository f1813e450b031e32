package admin_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/admin/admintest"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/system"
	"github.com/sinew-robotics/sinew/net/thread"
)

// idleFile is a system with a thread that nothing triggers, and a vector of which one element is linked.
const idleFile = `system: idle
threads:
  fast: {period: 1ms}
  idle: {triggered: true}
blocks:
  one: {type: admintest.Source, thread: fast}
  two: {type: admintest.Source, thread: idle}
  pair: {type: admin_test.Pair, thread: fast}
links: ["one.out -> pair.in[1]"]
`

// Pair has a vector of two elements as its input.
type Pair struct {
	In block.In[[]float64]
}

// Setup declares the length of in.
func (p *Pair) Setup(s *block.Setup) error {
	s.Len(2, &p.In)
	return nil
}

// Step does nothing.
func (p *Pair) Step(clock.Tick) error { return nil }

// TestStructureAndCheckListNoticesAndUnlinkedInputs asks a system, and a check of its file, for what is no error.
func TestStructureAndCheckListNoticesAndUnlinkedInputs(t *testing.T) {
	file := filepath.Join(t.TempDir(), "idle.yaml")
	if err := os.WriteFile(file, []byte(idleFile), 0o600); err != nil {
		t.Fatal(err)
	}
	registry := block.NewRegistry([]block.Entry{block.Of[admintest.Source]("Counts."), block.Of[Pair]("")})
	sys, err := system.Load(file, system.Options{Registry: registry})
	if err != nil {
		t.Fatal(err)
	}
	l := admin.NewLocal(thread.New(sys.Net, thread.Options{}).Front(), sys)
	l.CheckWith(admin.LocalChecker{Registry: registry})
	st, err := l.Structure(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	found, err := l.Check(t.Context(), nil)
	if err != nil || len(found.Errors) > 0 {
		t.Fatalf("check: %+v, %v", found, err)
	}
	for from, notices := range map[string][]admin.FileError{"structure": st.Notices, "check": found.Notices} {
		if len(notices) != 1 || notices[0].File != file || notices[0].Line != 4 || !strings.Contains(notices[0].Text, `thread "idle" never runs`) {
			t.Errorf("%s: notices %+v, want one about the thread in line 4 of %s", from, notices, file)
		}
	}
	if got := strings.Join(st.Unlinked, " "); got != "one.in two.in pair.in[0]" {
		t.Errorf("unlinked inputs: %s", got)
	}
}
