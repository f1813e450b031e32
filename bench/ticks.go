package main

import (
	"context"
	"errors"
	"fmt"
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
	length    int        // gains of a chain
	place     string     // where it runs
	processes [][]string // the threads of each
	hosts     bool       // each process has a host of its own
}

var ticksPeriods = []struct{ thread, period string }{{"a", "1ms"}, {"b", "2ms"}, {"c", "10ms"}}

// file returns the system file.
func (n ticksNet) file() string {
	var b, links strings.Builder
	b.WriteString("system: NAME\nthreads:\n")
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
	b.WriteString("deploy:\n  processes:\n")
	for _, threads := range n.processes {
		fmt.Fprintf(&b, "    %s: {threads: [%s]}\n", processOf(threads), strings.Join(threads, ", "))
	}
	return b.String()
}

// processOf returns the name of the process that runs threads.
func processOf(threads []string) string { return "of_" + strings.Join(threads, "") }

// ticksNets are the nets of the table.
func ticksNets() (nets []ticksNet) {
	sizes := []ticksNet{{name: "small", chains: 3, length: 6}, {name: "middle", chains: 10, length: 6}, {name: "large", chains: 30, length: 8}}
	for _, where := range []ticksNet{
		{place: "one process", processes: [][]string{{"a", "b", "c"}}},
		{place: "three processes", processes: [][]string{{"a"}, {"b"}, {"c"}}},
		{place: "two hosts", processes: [][]string{{"a"}, {"b", "c"}}, hosts: true},
	} {
		for _, n := range sizes {
			n.place, n.processes, n.hosts = where.place, where.processes, where.hosts
			nets = append(nets, n)
		}
	}
	return nets
}

// byTick runs nets in real time beside busy loops, in one process, in three, and on two hosts, and compares them with virtual time: how many values are
// others than those of their ticks, and how many of these no log names as late or left out. A log joins misses where there are
// too many to be listed one by one: the longest time between two that are named as one is printed too. The logs of a net are removed before the next one runs: at 60 s
// those of the largest take some hundred MB.
func byTick(length time.Duration) error {
	if length <= ticksFrom {
		return fmt.Errorf("nothing is compared in the first %v, in which processes start: give -for a longer time than %v", ticksFrom, length)
	}
	var failed []error
	fmt.Printf("## Real time against virtual time, %v beside %d busy loops\n\n", length, ticksLoops)
	fmt.Println("| net: 1, 2 and 10 ms | runs in | values | other than in virtual time | of these not named | misses with one name, apart | misses that no log lists |\n|---|---|---|---|---|---|")
	for _, n := range ticksNets() {
		size := fmt.Sprintf("%d blocks, %d links between threads | %s", n.chains*(n.length+1), n.chains*n.length, n.place)
		c, err := n.compare(length)
		if err != nil { // the other nets may do: on a busy machine the recorder of a large one can lose samples
			failed = append(failed, fmt.Errorf("net %s: %w", n.name, err))
			fmt.Printf("| %s | not compared | | | | |\n", size)
			continue
		}
		var other, named uint64
		for _, s := range c.Signals {
			other += s.Differ + s.Only[0] + s.Only[1]
			named += s.Named
		}
		fmt.Printf("| %s | %d | %d | %d | %v | %d |\n", size, c.Equal+other, other, other-named, max(c.Gap(0), c.Gap(1)), c.Unlisted[0]+c.Unlisted[1])
	}
	return errors.Join(failed...)
}

// compare runs a net in virtual time, and in real time beside busy loops, and compares the logs.
func (n ticksNet) compare(length time.Duration) (*record.Comparison, error) {
	var processes []string
	for _, threads := range n.processes {
		processes = append(processes, processOf(threads))
	}
	s, end, err := newSpread(n.name, n.file(), processes...)
	if err != nil {
		return nil, err
	}
	defer end()
	s.together, s.during = !n.hosts, busyLoops
	file, err := s.write()
	if err != nil {
		return nil, err
	}
	virtual := filepath.Join(s.dir, "virtual.mcap")
	if err := runQuietly(s.in(processes[0], "run", file, "--fast", "--quiet", "--for", (length + ticksFrom).String(), "--record", virtual)); err != nil {
		return nil, err
	}
	if _, err := s.run(length); err != nil {
		return nil, err
	}
	paths := []string{virtual}
	for _, p := range processes {
		paths = append(paths, s.log(p))
	}
	var logs record.LogSet
	for _, path := range paths {
		log, err := record.Open(path)
		if err != nil {
			return nil, err
		}
		defer log.Close()
		logs = append(logs, log)
	}
	o := record.CompareOptions{Settle: ticksSettle}
	if len(processes) > 1 {
		o.From = ticksFrom
	}
	return record.Compare(logs[:1], logs[1:], o)
}

// busyLoops starts the loops beside a system.
func busyLoops() (end func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var loops sync.WaitGroup
	for range ticksLoops {
		loops.Go(func() { _ = exec.CommandContext(ctx, "sh", "-c", "while :; do :; done").Run() })
	}
	return func() { cancel(); loops.Wait() }
}

// runQuietly runs a command; the error has its output.
func runQuietly(call *exec.Cmd) error {
	if out, err := call.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(call.Args[1:], " "), err, out)
	}
	return nil
}
