package main

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"

	"github.com/sinew-robotics/sinew/robot/planning/neighbor"
	"github.com/sinew-robotics/sinew/robot/planning/space"
)

const (
	neighborRounds  = 5 // peers and sinew alternate this many times
	neighborBatches = 5 // batches of a round; the best one counts
	neighborQueries = 2000
)

// besideKD compares the k-d tree with that of VAMP, on random points of a unit cube of seven dimensions.
func besideKD(vamp *peer) error {
	return besideIndex(vamp, "the nearest of %d points of seven values, k-d tree", func(s space.Space, n int) (neighbor.Index, error) { return neighbor.NewKD(s, n) })
}

// besideGNAT compares the GNAT with that of OMPL on the same points.
func besideGNAT(ompl *peer) error {
	fmt.Println("| | OMPL | sinew | of OMPL |")
	fmt.Println("|---|---|---|---|")
	return besideIndex(ompl, "the nearest of %d points of seven values, GNAT", func(s space.Space, n int) (neighbor.Index, error) { return neighbor.NewGNAT(s, n) })
}

func besideIndex(p *peer, title string, make func(space.Space, int) (neighbor.Index, error)) error {
	var axes [7]space.Axis
	for i := range axes {
		axes[i].Upper = 1
	}
	cube, err := space.NewAxes(axes[:]...)
	if err != nil {
		return err
	}
	for _, n := range []int{10_000, 100_000} {
		index, err := make(cube, n)
		if err != nil {
			return err
		}
		random := rand.New(rand.NewPCG(1, 0))
		points := randomPoints(random, n)
		for i := range n {
			index.Add(points[7*i : 7*i+7])
		}
		queries := randomPoints(random, neighborQueries)
		ours, theirs := times{}, times{}
		for range neighborRounds {
			t, err := p.run("near", strconv.Itoa(n), strconv.Itoa(neighborBatches))
			if err != nil {
				return err
			}
			theirs.keep(t)
			least, _ := best(neighborBatches, func() (time.Duration, error) {
				begin := time.Now()
				for i := range neighborQueries {
					index.Nearest(queries[7*i : 7*i+7])
				}
				return time.Since(begin), nil
			})
			ours.keep(times{"near": float64(least.Nanoseconds()) / neighborQueries})
		}
		fmt.Printf("| "+title+" | %s | %s | %s |\n", n, nanos(theirs["near"]), nanos(ours["near"]), ratio(ours["near"], theirs["near"]))
	}
	return nil
}

// randomPoints returns n points of the unit cube.
func randomPoints(random *rand.Rand, n int) []float64 {
	points := make([]float64, 7*n)
	for i := range points {
		points[i] = random.Float64()
	}
	return points
}
