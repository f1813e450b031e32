package motion

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/parts/robotfile"
	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/planning/space"
	"github.com/sinew-robotics/sinew/robot/scenario"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/scene/exact"
	"github.com/sinew-robotics/sinew/robot/scene/spheres"
	"github.com/sinew-robotics/sinew/robot/spatial"
	"github.com/sinew-robotics/sinew/robot/trajectory"
)

// World describes a robot, what stands around it, balls that move, and a ball that the robot carries at times. While the robot does not carry that ball, it is no obstacle
// for it. The robot's collision geometry must be primitive shapes, and its visuals count where it has none; an SRDF lists the pairs of its links that may touch.
type World struct {
	URDF       block.Const[string]    `required:"yes" doc:"file of the robot's links and joints"`
	SRDF       block.Const[string]    `doc:"file of the pairs of links that may touch; default: none may"`
	Locked     block.Const[[]string]  `doc:"joints that do not move, as name or name=position [rad or m]"`
	Coordinate block.Const[string]    `default:"rad" doc:"unit of the positions: rad, or m where all joints slide; with rad, elements of joints that slide are in m"`
	Problems   block.Const[string]    `doc:"file of planning problems, of which the first has the obstacles that rest; default: none"`
	Radii      block.Const[[]float64] `unit:"m" min:"0" max:"100" doc:"radii of the balls that move; default: none"`
	Hand       block.Const[string]    `doc:"link that carries the load; default: none does"`
	Load       block.Const[float64]   `unit:"m" default:"0.03" min:"0.001" max:"10" doc:"radius of the load"`
	LoadAt     block.Const[[]float64] `unit:"m" default:"[0, 0, 0]" min:"-100" max:"100" doc:"its middle in the frame of the hand: x, y, z"`
	Cubes      block.Const[int]       `default:"0" min:"0" max:"262144" doc:"greatest number of cubes that a Mapper sees, at least its parameter cubes; 0: none are seen"`
}

// world is what a World describes.
type world struct {
	scenes [2]*scene.Scene // without and with the load
	bare   [2]*scene.Scene // the same, with balls that touch the padded robot where those without margin and padding touch it
	joints *space.Joints
	limits []trajectory.Limits // velocity only
	dim    int
	balls  []string  // names of the bodies
	seen   *seen     // nil: no cubes are seen
	q      []float64 // configuration of the scenes: robot, then x, y and z of each ball
}

// read reads a world whose balls are larger by margin, and the links of the robot and its load by padding.
func (w *World) read(from robotfile.Source, margin, padding float64) (*world, error) {
	file, err := robotfile.Read(from, robotfile.Constants{URDF: w.URDF.Value(), SRDF: w.SRDF.Value(), Locked: w.Locked.Value(), Coordinate: w.Coordinate.Value()})
	if err != nil {
		return nil, err
	}
	robot, _ := file.Solid()
	model, err := robot.Model()
	if err != nil {
		return nil, err
	}
	part := scene.Model{Model: model, Padding: padding}
	if part.Shapes, err = robot.Shapes(); err != nil {
		return nil, err
	}
	if file.Semantic != nil {
		part.Allowed = file.Semantic.Allowed(robot)
	}
	out := &world{}
	var cubes []scene.Object
	if most := w.Cubes.Value(); most > 0 {
		cubes = make([]scene.Object, 1)
		if out.seen, cubes[0], err = newSeen(most); err != nil {
			return nil, err
		}
	}
	for i := range w.Radii.Value() {
		out.balls = append(out.balls, ballPrefix(i)+"ball")
	}
	if out.scenes, err = w.build(from, part, cubes, out.balls, margin); err != nil {
		return nil, err
	}
	if out.bare, err = w.build(from, part, cubes, out.balls, -padding); err != nil {
		return nil, err
	}
	s := out.scenes[0]
	out.q = make([]float64, s.NQ())
	var moving []string
	velocity := make([]float64, model.NV())
	model.VelocityLimits(velocity)
	for _, j := range model.Joints() {
		if j.Mimic == nil {
			moving = append(moving, j.Name)
			out.limits = append(out.limits, trajectory.Limits{Velocity: velocity[j.V]})
		}
	}
	if out.joints, err = space.NewJoints(s, moving, nil); err != nil {
		return nil, fmt.Errorf("%s: %w", w.URDF.Value(), err)
	}
	out.dim = len(moving)
	return out, nil
}

// retreats returns a judge for each scene of a world that was read with this margin and padding.
func (w *world) retreats(margin, padding float64) (list [2]*retreat, err error) {
	for k, s := range w.bare {
		if list[k], err = newRetreat(s, w.balls, margin+padding); err != nil {
			return list, err
		}
	}
	return list, nil
}

// build makes the scenes without and with the load, of a robot and of balls whose radii are larger by more, m.
func (w *World) build(from robotfile.Source, robot scene.Model, cubes []scene.Object, balls []string, more float64) (scenes [2]*scene.Scene, err error) {
	models := []scene.Model{robot}
	for i, radius := range w.Radii.Value() {
		ball, err := ballModel(ballPrefix(i), max(radius+more, 0))
		if err != nil {
			return scenes, err
		}
		models = append(models, ball)
	}
	s, err := scene.New(models...)
	if err != nil {
		return scenes, fmt.Errorf("%s: %w", w.URDF.Value(), err)
	}
	if s, err = s.Add(cubes...); err != nil {
		return scenes, err
	}
	if s, err = w.addObstacles(from.Files(), s, balls); err != nil {
		return scenes, err
	}
	scenes = [2]*scene.Scene{s, s}
	if w.Hand.Value() != "" {
		scenes[1], err = w.addLoad(s, robot.Padding)
	}
	return scenes, err
}

// ballPrefix returns the prefix of the links of ball i, from 0.
func ballPrefix(i int) string { return fmt.Sprintf("ball%d/", i+1) }

// ballModel returns a ball that three sliding joints carry, so that its place is part of a configuration.
func ballModel(prefix string, radius float64) (scene.Model, error) {
	free := multibody.Unlimited()
	slide := func(joint, parent, child string, axis spatial.Vec3) multibody.Joint {
		return multibody.Joint{Name: joint, Type: multibody.Prismatic, Parent: parent, Child: child, Axis: axis, Limits: &free}
	}
	m, err := multibody.NewModel(multibody.Tree{
		Name:   "ball",
		Links:  []multibody.Link{{Name: "world"}, {Name: "along"}, {Name: "across"}, {Name: "ball"}},
		Joints: []multibody.Joint{slide("x", "world", "along", spatial.Vec3{X: 1}), slide("y", "along", "across", spatial.Vec3{Y: 1}), slide("z", "across", "ball", spatial.Vec3{Z: 1})},
	})
	if err != nil {
		return scene.Model{}, err
	}
	shape, err := geometry.NewSphere(radius)
	return scene.Model{Prefix: prefix, Model: m, Shapes: map[string][]geometry.Part{"ball": {{Shape: shape}}}}, err
}

// addObstacles adds what rests; balls may touch it and each other.
func (w *World) addObstacles(files fs.FS, s *scene.Scene, balls []string) (*scene.Scene, error) {
	others := slices.Clip(balls)
	if w.Cubes.Value() > 0 {
		others = append(others, seenName)
	}
	if file := w.Problems.Value(); file != "" {
		text, err := fs.ReadFile(files, file)
		if err != nil {
			return nil, err
		}
		set, err := scenario.ReadProblems(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if s, err = s.Add(set.Problems[0].Objects...); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		for _, o := range set.Problems[0].Objects {
			others = append(others, o.Name)
		}
	}
	var pairs []scene.Pair
	for i, ball := range balls {
		for _, other := range others[i+1:] {
			pairs = append(pairs, scene.Pair{A: ball, B: other})
		}
	}
	return s.Allow(pairs...)
}

// addLoad attaches the load to the hand.
func (w *World) addLoad(s *scene.Scene, padding float64) (*scene.Scene, error) {
	at := w.LoadAt.Value()
	if len(at) != 3 {
		return nil, fmt.Errorf("load_at has length %d: wants x, y and z", len(at))
	}
	shape, err := geometry.NewSphere(w.Load.Value() + padding)
	if err != nil {
		return nil, err
	}
	m := s.Models()[0].Model
	link, err := m.Link(w.Hand.Value())
	if err != nil {
		return nil, fmt.Errorf("hand: %w", err)
	}
	q := make([]float64, s.NQ())
	copy(q, m.Neutral())
	d := multibody.NewData(m)
	multibody.FK(d, q[:m.NQ()])
	pose := d.Pose(link).Mul(spatial.Translation(spatial.Vec3{X: at[0], Y: at[1], Z: at[2]}))
	if s, err = s.Add(scene.Object{Name: "load", Pose: pose, Parts: []geometry.Part{{Shape: shape}}}); err != nil {
		return nil, err
	}
	return s.Attach("load", w.Hand.Value(), q)
}

// engine returns the fast engine if all that moves consists of spheres, else the exact one.
func engine(s *scene.Scene) scene.Engine {
	if e, err := spheres.New(s); err == nil {
		return e
	}
	return exact.New(s)
}

// place takes the places of the balls: x, y and z of each. It reports whether all are finite, and keeps the last ones otherwise.
func (w *world) place(balls []float64) bool {
	for _, x := range balls {
		if x-x != 0 {
			return false
		}
	}
	copy(w.q[len(w.q)-3*len(w.balls):], balls)
	w.joints.Hold(w.q)
	return true
}

// ports sizes the ports of what moves and is seen around the robot.
func (w *world) ports(s *block.Setup, balls *block.In[[]float64], seen *block.In[[]float32]) {
	if len(w.balls) > 0 {
		s.Len(3*len(w.balls), balls)
	} else {
		s.Omit("radii is empty", balls)
	}
	if w.seen != nil {
		s.MaxLen(cap(w.seen.last), seen)
	} else {
		s.Omit("cubes is 0", seen)
	}
}

// look takes the cubes of a Mapper; changed reports whether they are others than before.
func (w *world) look(in *block.In[[]float32]) (changed bool, err error) {
	if w.seen == nil {
		return false, nil
	}
	c, status := in.Read()
	if status != block.NewData {
		return false, nil
	}
	return w.seen.take(c)
}

// limit completes the limits of the joints by those of all of them. It fails where the description has no velocity.
func (w *world) limit(acceleration, jerk float64) error {
	var errs []error
	for i := range w.limits {
		l := &w.limits[i]
		if err := trajectory.CheckVelocity(w.joints.Names[i], l.Velocity); err != nil {
			errs = append(errs, fmt.Errorf("%w: add it there", err))
		}
		l.Acceleration, l.Jerk = acceleration, jerk
	}
	return errors.Join(errs...)
}
