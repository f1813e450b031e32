package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	loadRounds  = 3
	loadSeconds = 8
)

// busyName is the name of the system.
const busyName = "bench-busy"

// busySystem has a thread that computes for 90 % of its period.
const busySystem = `system: ` + busyName + `
threads:
  control: {period: 1ms, priority: 80}
blocks:
  first:  {type: model.Burn, thread: control, params: {time: 0.0003}}
  second: {type: model.Burn, thread: control, params: {time: 0.0003}}
  third:  {type: model.Burn, thread: control, params: {time: 0.0003}}
record:
  ports: [first.out, second.out, third.out]
`

// busyResult is the output of `sinew run --json` about the thread.
type busyResult struct {
	Lost    uint64 `json:"lost_samples"`
	Threads []struct {
		Activations uint64                     `json:"activations"`
		Slips       uint64                     `json:"slips"`
		Jitter      struct{ P99, Max float64 } `json:"jitter_s"`
	} `json:"threads"`
}

// load runs a thread that is busy for 90 % of its time, alone and with all observers attached; and a C loop that does
// the same, to show the effect of the machine itself: the same commands run beside it, without a system to observe.
func load() error {
	dir, err := os.MkdirTemp("", "sinew-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	busy, inC := filepath.Join(dir, "busy"), filepath.Join(dir, "busy-c")
	if out, err := exec.Command("go", "build", "-o", busy, "./bench/busy").CombinedOutput(); err != nil {
		return fmt.Errorf("build bench/busy: %w\n%s", err, out)
	}
	if !made("C", []string{"cc", "-std=gnu99", "-O2", "-o", inC, "bench/peers/busy.c"}) {
		inC = ""
	}
	file := filepath.Join(dir, "busy.yaml")
	if err := os.WriteFile(file, []byte(busySystem), 0o666); err != nil {
		return err
	}
	seconds := strconv.Itoa(loadSeconds)
	loop := func() (times, error) {
		if inC == "" {
			return nil, nil
		}
		return runTimes(exec.Command(inC, seconds))
	}
	system := func() (times, error) {
		return runBusy(exec.Command(busy, "run", file, "--json", "--for", seconds+"s", "--record", filepath.Join(dir, "busy.mcap")))
	}
	cases := []struct {
		name     string
		run      func() (times, error)
		watchers []watcher
		rounds   rounds
	}{
		{"a loop in C", loop, nil, rounds{}},
		{"a system with the recorder", system, nil, rounds{}},
		{"a loop in C, beside the commands", loop, watchers, rounds{}},
		{"a system with the recorder, `top --once` in a loop, `browse`, 3 taps", system, watchers, rounds{}},
	}
	for range loadRounds {
		for _, c := range cases {
			end := watch(busy, c.watchers)
			t, err := c.run()
			end()
			if err != nil {
				return err
			}
			c.rounds.add(t)
		}
	}
	fmt.Println("| busy for 900 of 1000 µs | steps | left out | lateness, 99 % | worst | samples lost |")
	fmt.Println("|---|---|---|---|---|---|")
	for _, c := range cases {
		r := c.rounds
		fmt.Printf("| %s | %.0f | %.0f | %s | %s | %.0f |\n", c.name, r.sum("steps"), r.sum("slips"), nanos(r.median("p99")), nanos(r.worst("max")), r.sum("lost"))
	}
	return nil
}

// watcher is a command with its standard input.
type watcher struct {
	arguments []string
	input     string
}

// watchers are the commands that observe the system meanwhile; each restarts when it ends.
var watchers = []watcher{
	{[]string{"top", "--once", busyName}, ""},
	{[]string{"browse", busyName}, strings.Repeat("ls\nls first\nthreads\nsecond.out\n", 100)},
	{[]string{"tap", "--system", busyName, "--json", "first.out"}, ""},
	{[]string{"tap", "--system", busyName, "--json", "second.out"}, ""},
	{[]string{"tap", "--system", busyName, "--json", "--every", "16", "third.out"}, ""},
}

// watch executes the watchers repeatedly until end is called.
func watch(busy string, by []watcher) (end func()) {
	ctx, stop := context.WithCancel(context.Background())
	var ended sync.WaitGroup
	for _, w := range by {
		ended.Go(func() {
			for ctx.Err() == nil {
				command := exec.CommandContext(ctx, busy, w.arguments...)
				command.Stdin = strings.NewReader(w.input)
				_ = command.Run() // before the system starts, and after its end, it finds none
				time.Sleep(20 * time.Millisecond)
			}
		})
	}
	return func() {
		stop()
		ended.Wait()
	}
}

// runBusy runs the system and returns the statistics of its thread.
func runBusy(run *exec.Cmd) (times, error) {
	out, err := run.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", run, err)
	}
	var result busyResult
	if err := json.Unmarshal(out, &result); err != nil {
		return nil, fmt.Errorf("%s printed %q: %w", run, out, err)
	}
	t := result.Threads[0]
	return times{"steps": float64(t.Activations), "slips": float64(t.Slips), "p99": 1e9 * t.Jitter.P99, "max": 1e9 * t.Jitter.Max, "lost": float64(result.Lost)}, nil
}
