package main

import (
	"context"
	"fmt"
	"time"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/thread"
)

// small is a block that does almost nothing.
type small struct {
	In  block.In[float64]
	Out block.Out[float64]
}

func (s *small) Step(clock.Tick) error {
	v, _ := s.In.Read()
	s.Out.Write(v*0.5 + 1)
	return nil
}

// chain returns a net of n small blocks in a row on one thread.
func chain(n int) (*diagram.Net, []*small, error) {
	d := diagram.New("chain")
	d.Thread(diagram.Thread{Name: "t", Period: time.Millisecond})
	list := make([]*small, n)
	for i := range list {
		list[i] = &small{}
		d.Add(fmt.Sprint("b", i), list[i], diagram.Place{Thread: "t"})
		if i > 0 {
			diagram.Connect(d, &list[i-1].Out, &list[i].In)
		}
	}
	net, err := d.Build()
	return net, list, err
}

// blocks compares blocks in a thread with calls of their Step functions in a loop.
func blocks() error {
	const n, rounds = 1000, 2000
	thread, err := best(5, func() (time.Duration, error) { return inThread(n, rounds) })
	if err != nil {
		return err
	}
	_, list, err := chain(n)
	if err != nil {
		return err
	}
	direct, err := best(5, func() (time.Duration, error) {
		begin := time.Now()
		for i := range rounds {
			for _, s := range list {
				if err := s.Step(clock.Tick{N: uint64(i)}); err != nil {
					return 0, err
				}
			}
		}
		return time.Since(begin), nil
	})
	if err != nil {
		return err
	}
	const activations = 1_000_000
	single, err := best(3, func() (time.Duration, error) { return inThread(1, activations) })
	if err != nil {
		return err
	}
	each := func(d time.Duration) float64 { return float64(d.Nanoseconds()) / (n * rounds) }
	fmt.Println("| 1,000 small blocks | ratio | ns a block |")
	fmt.Println("|---|---|---|")
	fmt.Printf("| their functions called in a loop | 1 | %.1f |\n", each(direct))
	fmt.Printf("| in a thread | %.1f | %.1f |\n", each(thread)/each(direct), each(thread))
	fmt.Printf("| the thread's own part (target: at most 20 ns) | | %.1f |\n", each(thread)-each(direct))
	fmt.Printf("| an activation of one block alone, with its clock and statistics | | %.0f |\n", float64(single.Nanoseconds())/activations)
	return nil
}

func inThread(n, rounds int) (time.Duration, error) {
	net, _, err := chain(n)
	if err != nil {
		return 0, err
	}
	core := thread.New(net, thread.Options{Until: clock.At(time.Duration(rounds-1) * time.Millisecond)})
	begin := time.Now()
	err = core.RunVirtual(context.Background())
	return time.Since(begin), err
}
