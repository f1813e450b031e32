package plans

import (
	"fmt"

	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/planning/space"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/scene/exact"
)

// startSamples is the greatest number of configurations among which a free start is searched.
const startSamples = 2000

// freeStart returns the point at rest, with joints whose limits exclude their rest in the middle of them; or if that is in collision a free point near it, with
// a note about it.
func freeStart(s *scene.Scene, all space.Robots) (start []float64, note string, err error) {
	rest := middle(s.Models()[0].Model, all)
	engine, q := exact.New(s), make([]float64, all.NQ())
	all.Configuration(rest, q)
	pair, hit, err := engine.Collide(q)
	if err != nil || !hit {
		return rest, "", err
	}
	var sampler space.Halton
	p := make([]float64, all.Dim())
	for i := range startSamples {
		sampler.Next(p)
		all.Scale(p)
		all.Interpolate(rest, p, float64(i+1)/startSamples, p)
		all.Configuration(p, q)
		if _, hit, err := engine.Collide(q); err != nil || hit || all.Outside(p) >= 0 {
			continue
		}
		return p, fmt.Sprintf("with all joints at rest %s collide: the start is a free configuration near it", pair), nil
	}
	return rest, "", nil
}

// middle returns the point at rest, with joints whose limits exclude their rest in the middle of them.
func middle(m *multibody.Model, all space.Robots) (p []float64) {
	neutral := m.Neutral()
	for _, j := range m.Joints() {
		if j.Mimic == nil {
			p = append(p, neutral[j.Q:j.Q+j.Type.NQ()]...)
		}
	}
	for i := range p {
		if _, lower, upper := all.Limits(i); p[i] < lower || p[i] > upper {
			p[i] = (lower + upper) / 2
		}
	}
	return p
}
