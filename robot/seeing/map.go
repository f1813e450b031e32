package seeing

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Errors of measurements. They are made before, so that a measurement allocates nothing.
var (
	// ErrPose refuses a pose of a sensor that is not finite, not a rotation or beyond [geometry.Limit].
	ErrPose = errors.New("see obstacles: the pose of the sensor is not finite or not a rotation; check where it was computed")
	// ErrSize refuses an image or a scan of another size than its camera or scanner has.
	ErrSize = errors.New("see obstacles: the number of depths is not that of the sensor; check its width and height, or its number of rays")
	// ErrOwn refuses a robot that is nowhere.
	ErrOwn = errors.New("see obstacles: the robot to cut out was not placed; call Own.Place with its configuration first")
)

// Counts are what became of a measurement.
type Counts struct {
	Points    int // within range, in the box and not on the robot
	Invalid   int // not a number, 0 or negative
	Range     int // nearer than the least range or farther than the greatest
	Outside   int // of the box
	Own       int // on the robot
	Cleared   int // cubes through which rays passed; they are free unless another point of the measurement lies in them
	Forgotten int // cubes that were not seen for too long
}

// Map remembers in which cubes of a box something was seen: the workspace of one goroutine.
type Map struct {
	voxels geometry.Voxels
	forget time.Duration
	slots  []int32 // of each cube: 1 + its index in seen; 0: free; ownCube: free, and the robot is there
	seen   []sight
	own    []int32 // free cubes where the robot is
	points []spatial.Vec3
	radii  [1]float64
}

// sight is an occupied cube.
type sight struct {
	cube int32
	at   time.Duration // when it was seen last
}

// ownCube marks free cubes where the robot is during a measurement.
const ownCube = math.MaxInt32

// NewMap returns a map of a box whose cubes are free. A cube that has not been seen for longer than forget is free again; 0 means that it is
// remembered until a ray passes through it. It fails for what [geometry.Voxels.Check] rejects and a negative time.
func NewMap(v geometry.Voxels, forget time.Duration) (*Map, error) {
	if err := v.Check(); err != nil {
		return nil, fmt.Errorf("make a map of obstacles: %w", err)
	}
	if forget < 0 {
		return nil, fmt.Errorf("make a map of obstacles: the time after which cubes are forgotten is %v: want 0, for never, or more", forget)
	}
	return &Map{voxels: v, forget: forget, slots: make([]int32, v.Len()), radii: [1]float64{v.Radius()}}, nil
}

// Reserve allocates for this number of occupied cubes, and for those of a robot, so that not even the first measurements allocate.
func (m *Map) Reserve(cubes int) {
	m.seen = slices.Grow(m.seen, cubes)
	m.own = slices.Grow(m.own, len(m.slots))
}

// Voxels returns the box and its cubes.
func (m *Map) Voxels() geometry.Voxels { return m.voxels }

// Len returns the number of occupied cubes.
func (m *Map) Len() int { return len(m.seen) }

// Occupied reports whether something was seen in a cube.
func (m *Map) Occupied(cube int) bool { return m.slots[cube] != 0 }

// Points appends to list the middles of the occupied cubes, in no order. The ball of radius [geometry.Voxels.Radius] around a middle covers its cube.
func (m *Map) Points(list []spatial.Vec3) []spatial.Vec3 {
	for _, s := range m.seen {
		list = append(list, m.voxels.Center(int(s.cube)))
	}
	return list
}

// Region returns bounds of the balls around all cubes: the region for a [geometry.CloudBuffer] to fill.
func (m *Map) Region() geometry.Bounds {
	b, r := m.voxels.Bounds(), m.voxels.Radius()
	d := spatial.Vec3{X: r, Y: r, Z: r}
	return geometry.Bounds{Min: b.Min.Sub(d), Max: b.Max.Add(d)}
}

// Fill replaces the points of a cloud by the balls around the occupied cubes. It fails where the region of the buffer is less than [Map.Region].
func (m *Map) Fill(b *geometry.CloudBuffer) error {
	m.points = m.Points(m.points[:0])
	dropped, err := b.Set(m.points, m.radii[:])
	if dropped > 0 {
		return errRegion
	}
	return err
}

var errRegion = errors.New("fill a point cloud with seen obstacles: its region does not hold them all; make it with Map.Region")

// Field returns the distance field of the occupied cubes. It allocates, and takes longer than a cloud; a hit of a ball then takes less. It fails if no cube
// is occupied.
func (m *Map) Field() (*geometry.Shape, error) {
	return geometry.NewDistanceField(m.voxels, m.Occupied)
}

// Clear frees all cubes.
func (m *Map) Clear() {
	for _, s := range m.seen {
		m.slots[s.cube] = 0
	}
	m.seen = m.seen[:0]
}

// begin prepares a measurement: it frees the cubes that the rays passed or that are forgotten, and marks free ones where the robot is. passes
// reports whether a ray goes on behind a point of the sensor's frame for more than a length.
func (m *Map) begin(passes func(p spatial.Vec3, length float64) bool, pose *spatial.Pose, own *SelfFilter, now time.Duration, c *Counts) {
	// A ray that goes on for a diagonal behind the ball around a cube has passed it; a surface before that may lie in the cube at a grazing angle.
	length := 3 * m.voxels.Radius()
	kept := m.seen[:0]
	for _, o := range m.seen {
		switch {
		case passes(pose.R.TMulVec(m.voxels.Center(int(o.cube)).Sub(pose.P)), length):
			c.Cleared++
		case m.forget > 0 && now-o.at > m.forget:
			c.Forgotten++
		default:
			kept = append(kept, o)
			m.slots[o.cube] = int32(len(kept))
			continue
		}
		m.slots[o.cube] = 0
	}
	m.seen = kept
	if own != nil {
		own.mark(m)
	}
}

// see records that something was seen in a cube, unless it is the robot.
func (m *Map) see(cube int32, now time.Duration, c *Counts) {
	switch slot := m.slots[cube]; slot {
	case 0:
		m.seen = append(m.seen, sight{cube, now})
		m.slots[cube] = int32(len(m.seen))
	case ownCube:
		c.Own++
		return
	default:
		m.seen[slot-1].at = now
	}
	c.Points++
}

// end removes the marks of the robot.
func (m *Map) end() {
	for _, cube := range m.own {
		m.slots[cube] = 0
	}
	m.own = m.own[:0]
}

// goodPose reports whether a pose is finite and rigid.
func goodPose(p *spatial.Pose) bool {
	return p.R.IsRotation(1e-6) && max(math.Abs(p.P.X), math.Abs(p.P.Y), math.Abs(p.P.Z)) <= geometry.Limit
}
