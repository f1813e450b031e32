package thread

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
)

func mathFloat(bits uint64) float64 { return math.Float64frombits(bits) }

// small is a block that does next to nothing.
type small struct {
	In  block.In[float64]
	Out block.Out[float64]
}

func (s *small) Step(clock.Tick) error {
	v, _ := s.In.Read()
	s.Out.Write(v*0.5 + 1)
	return nil
}

// chain returns a core of n small blocks in a row on one thread, and the blocks.
func chain(n int) (*Core, []*small) {
	d := diagram.New("chain")
	d.Thread(diagram.Thread{Name: "t", Period: time.Millisecond})
	blocks := make([]*small, n)
	for i := range blocks {
		blocks[i] = &small{}
		d.Add(fmt.Sprint("b", i), blocks[i], diagram.Place{Thread: "t"})
		if i > 0 {
			diagram.Connect(d, &blocks[i-1].Out, &blocks[i].In)
		}
	}
	net, err := d.Build()
	if err != nil {
		panic(err)
	}
	return New(net, Options{}), blocks
}

// BenchmarkBlockInThread measures a block in a thread against the direct call of its Step: the difference of the two
// ns/block is what the net costs.
func BenchmarkBlockInThread(b *testing.B) {
	const n = 1000
	core, blocks := chain(n)
	b.Run("direct", func(b *testing.B) {
		i := 0
		for b.Loop() {
			for _, s := range blocks {
				_ = s.Step(clock.Tick{N: uint64(i), Time: clock.Time(i)})
			}
			i++
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/block")
	})
	b.Run("thread", func(b *testing.B) {
		i := 0
		for b.Loop() {
			core.threads[0].activate(clock.Time(i))
			i++
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/block")
	})
}
