// Command bench measures what docs/performance.md says, and prints its tables: sinew beside loops written by hand, the
// numbers of the paper, and cyclictest. Run it from the root of the repository, on a machine that does nothing else:
//
//	go run ./bench              all tables
//	go run ./bench dynamics     one of them
package main

import (
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
	fmt.Printf("%s, %s, %s/%s, %d processors\n\n", time.Now().UTC().Format(time.DateOnly), runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	for _, table := range tables {
		if len(os.Args) > 1 && !slices.Contains(os.Args[1:], table.name) {
			continue
		}
		if err := table.measure(); err != nil {
			fmt.Fprintf(os.Stderr, "bench %s: %v\n", table.name, err)
			os.Exit(1)
		}
		fmt.Println()
	}
}

// tables are what is measured, in the order of docs/performance.md.
var tables = []struct {
	name    string
	measure func() error
}{
	{"dynamics", dynamics}, {"motion", motion},
	{"threads", threads}, {"processes", processes}, {"blocks", blocks}, {"janus", janusCycle}, {"recording", recording}, {"loading", loading}, {"fast", fast}, {"jitter", jitter}, {"load", load},
}

// children are the roles that other processes of this program play in a measurement, with their arguments.
var children = map[string]func(arguments []string) error{
	"ping": ping, "pong": pong,
	"front": front, "core": core, "whole": whole, "garbage": garbage, "subscribers": subscribe,
}

// best returns the least of n measurements: what disturbs a measurement only adds to it.
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
