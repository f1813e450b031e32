package scene

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// clone returns a copy that may be changed until it is returned to a caller.
func (s *Scene) clone() *Scene {
	return &Scene{
		models: s.models, bodies: slices.Clone(s.bodies), index: maps.Clone(s.index), allowed: maps.Clone(s.allowed), nq: s.nq,
	}
}

// Add returns the scene with objects that rest. It fails for an object without a name or shapes, for a name in use, and for a pose that is
// not finite or not a rotation.
func (s *Scene) Add(objects ...Object) (*Scene, error) {
	next := s.clone()
	var wrong []error
	for _, o := range objects {
		pose := identityIfZero(o.Pose)
		parts, err := pad(o.Parts, 0)
		if err == nil && len(parts) == 0 {
			err = errors.New("it has no shape")
		}
		if err == nil {
			err = checkPose(pose)
		}
		if err != nil {
			wrong = append(wrong, fmt.Errorf("add object %q to a scene: %w", o.Name, err))
			continue
		}
		if err := next.insert(Body{Name: o.Name, Model: -1, Pose: pose, Parts: parts, Object: true}); err != nil {
			wrong = append(wrong, err)
		}
	}
	if err := errors.Join(wrong...); err != nil {
		return nil, err
	}
	return next, nil
}

// Remove returns the scene without an object, resting or attached.
func (s *Scene) Remove(object string) (*Scene, error) {
	i, err := s.object("remove", object)
	if err != nil {
		return nil, err
	}
	next := s.clone()
	next.bodies = slices.Delete(next.bodies, i, i+1)
	clear(next.index)
	for k := range next.bodies {
		next.index[next.bodies[k].Name] = k
	}
	return next, nil
}

// Move returns the scene with a resting object at another pose.
func (s *Scene) Move(object string, pose spatial.Pose) (*Scene, error) {
	i, err := s.object("move", object)
	if err != nil {
		return nil, err
	}
	if m := s.bodies[i].Model; m >= 0 {
		return nil, fmt.Errorf("move object %q: it is attached to %s; detach it first", object, s.linkName(&s.bodies[i]))
	}
	pose = identityIfZero(pose)
	if err := checkPose(pose); err != nil {
		return nil, fmt.Errorf("move object %q: %w", object, err)
	}
	next := s.clone()
	next.bodies[i].Pose = pose
	return next, nil
}

// Attach returns the scene in which a link carries an object: the object keeps the pose that it has relative to the link at the
// configuration q. It may touch the link and the links in touch, such as fingers. It fails for an unknown object or link, and for an object
// that is attached already. q has length NQ.
func (s *Scene) Attach(object, link string, q []float64, touch ...string) (*Scene, error) {
	i, err := s.object("attach", object)
	if err != nil {
		return nil, err
	}
	if s.bodies[i].Model >= 0 {
		return nil, fmt.Errorf("attach object %q to %s: it is already attached to %s; detach it first", object, link, s.linkName(&s.bodies[i]))
	}
	model, carrier, err := s.link(link)
	if err != nil {
		return nil, fmt.Errorf("attach object %q: %w", object, err)
	}
	for _, t := range touch {
		if _, _, err := s.link(t); err != nil {
			return nil, fmt.Errorf("attach object %q to %s: touch links: %w", object, link, err)
		}
	}
	p := NewPlacer(s)
	if err := p.Place(q); err != nil {
		return nil, fmt.Errorf("attach object %q to %s: %w", object, link, err)
	}
	at := p.link(model, carrier)
	next := s.clone()
	b := &next.bodies[i]
	b.Model, b.Link, b.Pose, b.touch = model, carrier, at.InvMul(b.Pose), append([]string{link}, touch...)
	return next, nil
}

// Detach returns the scene in which an attached object rests where it is at the configuration q. q has length NQ.
func (s *Scene) Detach(object string, q []float64) (*Scene, error) {
	i, err := s.object("detach", object)
	if err != nil {
		return nil, err
	}
	if s.bodies[i].Model < 0 {
		return nil, fmt.Errorf("detach object %q: it is not attached", object)
	}
	p := NewPlacer(s)
	if err := p.Place(q); err != nil {
		return nil, fmt.Errorf("detach object %q: %w", object, err)
	}
	next := s.clone()
	b := &next.bodies[i]
	b.Model, b.Link, b.Pose, b.touch = -1, 0, p.Poses[i], nil
	return next, nil
}

// Allow returns the scene in which pairs of bodies may touch. It fails for names of no body, and lists them all.
func (s *Scene) Allow(pairs ...Pair) (*Scene, error) {
	next := s.clone()
	var wrong []error
	for _, p := range pairs {
		for _, name := range []string{p.A, p.B} {
			if _, ok := s.index[name]; !ok {
				wrong = append(wrong, fmt.Errorf("allow contact of %s: there is no body %q%s", p, name, nearest.Hint(name, s.names())))
			}
		}
		next.allowed[p.ordered()] = true
	}
	if err := errors.Join(wrong...); err != nil {
		return nil, err
	}
	return next, nil
}

// object returns the index of an object.
func (s *Scene) object(do, name string) (int, error) {
	i, ok := s.index[name]
	if ok && s.bodies[i].Object {
		return i, nil
	}
	if ok {
		return 0, fmt.Errorf("%s object %q: it is a link of a robot", do, name)
	}
	var objects []string
	for k := range s.bodies {
		if s.bodies[k].Object {
			objects = append(objects, s.bodies[k].Name)
		}
	}
	return 0, fmt.Errorf("%s object %q: there is no object of that name%s", do, name, nearest.Hint(name, objects))
}

// link returns the model and the link of a name with prefix; links without shapes count.
func (s *Scene) link(name string) (model, link int, err error) {
	var all []string
	for i := range s.models {
		for k, n := range s.models[i].Model.Links() {
			if s.models[i].Prefix+n == name {
				return i, k, nil
			}
			all = append(all, s.models[i].Prefix+n)
		}
	}
	return 0, 0, fmt.Errorf("no robot has a link %q%s", name, nearest.Hint(name, all))
}

// linkName returns the name of the link that carries a body.
func (s *Scene) linkName(b *Body) string {
	m := &s.models[b.Model]
	return m.Prefix + m.Model.Links()[b.Link]
}

// names returns the names of all bodies.
func (s *Scene) names() (list []string) {
	for i := range s.bodies {
		list = append(list, s.bodies[i].Name)
	}
	return list
}
