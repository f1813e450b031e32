package exact

import "github.com/sinew-robotics/sinew/robot/scene"

// Near appends to list all checked pairs whose distance at q is below within (m, not negative), each with its nearest or deepest contact: what a law needs that
// keeps bodies apart before they touch. With an infinite distance these are all pairs. q has length NQ.
func (e *Engine) Near(q []float64, within float64, list []scene.Contact) ([]scene.Contact, error) {
	if err := e.place(q); err != nil {
		return list, err
	}
	err := e.near(within, func(a, b *body) (limit float64, err error) {
		c, err := e.nearest(a, b, within)
		if err == nil && c.Distance < within {
			list = append(list, scene.Contact{Pair: scene.Pair{A: a.name, B: b.name}, Contact: c})
		}
		return within, err
	})
	return list, err
}
