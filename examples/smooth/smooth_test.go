package main

import (
	"math"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/cli"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/parts/flow"
)

var tick = clock.Tick{Dt: time.Millisecond}

// built returns a block for vectors of n elements, set up as in a net. The test feeds its input.
func built(t *testing.T, n int) *Smooth {
	t.Helper()
	b := &Smooth{Cutoff: block.NewParam(5.0)}
	d := diagram.New("test")
	d.Thread(diagram.Thread{Name: "main", Period: tick.Dt})
	d.Add("source", &constant{n: n}, diagram.Place{Thread: "main"})
	d.Add("smooth", b, diagram.Place{Thread: "main"})
	d.Link("source.out -> smooth.in")
	if _, err := d.Build(); err != nil {
		t.Fatal(err)
	}
	if err := b.Start(); err != nil {
		t.Fatal(err)
	}
	return b
}

// constant declares the length of the vectors.
type constant struct {
	Out block.Out[[]float64]
	n   int
}

func (c *constant) Setup(s *block.Setup) error { s.Len(c.n, &c.Out); return nil }
func (c *constant) Step(clock.Tick) error      { return nil }

func TestCutoffSetsTheTimeConstant(t *testing.T) {
	b := built(t, 1)
	b.In.Feed([]float64{0})
	step(t, b)
	b.In.Feed([]float64{1}) // no more than jump
	const steps = 100
	for range steps {
		step(t, b)
	}
	want := 1 - math.Exp(-2*math.Pi*5*steps*0.001)
	if got := b.Out.Value()[0]; math.Abs(got-want) > 1e-12 {
		t.Errorf("after %d ms the output has reached %v, want %v", steps, got, want)
	}
}

func TestJumpIsFollowedAtOnce(t *testing.T) {
	b := built(t, 2)
	b.In.Feed([]float64{0, 0})
	step(t, b)
	b.In.Feed([]float64{0.5, 3})
	step(t, b)
	if y := b.Out.Value(); y[0] > 0.1 || y[1] != 3 {
		t.Errorf("the output is %v, want a little more than 0, and 3", y)
	}
}

func TestNotANumberIsAnError(t *testing.T) {
	b := built(t, 1)
	b.In.Feed([]float64{math.NaN()})
	if err := b.Step(tick); err != errNotANumber {
		t.Errorf("Step returns %v, want %v", err, errNotANumber)
	}
}

func TestStepAllocatesNothing(t *testing.T) {
	b := built(t, 3)
	x := []float64{0, 0, 0}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for k := range 1000 {
		x[0] = float64(k % 7) // jumps, too
		b.In.Feed(x)
		step(t, b)
	}
	runtime.ReadMemStats(&after)
	if n := after.Mallocs - before.Mallocs; n > 20 { // occasional allocations of the runtime
		t.Errorf("1000 steps allocate %d objects", n)
	}
}

func step(t *testing.T, b *Smooth) {
	t.Helper()
	if err := b.Step(tick); err != nil {
		t.Fatal(err)
	}
}

// The fast wave enters with an rms of 0.354.
func TestSystemDampsTheFastWave(t *testing.T) {
	var out, problems strings.Builder
	if code := cli.Execute([]string{"run", "system.yaml", "--fast", "--for", "5s"}, &out, &problems, flow.Blocks(), Blocks()); code != 0 {
		t.Fatalf("exit code %d: %s", code, problems.String())
	}
	if !regexp.MustCompile(`scope\.fast +0\.02\d`).MatchString(out.String()) {
		t.Errorf("the fast wave is not damped:\n%s", out.String())
	}
}
