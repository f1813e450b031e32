package spheres

import (
	"math"
	"math/bits"
	"unsafe"

	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/scene/spheres/internal/record"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// extent is how far (m) from the origin of the scene bodies may be in a block: there float32 is right within 1e-6 m.
const extent = 8

// block checks as many configurations on a line at once as its kernels have lanes: one row of its memory holds a number of each.
type block struct {
	*kernels
	rows   []float32 // the first one holds the parameters of the configurations, the second one numbers them
	spread record.Spread
	joints []record.Joint
	drives []drive
	shift  float64 // m, by which mimic joints are apart from those that they follow

	points  []record.Point // the balls of the links, then all spheres
	balls   []record.Ball  // of the links
	covers  []record.Cover
	spheres []record.Ball
	pairs   []record.Pair // of the balls
	pairOf  [][2]int32    // the links of the pairs
	links   []served

	obstacles []record.Obstacle // of the parts of resting bodies
	encloses  []bool            // the record is larger than the part
	groups    []float32         // record.GroupRows rows each, of obstacles near each link in turn
	near      []int32           // the obstacles of the groups, one in each lane
	linkOf    []int32           // the links of the groups

	last   int32  // link that hit an obstacle last
	count  uint64 // of the blocks checked
	placed []uint64
}

// served is what the kernels need to know of a link.
type served struct {
	joints       int   // the number of the first joints that include all that move it
	first, after int   // its groups
	begin, end   int32 // its spheres
}

// drive is what a coordinate does to a body.
type drive struct {
	q           int
	turn, slide float64 // rad and m a unit of q
	angle       float64 // at q = 0
	origin      spatial.Vec3
	axis        spatial.Vec3
}

// newBlock returns the memory of blocks for an engine, nil if the kernels do not serve its scene: for robots with ball or floating joints, and
// bodies farther than extent from the origin.
func newBlock(k *kernels, e *Engine) *block {
	b := &block{kernels: k, placed: make([]uint64, len(e.links))}
	size := 2 * b.row()
	take := func(rows int32) int32 {
		size += rows * b.row()
		return size - rows*b.row()
	}
	first := 0
	var frames []int32
	frame := make([][]int32, len(e.data)) // by model and body
	for m, d := range e.data {
		model := d.Model()
		bodies, coordinates := model.Tree()
		for i, s := range bodies {
			if s.Kind > multibody.Screwing {
				return nil
			}
			frame[m] = append(frame[m], take(record.Frame))
			if i > 0 {
				c := coordinates[s.Q]
				c.From += first
				b.addJoint(&s, c, frame[m][s.Parent], frame[m][i], take)
			}
		}
		frames = append(frames, frame[m][0])
		first += model.NQ()
	}
	if len(e.links) == 0 || !b.addLinks(e, frame, take) {
		return nil
	}
	b.addObstacles(e)
	b.rows = aligned(int(size) / 4)
	for lane := range b.lanes {
		b.rows[b.lanes+lane] = float32(lane)
	}
	for m, at := range frames {
		b.setBase(&e.Scene().Models()[m].Base, at)
	}
	return b
}

// addJoint appends a body that a coordinate moves.
func (b *block) addJoint(s *multibody.Body, c multibody.Coordinate, parent, frame int32, take func(int32) int32) {
	d := drive{q: c.From, angle: s.Gamma, origin: s.Origin, axis: s.Axis}
	if s.Kind != multibody.Sliding {
		d.turn = 1
	}
	switch s.Kind {
	case multibody.Sliding:
		d.slide = 1
	case multibody.Screwing:
		d.slide = s.Pitch
	}
	d.angle += d.turn * c.Offset
	offset := d.slide * c.Offset
	d.turn, d.slide = d.turn*c.Scale, d.slide*c.Scale
	if s.SinBeta != 0 || s.CosBeta != 1 { // a joint of its own, which does not move
		b.drives = append(b.drives, drive{q: d.q, angle: math.Atan2(s.SinBeta, s.CosBeta)})
		between := take(record.Frame)
		b.joints = append(b.joints, record.Joint{CosAlpha: 1, Origin: single(s.Origin), Parent: parent, Frame: between})
		d.axis = spatial.Vec3{X: s.CosBeta*d.axis.X + s.SinBeta*d.axis.Y, Y: s.CosBeta*d.axis.Y - s.SinBeta*d.axis.X, Z: d.axis.Z}
		d.origin, parent = spatial.Vec3{}, between
	}
	d.origin = d.origin.Add(d.axis.Scale(offset))
	b.shift += math.Abs(offset)
	b.drives = append(b.drives, d)
	b.joints = append(b.joints, record.Joint{CosAlpha: float32(s.CosAlpha), SinAlpha: float32(s.SinAlpha), Origin: single(d.origin), Parent: parent, Frame: frame})
}

// addLinks appends the balls and spheres of all links; it reports false if a link may be farther than extent from the origin.
func (b *block) addLinks(e *Engine, frame [][]int32, take func(int32) int32) bool {
	for i := range e.links {
		l := &e.links[i]
		if !(stretch(&e.Scene().Models()[l.model], l.body, l.ball) <= extent) {
			return false
		}
		at := take(4)
		b.points = append(b.points, record.Point{Center: single(l.ball.Center), Frame: frame[l.model][l.body], To: at})
		b.balls = append(b.balls, record.Ball{Radius: float32(l.ball.Radius), Rows: at})
		b.covers = append(b.covers, record.Cover{Radius: float32(l.ball.Radius), Rows: at, Middle: at + 4*record.Middle(b.lanes), To: at + 3*b.row()})
	}
	for i := range e.links {
		l := &e.links[i]
		for k := l.first; k < l.after; k++ {
			at := take(3)
			center := spatial.Vec3{X: e.local.x[k], Y: e.local.y[k], Z: e.local.z[k]}
			b.points = append(b.points, record.Point{Center: single(center), Frame: frame[l.model][l.body], To: at})
			b.spheres = append(b.spheres, record.Ball{Radius: float32(e.local.r[k]), Rows: at})
		}
	}
	b.links = make([]served, len(e.links))
	for i := range b.links {
		b.links[i].begin, b.links[i].end = e.links[i].first, e.links[i].after
		for k := range b.joints {
			if b.joints[k].Frame == b.points[i].Frame {
				b.links[i].joints = k + 1
			}
		}
	}
	for _, p := range e.pairs {
		x, y := b.balls[p[0]], b.balls[p[1]]
		b.pairs, b.pairOf = append(b.pairs, record.Pair{Reach: x.Radius + y.Radius, A: x.Rows, B: y.Rows}), append(b.pairOf, p)
	}
	return true
}

// setBase fills the rows of the frame in which a model stands.
func (b *block) setBase(p *spatial.Pose, at int32) {
	for lane := range b.lanes {
		for i, x := range []spatial.Vec3{p.R.Col(0), p.R.Col(1), p.R.Col(2), p.P} {
			for k, c := range single(x) {
				b.rows[int(at)/4+(3*i+k)*b.lanes+lane] = c
			}
		}
	}
}

// aim prepares the line of configurations from + t step, t from 0 to 1; it reports false where float32 is too coarse for it, or a
// coordinate is not finite.
func (b *block) aim(from, step []float64) bool {
	travel := b.shift
	for i := range b.drives {
		d, j := &b.drives[i], &b.joints[i]
		q, dq := from[d.q], step[d.q]
		angle := d.angle + d.turn*q
		if !(math.Abs(angle) <= 1e6 && math.Abs(dq) <= 16) { // or not a number
			return false
		}
		if math.Abs(angle) > math.Pi {
			angle = math.Remainder(angle, 2*math.Pi)
		}
		j.Angle, j.Turn = float32(angle), float32(d.turn*dq)
		if d.slide != 0 {
			travel += math.Abs(d.slide) * (math.Abs(q) + math.Abs(dq))
			j.Origin, j.Advance = single(d.origin.Add(d.axis.Scale(d.slide*q))), single(d.axis.Scale(d.slide*dq))
		}
	}
	return travel <= extent
}

// hits reports whether bodies touch at a configuration of the block, which is spread on the line. The link that hit last is moved and checked before
// all others: more often than not it hits again.
func (b *block) hits(e *Engine) bool {
	b.spreadLanes(unsafe.Pointer(&b.spread), 1, &b.rows[0], &b.rows[b.lanes])
	b.count++
	last := b.links[b.last]
	b.move(0, last.joints)
	b.cover(b.last, b.last+1)
	if b.hitsObstacle(e, last.first, last.after) {
		return true
	}
	b.move(last.joints, len(b.joints))
	b.cover(0, int32(len(b.balls)))
	return b.hitsObstacle(e, 0, last.first) || b.hitsObstacle(e, last.after, len(b.linkOf)) || b.hitsLink()
}

// move computes the frames that the joints from first up to, not including, after carry.
func (b *block) move(first, after int) {
	if first < after {
		b.moveJoints(unsafe.Pointer(&b.joints[first]), after-first, &b.rows[0], &b.rows[0])
	}
}

// cover computes where the balls of the links from first up to, not including, after are, and the balls that cover all their places.
func (b *block) cover(first, after int32) {
	b.placePoints(unsafe.Pointer(&b.points[first]), int(after-first), &b.rows[0])
	b.coverBalls(unsafe.Pointer(&b.covers[first]), int(after-first), &b.rows[0])
}

// place computes where the spheres of a link are.
func (b *block) place(i int32) []record.Ball {
	l := &b.links[i]
	if b.placed[i] != b.count {
		b.placed[i] = b.count
		b.placePoints(unsafe.Pointer(&b.points[len(b.balls)+int(l.begin)]), int(l.end-l.begin), &b.rows[0])
	}
	return b.spheres[l.begin:l.end]
}

// hitsObstacle reports whether an obstacle of the groups from first up to, not including, after is touched: of the groups that the ball around all
// places of a link touches, the obstacles that its ball touches, and of its spheres one.
func (b *block) hitsObstacle(e *Engine, first, after int) bool {
	for ; first < after; first++ {
		left, touching := b.cullObstacles(unsafe.Pointer(&b.groups[first*record.GroupRows*b.lanes]), after-first, &b.rows[0])
		if left == 0 {
			return false
		}
		first = after - left
		i := b.linkOf[first]
		for ; touching != 0; touching &= touching - 1 {
			o := b.near[b.lanes*first+bits.TrailingZeros32(uint32(touching))]
			left, _ := b.touchObstacle(unsafe.Pointer(&b.balls[i]), 1, &b.rows[0], b.record(o))
			if left > 0 && b.touches(e, b.place(i), o) {
				b.last = i
				return true
			}
		}
	}
	return false
}

// record returns the numbers of an obstacle.
func (b *block) record(o int32) *float32 { return (*float32)(unsafe.Pointer(&b.obstacles[o])) }

// touches reports whether one of the balls touches an obstacle in a configuration. For obstacles whose record only encloses them, package geometry decides.
func (b *block) touches(e *Engine, balls []record.Ball, o int32) bool {
	for len(balls) > 0 {
		left, touching := b.touchObstacle(unsafe.Pointer(&balls[0]), len(balls), &b.rows[0], b.record(o))
		if left == 0 {
			return false
		}
		if !b.encloses[o] {
			return true
		}
		balls = balls[len(balls)-left:]
		at := b.rows[balls[0].Rows/4:]
		for ; touching != 0; touching &= touching - 1 {
			k := bits.TrailingZeros32(uint32(touching))
			if e.obstacles.touches(o, spatial.Vec3{X: float64(at[k]), Y: float64(at[b.lanes+k]), Z: float64(at[2*b.lanes+k])}, float64(balls[0].Radius)) {
				return true
			}
		}
		balls = balls[1:]
	}
	return false
}

// hitsLink reports whether two links touch: of pairs whose balls touch, the spheres of one that the ball of the other touches, and of these one.
func (b *block) hitsLink() bool {
	for pairs := b.pairs; len(pairs) > 0; pairs = pairs[1:] {
		left, _ := b.touchPairs(unsafe.Pointer(&pairs[0]), len(pairs), &b.rows[0])
		if left == 0 {
			return false
		}
		pairs = pairs[len(pairs)-left:]
		pair := b.pairOf[len(b.pairOf)-left]
		for own := b.place(pair[0]); len(own) > 0; own = own[1:] {
			left, _ := b.touching(own, &b.balls[pair[1]])
			if left == 0 {
				break
			}
			own = own[len(own)-left:]
			if left, _ := b.touching(b.place(pair[1]), &own[0]); left > 0 {
				return true
			}
		}
	}
	return false
}

// touching finds the first of the balls that touches another one.
func (b *block) touching(balls []record.Ball, other *record.Ball) (left int, touching int32) {
	return b.touchBall(unsafe.Pointer(&balls[0]), len(balls), &b.rows[0], &b.rows[other.Rows/4], &other.Radius)
}

// single returns a vector in float32.
func single(v spatial.Vec3) [3]float32 { return [3]float32{float32(v.X), float32(v.Y), float32(v.Z)} }

// flat returns a matrix row by row in float32.
func flat(m spatial.Mat3) (f [9]float32) {
	for i := range 3 {
		for k := range 3 {
			f[3*i+k] = float32(m[i][k])
		}
	}
	return f
}

// aligned returns n numbers that begin at a multiple of 64 bytes.
func aligned(n int) []float32 {
	x := make([]float32, n+15)
	skip := int(-uintptr(unsafe.Pointer(&x[0]))>>2) & 15
	return x[skip:][:n:n]
}
