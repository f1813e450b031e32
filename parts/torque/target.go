package torque

import (
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// target is where the joints are meant to go: what is desired from outside, and a lead that takes up the way to it at a beginning,
// so that nothing jumps but where the desired positions themselves jump.
type target struct {
	position []float64
	velocity []float64

	desired   []float64 // the last finite ones
	lead      []float64
	began     bool
	following bool // desired has come
}

// interruption is the time without a step after which a controller starts again, s.
const interruption = 0.1

func newTarget(n int) target {
	v := func() []float64 { return make([]float64, n) }
	return target{position: v(), velocity: v(), desired: v(), lead: v()}
}

// restart forgets the motion before.
func (g *target) restart() { g.began, g.following = false, false }

// step takes the desired positions and velocities over: the joints are at q, and go to the offsets with the given speed (rad/s).
func (g *target) step(t clock.Tick, q []float64, desired, velocity *block.In[[]float64], offset []float64, speed float64) {
	g.follow(q, desired, t.Seconds())
	rate, _ := velocity.Read()
	way := speed * t.Seconds()
	for i := range g.position {
		to := 0.0
		if offset != nil {
			to = offset[i]
		}
		move := min(max(to-g.lead[i], -way), way)
		g.lead[i] += move
		g.position[i] = g.desired[i] + g.lead[i]
		g.velocity[i] = finite(rate[i])
		if way > 0 {
			g.velocity[i] += move / t.Seconds()
		}
	}
}

// follow takes the desired positions, and makes up for the way to them at a beginning.
func (g *target) follow(q []float64, desired *block.In[[]float64], dt float64) {
	want, status := desired.Read()
	begins := !g.began || dt > interruption || !g.following && status != block.NoData
	if !g.began {
		copy(g.desired, q)
	}
	g.began, g.following = true, status != block.NoData
	if g.following {
		for i, x := range want {
			if x-x == 0 {
				g.desired[i] = x
			}
		}
	}
	if begins {
		for i := range g.lead {
			g.lead[i] = q[i] - g.desired[i]
		}
	}
}

// finite returns x, or 0 where it is no finite number.
func finite(x float64) float64 {
	if x-x != 0 {
		return 0
	}
	return x
}
