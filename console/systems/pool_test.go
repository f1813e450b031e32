package systems

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/sinew-robotics/sinew/net/admin"
)

// running is a system of which a pool needs only its end.
type running struct {
	admin.System
	done   chan struct{}
	closed atomic.Bool
}

func (r *running) Done() <-chan struct{} { return r.done }

func (r *running) Close() error {
	if r.closed.Swap(true) {
		return errors.New("closed twice")
	}
	return nil
}

// opener is a source that opens one system, when it is let.
type opener struct {
	let    chan struct{}
	opened []*running
	fails  error
}

func (o *opener) List() []string { return []string{"arm"} }

func (o *opener) Open(name string) (admin.System, error) {
	<-o.let
	if o.fails != nil {
		return nil, o.fails
	}
	r := &running{done: make(chan struct{})}
	o.opened = append(o.opened, r)
	return r, nil
}

func TestSystemIsOpenedOnceForAllRequests(t *testing.T) {
	source := &opener{let: make(chan struct{})}
	reported := 0
	pool := New(Options{Source: source, Opened: func(*System) { reported++ }})
	var askers sync.WaitGroup
	got := make([]*System, 8)
	for i := range got {
		askers.Go(func() { got[i], _ = pool.Get("arm") })
	}
	close(source.let)
	askers.Wait()
	for _, s := range got {
		if s == nil || s != got[0] {
			t.Fatalf("got %v", got)
		}
	}
	if len(source.opened) != 1 || reported != 1 {
		t.Errorf("opened %d times, reported %d times", len(source.opened), reported)
	}

	// A system that has ended is closed, and the next request opens the one that has taken its name.
	close(source.opened[0].done)
	next, err := pool.Get("arm")
	if err != nil || next == got[0] || len(source.opened) != 2 {
		t.Errorf("after the end: %v, %d opened", err, len(source.opened))
	}
	if err := pool.Close(); err != nil {
		t.Error(err)
	}
	for i, r := range source.opened {
		if !r.closed.Load() {
			t.Errorf("system %d is still open", i)
		}
	}
	if _, err := pool.Get("arm"); !errors.Is(err, ErrClosed) {
		t.Errorf("a closed pool gives %v", err)
	}
}

// A system that a fault has stopped is shown until its process has reported the fault: opened again it would seem to run again.
func TestSystemThatHasEndedIsNotOpenedAgain(t *testing.T) {
	var source InProcess
	first, second := &running{done: make(chan struct{})}, &running{done: make(chan struct{})}
	source.Add("arm", first)
	reported := 0
	pool := New(Options{Source: &source, Opened: func(*System) { reported++ }})
	if _, err := pool.Get("arm"); err != nil {
		t.Fatal(err)
	}
	close(first.done)
	if _, err := pool.Get("arm"); !errors.Is(err, admin.ErrGone) || reported != 1 {
		t.Errorf("got %v, opened %d times", err, reported)
	}
	source.Add("arm", second)
	if s, err := pool.Get("arm"); err != nil || s.Unwrapped() != second || reported != 2 {
		t.Errorf("got %v, opened %d times", err, reported)
	}
	if err := pool.Close(); err != nil {
		t.Error(err)
	}
}

func TestFailureToOpenIsReportedAndTriedAgain(t *testing.T) {
	source := &opener{let: make(chan struct{}), fails: errors.New("no answer")}
	close(source.let)
	pool := New(Options{Source: source})
	defer pool.Close()
	if _, err := pool.Get("arm"); !errors.Is(err, source.fails) {
		t.Errorf("got %v", err)
	}
	source.fails = nil
	if _, err := pool.Get("arm"); err != nil {
		t.Errorf("the second time: %v", err)
	}
}

// A system opened while the pool closes is closed.
func TestSystemThatOpensTooLateIsClosed(t *testing.T) {
	source := &opener{let: make(chan struct{})}
	pool := New(Options{Source: source})
	late := make(chan error)
	go func() {
		_, err := pool.Get("arm")
		late <- err
	}()
	for waits := false; !waits; {
		pool.mu.Lock()
		waits = pool.coming["arm"] != nil
		pool.mu.Unlock()
	}
	if err := pool.Close(); err != nil {
		t.Error(err)
	}
	close(source.let)
	if err := <-late; !errors.Is(err, ErrClosed) {
		t.Errorf("got %v", err)
	}
	pool.closing.Wait()
	if !source.opened[0].closed.Load() {
		t.Error("the system is still open")
	}
}

func TestInProcessNamesTheNearestSystem(t *testing.T) {
	var all InProcess
	all.Add("left", &running{})
	all.Add("arm", &running{})
	all.Add("right", &running{})
	all.Remove("right")
	if got := all.List(); !slices.Equal(got, []string{"arm", "left"}) {
		t.Errorf("got %v", got)
	}
	if _, err := all.Open("lefd"); err == nil || !strings.Contains(err.Error(), `no system "lefd" runs; did you mean "left"?`) {
		t.Errorf("got %v", err)
	}
	// Its owner closes a system of this process: the pool does not.
	pool := New(Options{Source: &all})
	s, err := pool.Get("left")
	if err != nil {
		t.Fatal(err)
	}
	if err := pool.Close(); err != nil || s.Unwrapped().(*running).closed.Load() {
		t.Errorf("closed by the pool; %v", err)
	}
}

func TestNamesIncludeSystemsThatHaveEnded(t *testing.T) {
	pool := New(Options{Source: &opener{}})
	pool.note("torso", &admin.Structure{File: "torso.yaml"})
	pool.note("arm", &admin.Structure{File: "arm.yaml"})
	if got := pool.Names(); !slices.Equal(got, []string{"arm", "torso"}) || pool.File("torso") != "torso.yaml" || pool.File("other") != "" {
		t.Errorf("got %v, %q, %q", got, pool.File("torso"), pool.File("other"))
	}
}

func TestFilesAreThoseOfTheProcessOnThisHost(t *testing.T) {
	pool := New(Options{})
	pool.note("torso", &admin.Structure{File: "/copied/torso.yaml", Processes: []admin.Process{
		{Name: "away", Host: ThisHost() + "-not", File: "/remote/torso.yaml"},
		{Name: "main", Host: ThisHost(), File: "/home/torso.yaml", Overlays: []string{"fast.yaml"}, Command: []string{"sinew", "run"}, PID: 7},
	}})
	got := pool.Seen("torso")
	if got.File != "/home/torso.yaml" || !slices.Equal(got.Overlays, []string{"fast.yaml"}) || got.Program.PID != 7 || got.Inside {
		t.Errorf("got %+v", got)
	}
}
