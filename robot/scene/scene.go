package scene

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Model is a robot in a scene: a multibody model whose links have shapes.
type Model struct {
	Prefix  string // before the names of the links; several robots with the same links need different ones
	Model   *multibody.Model
	Base    spatial.Pose               // of the model's world frame in the scene; the zero value means the identity
	Shapes  map[string][]geometry.Part // by the name of the link, in its frame; links without shapes touch nothing
	Allowed []Pair                     // links, without prefix, that may touch
	Padding float64                    // m, ≥ 0: all shapes of the model are larger by it
}

// Object is a rigid body that belongs to no robot: an obstacle, or a thing that robots carry.
type Object struct {
	Name  string
	Pose  spatial.Pose // in the scene; the zero value means the identity
	Parts []geometry.Part
}

// Pair names two bodies, in any order.
type Pair struct{ A, B string }

// String returns "A and B".
func (p Pair) String() string { return p.A + " and " + p.B }

// ordered returns the pair with its names in order.
func (p Pair) ordered() Pair {
	if p.A > p.B {
		return Pair{p.B, p.A}
	}
	return p
}

// Body is a rigid set of shapes: a link of a model or an object.
type Body struct {
	Name   string
	Model  int             // index of the model that carries the body; -1: it rests
	Link   int             // of that model
	Pose   spatial.Pose    // in the frame of the link, or in the scene if it rests
	Parts  []geometry.Part // in the frame of the body, padded
	Object bool            // not a link
	touch  []string        // links that an attached object may touch
}

// Scene is a set of models and objects. It is immutable: goroutines may share it.
type Scene struct {
	models  []Model
	bodies  []Body
	index   map[string]int
	allowed map[Pair]bool
	nq      int
}

// New returns a scene of models. It fails for a model without shapes, shapes and pairs of links that do not exist, and two links with
// the same name; the error joins everything that is wrong. A scene without models is right for Add.
func New(models ...Model) (*Scene, error) {
	s := &Scene{models: slices.Clone(models), index: map[string]int{}, allowed: map[Pair]bool{}}
	var wrong []error
	for i := range s.models {
		m := &s.models[i]
		m.Base = identityIfZero(m.Base)
		wrong = append(wrong, s.addModel(i, m)...)
		s.nq += m.Model.NQ()
	}
	if err := errors.Join(wrong...); err != nil {
		return nil, err
	}
	return s, nil
}

// addModel adds the links of a model that have shapes.
func (s *Scene) addModel(index int, m *Model) (wrong []error) {
	name, links := m.Model.Name(), m.Model.Links()
	if !(m.Padding >= 0 && m.Padding <= geometry.Limit) {
		return []error{fmt.Errorf("add robot %q to a scene: padding is %g: want a length from 0 m", name, m.Padding)}
	}
	known := func(link, what string) bool {
		if slices.Contains(links, link) {
			return true
		}
		wrong = append(wrong, fmt.Errorf("add robot %q to a scene: %s names the link %q, which it does not have%s", name, what, link, nearest.Hint(link, links)))
		return false
	}
	for link := range m.Shapes {
		known(link, "a shape")
	}
	shapes := 0
	for i, link := range links {
		parts := m.Shapes[link]
		if len(parts) == 0 {
			continue
		}
		shapes += len(parts)
		padded, err := pad(parts, m.Padding)
		if err != nil {
			wrong = append(wrong, fmt.Errorf("add link %q to a scene: %w", link, err))
			continue
		}
		body := Body{Name: m.Prefix + link, Model: index, Link: i, Pose: spatial.IdentityPose(), Parts: padded}
		if err := s.insert(body); err != nil {
			wrong = append(wrong, fmt.Errorf("%w; give one of the robots a prefix", err))
		}
	}
	if shapes == 0 {
		wrong = append(wrong, fmt.Errorf("add robot %q to a scene: none of its links has a shape; describe collision geometry", name))
	}
	for _, p := range m.Allowed {
		if known(p.A, "an allowed pair") && known(p.B, "an allowed pair") {
			s.allowed[Pair{m.Prefix + p.A, m.Prefix + p.B}.ordered()] = true
		}
	}
	return wrong
}

// pad returns the parts with complete poses and shapes grown by padding.
func pad(parts []geometry.Part, padding float64) ([]geometry.Part, error) {
	padded := slices.Clone(parts)
	for i := range padded {
		p := &padded[i]
		if p.Shape == nil {
			return nil, fmt.Errorf("part %d has no shape", i+1)
		}
		p.Pose = identityIfZero(p.Pose)
		if err := checkPose(p.Pose); err != nil {
			return nil, fmt.Errorf("part %d: %w", i+1, err)
		}
		if padding > 0 {
			grown, err := p.Shape.Rounded(padding)
			if err != nil {
				return nil, err
			}
			p.Shape = grown
		}
	}
	return padded, nil
}

// Padded returns the object with shapes grown by padding (m, ≥ 0). It fails for a part without a shape, a pose that is not rigid, and a shape that cannot grow.
func (o Object) Padded(padding float64) (Object, error) {
	parts, err := pad(o.Parts, padding)
	if err != nil {
		return Object{}, fmt.Errorf("pad object %q by %g m: %w", o.Name, padding, err)
	}
	o.Parts = parts
	return o, nil
}

// insert appends a body with a name that is not in use.
func (s *Scene) insert(b Body) error {
	if b.Name == "" {
		return errors.New("add a body to a scene: it has no name")
	}
	if _, twice := s.index[b.Name]; twice {
		return fmt.Errorf("add %q to a scene: it has a body of that name", b.Name)
	}
	s.index[b.Name] = len(s.bodies)
	s.bodies = append(s.bodies, b)
	return nil
}

// identityIfZero returns the pose with the zero value read as the identity.
func identityIfZero(p spatial.Pose) spatial.Pose {
	if p.R == (spatial.Mat3{}) {
		p.R = spatial.Identity()
	}
	return p
}

// checkPose refuses poses that are not finite or not rigid.
func checkPose(p spatial.Pose) error {
	if !p.R.IsRotation(1e-6) {
		return errors.New("its pose has no rotation matrix: the columns must be orthogonal unit vectors")
	}
	if n := math.Abs(p.P.X) + math.Abs(p.P.Y) + math.Abs(p.P.Z); !(n <= geometry.Limit) {
		return fmt.Errorf("its position (%g, %g, %g) is not finite or beyond %g m", p.P.X, p.P.Y, p.P.Z, float64(geometry.Limit))
	}
	return nil
}

// NQ returns the length of a configuration of all models.
func (s *Scene) NQ() int { return s.nq }

// Models returns the models. The caller must not change them.
func (s *Scene) Models() []Model { return s.models }

// Bodies returns the bodies, links before objects. The caller must not change them.
func (s *Scene) Bodies() []Body { return s.bodies }

// Checked reports whether the pair of the bodies i and j is checked; the package's documentation lists the pairs that are not.
func (s *Scene) Checked(i, j int) bool {
	a, b := &s.bodies[i], &s.bodies[j]
	if i == j || a.Model < 0 && b.Model < 0 || s.allowed[Pair{a.Name, b.Name}.ordered()] {
		return false
	}
	if slices.Contains(a.touch, b.Name) || slices.Contains(b.touch, a.Name) {
		return false
	}
	if a.Model != b.Model {
		return true
	}
	m := s.models[a.Model].Model
	bodyA, _ := m.LinkFrame(a.Link)
	bodyB, _ := m.LinkFrame(b.Link)
	return bodyA != bodyB
}

// Find returns the indices of bodies by their names. It fails for a name that no body has, and names the nearest.
func (s *Scene) Find(names ...string) ([]int, error) {
	var list []int
	for _, name := range names {
		i, ok := s.index[name]
		if !ok {
			var all []string
			for _, b := range s.bodies {
				all = append(all, b.Name)
			}
			return nil, fmt.Errorf("find %q in a scene: it has no body of that name%s", name, nearest.Hint(name, all))
		}
		list = append(list, i)
	}
	return list, nil
}

// OfModel returns the indices of the bodies that a model carries, its links and what is attached to them; of those that rest for model = -1.
func (s *Scene) OfModel(model int) []int {
	var list []int
	for i := range s.bodies {
		if s.bodies[i].Model == model {
			list = append(list, i)
		}
	}
	return list
}
