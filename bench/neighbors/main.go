// Command neighbors measures at how many dimensions the trees of robot/planning/neighbor stop to pay, and prints the table of docs/performance.md:
//
//	go run ./bench/neighbors
//	GODEBUG=cpu.avx2=off go run ./bench/neighbors    # the k-d tree in plain Go
package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"time"

	"github.com/sinew-robotics/sinew/robot/planning/neighbor"
	"github.com/sinew-robotics/sinew/robot/planning/space"
)

const (
	points  = 10_000
	queries = 40
	rounds  = 7 // the indices take turns; the best time of each query counts, so that other programs disturb little
	edge    = 1 // longest one of the tree, rad, as of the planners
)

// contender is a way to make an index.
type contender struct {
	name string
	make func(space.Space, int) (neighbor.Index, error)
}

func contenders() []contender {
	return []contender{
		{"linear", func(s space.Space, n int) (neighbor.Index, error) { return neighbor.NewLinear(s, n), nil }},
		{"k-d", func(s space.Space, n int) (neighbor.Index, error) { return neighbor.NewKD(s, n) }},
		{"GNAT", func(s space.Space, n int) (neighbor.Index, error) { return neighbor.NewGNAT(s, n) }},
		{"vp", func(s space.Space, n int) (neighbor.Index, error) { return neighbor.NewVP(s, n) }},
		{"default", func(s space.Space, n int) (neighbor.Index, error) { return neighbor.New(s, n), nil }},
	}
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "neighbors:", err)
		os.Exit(1)
	}
}

func run() error {
	header := "| dimensions, points |"
	rule := "|---|"
	for _, c := range contenders() {
		header += " " + c.name + " |"
		rule += "---|"
	}
	fmt.Println(header)
	fmt.Println(rule)
	for _, n := range []int{7, 14, 21, 28, 43} {
		s, err := joints(n)
		if err != nil {
			return err
		}
		for _, set := range []struct {
			name string
			make func(space.Space, *rand.Rand) ([][]float64, error)
		}{{"random", scattered}, {"of a tree", grown}} {
			if err := row(s, set.name, set.make); err != nil {
				return err
			}
		}
	}
	for _, n := range []int{0, 7, 14, 36} {
		s, err := body(n)
		if err != nil {
			return err
		}
		if err := row(s, "of a free body and its joints", scattered); err != nil {
			return err
		}
	}
	return nil
}

// joints returns the space of n joints that turn by up to half a turn each way.
func joints(n int) (*space.Axes, error) {
	axes := make([]space.Axis, n)
	for i := range axes {
		axes[i] = space.Axis{Lower: -math.Pi, Upper: math.Pi}
	}
	return space.NewAxes(axes...)
}

// body returns the space of a free body with n joints.
func body(n int) (space.Space, error) {
	pose, err := space.NewPoses("body", [3]float64{-3, -3, -3}, [3]float64{3, 3, 3}, 1)
	if err != nil || n == 0 {
		return pose, err
	}
	s, err := joints(n)
	if err != nil {
		return nil, err
	}
	return space.NewProduct(space.Factor{Space: pose, Weight: 1}, space.Factor{Space: s, Weight: 1})
}

// row measures all indices on one set of points.
func row(s space.Space, name string, set func(space.Space, *rand.Rand) ([][]float64, error)) error {
	random := rand.New(rand.NewPCG(1, 0))
	list, err := set(s, random)
	if err != nil {
		return err
	}
	asked := make([][]float64, queries)
	for i := range asked {
		asked[i] = sample(s, random)
	}
	all := contenders()
	indices, least := make([]neighbor.Index, len(all)), make([][queries]time.Duration, len(all))
	for i, c := range all {
		if indices[i], err = c.make(s, points); err != nil {
			indices[i] = nil // no index for this space
			continue
		}
		for _, p := range list {
			indices[i].Add(p)
		}
	}
	for round := range rounds {
		for i, index := range indices {
			for k, p := range asked {
				if index == nil {
					break
				}
				begin := time.Now()
				index.Nearest(p)
				if d := time.Since(begin); round == 0 || d < least[i][k] {
					least[i][k] = d
				}
			}
		}
	}
	fmt.Printf("| %d, %s |", s.Dim(), name)
	for i := range least {
		if indices[i] == nil {
			fmt.Print(" |")
			continue
		}
		sum := time.Duration(0)
		for _, d := range least[i] {
			sum += d
		}
		fmt.Printf(" %.1f µs |", float64(sum.Nanoseconds())/queries/1000)
	}
	fmt.Println()
	return nil
}

// sample returns a random point of the space.
func sample(s space.Space, random *rand.Rand) []float64 {
	p := make([]float64, s.Dim())
	for i := range p {
		p[i] = random.Float64()
	}
	s.Scale(p)
	return p
}

// scattered returns random points.
func scattered(s space.Space, random *rand.Rand) (list [][]float64, err error) {
	for range points {
		list = append(list, sample(s, random))
	}
	return list, nil
}

// grown returns the points of a tree that grows from the middle towards random points, as those of planners without obstacles.
func grown(s space.Space, random *rand.Rand) (list [][]float64, err error) {
	tree, err := neighbor.NewKD(s, points)
	if err != nil {
		return nil, err
	}
	list = append(list, make([]float64, s.Dim()))
	tree.Add(list[0])
	for len(list) < points {
		to, step := sample(s, random), make([]float64, s.Dim())
		near, distance := tree.Nearest(to)
		s.Interpolate(tree.At(near), to, min(1, edge/distance), step)
		tree.Add(step)
		list = append(list, step)
	}
	return list, nil
}
