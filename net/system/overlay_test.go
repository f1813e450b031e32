package system_test

import (
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/net/system"
)

const base = `system: x
threads: {fast: {period: 1ms, priority: 50}, slow: {period: 10ms}}
blocks:
  wave: {type: rig.Wave, thread: fast, params: {amplitude: 2}}
  gain: {type: rig.Gain, thread: fast, params: {gain: 3, limits: [1, 2]}}
  spare: {type: rig.Gain, thread: slow}
links: [wave.out -> gain.angle, gain.out -> spare.in]
`

// links returns the links of a system as they are written.
func links(s *system.System) (list []string) {
	for _, l := range s.Net.Links {
		list = append(list, l.Link.String())
	}
	return list
}

func TestOverlaysChangeAndDeleteEntries(t *testing.T) {
	dir := write(t, "base.yaml", base,
		"over.yaml", "base: base.yaml\nthreads: {fast: {period: 2ms}}\nblocks: {spare: null, gain: {params: {gain: 4, limits: [5]}}}\n",
		"first.yaml", "blocks:\n  other: {type: rig.Gain, thread: slow}\nlinks: [other.out -> spare.in]\n",
		"second.yaml", "blocks:\n  third: {type: rig.Gain, thread: slow, params: {gain: 9}}\nlinks: [third.out -> spare.in, third.out -> other.in]\n",
		"move.yaml", "blocks: {gain: {thread: slow}}\nthreads: {slow: {period: null, triggered: true}}\n",
	)
	at := func(names ...string) (paths []string) {
		for _, n := range names {
			paths = append(paths, filepath.Join(dir, n))
		}
		return paths
	}
	t.Run("two", func(t *testing.T) {
		s := load(t, at("base.yaml")[0], system.Options{Overlays: at("first.yaml", "second.yaml"), Params: []string{"third.gain=7"}})
		want := []string{"wave.out -> gain.angle", "third.out -> spare.in", "third.out -> other.in"}
		if got := links(s); !reflect.DeepEqual(got, want) {
			t.Errorf("links %q, want %q", got, want)
		}
		if g := find[Gain](t, s, "third").Gain.Value(); g != 7 {
			t.Errorf("gain %v, want that of the command line, 7", g)
		}
		if want := at("base.yaml", "first.yaml", "second.yaml"); !reflect.DeepEqual(s.Files, want) {
			t.Errorf("files %q, want %q", s.Files, want)
		}
	})
	t.Run("move", func(t *testing.T) {
		s := load(t, at("base.yaml")[0], system.Options{Overlays: at("move.yaml")})
		if slow := s.Net.Threads[1]; !slow.Triggered || slow.Period != 0 || len(slow.Blocks) != 2 {
			t.Errorf("thread slow: %+v", slow.Thread)
		}
	})
	t.Run("deleted block", func(t *testing.T) { // its link is a mistake of the overlay
		got := errorsOf(t, at("over.yaml")[0], system.Options{})
		want := `base.yaml:7:33: link gain.out -> spare.in: no block "spare"; there is wave, gain`
		if len(got) != 1 || got[0] != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})
	t.Run("deleted twice", func(t *testing.T) {
		dir := write(t, "base.yaml", base, "null.yaml", "base: base.yaml\nblocks: {nothing: null}\n")
		got := errorsOf(t, filepath.Join(dir, "null.yaml"), system.Options{})
		if want := `null.yaml:2:10: the overlay deletes "nothing", which is not there; there is gain, spare, wave`; len(got) != 1 || got[0] != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})
	t.Run("merged", func(t *testing.T) {
		dir := write(t, "base.yaml", base, "over.yaml",
			"base: base.yaml\nthreads: {fast: {period: 2ms}}\nblocks: {gain: {params: {gain: 4, limits: [5]}}}\n")
		s := load(t, filepath.Join(dir, "over.yaml"), system.Options{})
		fast, gain := s.Net.Threads[0], find[Gain](t, s, "gain")
		if fast.Period != 2*time.Millisecond || fast.Priority != 50 {
			t.Errorf("thread fast: %+v", fast.Thread)
		}
		if gain.Gain.Value() != 4 || !reflect.DeepEqual(gain.Limits.Value(), []float64{5}) {
			t.Errorf("gain %v, limits %v", gain.Gain.Value(), gain.Limits.Value())
		}
	})
}

func TestGroupsExpandToLinksAndParameters(t *testing.T) {
	s := load(t, "testdata/crane.yaml", system.Options{})
	want := []string{
		"left.shoulder.amplify.out -> left.elbow.amplify.in", "wave.out -> first.angle",
		"first.out -> left.shoulder.amplify.in", "left.elbow.amplify.out -> second.in",
	}
	if got := links(s); !reflect.DeepEqual(got, want) {
		t.Errorf("links %q, want %q", got, want)
	}
	if l := find[Gain](t, s, "left.shoulder.amplify").Limits.Value(); !reflect.DeepEqual(l, []float64{0, 4}) {
		t.Errorf("limits %v, want the group's parameter in them: [0 4]", l)
	}
}

func TestNatsAndMetricsAreReadAndOverlaid(t *testing.T) {
	dir := write(t, "a.yaml", `system: a
threads: {t: {period: 1ms}}
nats: {url: "tls://one.example.org, tls://two.example.org:4222", credentials: keys/site.creds, ca: /etc/site.pem}
metrics: "127.0.0.1:9100"
`, "b.yaml", "{nats: null, metrics: ':0'}")
	path := filepath.Join(dir, "a.yaml")
	s := load(t, path, system.Options{})
	want := system.Nats{URL: "tls://one.example.org, tls://two.example.org:4222", Credentials: filepath.Join(dir, "keys/site.creds"), CA: "/etc/site.pem"}
	if s.Nats == nil || *s.Nats != want || s.Metrics != "127.0.0.1:9100" {
		t.Errorf("got %+v and %q", s.Nats, s.Metrics)
	}
	if s = load(t, path, system.Options{Overlays: []string{filepath.Join(dir, "b.yaml")}}); s.Nats != nil || s.Metrics != ":0" {
		t.Errorf("got %+v and %q", s.Nats, s.Metrics)
	}
}
