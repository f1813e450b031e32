package shm

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/link"
	"github.com/sinew-robotics/sinew/net/link/linktest"
)

// transport returns a transport in a name space of its own.
func transport(t testing.TB) *Transport {
	t.Helper()
	if rt.SharedFolder() == "" {
		t.Skip("SKIPPED: no shared memory between processes on this system")
	}
	name := fmt.Sprintf("test-%d-%s", os.Getpid(), strings.NewReplacer("/", "-", "#", "-").Replace(t.Name()))
	x, err := New(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := Clean(name); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(Folder(name)); err == nil {
			t.Errorf("%s was left behind", Folder(name))
		}
	})
	return x
}

func TestTransportConforms(t *testing.T) {
	linktest.Run(t, func(t *testing.T) linktest.Pair {
		x := transport(t)
		return linktest.Pair{Sending: x, Receiving: x, Reliable: true}
	})
}

func TestSecondSenderWaitsForTheFirst(t *testing.T) {
	x := transport(t)
	spec := link.Spec{Name: "one", Size: 8}
	first, err := x.Send(spec)
	if err != nil {
		t.Fatal(err)
	}
	second, err := x.Send(spec)
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	if p := second.State().Problem; !strings.Contains(p, "another process sends") {
		t.Errorf("the second sender's problem is %q", p)
	}
	first.Close()
}

func TestSegmentsBelongToTheirUserOnly(t *testing.T) {
	x := transport(t)
	rx, err := x.Receive(link.Spec{Name: "mode", Size: 8})
	if err != nil {
		t.Fatal(err)
	}
	defer rx.Close()
	info, err := os.Stat(filepath.Join(Folder(x.system), "mode"))
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o600 {
		t.Errorf("the segment has mode %v", info.Mode())
	}
}

func TestForeignFilesAreNotTouched(t *testing.T) {
	x := transport(t)
	path := filepath.Join(Folder(x.system), "stranger")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, make([]byte, 4096), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := x.Send(link.Spec{Name: "stranger", Size: 8}); err == nil || !strings.Contains(err.Error(), "not a link of sinew") {
		t.Errorf("opening a foreign file: %v", err)
	}
	if err := Clean(x.system); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Error("a foreign file was removed")
	}
	os.Remove(path)
}

func TestFoldersThatOthersMayEnterAreRejected(t *testing.T) {
	transport(t) // skips where there is no shared memory
	folder := filepath.Join(t.TempDir(), "sinew")
	path := filepath.Join(folder, "system", "link")
	spec := link.Spec{Name: "link", Size: 8}
	s, seat, err := open(path, spec, senderSeat, 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.close(seat); err != nil {
		t.Error(err)
	}
	if err := os.Chmod(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	if _, _, err := open(path, spec, senderSeat, 1); err == nil || !strings.Contains(err.Error(), "remove it") {
		t.Errorf("opening a link in a folder for all: %v", err)
	}
}

// TestEndsMeetWhileTheLastOneCloses closes the last end, which removes the segment, while others open theirs: these
// must connect to each other.
func TestEndsMeetWhileTheLastOneCloses(t *testing.T) {
	x := transport(t)
	spec := link.Spec{Name: "swap", Size: 8}
	out, in := make([]byte, 8), make([]byte, 8)
	for round := range 500 {
		last, err := x.Receive(spec)
		if err != nil {
			t.Fatal(err)
		}
		var rx link.Receiver
		var tx link.Sender
		var wg sync.WaitGroup
		errs := make([]error, 3)
		wg.Go(func() { errs[0] = last.Close() })
		wg.Go(func() { rx, errs[1] = x.Receive(spec) })
		wg.Go(func() { tx, errs[2] = x.Send(spec) })
		wg.Wait()
		if err := errors.Join(errs...); err != nil {
			t.Fatal(err)
		}
		testkit.AwaitEvery(t, 0, fmt.Sprintf("the ends of round %d connect", round), func() bool {
			_ = tx.Send(out)
			_, ok := rx.TryReceive(in)
			return ok
		})
		if err := errors.Join(rx.Close(), tx.Close()); err != nil {
			t.Fatal(err)
		}
	}
}

func TestCleanRemovesSegmentsOfKilledProcesses(t *testing.T) {
	x := transport(t)
	dead := exec.Command("true")
	if err := dead.Run(); err != nil {
		t.Skipf("SKIPPED: %v", err)
	}
	if err := create(filepath.Join(Folder(x.system), "left"), link.Spec{Name: "left", Size: 8}); !errors.Is(err, errAgain) {
		t.Fatal(err)
	}
	inUse, err := x.Receive(link.Spec{Name: "used", Size: 8})
	if err != nil {
		t.Fatal(err)
	}
	unfinished := filepath.Join(Folder(x.system), fmt.Sprintf("half%s%d-1", partSuffix, dead.Process.Pid))
	if err := os.WriteFile(unfinished, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Clean(x.system); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(Folder(x.system))
	if err != nil || len(entries) != 1 || entries[0].Name() != "used" {
		t.Errorf("after Clean there are %v (%v), want only those in use", entries, err)
	}
	inUse.Close()
}
