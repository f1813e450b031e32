// Command bench measures the values of docs/performance.md, and prints its tables: sinew compared with loops written
// by hand, the numbers of the paper, and cyclictest. Run it from the root of the repository, on an otherwise idle
// machine:
//
//	go run ./bench              all tables
//	go run ./bench dynamics     one of them
//	go run ./bench -for 10m published
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"time"
)

func main() {
	if len(os.Args) > 2 && os.Args[1] == "child" { // another process of a measurement
		if err := children[os.Args[2]](os.Args[3:]); err != nil {
			fmt.Fprintf(os.Stderr, "bench %s: %v\n", os.Args[2], err)
			os.Exit(1)
		}
		return
	}
	length := flag.Duration("for", 20*time.Second, "duration of each measurement of the tables ardnet, large, multirate, limbs, watchers, published and ticks")
	flag.Parse()
	fmt.Printf("%s, %s, %s/%s, %d processors\n\n", time.Now().UTC().Format(time.DateOnly), runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	for _, table := range tables(*length) {
		if flag.NArg() > 0 && !slices.Contains(flag.Args(), table.name) {
			continue
		}
		if err := table.measure(); err != nil {
			fmt.Fprintf(os.Stderr, "bench %s: %v\n", table.name, err)
			os.Exit(1)
		}
		fmt.Println()
	}
}

// table is a table of results.
type table struct {
	name    string
	measure func() error
}

// tables returns the measurements, in the order of docs/performance.md.
func tables(length time.Duration) []table {
	return []table{
		{"dynamics", dynamics}, {"inverse", inverse}, {"pairs", pairs}, {"contacts", contacts}, {"planning", planned}, {"meshes", meshes}, {"motion", motion}, {"torso", torso},
		{"threads", threads}, {"processes", processes}, {"hosts", hosts}, {"blocks", blocks}, {"janus", janusCycle}, {"recording", recording}, {"loading", loading}, {"fast", fast}, {"jitter", jitter}, {"load", load}, {"console", watched}, {"coach", coached},
		{"ardnet", func() error { return ardnetChain(length) }}, {"large", func() error { return large(length) }},
		{"multirate", func() error { return multirate(length) }}, {"limbs", func() error { return fourLimbs(length) }},
		{"watchers", func() error { return burdened(length) }}, {"bus", bus},
		{"published", func() error { return published(length) }}, {"ticks", func() error { return byTick(length) }},
	}
}

// children are the roles of other processes of this program in a measurement, with their arguments.
var children = map[string]func(arguments []string) error{
	"ping": ping, "pong": pong, "host": hostChild,
	"front": front, "whole": whole, "garbage": garbage, "subscribers": subscribe, "source": source, "sink": sink, "nats": natsServer,
}

// best returns the least of n measurements: disturbances only add to a measurement.
func best(n int, measure func() (time.Duration, error)) (least time.Duration, err error) {
	for i := range n {
		d, err := measure()
		if err != nil {
			return 0, err
		}
		if i == 0 || d < least {
			least = d
		}
	}
	return least, nil
}
