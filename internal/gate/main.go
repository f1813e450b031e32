package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
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
	report := run(ctx, chosen, folder)
	_ = os.RemoveAll(folder)
	report.write(os.Stdout)
	if report.failed() {
		os.Exit(1)
	}
}

// choose returns the stages with the given names, all of them without names.
func choose(names []string) ([]stage, error) {
	if len(names) == 0 {
		return stages, nil
	}
	var chosen []stage
	for _, name := range names {
		known := make([]string, 0, len(stages))
		for _, s := range stages {
			known = append(known, s.name)
			if s.name == name {
				chosen = append(chosen, s)
			}
		}
		if len(chosen) == 0 || chosen[len(chosen)-1].name != name {
			return nil, fmt.Errorf("stage %q: not one of %s%s", name, strings.Join(known, ", "), nearest.Hint(name, known))
		}
	}
	return chosen, nil
}

// run executes stages until the context is done, and returns what happened. Files of the stages go to a folder.
func run(ctx context.Context, chosen []stage, folder string) report {
	var all report
	for _, s := range chosen {
		if ctx.Err() != nil {
			break
		}
		fmt.Printf("\n== %s\n", s.name)
		o := outcome{stage: s.name}
		begin := time.Now()
		load, end := watchLoad()
		shell := newShell(ctx, filepath.Join(folder, s.name))
		o.tests, o.err = s.run(shell)
		o.tail = shell.tail.lines()
		end()
		o.left = shell.endLeftovers()
		o.duration, o.load = time.Since(begin), *load
		all = append(all, o)
	}
	return all
}
