// Command bench measures what docs/performance.md says, and prints its tables: sinew beside loops written by hand, the
// numbers of the paper, and cyclictest. Run it from the root of the repository, on a machine that does nothing else:
//
//	go run ./bench
package main

import (
	"fmt"
	"os"
	"runtime"
	"time"
)

func main() {
	fmt.Printf("%s, %s, %s/%s, %d processors\n\n", time.Now().UTC().Format(time.DateOnly), runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	for _, measure := range []func() error{blocks, janusCycle, recording, loading, fast, jitter} {
		if err := measure(); err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(1)
		}
		fmt.Println()
	}
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
