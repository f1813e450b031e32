package system_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/link/quantized"
	"github.com/sinew-robotics/sinew/net/link/schedule"
	"github.com/sinew-robotics/sinew/net/system"
	"github.com/sinew-robotics/sinew/parts/flow"
)

// linked has two processes that a link joins, with options of the link and lines of the deploy section to fill in.
const linked = `system: x
threads: {a: {period: 1ms}, b: {period: 1ms}}
blocks: {w: {type: flow.Wave, thread: a}, v: {type: flow.Gain, thread: b}, e: {type: flow.Compare, thread: b}}
links:
  - {link: w.out -> v.in, OPTIONS}
deploy: {processes: {p: {threads: [a]}, q: {threads: [b]}}, DEPLOY}
`

func loadLinked(t *testing.T, options, deploy string) (*system.System, error) {
	t.Helper()
	registry := block.NewRegistry(flow.Blocks(), []block.Entry{
		block.Encoding(quantized.Encoding()), block.Scheduler(schedule.RoundRobin()), block.Scheduler(schedule.Priority()),
	})
	dir := write(t, "x.yaml", strings.NewReplacer("OPTIONS", options, "DEPLOY", deploy).Replace(linked))
	return system.Load(filepath.Join(dir, "x.yaml"), system.Options{Registry: registry})
}

func TestEncodeNamesARegisteredEncoding(t *testing.T) {
	s, err := loadLinked(t, "encode: {quantized: {min: -2, max: 2, bits: 8}}, priority: 7", "scheduler: priority")
	if err != nil {
		t.Fatal(err)
	}
	l := s.Net.Links[0]
	if got := l.Reads(); !strings.HasSuffix(got, "; encoded: quantized (bits: 8, max: 2, min: -2); priority 7") {
		t.Errorf("check -v prints %q", got)
	}
	if spec := l.Spec.Link(); spec.Priority != 7 || spec.Size != 5 || !strings.HasPrefix(spec.Name, "w.out.quantized-") {
		t.Errorf("the packets are %+v", spec)
	}
	if s.Deploy.Scheduler.Name != "priority" {
		t.Errorf("the scheduler is %q", s.Deploy.Scheduler.Name)
	}
	for _, c := range []struct{ options, deploy, want string }{
		{"encode: quantised", "", `x.yaml:5:35: encode: no encoding "quantised"; did you mean "quantized"?`},
		{"encode: {quantised: {bits: 8}}", "", `x.yaml:5:36: encode: no encoding "quantised"; did you mean "quantized"?`},
		{"encode: [quantized]", "", `x.yaml:5:35: encode wants the name of an encoding, or one with its options`},
		{"encode: quantized", "", `x.yaml:5:12: link w.out -> v.in: encode quantized: min wants a finite number, got ""`},
		{"encode: {quantized: {min: 0, max: 1, bits: 99}}", "", `x.yaml:5:12: link w.out -> v.in: encode quantized: bits 99 is no whole number`},
		{"encode: {quantized: {min: 0, max: 1, bits: 8}}, buffer: 4", "", `events and values that are queued are carried as they are: leave encode out`},
		{"priority: 100", "", `x.yaml:5:37: priority of a link wants a number from 0 to 99, the most urgent, got 100`},
		{"newest: true", "scheduler: prority", `x.yaml:6:72: scheduler: no scheduler "prority"; did you mean "priority"?`},
	} {
		if _, err := loadLinked(t, c.options, c.deploy); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s: got %v, want %s", c.options, c.deploy, err, c.want)
		}
	}
}
