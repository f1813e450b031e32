package spheres

import (
	"math"

	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/scene"
)

// stretch returns a distance from the origin of the scene within which a ball fixed to a body stays while no joint of the model slides.
func stretch(m *scene.Model, body int, b scene.Ball) float64 {
	bodies, _ := m.Model.Tree()
	d := m.Base.P.Norm() + b.Center.Norm() + b.Radius
	for i := body; i > 0; i = bodies[i].Parent {
		d += bodies[i].Origin.Norm()
	}
	return d
}

// reach returns a ball of the scene that a ball fixed to a body of a model never leaves: around the origin of the first joint, as far as
// the chain of joints stretches. Its radius is infinite where a joint slides.
func reach(m *scene.Model, body int, b scene.Ball) scene.Ball {
	if body == 0 {
		return scene.Ball{Center: m.Base.Apply(b.Center), Radius: b.Radius}
	}
	bodies, _ := m.Model.Tree()
	radius := b.Center.Norm() + b.Radius
	for i := body; ; i = bodies[i].Parent {
		j := &bodies[i]
		if j.Kind != multibody.Turning && j.Kind != multibody.BallMounted {
			return scene.Ball{Center: m.Base.P, Radius: math.Inf(1)}
		}
		if j.Parent == 0 {
			return scene.Ball{Center: m.Base.Apply(j.Origin), Radius: radius * (1 + 1e-9)}
		}
		radius += j.Origin.Norm()
	}
}
