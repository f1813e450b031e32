package main

import (
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/sinew-robotics/sinew/bench/janus"
)

// janusCycle compares the control cycle of Janus through the net with the same law written by hand, and prints the
// numbers of the paper.
func janusCycle() error {
	fmt.Println("| control cycle of Janus, without input and output | ratio | by hand | through the net |")
	fmt.Println("|---|---|---|---|")
	for _, c := range []struct {
		name, path string
		files      fs.FS
	}{
		{"PID", "bench/janus/cycle.yaml", nil},
		{"PID and feedforward", "bench/janus/cycle-feedforward.yaml", os.DirFS("models/janus")},
	} {
		const cycles = 200_000
		net, err := best(5, func() (time.Duration, error) {
			_, d, err := janus.Run(c.path, cycles, janus.Bus{})
			return d, err
		})
		if err != nil {
			return err
		}
		hand, err := best(5, func() (time.Duration, error) {
			m, err := janus.NewMonolith(c.files, janus.Bus{})
			if err != nil {
				return 0, err
			}
			begin := time.Now()
			for range cycles {
				m.Step()
			}
			return time.Since(begin), nil
		})
		if err != nil {
			return err
		}
		byHand := float64(hand.Nanoseconds()) / cycles
		fmt.Printf("| %s | %.1f | %.0f ns | %.0f ns |\n", c.name, float64(net.Nanoseconds())/byHand, byHand, float64(net.Nanoseconds()))
	}
	// Santini and Lages (2011): 331 µs a joint in one program, 724 µs for both in components.
	fmt.Println("| the paper's, with its input and output on CAN | 1.1 | 662 µs | 724 µs |")
	return nil
}

// bus compares the control cycle of Janus through the net with the same law written by hand, both with their cards on a model of the CAN bus of the paper:
// 1 Mbit/s, and for each joint a request, an answer and a command.
func bus() error {
	const cycles = 2000
	can := janus.Bus{Rate: 1e6}
	net, err := best(5, func() (time.Duration, error) {
		_, d, err := janus.Run("bench/janus/cycle.yaml", cycles, can)
		return d, err
	})
	if err != nil {
		return err
	}
	hand, err := best(5, func() (time.Duration, error) {
		m, err := janus.NewMonolith(nil, can)
		if err != nil {
			return 0, err
		}
		begin := time.Now()
		for range cycles {
			m.Step()
		}
		return time.Since(begin) / cycles, nil
	})
	if err != nil {
		return err
	}
	fmt.Println("| control cycle of Janus over a model of the bus at 1 Mbit/s, a joint | ratio | by hand | through the net |")
	fmt.Println("|---|---|---|---|")
	fmt.Printf("| PID | %.4f | %.1f µs | %.1f µs |\n", float64(net)/float64(hand), hand.Seconds()/2*1e6, net.Seconds()/2*1e6)
	fmt.Println("| the paper's | 1.09 | 331 µs | 362 µs |")
	return nil
}
