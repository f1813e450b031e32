package sim

import (
	"fmt"
	"math"
	"time"
)

// Step advances time by dt in equal substeps. It panics if dt is negative.
func (w *World) Step(dt time.Duration) {
	if dt < 0 {
		panic(fmt.Sprintf("sim: Step of a world by %v: expected at least 0", dt))
	}
	n := int((dt + w.substep - 1) / w.substep)
	h := dt.Seconds() / float64(n)
	for range n {
		w.lasted = h
		w.step(h)
	}
	w.place()
}

// step integrates over one substep of h seconds.
func (w *World) step(h float64) {
	for i := range w.robots {
		w.robots[i].begin(h)
	}
	for i := range w.movers {
		if m := &w.movers[i]; !m.pinned {
			m.drift(h / 2)
			m.free(h, w.gravity)
		}
	}
	w.place()
	w.meet(h)
	for i := range w.robots {
		s := w.robots[i].Simulator
		for k, v := range s.v { // what the next substep takes as its acceleration has no impacts
			s.midpoint.last[k] = s.midpoint.next[k] - v
		}
	}
	w.solve(h)
	for i := range w.robots {
		s := w.robots[i].Simulator
		s.end(h)
		for k, v := range s.v {
			s.midpoint.last[k] = v - s.midpoint.last[k]
		}
	}
	for i := range w.movers {
		if m := &w.movers[i]; !m.pinned {
			m.v, m.ω = m.nextV, m.nextΩ
			m.drift(h / 2)
		}
	}
}

// kick adds an impulse along direction k to the velocities of both parts.
func (w *World) kick(t *touch, k int, impulse float64) {
	for i := range t.side {
		x := impulse
		if i == 0 {
			x = -x
		}
		switch s := &t.side[i]; s.kind {
		case free:
			m := &w.movers[s.index]
			m.nextV = m.nextV.Add(t.dir[k].Scale(x / m.mass))
			m.nextΩ = m.nextΩ.Add(s.turning[k].Scale(x))
		case linked:
			next := w.robots[s.index].midpoint.next
			n := len(next)
			for c, y := range w.rows[s.at+(3+k)*n : s.at+(4+k)*n] {
				next[c] += y * x
			}
		}
	}
}

// speed returns the velocity of the second part against the first along direction k.
func (w *World) speed(t *touch, k int) (u float64) {
	for i := range t.side {
		var v float64
		switch s := &t.side[i]; s.kind {
		case free:
			m := &w.movers[s.index]
			v = m.nextV.Dot(t.dir[k]) + m.nextΩ.Dot(s.arm[k])
		case linked:
			next := w.robots[s.index].midpoint.next
			n := len(next)
			for c, y := range w.rows[s.at+k*n : s.at+(k+1)*n] {
				v += y * next[c]
			}
		}
		if i == 0 {
			v = -v
		}
		u += v
	}
	return u
}

// Constants of the iteration of a world.
const (
	worldSettled = 1e-9 // change of velocity at which it has settled, m/s and rad/s
	worldSweeps  = 200  // iterations at most
)

// solve finds all impulses together by projected Gauss–Seidel: each joint and each point of contact in turn gets the impulse that it
// needs for itself, and friction is cut to its cone.
func (w *World) solve(h float64) {
	for range worldSweeps {
		change := 0.0
		for i := range w.robots {
			change = max(change, w.robots[i].sweep(h))
		}
		for i := range w.touches {
			t := &w.touches[i]
			normal := max(0, t.impulse[0]+(t.target-w.speed(t, 0)-t.soft*t.impulse[0])/(t.normal+t.soft))
			d := normal - t.impulse[0]
			t.impulse[0] = normal
			w.kick(t, 0, d)
			change = max(change, math.Abs(d)*t.normal)

			x, y := t.impulse[1]-w.speed(t, 1)/t.across, t.impulse[2]-w.speed(t, 2)/t.across
			if size, most := math.Hypot(x, y), t.friction*normal; size > most {
				x, y = x*most/size, y*most/size
			}
			dx, dy := x-t.impulse[1], y-t.impulse[2]
			t.impulse[1], t.impulse[2] = x, y
			w.kick(t, 1, dx)
			w.kick(t, 2, dy)
			change = max(change, math.Hypot(dx, dy)*t.across)
		}
		if change < worldSettled {
			return
		}
	}
}
