package flow_test

import (
	"context"
	"fmt"
	"time"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/thread"
	"github.com/sinew-robotics/sinew/parts/flow"
)

// A first-order lag made of three blocks: x[k] = 0.9 x[k-1] + 0.1. The delay opens the loop.
func Example() {
	var (
		one  = flow.Constant{Value: block.NewParam([]float64{0.1})}
		lag  = flow.Gain{Gain: block.NewParam([]float64{0.9})}
		sum  flow.Sum
		past flow.Delay
	)
	d := diagram.New("lag")
	d.Thread(diagram.Thread{Name: "main", Period: 10 * time.Millisecond})
	d.Add("one", &one, diagram.Place{Thread: "main"})
	d.Add("past", &past, diagram.Place{Thread: "main"})
	d.Add("lag", &lag, diagram.Place{Thread: "main"})
	d.Add("sum", &sum, diagram.Place{Thread: "main"})
	diagram.Connect(d, &past.Out, &lag.In)
	diagram.Connect(d, &one.Out, &sum.In[0])
	diagram.Connect(d, &lag.Out, &sum.In[1])
	diagram.Connect(d, &sum.Out, &past.In)
	net, err := d.Build()
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := thread.New(net, thread.Options{Until: clock.At(time.Second)}).RunVirtual(context.Background()); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("after 1 s: %.4f\n", sum.Out.Value()[0])
	// Output: after 1 s: 1.0000
}
