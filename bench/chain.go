package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/sinew-robotics/sinew/net/link/shm"
)

const chainRounds = 3

// ardnetChain measures the way that aRDnet publishes: from send to rec through the shared memory of a host, a bridge, the network, a bridge, and the
// shared memory of the other host, one way, with nothing beside it. All processes run on this machine.
func ardnetChain(length time.Duration) error {
	dir, err := os.MkdirTemp("", "sinew-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := buildProgram(filepath.Join(dir, "sinew"), "./cmd/sinew"); err != nil {
		return err
	}
	one := rounds{}
	for range chainRounds {
		b, err := startBridges(dir, length/chainRounds, traffic{1, linkBytes, time.Millisecond})
		if err != nil {
			return err
		}
		t, err := b.end()
		if err != nil {
			return err
		}
		one.add(t)
	}
	fmt.Println("| 1 kB at 1 kHz from program to program through two bridges, one way | packets | overtaken or lost | median | 99 % | worst |")
	fmt.Println("|---|---|---|---|---|---|")
	fmt.Printf("| shared memory, bridge, UDP, bridge, shared memory | %.0f | %.0f | %s | %s | %s |\n", one.sum("packets"), one.sum("lost"),
		nanos(one.median("p50")), nanos(one.median("p99")), nanos(one.worst("max")))
	return nil
}

// large measures 10 kB at 10 kHz from process to process through shared memory, one way.
func large(length time.Duration) error {
	const bytes = 10_000
	one := rounds{}
	for round := range chainRounds {
		t, err := direct(fmt.Sprintf("bench-large-%d-%d", os.Getpid(), round), length/chainRounds, traffic{1, bytes, 100 * time.Microsecond})
		if err != nil {
			return err
		}
		one.add(t)
	}
	fmt.Println("| 10 kB at 10 kHz from process to process, one way | packets | overtaken | median | 99 % | worst |")
	fmt.Println("|---|---|---|---|---|---|")
	fmt.Printf("| shared memory | %.0f | %.0f | %s | %s | %s |\n", one.sum("packets"), one.sum("lost"),
		nanos(one.median("p50")), nanos(one.median("p99")), nanos(one.worst("max")))
	return nil
}

// direct runs a source and a sink in one shared memory.
func direct(system string, length time.Duration, traffic traffic) (t times, err error) {
	defer func() { _ = shm.Clean(system) }()
	from := child(append([]string{"source", system}, traffic.arguments()...)...)
	var text strings.Builder
	from.Stderr = &text
	if err := from.Start(); err != nil {
		return nil, err
	}
	defer func() {
		_ = from.Process.Signal(os.Interrupt)
		if ended := from.Wait(); ended != nil {
			err = errors.Join(err, fmt.Errorf("source: %w: %s", ended, text.String()))
		}
	}()
	return runTimes(child(append([]string{"sink", system, length.String()}, traffic.arguments()...)...))
}
