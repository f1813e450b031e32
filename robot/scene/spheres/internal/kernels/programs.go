package main

import (
	"math"
	"unsafe"

	"github.com/sinew-robotics/sinew/internal/tape"
	"github.com/sinew-robotics/sinew/robot/scene/spheres/internal/record"
)

type value = tape.Value

// words returns the length or an offset of a record in words.
func words(bytes uintptr) int { return int(bytes / 4) }

// spreadLanes computes the parameters of the configurations of a block.
func spreadLanes() *tape.Tape {
	t := tape.New()
	var s record.Spread
	r := t.Record(words(unsafe.Offsetof(s.To)), true)
	lane := t.Input("lane", 1)[0]
	t.StoreRows("at", words(unsafe.Offsetof(s.To)), t.Mul(t.Min(t.Add(t.Mul(lane, r[1]), r[0]), r[2]), r[3]))
	return t
}

// moveJoints computes the frames of bodies from those of their parents.
func moveJoints() *tape.Tape {
	t := tape.New()
	var j record.Joint
	r := t.Record(words(unsafe.Offsetof(j.Parent)), true)
	at := t.Input("at", 1)[0]
	parent := t.Rows("parent", record.Frame, words(unsafe.Offsetof(j.Parent)))
	origin, advance, ca, sa := r[:3], r[3:6], r[6], r[7]
	sin, cos := sincos(t, t.Add(t.Mul(r[9], at), r[8]))
	var frame [record.Frame]value
	for i := range 3 {
		x, y, z, p := parent[i], parent[3+i], parent[6+i], parent[9+i]
		for k, axis := range []value{x, y, z} {
			p = t.Add(t.Mul(axis, t.Add(t.Mul(advance[k], at), origin[k])), p)
		}
		y, z = t.Add(t.Mul(sa, z), t.Mul(ca, y)), t.Sub(t.Mul(ca, z), t.Mul(sa, y))
		frame[i], frame[3+i], frame[6+i], frame[9+i] = t.Add(t.Mul(sin, y), t.Mul(cos, x)), t.Sub(t.Mul(cos, y), t.Mul(sin, x)), z, p
	}
	t.StoreRows("frame", words(unsafe.Offsetof(j.Frame)), frame[:]...)
	return t
}

// sincos returns sine and cosine of an angle, right within 2e-7 where it is below 10 rad: x is reduced by multiples of π in two parts, whose parity
// is the sign of both (Cody and Waite 1980), and both series are evaluated on ±π/2.
func sincos(t *tape.Tape, x value) (sin, cos value) {
	half := float64(float32(math.Pi)) - math.Pi // the rest of π
	k := t.Round(t.Mul(x, t.Const(1/math.Pi)))
	r := t.Sub(x, t.Mul(k, t.Const(float64(float32(math.Pi)))))
	r = t.Add(t.Mul(k, t.Const(half)), r)
	pairs := t.Mul(k, t.Const(0.5))
	odd := t.Sub(pairs, t.Round(pairs)) // 0 or ±1/2
	sign := t.Sub(t.Const(1), t.Mul(t.Mul(odd, odd), t.Const(8)))
	z := t.Mul(r, r)
	sin = t.Mul(t.Mul(series(t, z, 1, 3, 5, 7, 9, 11), r), sign)
	cos = t.Mul(series(t, z, 0, 2, 4, 6, 8, 10, 12), sign)
	return sin, cos
}

// series returns the alternating series of inverse factorials in z.
func series(t *tape.Tape, z value, factorials ...int) value {
	var sum value
	for i := len(factorials) - 1; i >= 0; i-- {
		c := 1 / math.Gamma(float64(factorials[i]+1))
		if i%2 == 1 {
			c = -c
		}
		if i == len(factorials)-1 {
			sum = t.Const(c)
		} else {
			sum = t.Add(t.Mul(sum, z), t.Const(c))
		}
	}
	return sum
}

// placePoints computes where points of bodies are.
func placePoints() *tape.Tape {
	t := tape.New()
	var p record.Point
	c := t.Record(words(unsafe.Offsetof(p.Frame)), true)
	frame := t.Rows("frame", record.Frame, words(unsafe.Offsetof(p.Frame)))
	var to []value
	for i := range 3 {
		x := frame[9+i]
		for k := range 3 {
			x = t.Add(t.Mul(frame[3*k+i], c[k]), x)
		}
		to = append(to, x)
	}
	t.StoreRows("to", words(unsafe.Offsetof(p.To)), to...)
	return t
}

// coverBalls computes the radii of balls that cover others in all configurations.
func coverBalls(lanes int) *tape.Tape {
	t := tape.New()
	var c record.Cover
	radius := t.Record(1, true)[0]
	ball := t.Rows("ball", 3, words(unsafe.Offsetof(c.Rows)))
	middle := center(t.Shared("middle", 2*lanes+1), lanes)
	t.Rows("middle", 2*lanes+1, words(unsafe.Offsetof(c.Middle)))
	far := t.Widest(distance2(t, [3]value(ball), middle))
	t.StoreRows("cover", words(unsafe.Offsetof(c.To)), t.Add(t.Sqrt(far), radius))
	return t
}

// center returns the numbers of one configuration in three rows.
func center(rows []value, lanes int) [3]value { return [3]value{rows[0], rows[lanes], rows[2*lanes]} }

// cullObstacles ends at a group of obstacles that a link touches, one ball for all.
func cullObstacles(lanes int) *tape.Tape {
	t := tape.New()
	obstacle := t.Record(record.Numbers, false)
	ball := t.Shared("ball", 3*lanes+1) // x, y, z and radius in four rows
	t.Rows("ball", 3*lanes+1, record.Numbers*lanes)
	touch(t, obstacle, center(ball, lanes), ball[3*lanes])
	return t
}

// touchObstacle ends at a ball that touches one obstacle.
func touchObstacle() *tape.Tape {
	t := tape.New()
	var b record.Ball
	radius := t.Record(1, true)[0]
	center := t.Rows("center", 3, words(unsafe.Offsetof(b.Rows)))
	touch(t, t.Shared("obstacle", words(unsafe.Sizeof(record.Obstacle{}))), [3]value(center), radius)
	return t
}

// touch ends the loop where a ball touches an obstacle.
func touch(t *tape.Tape, obstacle []value, center [3]value, radius value) {
	var apart [3]value
	for i := range 3 {
		x := t.Neg(obstacle[9+i])
		for k := range 3 {
			x = t.Add(t.Mul(obstacle[3*i+k], center[k]), x)
		}
		apart[i] = t.Max(t.Sub(t.Abs(x), obstacle[12+i]), t.Const(0))
	}
	reach := t.Add(obstacle[15], radius)
	t.Until(dot(t, apart, apart), t.Mul(reach, reach))
}

// touchBall ends at a ball that touches one ball.
func touchBall() *tape.Tape {
	t := tape.New()
	var b record.Ball
	radius := t.Record(1, true)[0]
	center := t.Rows("center", 3, words(unsafe.Offsetof(b.Rows)))
	other := t.Input("other", 3)
	reach := t.Add(radius, t.Shared("radius", 1)[0])
	t.Until(distance2(t, [3]value(center), [3]value(other)), t.Mul(reach, reach))
	return t
}

// touchPairs ends at a pair of balls that touch.
func touchPairs() *tape.Tape {
	t := tape.New()
	var p record.Pair
	reach := t.Record(1, true)[0]
	a, b := t.Rows("a", 3, words(unsafe.Offsetof(p.A))), t.Rows("b", 3, words(unsafe.Offsetof(p.B)))
	t.Until(distance2(t, [3]value(a), [3]value(b)), t.Mul(reach, reach))
	return t
}

func distance2(t *tape.Tape, a, b [3]value) value {
	d := [3]value{t.Sub(a[0], b[0]), t.Sub(a[1], b[1]), t.Sub(a[2], b[2])}
	return dot(t, d, d)
}

func dot(t *tape.Tape, a, b [3]value) value {
	return t.Add(t.Mul(a[2], b[2]), t.Add(t.Mul(a[1], b[1]), t.Mul(a[0], b[0])))
}
