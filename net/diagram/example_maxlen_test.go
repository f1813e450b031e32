package diagram_test

import (
	"context"
	"fmt"
	"time"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/thread"
)

// Scanner writes the ranges that hit something.
type Scanner struct {
	Hits block.Out[[]float64] `unit:"m" safe:"[]"`
}

func (s *Scanner) Setup(u *block.Setup) error {
	u.MaxLen(1080, &s.Hits)
	return nil
}

func (s *Scanner) Step(t clock.Tick) error {
	hits := s.Hits.Slot()
	*hits = (*hits)[:0]
	for i := range t.N {
		*hits = append(*hits, float64(i)/2)
	}
	s.Hits.Commit()
	return nil
}

// Mapper takes as many as its link brings.
type Mapper struct{ Hits block.In[[]float64] }

func (m *Mapper) Setup(u *block.Setup) error {
	u.MaxLen(0, &m.Hits)
	return nil
}

func (m *Mapper) Step(clock.Tick) error {
	hits, _ := m.Hits.Read()
	fmt.Println(hits)
	return nil
}

// A port whose values have lengths of their own.
func Example_maxLen() {
	d := diagram.New("map")
	d.Thread(diagram.Thread{Name: "main", Period: time.Millisecond})
	var s Scanner
	var m Mapper
	d.Add("scanner", &s, diagram.Place{Thread: "main"})
	d.Add("mapper", &m, diagram.Place{Thread: "main"})
	diagram.Connect(d, &s.Hits, &m.Hits)
	net, err := d.Build()
	if err != nil {
		panic(err)
	}
	if err := thread.New(net, thread.Options{Until: clock.At(3 * time.Millisecond)}).RunVirtual(context.Background()); err != nil {
		panic(err)
	}
	fmt.Println("at most", m.Hits.Len())
	// Output:
	// []
	// [0]
	// [0 0.5]
	// [0 0.5 1]
	// at most 1080
}
