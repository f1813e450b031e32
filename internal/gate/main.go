package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/sinew-robotics/sinew/internal/nearest"
)

func main() {
	chosen, err := choose(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "gate:", err)
		os.Exit(2)
	}
	folder, err := os.MkdirTemp("", "gate")
	if err != nil {
		fmt.Fprintln(os.Stderr, "gate:", err)
		os.Exit(1)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	report := run(ctx, chosen, folder, os.Stdout)
	_ = os.RemoveAll(folder)
	report.write(os.Stdout)
	if report.failed() {
		os.Exit(1)
	}
}

// choose returns the lanes with the stages of the given names, all of them without names.
func choose(names []string) ([]lane, error) {
	if len(names) == 0 {
		return lanes, nil
	}
	var known []string
	chosen := make([]lane, len(lanes))
	for i, l := range lanes {
		for _, s := range l {
			known = append(known, s.name)
			if slices.Contains(names, s.name) {
				chosen[i] = append(chosen[i], s)
			}
		}
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("stage %q: not one of %s%s", name, strings.Join(known, ", "), nearest.Hint(name, known))
		}
	}
	return chosen, nil
}

// run executes lanes side by side until the context is done, and returns what happened. Files of the stages go to a folder.
func run(ctx context.Context, chosen []lane, folder string, out io.Writer) report {
	parts := make([][]outcome, len(chosen))
	var all sync.WaitGroup
	begin := time.Now()
	shared := &lockedWriter{to: out}
	why := busy(loadAverage(), runtime.NumCPU())
	for i, l := range chosen {
		all.Go(func() {
			for _, s := range l {
				if ctx.Err() != nil {
					return
				}
				parts[i] = append(parts[i], s.execute(ctx, folder, why, shared))
			}
		})
	}
	all.Wait()
	return report{slices.Concat(parts...), time.Since(begin)}
}

// execute runs a stage, with longer waits of its tests if the machine is described as busy, and returns what happened.
func (s stage) execute(ctx context.Context, folder, busy string, out io.Writer) outcome {
	begin := time.Now()
	load, end := watchLoad()
	lines := &lineWriter{prefix: fmt.Sprintf("%-7s | ", s.name), to: out}
	defer lines.end()
	shell := newShell(ctx, filepath.Join(folder, s.name), lines)
	if busy != "" {
		shell.bePatient(busy)
	}
	o := outcome{stage: s.name}
	o.tests, o.err = s.run(shell)
	end()
	o.left = shell.endLeftovers()
	o.tail, o.duration, o.processor, o.load = shell.tail.lines(), time.Since(begin), shell.processor, *load
	return o
}
