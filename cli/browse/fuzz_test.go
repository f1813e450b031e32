package browse

import (
	"context"
	"errors"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"charm.land/bubbles/v2/textinput"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/admin/nats"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/thread"
)

// dial is a block with a port, a parameter and an operation.
type dial struct {
	In   block.In[float64]
	Out  block.Out[float64]
	Gain block.Param[float64] `default:"1"`
	Turn block.Operation[float64, float64]
}

func (d *dial) Setup(*block.Setup) error {
	d.Turn.Handle(func(x float64) (float64, error) { return x, nil })
	return nil
}

func (d *dial) Step(t clock.Tick) error {
	d.Out.Write(d.Out.Value() + t.Seconds())
	return nil
}

// dialBrowser returns a browser of a running system.
func dialBrowser(t testing.TB) *browser {
	t.Helper()
	blocks := map[string]block.Block{}
	for _, name := range []string{"öl", "ödes", "left.dial", "left.dot"} {
		blocks[name] = &dial{}
	}
	return browserOf(t, blocks)
}

// browserOf returns a browser of a running system of blocks by name.
func browserOf(t testing.TB, blocks map[string]block.Block, links ...string) *browser {
	t.Helper()
	testkit.UserFolder(t)
	d := diagram.New("dials")
	d.Thread(diagram.Thread{Name: "main", Period: 10 * time.Millisecond})
	for _, name := range slices.Sorted(maps.Keys(blocks)) {
		d.Add(name, blocks[name], diagram.Place{Thread: "main"})
	}
	for _, l := range links {
		d.Link(l)
	}
	net, err := d.Build()
	if err != nil {
		t.Fatal(err)
	}
	core := thread.New(net, thread.Options{})
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- core.Run(ctx, func([]string) {}) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
	server, err := nats.Listen(nats.Identity{System: "dials", Host: "here"}, admin.NewLocal(core.Front(), nil), nats.Address{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Close() })
	client, err := nats.Dial("dials")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	b, err := newBrowser(ctx, client)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.close)
	b.live = true // watch returns immediately
	return b
}

// FuzzBrowse types lines at the prompt of sinew browse: each yields text or an error with a message, and Tab only
// extends a line.
func FuzzBrowse(f *testing.F) {
	for _, line := range []string{
		"", "help", "ls", "ls left", "ls left.dial", "ls öl", "links x y", "threads", "types q", "events", "events -1", "events 99999999999999999999",
		"watch öl.out", "watch öl.out NaN", "watch left.dial.out 1e-320", "unwatch", "unwatch x", "release öl.in", "disable ö", "enable left.dot",
		"reset", "save", "öl.in = 1", "left.dial.gain", "left.dial.turn(1)", "ls = 3", "\xff", "ls \xc3", "ls \u2028", "watch ö", "ls left.d", "\x00",
	} {
		f.Add(line)
	}
	b := dialBrowser(f)
	f.Fuzz(func(t *testing.T, line string) {
		if len(line) > 100 || takesLong(line) {
			return
		}
		m := &promptModel{b: b, input: textinput.New()}
		m.input.SetValue(line)
		typed := m.input.Value()
		m.complete()
		if got := m.input.Value(); !strings.HasPrefix(got, typed) || !utf8.ValidString(got) || strings.ContainsRune(got[len(typed):], utf8.RuneError) {
			t.Errorf("Tab makes %q of %q", got, typed)
		}
		b.complete(line)
		if _, err := b.execute(line); err != nil && err.Error() == "" {
			t.Errorf("%q: an error without a message", line)
		}
		b.watched.view(80)
		b.watched.clear()
	})
}

// takesLong reports whether a line may legitimately take arbitrary time or memory.
func takesLong(line string) bool {
	words := strings.Fields(line)
	for _, s := range []string{"*", "<<", "wait", "for", "while", "stop"} {
		if strings.Contains(line, s) {
			return true
		}
	}
	return len(words) > 3 && words[0] == "watch"
}

func TestTabCompletesWholeLetters(t *testing.T) {
	for want, words := range map[string][]string{"": {"ä", "ö"}, "ö": {"öl", "ödes"}, "x": {"x🤖", "x🤝"}, "a.b": {"a.b"}} {
		if got := commonStart(words); got != want {
			t.Errorf("%q: %q, want %q", words, got, want)
		}
	}
}

// TestWatchRejectsRatesBeyondItsLimits watches with rates whose periods no clock has, and more values than can be
// kept.
func TestWatchRejectsRatesBeyondItsLimits(t *testing.T) {
	b := dialBrowser(t)
	for _, line := range []string{"watch öl.out 1e-300", "watch öl.out 5e-324", "watch öl.out 1e300", "watch öl.out 0", "watch öl.out -1", "watch öl.out 10 100001", "watch öl.out 10 99999999999999999999"} {
		if _, err := b.execute(line); err == nil || !strings.Contains(err.Error(), "wants") {
			t.Errorf("%s: %v", line, err)
		}
	}
	if every, _ := b.everyFor("öl.out", watchSlow); every != int(math.Round(1/watchSlow/0.01)) {
		t.Errorf("the slowest rate is every %d", every)
	}
	if out, err := b.execute("watch öl.out 100 2"); err != nil || strings.Count(out, "\n") != 1 {
		t.Errorf("two values: %q, %v", out, err)
	}
}
