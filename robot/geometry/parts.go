package geometry

import (
	"errors"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Parts returns the parts of a compound, in its frame; of any other shape itself.
func (s *Shape) Parts() []Part {
	if s.kind != Compound {
		return []Part{{s, spatial.IdentityPose()}}
	}
	parts := append([]Part(nil), s.tree.parts...)
	for i := range parts {
		grown := *parts[i].Shape
		grown.round += s.round
		parts[i].Shape = &grown
	}
	return parts
}

// ConvexHull returns the convex hull of a mesh, with its rounding radius; any other shape but a height field or a compound is its own hull.
// It fails for those two.
func (s *Shape) ConvexHull() (*Shape, error) {
	switch s.kind {
	case Mesh:
		hull, err := NewHull(s.tree.corners)
		if err != nil {
			return nil, err
		}
		hull.round = s.round
		return hull, nil
	case HeightField, Compound:
		return nil, errors.New("make the convex hull of a " + s.kind.String() + ": want a mesh or a convex shape; a compound has Parts")
	}
	return s, nil
}
