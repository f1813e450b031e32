package spheres

import (
	"math"

	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/scene/spheres/internal/record"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// addObstacles makes the records of all obstacles, and the groups of those near each link.
func (b *block) addObstacles(e *Engine) {
	for i := range e.obstacles.solid {
		r, encloses := enclose(&e.obstacles.solid[i])
		b.obstacles, b.encloses = append(b.obstacles, r), append(b.encloses, encloses)
	}
	count := 0
	for i := range e.links {
		count += (len(e.links[i].near) + b.lanes - 1) / b.lanes
	}
	length := record.GroupRows * b.lanes
	b.groups = aligned(count * length)
	for i := range b.links {
		l, near := &b.links[i], e.links[i].near
		l.first = len(b.linkOf)
		for k := 0; k < len(near); k += b.lanes {
			group := b.groups[len(b.linkOf)*length:][:length]
			group[record.Numbers*b.lanes] = math.Float32frombits(uint32(b.balls[i].Rows + 4*record.Middle(b.lanes)))
			for lane := range b.lanes {
				o := int32(0)
				numbers := nowhere.Numbers()
				if k+lane < len(near) {
					o = near[k+lane]
					numbers = b.obstacles[o].Numbers()
				}
				for n, x := range numbers {
					group[n*b.lanes+lane] = x
				}
				b.near = append(b.near, o)
			}
			b.linkOf = append(b.linkOf, int32(i))
		}
		l.after = len(b.linkOf)
	}
}

// nowhere is an obstacle that nothing touches.
var nowhere = record.Obstacle{Origin: [3]float32{1e9, 1e9, 1e9}}

// everywhere is an obstacle that encloses everything.
var everywhere = record.Obstacle{Round: 1e9}

// clip is how far from the origin of the scene a record of an obstacle extends: nothing that is checked in a block comes near its cuts.
const clip = 4 * extent

// enclose returns the record of an obstacle, and whether the obstacle is smaller: of the shapes that are not boxes, rounded ones included, the record is
// the box around them.
func enclose(s *solid) (o record.Obstacle, encloses bool) {
	identity := spatial.IdentityPose()
	bounds := s.shape.Bounds(&identity)
	round := 0.0
	switch s.shape.Kind() {
	case geometry.Plane: // its bounds know no top
		bounds.Max.Z, round = s.round, s.round
	case geometry.Sphere, geometry.Capsule, geometry.Box:
		round = s.round
	default:
		encloses = true
	}
	if round > extent {
		return everywhere, true
	}
	turn := s.pose.R.T()
	at := turn.MulVec(s.pose.P)
	o.M, o.Round = flat(turn), float32(round)
	low := [3]float64{bounds.Min.X + at.X, bounds.Min.Y + at.Y, bounds.Min.Z + at.Z}
	high := [3]float64{bounds.Max.X + at.X, bounds.Max.Y + at.Y, bounds.Max.Z + at.Z}
	for i := range 3 {
		a, b := max(low[i]+round, -clip), min(high[i]-round, clip)
		if encloses {
			a, b = a-1e-4, b+1e-4
		}
		if a > b { // flat, or out of reach
			if middle := (low[i] + high[i]) / 2; math.Abs(middle) < clip {
				a, b = middle, middle
			} else {
				return nowhere, encloses
			}
		}
		o.Origin[i], o.Half[i] = float32((a+b)/2), float32((b-a)/2)
	}
	return o, encloses
}
