package system_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/system"
	"github.com/sinew-robotics/sinew/parts/flow"
)

const twoThreads = "system: x\nthreads: {t: {period: 1ms}, s: {period: 2ms}}\n"

// tooMuch are files that ask for more than a net may have, and the error that names the line.
var tooMuch = map[string]struct{ text, want string }{
	"a buffer of two thousand million values": {twoThreads + "blocks: {w: {type: flow.Wave, thread: t}, v: {type: flow.Gain, thread: s}}\nlinks:\n  - link: w.out -> v.in\n    buffer: 2000000000\n",
		"x.yaml:6:13: buffer is 2000000000: wants at most 1048576"},
	"a buffer of as many values as an integer can count": {twoThreads + "blocks: {w: {type: flow.Wave, thread: t}, v: {type: flow.Gain, thread: t}}\nlinks:\n  - {link: w.out -> v.in, buffer: 9223372036854775807}\n",
		"x.yaml:5:35: buffer is 9223372036854775807: wants at most 1048576"},
	"a buffer of large values": {twoThreads + "blocks: {w: {type: flow.Mux, thread: t, params: {n: 1000}}, v: {type: flow.Gain, thread: t}}\nlinks:\n  - {link: w.out -> v.in, buffer: 1000000}\n",
		"x.yaml:5:12: link w.out -> v.in, buffer of 1,000,000 values: with it the ports, queues and exchanges of the net take more than 512 MiB"},
	"many blocks of many ports": {twoThreads + "blocks:\n" + repeat(200, "  b%d: {type: flow.Demux, thread: t, params: {n: 10000}}\n"),
		`x.yaml:43:3: block "b39" has 10,002 ports: with them the net has more than 400,000`},
	"more blocks than a net has": {twoThreads + "blocks:\n" + repeat(50_002, "  b%d: {type: flow.Wave, thread: t}\n"),
		`x.yaml:50004:3: block "b50000": a net has at most 50000 blocks`},
	"more links than a net has": {twoThreads + "blocks: {w: {type: flow.Wave, thread: t}}\nlinks:\n" + repeat(200_002, "  - w.out -> w.enable # %d\n"),
		"x.yaml:200005:5: link w.out -> w.enable: a net has at most 200000 links"},
	"links that choose more elements than there are": {twoThreads + "blocks: {w: {type: flow.Wave, thread: t}}\nlinks:\n" + repeat(20, "  - w.out[0:100000] -> w.enable[0] # %d\n"),
		`x.yaml:15:5: link "w.out[0:100000] -> w.enable[0]": the links of a system choose at most 1048576 elements`},
	"more threads than a net has": {"system: x\nthreads:\n" + repeat(257, "  t%d: {period: 1ms}\n"),
		`x.yaml:259:3: thread "t256": a net has at most 256 threads`},
	"a period of a nanosecond": {"system: x\nthreads: {t: {period: 1ns}}\n",
		`x.yaml:2:11: thread "t": period 1ns is not between 10µs and 1h0m0s`},
	"a period of a century": {"system: x\nthreads: {t: {period: 876000h}}\n",
		`x.yaml:2:11: thread "t": period 876000h0m0s is not between 10µs and 1h0m0s`},
	"a negative spin": {"system: x\nthreads: {t: {period: 1ms, spin: -1s}}\n",
		`x.yaml:2:11: thread "t": spin -1s is not between 0 and 1h0m0s`},
	"a processor that no machine has": {"system: x\nthreads: {t: {period: 1ms, cpu: 9223372036854775807}}\n",
		`x.yaml:2:11: thread "t": cpu 9223372036854775807 is not between 0 (any) and 4096`},
	"every that overflows": {twoThreads + "blocks: {w: {type: flow.Wave, thread: t, every: 9223372036854775807}}\n",
		"x.yaml:3:49: every is 9223372036854775807: wants at most 1000000"},
	"every of a link that overflows": {twoThreads + "blocks: {w: {type: flow.Wave, thread: t}, v: {type: flow.Gain, thread: t}}\nlinks:\n  - {link: w.out -> v.in, every: 9223372036854775807}\n",
		"x.yaml:5:34: every is 9223372036854775807: wants at most 1000000"},
	"a rate that is next to nothing": {twoThreads + "blocks: {w: {type: flow.Wave, thread: t}, v: {type: flow.Gain, thread: t}}\nlinks:\n  - {link: w.out -> v.in, max_rate: 1e-300}\n",
		"x.yaml:5:37: max_rate wants a positive number of values a second, at least one in 24h0m0s"},
	"an infinite rate": {twoThreads + "blocks: {w: {type: flow.Wave, thread: t}, v: {type: flow.Gain, thread: t}}\nlinks:\n  - {link: w.out -> v.in, max_rate: Inf}\n",
		"x.yaml:5:37: max_rate wants a positive number"},
	"a time-out of centuries": {twoThreads + "blocks: {w: {type: flow.Wave, thread: t}, v: {type: flow.Gain, thread: t}}\nlinks:\n  - {link: w.out -> v.in, timeout: 2000000h}\n",
		"x.yaml:5:12: link w.out -> v.in: time-out 2000000h0m0s is longer than 24h0m0s"},
	"texts that repeat each other": {twoThreads + bomb(12, "\"${a}${a}${a}${a}${a}${a}${a}${a}${a}${a}\""),
		"in their places this text has more than 65536 bytes"},
	"lists that repeat each other": {twoThreads + bomb(12, "[\"${a}\", \"${a}\", \"${a}\", \"${a}\", \"${a}\", \"${a}\", \"${a}\", \"${a}\"]"),
		"in their places this has more than 65536 parts"},
}

// bomb are n groups, one in the other, whose parameter repeats that of the one around it.
func bomb(n int, value string) string {
	var b strings.Builder
	for i := range n {
		indent := strings.Repeat("    ", i)
		given := value
		if i == 0 {
			given = "\"0123456789\""
		}
		fmt.Fprintf(&b, "%sgroups:\n%s  g:\n%s    params: {a: %s}\n", indent, indent, indent, given)
	}
	indent := strings.Repeat("    ", n)
	fmt.Fprintf(&b, "%sblocks: {w: {type: flow.Scope, thread: t, params: {signals: [\"${a}\"]}}}\n", indent)
	return b.String()
}

// TestNetsAboveALimitAreRefusedBeforeTheyAllocate also shows that the error names the line that asks for too much.
func TestNetsAboveALimitAreRefusedBeforeTheyAllocate(t *testing.T) {
	const most = 700 << 20 // bytes that a text of some megabytes and 400,000 ports may take on the way, most of them garbage
	for name, test := range tooMuch {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(write(t, "x.yaml", test.text), "x.yaml")
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := system.Load(path, system.Options{Registry: block.NewRegistry(flow.Blocks())})
			runtime.ReadMemStats(&after)
			var all diagram.Errors
			if !errors.As(err, &all) {
				t.Fatalf("got %v, want diagram.Errors", err)
			}
			if text := strings.ReplaceAll(err.Error(), filepath.Dir(path)+"/", ""); !strings.Contains(text, test.want) {
				t.Errorf("got %.2000s, want %q", text, test.want)
			}
			if took := after.TotalAlloc - before.TotalAlloc; took > most {
				t.Errorf("it took %d MB to refuse this", took>>20)
			}
		})
	}
}

// TestLimitsLeaveRoomForCamerasAndFastThreads loads what real robots need.
func TestLimitsLeaveRoomForCamerasAndFastThreads(t *testing.T) {
	text := "system: x\nthreads: {fast: {period: 10us}, audio: {period: 33333ns}, slow: {period: 1h}}\nblocks:\n" +
		"  w: {type: flow.Wave, thread: fast}\n  g: {type: flow.Gain, thread: audio}\n  v: {type: flow.Gain, thread: slow}\n" +
		"links: [w.out -> g.in, {link: w.out -> v.in, buffer: 1000000}]\n"
	text += "  - camera.image -> viewer.image\n"
	text = strings.Replace(text, "links: [w.out -> g.in, {link: w.out -> v.in, buffer: 1000000}]\n",
		"  camera: {type: system_test.camera, thread: audio}\n  viewer: {type: system_test.viewer, thread: slow}\n"+
			"links:\n  - w.out -> g.in\n  - {link: w.out -> v.in, buffer: 1000000}\n", 1)
	types := block.NewRegistry(flow.Blocks(), []block.Entry{block.Of[camera](""), block.Of[viewer]("")})
	if _, err := system.Load(filepath.Join(write(t, "x.yaml", text), "x.yaml"), system.Options{Registry: types}); err != nil {
		t.Fatal(err)
	}
}

// camera has pictures of 3840 × 2160 colored points, and viewer looks at them.
type camera struct{ Image block.Out[[]uint8] }

func (c *camera) Setup(s *block.Setup) error { s.Len(3*3840*2160, &c.Image); return nil }

func (c *camera) Step(clock.Tick) error { return nil }

type viewer struct{ Image block.In[[]uint8] }

func (v *viewer) Step(clock.Tick) error { return nil }
