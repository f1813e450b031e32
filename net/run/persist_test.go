package run

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/persist"
	"github.com/sinew-robotics/sinew/net/system"
)

// turns counts its steps over all runs.
type turns struct {
	Gain  block.Param[float64] `default:"1" persist:"yes"`
	Out   block.Out[float64]
	n     int64                   `persist:"yes"`
	began int64                   // n in Start
	odd   float64                 `persist:"yes"`
	next  atomic.Pointer[float64] // for odd
}

func (c *turns) Start() error { c.began = c.n; return nil }

func (c *turns) Step(clock.Tick) error {
	c.n++
	if v := c.next.Swap(nil); v != nil {
		c.odd = *v
	}
	c.Out.Write(float64(c.n))
	return nil
}

// printed collects what a run prints while the test reads it.
type printed struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (p *printed) Write(text []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.b.Write(text)
}

func (p *printed) String() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.b.String()
}

// keeping is one run of a system with a block of type turns.
type keeping struct {
	block *turns
	run   *Running
	stop  context.CancelFunc
	ended chan error
	out   printed
}

const turnsFile = "system: keeper\nthreads: {main: {period: 1ms}}\nblocks: {count: {type: run.turns}}\n"

// keep begins a run of the system file.
func keep(t *testing.T, file string, o system.Options, options Options) (*keeping, error) {
	t.Helper()
	o.Registry, o.Restore = block.NewRegistry([]block.Entry{block.Of[turns]("")}), !options.Virtual
	sys, err := system.Load(file, o)
	if err != nil {
		return nil, err
	}
	k := &keeping{block: sys.Net.Blocks[0].Block.(*turns), ended: make(chan error, 1)}
	ctx, stop := context.WithCancel(context.Background())
	k.stop, options.OneProcess, options.Output = stop, true, &k.out
	if k.run, err = System(ctx, sys, options); err != nil {
		return nil, err
	}
	go func() { k.ended <- k.run.Wait() }()
	return k, nil
}

// end stops the run in order.
func (k *keeping) end(t *testing.T) {
	t.Helper()
	k.stop()
	if err := <-k.ended; err != nil {
		t.Error(err)
	}
}

func turnsIn(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "keeper.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestValuesOutliveARun(t *testing.T) {
	testkit.UserFolder(t)
	file := turnsIn(t, turnsFile)
	first, err := keep(t, file, system.Options{}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	testkit.Await(t, "it has written", func() bool { v, _ := persist.Read("keeper"); return v != nil })
	if err := first.run.Local.SetParams(t.Context(), "count", map[string]any{"gain": 7.5}); err != nil {
		t.Fatal(err)
	}
	if _, err := keep(t, file, system.Options{}, Options{}); err == nil || !strings.Contains(err.Error(), "--name") {
		t.Errorf("two runs of one name keep values: %v", err)
	}
	first.end(t)
	second, err := keep(t, file, system.Options{}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	second.end(t)
	if second.block.began != first.block.n || first.block.n == 0 || second.block.Gain.Value() != 7.5 {
		t.Errorf("the second run began at %d and gain %v, the first ended at %d", second.block.began, second.block.Gain.Value(), first.block.n)
	}
	if out := second.out.String(); !strings.Contains(out, "restored from an earlier run: count.gain, count.n, count.odd") {
		t.Errorf("it does not name what it has restored:\n%s", out)
	}
}

func TestKeptValueThatDiffersFromTheFileIsNamed(t *testing.T) {
	testkit.UserFolder(t)
	file := turnsIn(t, strings.Replace(turnsFile, "run.turns", "run.turns, params: {gain: 2}", 1))
	for _, c := range []struct {
		params []string
		gain   float64
		text   string
	}{
		{[]string{"count.gain=5"}, 5, ""},
		{nil, 5, "count.gain: it is 5 as it was kept, not 2 as the file states; sinew param forget keeper count.gain removes the kept value"},
		{[]string{"count.gain=6"}, 6, "count.gain: it is 6 as --param states, not 5 as it was kept"},
		{nil, 6, "it is 6 as it was kept"},
	} {
		k, err := keep(t, file, system.Options{Params: c.params}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		testkit.Await(t, "it runs", k.run.Front.Stepping)
		k.end(t)
		if k.block.Gain.Value() != c.gain || !strings.Contains(k.out.String(), c.text) {
			t.Errorf("with %v gain is %v, expected %v; printed was:\n%s", c.params, k.block.Gain.Value(), c.gain, k.out.String())
		}
	}
}

func TestRunInVirtualTimeNeitherReadsNorWritesKeptValues(t *testing.T) {
	testkit.UserFolder(t)
	file := turnsIn(t, turnsFile)
	run := func(o Options) *keeping {
		k, err := keep(t, file, system.Options{}, o)
		if err != nil {
			t.Fatal(err)
		}
		if !o.Virtual {
			testkit.Await(t, "it runs", k.run.Front.Stepping)
			k.stop()
		}
		if err := <-k.ended; err != nil {
			t.Fatal(err)
		}
		return k
	}
	virtual := Options{Virtual: true, Until: 10_000_000}
	run(virtual)
	if v, err := persist.Read("keeper"); v != nil || err != nil {
		t.Errorf("it has written %+v, %v", v, err)
	}
	run(Options{})
	before, _ := persist.Read("keeper")
	k := run(virtual)
	after, err := persist.Read("keeper")
	if err != nil || k.block.began != 0 || !after.Written.Equal(before.Written) || !strings.Contains(k.out.String(), "virtual time begins with the values of the files") {
		t.Errorf("it began at %d; written at %v, before %v; %v\n%s", k.block.began, after.Written, before.Written, err, k.out.String())
	}
}

func TestKeptValuesWithoutABlockAreNamedAndStay(t *testing.T) {
	testkit.UserFolder(t)
	file := turnsIn(t, turnsFile)
	run := func() string {
		k, err := keep(t, file, system.Options{}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		testkit.Await(t, "it runs", k.run.Front.Stepping)
		k.end(t)
		return k.out.String()
	}
	run()
	if err := os.WriteFile(file, []byte(strings.Replace(turnsFile, "count:", "counter:", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if out := run(); !strings.Contains(out, `values of block "count" were kept, and there is no such block; did you mean "counter"?; sinew param forget keeper count removes them`) {
		t.Errorf("a renamed block is not named:\n%s", out)
	}
	if v, err := persist.Read("keeper"); err != nil || v.Blocks["count"] == nil || v.Blocks["counter"] == nil {
		t.Errorf("kept are %+v, %v", v, err)
	}
}

// A NaN could not be restored: the value from before stays, and the run prints it.
func TestValueThatIsNotFiniteIsNotKept(t *testing.T) {
	testkit.UserFolder(t)
	file := turnsIn(t, turnsFile)
	for _, odd := range []float64{4, math.NaN()} {
		k, err := keep(t, file, system.Options{}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		k.block.next.Store(&odd)
		testkit.Await(t, "it takes the value", func() bool { return k.block.next.Load() == nil })
		k.end(t)
		if said := strings.Contains(k.out.String(), "count.odd cannot be kept, and its value from before stays: odd is NaN"); said != math.IsNaN(odd) {
			t.Errorf("with %v: %s", odd, k.out.String())
		}
	}
	if v, err := persist.Read("keeper"); err != nil || fmt.Sprint(v.Blocks["count"]["odd"].Value) != "4" {
		t.Errorf("kept are %+v, %v", v, err)
	}
}

func TestValuesOfAnotherSystemOfTheNameStopTheStart(t *testing.T) {
	testkit.UserFolder(t)
	k, err := keep(t, turnsIn(t, turnsFile), system.Options{}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	testkit.Await(t, "it runs", k.run.Front.Stepping)
	k.end(t)
	other := turnsIn(t, turnsFile)
	if _, err := keep(t, other, system.Options{}, Options{}); err == nil || !strings.Contains(err.Error(), "run it under another --name") {
		t.Errorf("values of another system of this name: %v", err)
	}
	if k, err = keep(t, other, system.Options{Name: "second"}, Options{}); err != nil {
		t.Fatal(err)
	}
	k.end(t)
	if k.block.began != 0 {
		t.Errorf("it began at %d", k.block.began)
	}
}

func TestDamagedFileOfKeptValuesStopsTheStart(t *testing.T) {
	testkit.UserFolder(t)
	path, err := persist.Path("keeper")
	if err != nil {
		t.Fatal(err)
	}
	if err := (&persist.Values{System: "keeper"}).Write(); err != nil { // makes the folder
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(`{"system": "keep`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := keep(t, turnsIn(t, turnsFile), system.Options{}, Options{}); err == nil || !strings.Contains(err.Error(), path+" is damaged") {
		t.Errorf("a damaged file: %v", err)
	}
}
