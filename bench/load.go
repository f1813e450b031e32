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

// busyName is what the system is called.
const busyName = "bench-busy"

// busySystem has a thread that computes for 90 % of its period.
const busySystem = `system: ` + busyName + `
threads:
  control: {period: 1ms, priority: 80}
blocks:
  first:  {type: main.Burn, thread: control, params: {time: 0.0003}}
  second: {type: main.Burn, thread: control, params: {time: 0.0003}}
  third:  {type: main.Burn, thread: control, params: {time: 0.0003}}
record:
  ports: [first.out, second.out, third.out]
`

// busyResult is what `sinew run --json` tells of the thread.
type busyResult struct {
	Lost    uint64 `json:"lost_samples"`
	Threads []struct {
		Activations uint64 `json:"activations"`
		Slips       uint64 `json:"slips"`
		Jitter      struct {
			P99, Max float64
		} `json:"jitter_s"`
		Cycle struct{ P50 float64 } `json:"cycle_s"`
	} `json:"threads"`
}

// busyRuns are the runs of one kind together.
type busyRuns struct {
	activations, slips, lost uint64
	late                     rounds // also "cycle", the time of a median activation
}

// load runs a thread that is busy for 90 % of its time, alone and with everything attached that watches it.
func load() error {
	dir, err := os.MkdirTemp("", "sinew-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	busy := filepath.Join(dir, "busy")
	if out, err := exec.Command("go", "build", "-o", busy, "./bench/busy").CombinedOutput(); err != nil {
		return fmt.Errorf("build bench/busy: %w\n%s", err, out)
	}
	alone, watched := busyRuns{late: rounds{}}, busyRuns{late: rounds{}}
	for range loadRounds {
		if err := alone.add(busy, dir, nil); err != nil {
			return err
		}
		if err := watched.add(busy, dir, watchers); err != nil {
			return err
		}
	}
	fmt.Println("| a thread at 1 kHz, busy | of its period | steps | steps left out | lateness, 99 % | worst | samples lost |")
	fmt.Println("|---|---|---|---|---|---|---|")
	alone.print("with the recorder")
	watched.print("with the recorder, `top --once` in a loop, `browse`, 3 taps")
	return nil
}

func (r *busyRuns) print(name string) {
	fmt.Printf("| %s | %.0f %% | %d | %d | %s | %s | %d |\n", name, r.late.median("cycle")/1e4, r.activations, r.slips,
		nanos(r.late.median("p99")), nanos(r.late.worst("max")), r.lost)
}

// watcher is a command with its standard input.
type watcher struct {
	arguments []string
	input     string
}

// watchers are the commands that look at the system meanwhile, each again when it has ended.
var watchers = []watcher{
	{[]string{"top", "--once", busyName}, ""},
	{[]string{"browse", busyName}, strings.Repeat("ls\nls first\nthreads\nsecond.out\n", 100)},
	{[]string{"tap", "--system", busyName, "--json", "first.out"}, ""},
	{[]string{"tap", "--system", busyName, "--json", "second.out"}, ""},
	{[]string{"tap", "--system", busyName, "--json", "--every", "16", "third.out"}, ""},
}

// add runs the system once, with those who watch it.
func (r *busyRuns) add(busy, dir string, by []watcher) error {
	file := filepath.Join(dir, "busy.yaml")
	if err := os.WriteFile(file, []byte(busySystem), 0o666); err != nil {
		return err
	}
	run := exec.Command(busy, "run", file, "--json", "--for", strconv.Itoa(loadSeconds)+"s", "--record", filepath.Join(dir, "busy.mcap"))
	ctx, stop := context.WithCancel(context.Background())
	var ended sync.WaitGroup
	for _, w := range by {
		ended.Go(func() {
			for ctx.Err() == nil {
				command := exec.CommandContext(ctx, busy, w.arguments...)
				command.Stdin = strings.NewReader(w.input)
				_ = command.Run() // before the system has begun, and after, it finds none
				time.Sleep(20 * time.Millisecond)
			}
		})
	}
	out, err := run.Output()
	stop()
	ended.Wait()
	if err != nil {
		return fmt.Errorf("%s: %w", run, err)
	}
	var result busyResult
	if err := json.Unmarshal(out, &result); err != nil {
		return fmt.Errorf("%s printed %q: %w", run, out, err)
	}
	t := result.Threads[0]
	r.activations, r.slips, r.lost = r.activations+t.Activations, r.slips+t.Slips, r.lost+result.Lost
	r.late.add(times{"p99": 1e9 * t.Jitter.P99, "max": 1e9 * t.Jitter.Max, "cycle": 1e9 * t.Cycle.P50})
	return nil
}
