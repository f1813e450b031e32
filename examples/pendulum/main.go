// Pendulum runs a block of its own in real time, with its threads in a process of their own, and has no command line:
//
//	go run ./examples/pendulum
package main

import (
	"context"
	"fmt"
	"log"
	"math"
	"time"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/run"
	"github.com/sinew-robotics/sinew/net/system"
)

// Pendulum is a pendulum of 1 m that is let go at 1 rad.
type Pendulum struct {
	Angle block.Out[float64] `unit:"rad" watch:"yes"`
	speed float64            // rad/s
}

// Step moves it on by one period.
func (p *Pendulum) Step(t clock.Tick) error {
	angle := p.Angle.Value()
	if t.N == 0 {
		angle = 1
	}
	p.speed -= 9.81 * math.Sin(angle) * t.Dt.Seconds()
	p.Angle.Write(angle + p.speed*t.Dt.Seconds())
	return nil
}

func main() {
	d := diagram.New("pendulum")
	d.Thread(diagram.Thread{Name: "physics", Period: time.Millisecond, Priority: 80})
	d.Add("pendulum", &Pendulum{}, diagram.Place{Thread: "physics"})
	net, err := d.Build()
	if err != nil {
		log.Fatal(err)
	}
	r, err := run.System(context.Background(), &system.System{Name: "pendulum", Net: net}, run.Options{Until: 2 * time.Second})
	if err != nil {
		log.Fatal(err)
	}
	if err := r.Wait(); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d steps, at most %.2f rad\n", r.Front.Stats()[0].Activations, r.Recorder.Signals()["pendulum.angle"].MaxAbs)
}
