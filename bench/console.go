package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/sinew-robotics/sinew/net/admin/nats"
	"github.com/sinew-robotics/sinew/net/record"
)

const (
	consoleName    = "bench-console"
	consoleSignals = 1000
	consoleRounds  = 10
	consoleLength  = 3 * time.Second // of each round
	consoleSettle  = time.Second     // after a page was opened or closed
)

// watched measures the lateness of the torso's first thread, with 1,000 more blocks in it, without any page and while
// a page gets 60 frames a second of 1,000 signals: from the console in the system's front, and from one that reaches
// it over the control plane. All variants alternate in one run. The page is this process.
func watched() error {
	dir, err := os.MkdirTemp("", "sinew-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	sinew := filepath.Join(dir, "sinew")
	if out, err := exec.Command("go", "build", "-o", sinew, "./cmd/sinew").CombinedOutput(); err != nil {
		return fmt.Errorf("build sinew: %w\n%s", err, out)
	}
	refs, overlay := waves(consoleSignals)
	file := filepath.Join(dir, "waves.yaml")
	if err := os.WriteFile(file, []byte(overlay), 0o666); err != nil {
		return err
	}
	front, err := startConsole(sinew, "run", "examples/torso/torso.yaml", "--overlay", file, "--name", consoleName, "--quiet", "--console")
	if err != nil {
		return err
	}
	defer front.end()
	gateway, err := startConsole(sinew, "console", consoleName)
	if err != nil {
		return err
	}
	defer gateway.end()
	system, err := nats.Dial(consoleName)
	if err != nil {
		return err
	}
	defer system.Close()
	w := watching{system, refs, front, gateway}

	cases := []struct {
		name   string
		by     *consoleProcess // the sending console; nil: none
		rounds rounds
	}{
		{"no page", nil, rounds{}},
		{"`sinew run --console` sends 1,000 signals", front, rounds{}},
		{"`sinew console` sends 1,000 signals", gateway, rounds{}},
	}
	for range consoleRounds {
		for _, c := range cases {
			t, err := w.round(c.by)
			if err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
			c.rounds.add(t)
		}
	}
	fmt.Println("| lateness of the torso's first thread, with 1,000 blocks more, at 1 kHz | median | 99 % | 99.9 % | worst | 99 % ratio to no page | its cycle, 99 % | front: of a core | gateway: of a core | frames a second |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|---|")
	alone := cases[0].rounds
	for _, c := range cases {
		r := c.rounds
		fmt.Printf("| %s | %s | %s | %s | %s | %s | %s | %.1f %% | %.1f %% | %.0f |\n", c.name, nanos(r.median("p50")), nanos(r.median("p99")),
			nanos(r.median("p99.9")), nanos(r.worst("max")), ratio(r.median("p99"), alone.median("p99")), nanos(r.median("cycle")),
			r.median("front"), r.median("gateway"), r.median("frames"))
	}
	return nil
}

// waves returns the signals of blocks, and a system file with the blocks to be merged into the torso's.
func waves(n int) (refs []string, overlay string) {
	var b strings.Builder
	b.WriteString("blocks:\n")
	for i := range n {
		fmt.Fprintf(&b, "  wave%d: {type: flow.Wave, thread: robot, params: {frequency: %g}}\n", i, 0.1+float64(i)/float64(n))
		refs = append(refs, fmt.Sprintf("wave%d.out", i))
	}
	return refs, b.String()
}

// watching holds the resources of a round.
type watching struct {
	system         *nats.Client
	refs           []string
	front, gateway *consoleProcess
}

// round measures while one of the consoles sends frames, or none.
func (w *watching) round(by *consoleProcess) (times, error) {
	frames := func() float64 { return 0 }
	if by != nil {
		end, err := by.page.watch(consoleName, w.refs)
		if err != nil {
			return nil, err
		}
		defer func() { _ = end() }()
		frames = func() float64 { return float64(by.page.frames.Load()) }
	}
	time.Sleep(consoleSettle)
	before, err := firstThread(w.system)
	if err != nil {
		return nil, err
	}
	front, gateway, n, begin := w.front.used(), w.gateway.used(), frames(), time.Now()
	time.Sleep(consoleLength)
	took := time.Since(begin).Seconds()
	t := times{
		"front":   100 * (w.front.used() - front).Seconds() / took,
		"gateway": 100 * (w.gateway.used() - gateway).Seconds() / took,
		"frames":  (frames() - n) / took,
	}
	after, err := firstThread(w.system)
	if err != nil {
		return nil, err
	}
	late := between(before.Jitter, after.Jitter)
	t["p50"], t["p99"], t["p99.9"], t["max"] = late.quantile(0.5), late.quantile(0.99), late.quantile(0.999), late.quantile(1)
	t["cycle"] = between(before.Cycle, after.Cycle).quantile(0.99)
	return t, nil
}

// firstThread returns the statistics of the system's most urgent thread.
func firstThread(system *nats.Client) (first record.ThreadStatistics, err error) {
	s, err := system.Statistics(context.Background())
	if err != nil {
		return first, err
	}
	for _, t := range s.Threads {
		if t.Priority > first.Priority {
			first = t
		}
	}
	return first, nil
}

// counted is a histogram of durations.
type counted []record.Bucket

// between returns the durations added to a distribution between two readings.
func between(before, after record.Distribution) (c counted) {
	had := map[int64]uint64{}
	for _, b := range before.Buckets {
		had[b.From] = b.Count
	}
	for _, b := range after.Buckets {
		if b.Count -= had[b.From]; b.Count > 0 {
			c = append(c, b)
		}
	}
	return c
}

// quantile returns the upper end of the bucket that contains a quantile: at most 12 % above it.
func (c counted) quantile(q float64) float64 {
	total := uint64(0)
	for _, b := range c {
		total += b.Count
	}
	sum := uint64(0)
	for _, b := range c {
		if sum += b.Count; float64(sum) >= q*float64(total) {
			return float64(b.To)
		}
	}
	return 0
}
