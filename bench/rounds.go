package main

import (
	"fmt"
	"slices"
)

// rounds holds the results of several short measurements by name. Their median is reported, because the machine is
// not idle.
type rounds map[string][]float64

func (r rounds) add(t times) {
	for name, ns := range t {
		r[name] = append(r[name], ns)
	}
}

// median returns the median, 0 without measurements.
func (r rounds) median(name string) float64 {
	all := slices.Sorted(slices.Values(r[name]))
	if len(all) == 0 {
		return 0
	}
	return all[len(all)/2]
}

// worst returns the greatest value.
func (r rounds) worst(name string) float64 {
	if len(r[name]) == 0 {
		return 0
	}
	return slices.Max(r[name])
}

// sum returns the sum of all values.
func (r rounds) sum(name string) (total float64) {
	for _, n := range r[name] {
		total += n
	}
	return total
}

// quantiles returns the median, the 99th percentile and the greatest of nanoseconds, which it sorts.
func quantiles(all []int64) times {
	slices.Sort(all)
	return times{"p50": float64(all[len(all)/2]), "p99": float64(all[len(all)*99/100]), "max": float64(all[len(all)-1])}
}

// print prints the times in the format of [runTimes].
func (t times) print() {
	for name, ns := range t {
		fmt.Println(name, ns)
	}
}
