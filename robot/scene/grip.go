package scene

import (
	"fmt"
	"math"

	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// MaxGrip is how far from the origin of a tool an object may be that it takes, m: a tool whose origin is that of its link grips farther out.
const MaxGrip = 0.1

// CheckGrip fails for an attached object that a tool cannot hold: its shapes are farther than [MaxGrip] from the origin of the tool, a point in the frame of the
// link that carries the object. It also fails for an object that is not attached.
func (s *Scene) CheckGrip(object string, tool spatial.Vec3) error {
	i, err := s.object("hold", object)
	if err != nil {
		return err
	}
	body := &s.bodies[i]
	if body.Model < 0 {
		return fmt.Errorf("hold object %q: it is not attached", object)
	}
	point, err := geometry.NewSphere(0)
	if err != nil {
		return err
	}
	var query geometry.Query
	at, distance := spatial.Translation(tool), math.Inf(1)
	for _, part := range body.Parts {
		pose := body.Pose.Mul(part.Pose)
		contact, err := query.Distance(part.Shape, &pose, point, &at, nil)
		if err != nil {
			return fmt.Errorf("hold object %q: %w", object, err)
		}
		distance = min(distance, contact.Distance)
	}
	if distance > MaxGrip {
		return fmt.Errorf("the object %q is %.3g m from the origin of the tool that takes it, at most %g m: move the tool to the object, give the tool the place of its grip, "+
			"or correct the place of the object in the scene", object, distance, MaxGrip)
	}
	return nil
}
