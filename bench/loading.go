package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/system"
	"github.com/sinew-robotics/sinew/net/thread"
)

// Sum adds two numbers.
type Sum struct {
	A, B block.In[float64]
	Out  block.Out[float64]
}

// Step adds.
func (s *Sum) Step(clock.Tick) error {
	a, _ := s.A.Read()
	b, _ := s.B.Read()
	s.Out.Write(a + b + 1)
	return nil
}

// sums returns a system file of n blocks and 2n links, listed against the order of execution.
func sums(n int) string {
	var b strings.Builder
	b.WriteString("system: sums\nthreads: {t: {period: 1ms}}\nblocks:\n")
	for i := range n {
		fmt.Fprintf(&b, "  s%d: {type: main.Sum}\n", i)
	}
	b.WriteString("links:\n")
	for i := n - 1; i > 0; i-- {
		fmt.Fprintf(&b, "  - s%d.out -> s%d.a\n  - s%d.out -> s%d.b\n", i-1, i, max(i-2, 0), i)
	}
	b.WriteString("  - {link: s0.out -> s0.a, delay: true}\n  - {link: s0.out -> s0.b, delay: true}\n")
	return b.String()
}

// loading measures the time of a large file from its text to its first activation.
func loading() error {
	const n = 10_000
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "sums.yaml")
	if err := os.WriteFile(path, []byte(sums(n)), 0o666); err != nil {
		return err
	}
	var s *system.System
	load, err := best(3, func() (time.Duration, error) {
		begin := time.Now()
		var err error
		s, err = system.Load(path, system.Options{Registry: block.NewRegistry([]block.Entry{block.Of[Sum]("Adds.")})})
		return time.Since(begin), err
	})
	if err != nil {
		return err
	}
	core := thread.New(s.Net, thread.Options{Until: clock.At(time.Second)})
	if err := core.RunVirtual(context.Background()); err != nil {
		return err
	}
	fmt.Println("| 10,000 blocks, 20,000 links | |")
	fmt.Println("|---|---|")
	fmt.Printf("| read, checked, ordered (target: under 1 s) | %.2f s |\n", load.Seconds())
	fmt.Printf("| one activation of all | %.0f µs |\n", float64(core.Front().Stats()[0].Cycle.Quantile(0.5))/1e3)
	return nil
}
