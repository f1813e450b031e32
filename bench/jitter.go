package main

import (
	"context"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"time"

	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/thread"
)

// jitter compares how late a thread starts with what cyclictest finds on the same machine, one after the other.
func jitter() error {
	const duration = 5
	fmt.Println("| lateness of the start | median | 99 % | worst | cyclictest: mean | worst |")
	fmt.Println("|---|---|---|---|---|---|")
	for _, period := range []time.Duration{time.Millisecond, 100 * time.Microsecond} {
		d := diagram.New("jitter")
		d.Thread(diagram.Thread{Name: "t", Period: period, Priority: 80})
		d.Add("small", &small{}, diagram.Place{Thread: "t"})
		net, err := d.Build()
		if err != nil {
			return err
		}
		core := thread.New(net, thread.Options{Until: clock.At(duration * time.Second)})
		if err := core.Run(context.Background(), func(notices []string) {
			for _, n := range notices {
				fmt.Println("notice:", n)
			}
		}); err != nil {
			return err
		}
		late := core.Front().Stats()[0].Jitter
		mean, worst := cyclictest(period, duration)
		fmt.Printf("| every %v | %s | %s | %s | %s | %s |\n", period, micro(late.Quantile(0.5)), micro(late.Quantile(0.99)), micro(late.Max()), mean, worst)
	}
	return nil
}

func micro(d time.Duration) string { return fmt.Sprintf("%.0f µs", float64(d.Nanoseconds())/1e3) }

var latencies = regexp.MustCompile(`Avg: *(\d+) Max: *(\d+)`)

// cyclictest returns the mean and the greatest latency that it finds.
func cyclictest(period time.Duration, seconds int) (mean, worst string) {
	out, err := exec.Command("cyclictest", "-q", "-m", "-t1", "-p80",
		"-i"+strconv.FormatInt(period.Microseconds(), 10), "-D"+strconv.Itoa(seconds)).CombinedOutput()
	m := latencies.FindSubmatch(out)
	if err != nil || m == nil {
		return "not run", "not run"
	}
	return string(m[1]) + " µs", string(m[2]) + " µs"
}
