package flow

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// Noise writes random numbers, each independent of the others: the same ones in each run with the same seed.
//
//	out = mean + deviation · r,   r of mean 0 and standard deviation 1
//
//	┌───────┐
//	│ Noise ├─► out
//	└───────┘
//
// The distribution of r is normal, or uniform on ±√3. Sampled every h seconds it has the power density 2 h deviation² up to the
// frequency 1/(2h): to keep the density at another period, change the deviation. The numbers are those of PCG (O'Neill 2014).
// Another distribution is an error.
type Noise struct {
	N            block.Const[int]     `default:"1" min:"1" max:"10000" doc:"number of elements"`
	Distribution block.Const[string]  `default:"normal" doc:"normal or uniform"`
	Seed         block.Const[int]     `default:"1" min:"0" doc:"start of the sequence"`
	Mean         block.Param[float64] `doc:"mean"`
	Deviation    block.Param[float64] `default:"1" min:"0" doc:"standard deviation"`
	Out          block.Out[[]float64] `doc:"the random vector"`

	random *rand.Rand
	next   func() float64
}

// Setup selects the distribution.
func (g *Noise) Setup(s *block.Setup) error {
	s.Len(g.N.Value(), &g.Out)
	switch g.Distribution.Value() {
	case "normal":
		g.next = func() float64 { return g.random.NormFloat64() }
	case "uniform":
		g.next = func() float64 { return math.Sqrt(3) * (2*g.random.Float64() - 1) }
	default:
		return fmt.Errorf("distribution is %q: wants normal or uniform", g.Distribution.Value())
	}
	return nil
}

// Start begins the sequence.
func (g *Noise) Start() error {
	g.random = rand.New(rand.NewPCG(uint64(g.Seed.Value()), 0))
	return nil
}

// Step writes the next numbers.
func (g *Noise) Step(clock.Tick) error {
	out := *g.Out.Slot()
	for i := range out {
		out[i] = g.Mean.Value() + g.Deviation.Value()*g.next()
	}
	g.Out.Commit()
	return nil
}
