package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/admin/nats"
	"github.com/sinew-robotics/sinew/net/diagram"
)

const (
	subscribers      = 50
	subscribersHertz = 60
)

// startSubscribers starts a process with clients of the measured system that each tap their own block. end waits for
// them, after the run, and returns an error if they did not get all requested samples.
func startSubscribers(net *diagram.Net) (end func() error, err error) {
	every := math.Round(1 / (subscribersHertz * net.Threads[0].Period.Seconds()))
	clients := child("subscribers", jitterSystem, strconv.Itoa(int(every)))
	var out strings.Builder
	clients.Stdout, clients.Stderr = &out, os.Stderr
	if err := clients.Start(); err != nil {
		return nil, err
	}
	return func() error {
		if err := clients.Wait(); err != nil {
			return fmt.Errorf("subscribers: %w", err)
		}
		got, err := strconv.Atoi(strings.TrimSpace(out.String()))
		if want := subscribers * subscribersHertz * int(jitterLength.Seconds()) / 2; err != nil || got < want {
			return fmt.Errorf("subscribers: %d samples, expected %d at the least", got, want)
		}
		return nil
	}, nil
}

// subscribe taps a running system until it ends and prints the number of received samples: SYSTEM EVERY.
func subscribe(arguments []string) error {
	every, err := strconv.Atoi(arguments[1])
	if err != nil {
		return err
	}
	var got atomic.Int64
	var done <-chan struct{}
	for i := range subscribers {
		client, err := nats.Dial(arguments[0])
		if err != nil {
			return err
		}
		defer client.Close()
		ref := fmt.Sprintf("small%d.out", i)
		if _, err := client.Tap(context.Background(), ref, every, func(admin.Sample) { got.Add(1) }); err != nil {
			return err
		}
		done = client.Done()
	}
	select {
	case <-done:
	case <-time.After(3 * jitterLength):
	}
	fmt.Println(got.Load())
	return nil
}
