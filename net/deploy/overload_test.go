package deploy

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/link/quantized"
	"github.com/sinew-robotics/sinew/net/link/serial"
	"github.com/sinew-robotics/sinew/net/system"
)

// vector has an output and an input of eight numbers: 64 bytes, and 8 of CDR.
type vector struct {
	In  block.In[[8]float64]
	Out block.Out[[8]float64]
}

func (v *vector) Step(clock.Tick) error { return nil }

// serialSystem has a thread on each of two hosts that a serial line joins.
const serialSystem = `system: x
deploy:
  network: serial
  hosts:
    desk: {address: "serial:///dev/ttyS0?baud=115200"}
    robot: {ssh: robot, address: "serial:///dev/ttyS1?baud=BAUD"}
  processes: {near: {host: desk, threads: [a]}, far: {host: robot, threads: [b]}}
threads: {a: {period: PERIOD}, b: {period: PERIOD}}
blocks: {one: {type: vector, thread: a}, two: {type: vector, thread: b}}
links: LINKS
`

func overloadOf(t *testing.T, baud, period, links string) string {
	t.Helper()
	registry := block.NewRegistry([]block.Entry{
		{Type: "vector", New: func() block.Block { return new(vector) }}, block.Carrier(serial.Carrier()), block.Encoding(quantized.Encoding()),
	})
	file := filepath.Join(t.TempDir(), "x.yaml")
	text := strings.NewReplacer("BAUD", baud, "PERIOD", period, "LINKS", links).Replace(serialSystem)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := system.Load(file, system.Options{Registry: registry})
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, n := range Notices(s) {
		lines = append(lines, n.String())
	}
	return strings.Join(lines, "\n")
}

// The how-to gives the measured rate: about 35 packets of 64 bytes a second at 57,600 bit/s, 560 at 921,600.
func TestOverloadOfASerialLineIsNamedWithNumbers(t *testing.T) {
	for _, c := range []struct {
		baud, period, links string
		want                []string // parts of the notice; none: there is no notice
	}{
		{"57600", "10ms", "[one.out -> two.in]", []string{`from host "local" to host "robot"`, "the carrier serial carries 5760 B/s", "one.out 16.", "kB/s"}},
		{"57600", "40ms", "[one.out -> two.in]", nil},
		{"57600", "10ms", "[{link: one.out -> two.in, every: 4}]", []string{"carries 5760 B/s"}}, // the reader leaves values out: all are sent
		{"57600", "10ms", "[{link: one.out -> two.in, max_rate: 25}]", []string{"carries 5760 B/s"}},
		{"57600", "20ms", "[one.out -> two.in]", []string{"one.out 8150 B", "encode"}},
		{"57600", "20ms", "[{link: one.out -> two.in, encode: {quantized: {min: -1, max: 1, bits: 6}}}]", nil},
		{"57600", "40ms", "[{link: one.out -> two.in, priority: 3}]", []string{"one.out -> two.in has the priority 3", "scheduler: priority"}},
		{"921600", "10ms", "[one.out -> two.in]", []string{"carries 11.5 kB/s"}}, // the slower side counts
		{"115200", "20ms", "[one.out -> two.in, two.out -> one.in]", nil},
		{"9600", "20ms", "[one.out -> two.in, two.out -> one.in]", []string{`from host "robot" to host "local"`, `from host "local" to host "robot"`}},
	} {
		got := overloadOf(t, c.baud, c.period, c.links)
		if len(c.want) == 0 && got != "" {
			t.Errorf("%+v: %s", c, got)
		}
		for _, part := range c.want {
			if !strings.Contains(got, part) {
				t.Errorf("%+v: got %q, expected %q in it", c, got, part)
			}
		}
	}
}
