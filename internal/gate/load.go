package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// load is how busy the machine was. It is empty where there is no /proc.
type load struct {
	average float64  // of the last minute
	busiest []string // commands with their share of a processor
}

const (
	samplePeriod = 5 * time.Second
	busiestCount = 5
	tickRate     = 100.0 // of the processor times in /proc, in Hz
)

// watchLoad samples the machine until end is called, which waits for the last sample. Then the load is the highest one.
func watchLoad() (highest *load, end func()) {
	highest = &load{}
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		ticker := time.NewTicker(samplePeriod)
		defer ticker.Stop()
		before := processorTimes()
		for {
			select {
			case <-stop:
				return
			case <-ticker.C:
				now := processorTimes()
				if average := loadAverage(); average > highest.average {
					*highest = load{average, busiest(before, now)}
				}
				before = now
			}
		}
	}()
	return highest, func() { close(stop); <-done }
}

// busy describes a machine with more to do than it has processors for; "" for another.
func busy(average float64, processors int) string {
	if average <= float64(processors) {
		return ""
	}
	return fmt.Sprintf("the load average was %.1f on %d processors when the gate began", average, processors)
}

func loadAverage() float64 {
	text, _ := os.ReadFile("/proc/loadavg")
	first, _, _ := strings.Cut(string(text), " ")
	average, _ := strconv.ParseFloat(first, 64)
	return average
}

// processorTimes returns the processor time of each process, in ticks, by its folder in /proc.
func processorTimes() map[string]float64 {
	times := map[string]float64{}
	folders, _ := filepath.Glob("/proc/[0-9]*")
	for _, folder := range folders {
		text, _ := os.ReadFile(folder + "/stat")
		_, rest, _ := strings.Cut(string(text), ") ")
		fields := strings.Fields(rest)
		if len(fields) < 13 {
			continue // it has ended
		}
		user, _ := strconv.ParseFloat(fields[11], 64)
		system, _ := strconv.ParseFloat(fields[12], 64)
		times[folder] = user + system
	}
	return times
}

// busiest names the processes that took most processor time between two samples.
func busiest(before, now map[string]float64) []string {
	share := func(folder string) float64 {
		return (now[folder] - before[folder]) / (tickRate * samplePeriod.Seconds())
	}
	folders := slices.SortedFunc(maps.Keys(now), func(a, b string) int { return int(1e6 * (share(b) - share(a))) })
	var names []string
	for _, folder := range folders[:min(busiestCount, len(folders))] {
		command, _ := os.ReadFile(folder + "/cmdline")
		names = append(names, fmt.Sprintf("%3.0f %% %s", 100*share(folder), strings.ReplaceAll(strings.TrimRight(string(command), "\x00"), "\x00", " ")))
	}
	return names
}
