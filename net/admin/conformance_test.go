package admin_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/thread"
)

// move is the argument of an operation.
type move struct {
	Positions []float64
	Duration  float64
}

// source counts, and does what tests want.
type source struct {
	In    block.In[float64]    `unit:"V"`
	Out   block.Out[float64]   `doc:"the count" show:"count"`
	Wide  block.Out[[]float64] // a NaN and an infinity
	Gain  block.Param[float64] `default:"1" min:"0" max:"10" unit:"V"`
	Size  block.Param[int32]   `default:"2" min:"1" max:"9"`
	Limit block.Const[float64] `default:"1"`
	Move  block.Operation[move, float64]
	Fail  block.Operation[block.None, block.None]
	Tick  block.Event[float64]
	fails bool
}

var errWanted = errors.New("wanted")

func (s *source) Setup(u *block.Setup) error {
	u.Len(2, &s.Wide, &s.Move)
	s.Move.Handle(func(m move) (float64, error) {
		if m.Duration <= 0 {
			return 0, errWanted
		}
		return m.Positions[0] + m.Positions[1] + m.Duration, nil
	})
	s.Fail.Handle(func(block.None) (block.None, error) { s.fails = true; return block.None{}, nil })
	return nil
}

func (s *source) Step(clock.Tick) error {
	if s.fails {
		s.fails = false
		return errWanted
	}
	v, _ := s.In.Read()
	s.Out.Write(s.Out.Value() + s.Gain.Value() + v)
	w := *s.Wide.Slot()
	w[0], w[1] = math.NaN(), math.Inf(1)
	s.Wide.Commit()
	s.Tick.Emit(s.Out.Value())
	return nil
}

// local executes a net of one source in real time until the test ends.
func local(t *testing.T, name string) *admin.Local {
	t.Helper()
	d := diagram.New("test")
	d.Thread(diagram.Thread{Name: "main", Period: time.Millisecond})
	d.Add(name, &source{Limit: block.NewConst(math.Inf(1))}, diagram.Place{Thread: "main"})
	net, err := d.Build()
	if err != nil {
		t.Fatal(err)
	}
	core := thread.New(net, thread.Options{})
	done := make(chan error, 1)
	go func() { done <- core.Run(context.Background(), nil) }()
	t.Cleanup(func() { core.Stop(); <-done })
	return admin.NewLocal(core.Front(), nil)
}

func openHub(t *testing.T, system string) *admin.Hub {
	t.Helper()
	hub, err := admin.OpenHub(system)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { hub.Close() })
	return hub
}

// join offers a process at a server.
func join(t *testing.T, at admin.Address, id admin.Identity, s admin.Running) *admin.Service {
	t.Helper()
	service, err := admin.Serve(at, id, s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { service.Close() })
	return service
}

// dialed ends the test where a client could not be had, and closes it at the end.
func dialed(t *testing.T) func(*admin.Client, error) *admin.Client {
	return func(c *admin.Client, err error) *admin.Client {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		return c
	}
}

// serve offers a system as `sinew run` does.
func serve(t *testing.T, name string, s admin.Running) *admin.Server {
	t.Helper()
	server, err := admin.Listen(admin.Identity{System: name, Host: "here"}, s, admin.Address{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Close() })
	return server
}

// ownFolder keeps the test's address files apart.
func ownFolder(t *testing.T) {
	dir, err := os.MkdirTemp("", "adm")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	t.Setenv("TMPDIR", dir)
}

// TestConformance runs the same checks on a system in process and on those behind NATS.
func TestConformance(t *testing.T) {
	t.Run("local", func(t *testing.T) { conform(t, local(t, "plant.source")) })
	t.Run("NATS over TCP", func(t *testing.T) {
		ownFolder(t)
		serve(t, "test", local(t, "plant.source"))
		conform(t, dialed(t)(admin.Dial("test")))
	})
	t.Run("NATS in process", func(t *testing.T) {
		ownFolder(t)
		hub := openHub(t, "test")
		join(t, hub.Address(), admin.Identity{System: "test"}, local(t, "plant.source"))
		conform(t, dialed(t)(admin.DialAt("test", hub.Address())))
	})
	t.Run("two processes", func(t *testing.T) {
		ownFolder(t)
		hub := openHub(t, "test")
		both := []string{"a", "b"}
		join(t, hub.Address(), admin.Identity{System: "test", Process: "a", Processes: both}, local(t, "plant.source"))
		join(t, hub.Address(), admin.Identity{System: "test", Process: "b", Processes: both}, local(t, "aux.source"))
		conform(t, dialed(t)(admin.Dial("test")))
	})
	t.Run("one process of two", func(t *testing.T) {
		ownFolder(t)
		hub := openHub(t, "test")
		both := []string{"a", "b"}
		join(t, hub.Address(), admin.Identity{System: "test", Process: "a", Processes: both}, local(t, "aux.source"))
		join(t, hub.Address(), admin.Identity{System: "test", Process: "b", Processes: both}, local(t, "plant.source"))
		conform(t, dialed(t)(admin.Dial("test.b")))
	})
}

func conform(t *testing.T, s admin.System) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	refuse := func(err error, words ...string) {
		t.Helper()
		for _, w := range words {
			if err == nil || !strings.Contains(err.Error(), w) {
				t.Errorf("error %v, wants %q", err, w)
			}
		}
	}
	set := func(name string, v any) error {
		return s.SetParams(ctx, "plant.source", map[string]any{name: v})
	}

	st, err := s.Structure(ctx)
	must(err)
	at := slices.IndexFunc(st.Blocks, func(b admin.Block) bool { return b.Name == "plant.source" })
	b := st.Blocks[at]
	if b.Name != "plant.source" || b.Thread != "main" || len(b.Params) != 3 || len(b.Operations) != 2 || st.PID != os.Getpid() {
		t.Errorf("structure %+v", st)
	}
	if i := slices.IndexFunc(b.Ports, func(p admin.Port) bool { return p.Name == "out" }); b.Ports[i].Show != "count" {
		t.Errorf("port %+v", b.Ports[i])
	}
	if !b.Enabled || b.State != admin.StateRunning || st.Types["admin_test_msgs/msg/Move"] == "" || len(st.Groups) == 0 || st.Groups[len(st.Groups)-1].Name != "plant" {
		t.Errorf("structure %+v", st)
	}
	if p := b.Params[0]; p.Name != "gain" || p.Unit != "V" || *p.Max != 10 || p.Type != "float64" {
		t.Errorf("parameter %+v", p)
	}

	must(set("gain", 3.0))
	must(set("size", 4.0)) // JSON knows no whole numbers
	if v, err := s.Param(ctx, "plant.source.gain"); err != nil || v != 3.0 {
		t.Errorf("gain %v, %v", v, err)
	}
	refuse(set("gain", 11.0), "plant.source.gain", "11", "10")
	refuse(set("gain", math.NaN()), "plant.source.gain", "NaN")
	refuse(set("gain", "much"), "plant.source.gain", "float64")
	refuse(set("size", 1.5), "plant.source.size", "int32")
	refuse(set("gian", 1.0), "gian", `"gain"`)
	refuse(set("limit", 1.0), "limit", "fixed")
	refuse(s.SetParams(ctx, "plant.source", map[string]any{"gain": -1.0, "size": 0, "nothing": 1}), "gain", "size", "nothing")
	if v, err := s.Param(ctx, "plant.source.limit"); err != nil || v != math.Inf(1) {
		t.Errorf("limit %v, %v", v, err)
	}

	if v, err := s.Call(ctx, "plant.source.move", []any{[]any{1.0, 2.0}, 3.0}, nil); err != nil || v != 6.0 {
		t.Errorf("move = %v, %v", v, err)
	}
	if v, err := s.Call(ctx, "plant.source.move", []any{[]any{1.0, 2.0}}, map[string]any{"duration": 4.0}); err != nil || v != 7.0 {
		t.Errorf("move = %v, %v", v, err)
	}
	call := func(op string, args ...any) error { _, err := s.Call(ctx, "plant.source."+op, args, nil); return err }
	refuse(call("mvoe"), "mvoe", "move")
	refuse(call("move", []any{1.0, 2.0}, 0.0), "wanted")
	refuse(call("move", []any{1.0}, 1.0), "plant.source.move", "positions")
	refuse(call("move"), "positions")
	_, err = s.Call(ctx, "plant.source.move", []any{[]any{1.0, 2.0}}, map[string]any{"duratoin": 4.0})
	refuse(err, "duration")

	must(s.Feed(ctx, "plant.source.in", 5.0))
	if r, err := s.Read(ctx, "plant.source.in"); err != nil || r.Value != 5.0 {
		t.Errorf("in %+v, %v", r, err)
	}
	must(s.Release(ctx, "plant.source.in"))
	if r, err := s.Read(ctx, "plant.source.in"); err != nil || r.Value != 0.0 {
		t.Errorf("in after its release %+v, %v", r, err)
	}
	refuse(s.Feed(ctx, "plant.source.in", "x"), "plant.source.in")
	conformByHand(ctx, t, s)
	wide, err := s.Read(ctx, "plant.source.wide")
	must(err)
	if v := wide.Value.([]any); !math.IsNaN(v[0].(float64)) || v[1] != math.Inf(1) {
		t.Errorf("wide %v", v)
	}
	_, err = s.Read(ctx, "plant.source.uot")
	refuse(err, "uot", `"out"`)
	_, err = s.Read(ctx, "plant.sorce.out")
	refuse(err, "plant.sorce", "plant.source")
	_, err = s.Read(ctx, "out")
	refuse(err, "block.name")

	for _, port := range []string{"out", "tick"} {
		var n atomic.Int32
		end, err := s.Tap(ctx, "plant.source."+port, 2, func(x admin.Sample) {
			if x.Value.(float64) > 0 {
				n.Add(1)
			}
		})
		must(err)
		await(t, "samples of "+port, func() bool { return n.Load() >= 3 })
		end()
	}

	must(call("fail"))
	await(t, "a fault", func() bool {
		st, err := s.Structure(ctx)
		return err == nil && st.Blocks[at].Fault != "" && st.Blocks[at].State == admin.StateError
	})
	must(s.Reset(ctx, "plant.source"))
	before, err := s.Read(ctx, "plant.source.out")
	must(err)
	await(t, "steps after the reset", func() bool {
		r, err := s.Read(ctx, "plant.source.out")
		return err == nil && r.Count > before.Count
	})
	refuse(s.Reset(ctx, "plant.sourec"), "plant.source")
	stats, err := s.Statistics(ctx)
	must(err)
	if st, err := s.Structure(ctx); err != nil || st.Blocks[at].Fault != "" || st.Blocks[at].Faults != 1 || st.Blocks[at].State != admin.StateRunning {
		t.Errorf("after the reset %+v, %v", st.Blocks[at], err)
	}
	if len(stats.Threads) != len(st.Threads) || len(stats.Faults) != 0 || stats.FaultCount != 1 {
		t.Errorf("statistics %+v", stats)
	}
	must(s.Stop(ctx))
}

// await waits until a condition is true.
func await(t *testing.T, what string, done func() bool) {
	t.Helper()
	for range 4000 {
		if done() {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatalf("%s did not come", what)
}

func TestSecondSystemIsRefusedAndStaleAddressTaken(t *testing.T) {
	ownFolder(t)
	plant := local(t, "plant.source")
	server := serve(t, "one", plant)
	if _, err := admin.Listen(admin.Identity{System: "one"}, plant, admin.Address{}); err == nil || !strings.Contains(err.Error(), fmt.Sprint("process ", os.Getpid())) {
		t.Errorf("a second system: %v", err)
	}
	serve(t, "two", plant)
	if l := admin.List(); len(l) != 2 || l[0] != "one" || l[1] != "two" {
		t.Errorf("systems %v", l)
	}
	if _, err := admin.Dial("ono"); err == nil || !strings.Contains(err.Error(), `"one"`) {
		t.Errorf("a wrong name: %v", err)
	}
	server.Close()
	dead := filepath.Join(admin.Folder(), "one.nats")
	stale := `{"url":"nats://127.0.0.1:1","token":"x","pid":1}`
	if err := os.WriteFile(dead, []byte(stale), 0o600); err != nil { // as a process that died leaves it
		t.Fatal(err)
	}
	serve(t, "one", plant)
	if _, err := admin.Listen(admin.Identity{System: "a/b"}, plant, admin.Address{}); err == nil {
		t.Error("a name with a slash was accepted")
	}
}

// TestSlowClientLosesSamples checks that a client that does not read delays nobody.
func TestSlowClientLosesSamples(t *testing.T) {
	ownFolder(t)
	serve(t, "slow", local(t, "plant.source"))
	slow, err := admin.Dial("slow")
	if err != nil {
		t.Fatal(err)
	}
	defer slow.Close()
	blocked, release := make(chan struct{}), make(chan struct{})
	var first atomic.Bool
	for range 20 {
		if _, err := slow.Tap(context.Background(), "plant.source.wide", 1, func(admin.Sample) {
			if !first.Swap(true) {
				close(blocked)
				<-release
			}
		}); err != nil {
			break // the reader waits already
		}
		select {
		case <-blocked:
		default:
			continue
		}
		break
	}
	<-blocked
	quick := dialed(t)(admin.Dial("slow"))
	for range 50 {
		if _, err := quick.Read(context.Background(), "plant.source.out"); err != nil {
			t.Fatal(err)
		}
	}
	close(release)
}
