package scenario

import (
	"errors"
	"fmt"

	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Set is a set of problems of one robot.
type Set struct {
	Robot    string   // its name in the file
	Name     string   // of the set
	Joints   []string // the order of Start and Goal
	Problems []Problem
}

// Problem asks for a motion from a start to a goal among obstacles.
type Problem struct {
	Index       int            // as the file numbers it
	Start, Goal []float64      // positions of the joints of [Set.Joints], in their order: rad or m
	Objects     []scene.Object // obstacles, each with a name of its own; poses in the frame of the robot's base
	// Valid reports whether both ends are free according to the file; nil: it does not state it.
	Valid *bool
}

// problemsFile is the JSON of a set.
type problemsFile struct {
	Robot    string        `json:"robot"`
	Set      string        `json:"set"`
	Joints   []string      `json:"joints"`
	Problems []problemFile `json:"problems"`
}

type problemFile struct {
	Index     int            `json:"index"`
	Start     []float64      `json:"start"`
	Goal      []float64      `json:"goal"`
	Obstacles []obstacleFile `json:"obstacles"`
	Reference struct {
		Valid *bool `json:"start_goal_valid"`
	} `json:"reference"`
}

type obstacleFile struct {
	Name        string     `json:"name"`
	Type        string     `json:"type"`
	HalfExtents [3]float64 `json:"half_extents"`
	Radius      float64    `json:"radius"`
	Length      float64    `json:"length"`
	Position    [3]float64 `json:"position"`
	Quat        [4]float64 `json:"quat_xyzw"`
}

// ReadProblems reads a set of problems. Cylinders become what the benchmark's reference planner makes of them, so that the free space is the same:
// capsules around the same segment, or in the set "box" the boxes around them. The error joins everything that is wrong.
func ReadProblems(text []byte) (*Set, error) {
	var f problemsFile
	if err := decode(text, &f); err != nil {
		return nil, fmt.Errorf("read problems: %w", err)
	}
	if len(f.Problems) == 0 || len(f.Joints) == 0 {
		return nil, fmt.Errorf("read problems: %d problems for %d joints: want at least one of both", len(f.Problems), len(f.Joints))
	}
	s := &Set{Robot: f.Robot, Name: f.Set, Joints: f.Joints}
	var wrong []error
	for _, p := range f.Problems {
		problem := Problem{Index: p.Index, Start: p.Start, Goal: p.Goal, Valid: p.Reference.Valid}
		if len(p.Start) != len(f.Joints) || len(p.Goal) != len(f.Joints) {
			wrong = append(wrong, fmt.Errorf("read problem %d: start has %d values and goal %d: want one for each of the %d joints", p.Index, len(p.Start), len(p.Goal), len(f.Joints)))
		}
		names := map[string]int{}
		for _, o := range p.Obstacles {
			object, err := o.object(f.Set)
			if err != nil {
				wrong = append(wrong, fmt.Errorf("read problem %d: obstacle %q: %w", p.Index, o.Name, err))
				continue
			}
			if names[o.Name]++; names[o.Name] > 1 {
				object.Name = fmt.Sprintf("%s (%d)", o.Name, names[o.Name])
			}
			problem.Objects = append(problem.Objects, object)
		}
		s.Problems = append(s.Problems, problem)
	}
	if err := errors.Join(wrong...); err != nil {
		return nil, err
	}
	return s, nil
}

// object returns the obstacle as an object of a scene.
func (o *obstacleFile) object(set string) (scene.Object, error) {
	at, err := pose(o.Position, o.Quat)
	if err != nil {
		return scene.Object{}, err
	}
	var shape *geometry.Shape
	switch {
	case o.Type == "box":
		shape, err = geometry.NewBox(spatial.Vec3{X: 2 * o.HalfExtents[0], Y: 2 * o.HalfExtents[1], Z: 2 * o.HalfExtents[2]})
	case o.Type == "sphere":
		shape, err = geometry.NewSphere(o.Radius)
	case o.Type == "cylinder" && set == "box":
		shape, err = geometry.NewBox(spatial.Vec3{X: 2 * o.Radius, Y: 2 * o.Radius, Z: o.Length})
	case o.Type == "cylinder":
		shape, err = geometry.NewCapsule(o.Radius, o.Length)
	default:
		err = fmt.Errorf("its type is %q: want box, cylinder or sphere", o.Type)
	}
	return scene.Object{Name: o.Name, Pose: at, Parts: []geometry.Part{{Shape: shape}}}, err
}
