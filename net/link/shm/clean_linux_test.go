package shm

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/sinew-robotics/sinew/internal/proc"
	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/link"
)

// TestCleanRemovesUnfinishedSegmentsOfZombies leaves a segment of a process that has ended and was not waited for.
func TestCleanRemovesUnfinishedSegmentsOfZombies(t *testing.T) {
	x := transport(t)
	maker := exec.Command("true")
	if err := maker.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = maker.Wait() }()
	testkit.Await(t, "the process has ended", func() bool { return !proc.Lives(maker.Process.Pid) })
	inUse, err := x.Receive(link.Spec{Name: "used", Size: 8})
	if err != nil {
		t.Fatal(err)
	}
	defer inUse.Close()
	if err := os.WriteFile(filepath.Join(Folder(x.system), fmt.Sprintf("half%s%d-1", partSuffix, maker.Process.Pid)), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Clean(x.system); err != nil {
		t.Fatal(err)
	}
	if entries, err := os.ReadDir(Folder(x.system)); err != nil || len(entries) != 1 || entries[0].Name() != "used" {
		t.Errorf("after Clean there are %v (%v), want only the one in use", entries, err)
	}
}
