package motion

import (
	"errors"
	"slices"

	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// cubes is what a [Mapper] has seen, as links carry it: the radius of the ball around each, then x, y and z of their middles.
// Nothing was seen yet where there are no elements.
type cubes []float32

const cubesHead = 1

// cubesLen returns how many elements the largest number of cubes has.
func cubesLen(most int) int { return cubesHead + 3*most }

// whole reports whether each middle has three coordinates.
func (c cubes) whole() bool { return len(c) == 0 || (len(c)-cubesHead)%3 == 0 }

// of returns cubes with the given middles in the memory of c.
func (c cubes) of(points []spatial.Vec3, radius float64) cubes {
	c = append(c[:0], float32(radius*(1+1e-6)))
	for _, p := range points {
		c = append(c, float32(p.X), float32(p.Y), float32(p.Z))
	}
	return c
}

// points appends the middles to list.
func (c cubes) points(list []spatial.Vec3) []spatial.Vec3 {
	for at := cubesHead; at < len(c); at += 3 {
		list = append(list, spatial.Vec3{X: float64(c[at]), Y: float64(c[at+1]), Z: float64(c[at+2])})
	}
	return list
}

// seenName is the name of what a Mapper has seen, as an object of a scene.
const seenName = "seen"

// seenRegion bounds where cubes may be, as the distance from the robot's root along each axis, m.
const seenRegion = 100

// seen is the cloud of a world that a Mapper fills.
type seen struct {
	cloud  *geometry.CloudBuffer
	points []spatial.Vec3
	radius [1]float64
	last   cubes
}

// newSeen returns an empty cloud for at most this number of cubes, and the object of a scene that it is.
func newSeen(most int) (*seen, scene.Object, error) {
	corner := spatial.Vec3{X: seenRegion, Y: seenRegion, Z: seenRegion}
	cloud, err := geometry.NewCloudBuffer(geometry.Bounds{Min: corner.Neg(), Max: corner})
	if err != nil {
		return nil, scene.Object{}, err
	}
	s := &seen{cloud: cloud, points: make([]spatial.Vec3, most), last: make(cubes, 0, cubesLen(most))}
	_, err = cloud.Set(s.points, s.radius[:]) // allocates all memory
	if err == nil {
		_, err = cloud.Set(nil, s.radius[:])
	}
	return s, scene.Object{Name: seenName, Parts: []geometry.Part{{Shape: cloud.Shape()}}}, err
}

// errSeen refuses cubes that are not those of a Mapper.
var errSeen = errors.New("the cubes are not those of a motion.Mapper, or one of them is farther than 100 m from the robot; is the parameter cubes large enough?")

// take replaces the cubes. changed is false if they are the same as before.
func (s *seen) take(in cubes) (changed bool, err error) {
	switch {
	case !in.whole() || len(in) > cap(s.last):
		return false, errSeen
	case slices.Equal(in, s.last):
		return false, nil
	}
	s.points = in.points(s.points[:0])
	if len(in) > 0 {
		s.radius[0] = float64(in[0])
	}
	if dropped, err := s.cloud.Set(s.points, s.radius[:]); dropped > 0 || err != nil {
		return true, errSeen
	}
	s.last = append(s.last[:0], in...)
	return true, nil
}
