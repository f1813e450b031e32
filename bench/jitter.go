package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	jitterRounds = 5
	jitterLength = 4 * time.Second // of each round
	jitterMicros = 5000
)

// jitter compares how late a thread starts with the results of cyclictest on the same machine: with the threads in a
// separate process, as sinew runs them, and in one process with their front; idle, and while the front produces
// garbage. For cyclictest an unrelated process produces the garbage. All alternate.
func jitter() error {
	fmt.Println("| lateness of the start | | median | 99 % | 99.9 % | worst | 99.9 % of cyclictest's | 99 % of the quiet one's |")
	fmt.Println("|---|---|---|---|---|---|---|---|")
	for _, period := range []time.Duration{time.Millisecond, 100 * time.Microsecond} {
		results := map[string]rounds{}
		for range jitterRounds {
			for _, a := range arrangements {
				for _, load := range loads {
					t, err := a.measure(period, jitterLength, load)
					if errors.Is(err, errNoPeer) {
						continue
					}
					if err != nil {
						return fmt.Errorf("%s, %s: %w", a.name, load, err)
					}
					key := a.name + load
					if results[key] == nil {
						results[key] = rounds{}
					}
					results[key].add(t)
				}
			}
		}
		for _, a := range arrangements {
			for _, load := range loads {
				r, cyclic, quiet := results[a.name+load], results[arrangements[0].name+load], results[a.name+loadNone]
				if r == nil {
					continue
				}
				if cyclic == nil {
					cyclic = results[arrangements[0].name+loadNone]
				}
				fmt.Printf("| %s, every %v | %s | %s | %s | %s | %s | %s | %s |\n", a.name, period, load,
					nanos(r.median("p50")), nanos(r.median("p99")), nanos(r.median("p99.9")), nanos(r.worst("max")),
					ratio(r.median("p99.9"), cyclic.median("p99.9")), ratio(r.median("p99"), quiet.median("p99")))
			}
		}
	}
	return nil
}

// Loads of the front beside the threads.
const (
	loadNone        = "quiet"
	loadGarbage     = "500 MB/s of garbage"
	loadSubscribers = "50 subscribers at 60 Hz"
)

var loads = []string{loadNone, loadGarbage, loadSubscribers}

// arrangements are the distributions over processes in which threads are measured; the first is the reference.
var arrangements = []struct {
	name    string
	measure func(period, length time.Duration, load string) (times, error)
}{
	{"cyclictest", cyclictest},
	{"core and front", func(period, length time.Duration, load string) (times, error) {
		return runTimes(child("front", period.String(), length.String(), load))
	}},
	{"one process", func(period, length time.Duration, load string) (times, error) {
		return runTimes(child("whole", period.String(), length.String(), load))
	}},
}

// cyclictest returns quantiles of the latencies that cyclictest measures.
func cyclictest(period, length time.Duration, load string) (times, error) {
	if _, err := exec.LookPath("cyclictest"); err != nil {
		fmt.Fprintf(os.Stderr, "cyclictest: %v: %v\n", errNoPeer, err)
		return nil, errNoPeer
	}
	if load == loadSubscribers {
		return nil, errNoPeer // it has no front
	}
	if load == loadGarbage {
		garbage := child("garbage")
		if err := garbage.Start(); err != nil {
			return nil, err
		}
		defer garbage.Wait()
		defer garbage.Process.Kill()
	}
	out, err := exec.Command("cyclictest", "-q", "-m", "-t1", "-p80", "-i"+strconv.FormatInt(period.Microseconds(), 10),
		"-D"+strconv.Itoa(int(length.Seconds())), "-h"+strconv.Itoa(jitterMicros)).Output()
	if err != nil {
		return nil, fmt.Errorf("cyclictest: %w", err)
	}
	return histogramTimes(string(out))
}

var greatest = regexp.MustCompile(`Max Latencies: *(\d+)`)

// histogramTimes parses cyclictest's histogram: a line "µs count" for each latency. Overflows count as the greatest
// latency.
func histogramTimes(text string) (times, error) {
	m := greatest.FindStringSubmatch(text)
	if m == nil {
		return nil, fmt.Errorf("cyclictest printed no greatest latency:\n%s", text)
	}
	most, _ := strconv.Atoi(m[1])
	counts, total := map[int]int{}, 0
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if strings.HasPrefix(line, "# Histogram Overflows:") {
			n, _ := strconv.Atoi(words[len(words)-1])
			counts[most] += n
			total += n
		}
		if len(words) != 2 {
			continue
		}
		micros, err1 := strconv.Atoi(words[0])
		n, err2 := strconv.Atoi(words[1])
		if err1 == nil && err2 == nil && n > 0 {
			counts[micros] += n
			total += n
		}
	}
	t := times{"max": float64(most) * 1e3, "steps": float64(total)}
	for name, q := range map[string]float64{"p50": 0.5, "p99": 0.99, "p99.9": 0.999} {
		sum := 0
		for _, micros := range slices.Sorted(maps.Keys(counts)) {
			if sum += counts[micros]; float64(sum) >= q*float64(total) {
				t[name] = float64(micros) * 1e3
				break
			}
		}
	}
	return t, nil
}
