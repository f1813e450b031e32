package main

import (
	"fmt"
	"slices"
)

// rounds are the results of several short measurements by name. What is told is their median: the machine is not quiet.
type rounds map[string][]float64

func (r rounds) add(t times) {
	for name, ns := range t {
		r[name] = append(r[name], ns)
	}
}

// median returns 0 where nothing was measured.
func (r rounds) median(name string) float64 {
	all := slices.Sorted(slices.Values(r[name]))
	if len(all) == 0 {
		return 0
	}
	return all[len(all)/2]
}

// worst returns the greatest.
func (r rounds) worst(name string) float64 {
	if len(r[name]) == 0 {
		return 0
	}
	return slices.Max(r[name])
}

// sum returns all together.
func (r rounds) sum(name string) (total float64) {
	for _, n := range r[name] {
		total += n
	}
	return total
}

// quantiles returns the median and the 99 % of nanoseconds, which it sorts.
func quantiles(all []int64) times {
	slices.Sort(all)
	return times{"p50": float64(all[len(all)/2]), "p99": float64(all[len(all)*99/100])}
}

// print writes the times as [runTimes] reads them.
func (t times) print() {
	for name, ns := range t {
		fmt.Println(name, ns)
	}
}
