package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/sinew-robotics/sinew/net/record"
)

const (
	ticksLoops  = 3                      // busy loops beside the system
	ticksSettle = 200 * time.Millisecond // longer than a value takes through the longest chain
	ticksFrom   = 3 * time.Second        // by then all processes run
)

// ticksNet is a net whose values depend on their ticks only: sources that write the time, and chains of gains that lead
// from thread to thread.
type ticksNet struct {
	name      string
	chains    int
	length    int // gains of a chain
	processes bool
}

var ticksPeriods = []struct{ thread, period string }{{"a", "1ms"}, {"b", "2ms"}, {"c", "10ms"}}

// file returns the system file.
func (n ticksNet) file() string {
	var b, links strings.Builder
	fmt.Fprintf(&b, "system: %s\nthreads:\n", n.name)
	for i, t := range ticksPeriods {
		follow := ""
		if i > 0 {
			follow = ", follow: a"
		}
		fmt.Fprintf(&b, "  %s: {period: %s%s}\n", t.thread, t.period, follow)
	}
	b.WriteString("blocks:\n")
	thread := func(i int) string { return ticksPeriods[i%len(ticksPeriods)].thread }
	for i := range n.chains {
		before := fmt.Sprintf("source%d", i)
		fmt.Fprintf(&b, "  %s: {type: model.Burn, thread: %s}\n", before, thread(i))
		for k := range n.length {
			next := fmt.Sprintf("gain%d_%d", i, k)
			fmt.Fprintf(&b, "  %s: {type: flow.Gain, thread: %s, params: {gain: 1.1}}\n", next, thread(i+k+1))
			fmt.Fprintf(&links, "  - %s.out -> %s.in\n", before, next)
			before = next
		}
	}
	fmt.Fprintf(&b, "links:\n%s", links.String())
	if n.processes {
		b.WriteString("deploy:\n  processes:\n")
		for _, t := range ticksPeriods {
			fmt.Fprintf(&b, "    of_%s: {threads: [%s]}\n", t.thread, t.thread)
		}
	}
	return b.String()
}

// byTick runs nets in real time beside busy loops, in one process and in three, and compares them with virtual time: how many values are
// others than those of their ticks, and how many of these no log names as late or left out. A log lists the first 10,000 misses of its process: where there
// are more, what these explain counts as not named, so their number is printed too. The logs of a net are removed before the next one runs: at 60 s
// those of the largest take some hundred MB.
func byTick(length time.Duration) error {
	if length <= ticksFrom {
		return fmt.Errorf("nothing is compared in the first %v, in which processes start: give -for a longer time than %v", ticksFrom, length)
	}
	dir, err := os.MkdirTemp("", "sinew-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "busy")
	if err := buildProgram(program, "./bench/busy"); err != nil {
		return err
	}
	var failed []error
	fmt.Printf("## Real time against virtual time, %v beside %d busy loops\n\n", length, ticksLoops)
	fmt.Println("| net: 1, 2 and 10 ms | processes | values | other than in virtual time | of these not named | misses that no log lists |\n|---|---|---|---|---|---|")
	for _, n := range []ticksNet{{"small", 3, 6, false}, {"middle", 10, 6, false}, {"large", 30, 8, false}, {"small_apart", 3, 6, true}, {"middle_apart", 10, 6, true}, {"large_apart", 30, 8, true}} {
		processes := 1
		if n.processes {
			processes = len(ticksPeriods)
		}
		size := fmt.Sprintf("%d blocks, %d links between threads | %d", n.chains*(n.length+1), n.chains*n.length, processes)
		c, err := n.compare(filepath.Join(dir, n.name), program, length)
		if err != nil { // the other nets may do: on a busy machine the recorder of a large one can lose samples
			failed = append(failed, fmt.Errorf("net %s: %w", n.name, err))
			fmt.Printf("| %s | not compared | | | |\n", size)
			continue
		}
		var other, named uint64
		for _, s := range c.Signals {
			other += s.Differ + s.Only[0] + s.Only[1]
			named += s.Named
		}
		fmt.Printf("| %s | %d | %d | %d | %d |\n", size, c.Equal+other, other, other-named, c.Unlisted[0]+c.Unlisted[1])
	}
	return errors.Join(failed...)
}

// compare runs a net in real time and in virtual time, and compares the logs, which it writes into a folder of its own.
func (n ticksNet) compare(dir, program string, length time.Duration) (*record.Comparison, error) {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, n.name+".yaml")
	if err := os.WriteFile(file, []byte(n.file()), 0o666); err != nil {
		return nil, err
	}
	virtual := filepath.Join(dir, n.name+"-virtual.mcap")
	if err := runQuietly(exec.Command(program, "run", file, "--fast", "--quiet", "--for", (length + ticksFrom).String(), "--record", virtual)); err != nil {
		return nil, err
	}
	real, err := n.real(dir, program, file, length)
	if err != nil {
		return nil, err
	}
	var logs record.LogSet
	for _, path := range append([]string{virtual}, real...) {
		log, err := record.Open(path)
		if err != nil {
			return nil, err
		}
		defer log.Close()
		logs = append(logs, log)
	}
	o := record.CompareOptions{Settle: ticksSettle}
	if n.processes {
		o.From = ticksFrom
	}
	return record.Compare(logs[:1], logs[1:], o)
}

// real runs the processes of a net beside the loops, and returns their logs.
func (n ticksNet) real(dir, program, file string, length time.Duration) (logs []string, err error) {
	ctx, cancel := context.WithCancel(context.Background())
	var loops sync.WaitGroup
	defer loops.Wait()
	defer cancel()
	for range ticksLoops {
		loops.Go(func() { _ = exec.CommandContext(ctx, "sh", "-c", "while :; do :; done").Run() })
	}
	calls := []*exec.Cmd{}
	log := filepath.Join(dir, n.name+".mcap")
	if n.processes {
		for _, t := range ticksPeriods {
			process := "of_" + t.thread
			calls = append(calls, exec.Command(program, "run", file, "--quiet", "--process", process, "--for", length.String(), "--record", log))
			logs = append(logs, strings.TrimSuffix(log, "mcap")+process+".mcap")
		}
	} else {
		calls, logs = append(calls, exec.Command(program, "run", file, "--quiet", "--for", length.String(), "--record", log)), []string{log}
	}
	failed := make([]error, len(calls))
	var running sync.WaitGroup
	for i, call := range calls {
		running.Go(func() { failed[i] = runQuietly(call) })
	}
	running.Wait()
	return logs, errors.Join(failed...)
}

// runQuietly runs a command; the error has its output.
func runQuietly(call *exec.Cmd) error {
	if out, err := call.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(call.Args[1:], " "), err, out)
	}
	return nil
}
