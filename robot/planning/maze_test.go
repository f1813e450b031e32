package planning_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/planning/space"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// disc is the radius of a ball that slides in the plane, m.
const disc = 0.1

// slider returns the scene of a ball that slides by the joints x and y, each from 0 to size, among boxes.
func slider(radius, size float64, boxes ...scene.Object) *scene.Scene {
	limits := &multibody.Limits{Lower: 0, Upper: size}
	m := must(multibody.NewModel(multibody.Tree{
		Name:  "slider",
		Links: []multibody.Link{{Name: "floor"}, {Name: "cart"}, {Name: "ball"}},
		Joints: []multibody.Joint{
			{Name: "x", Type: multibody.Prismatic, Parent: "floor", Child: "cart", Axis: spatial.Vec3{X: 1}, Limits: limits},
			{Name: "y", Type: multibody.Prismatic, Parent: "cart", Child: "ball", Axis: spatial.Vec3{Y: 1}, Limits: limits},
		},
	}))
	ball := must(geometry.NewSphere(radius))
	s := must(scene.New(scene.Model{Model: m, Shapes: map[string][]geometry.Part{"ball": {{Shape: ball}}}}))
	return must(s.Add(boxes...))
}

// box returns an obstacle from (x0, y0) to (x1, y1).
func box(name string, x0, y0, x1, y1 float64) scene.Object {
	shape := must(geometry.NewBox(spatial.Vec3{X: x1 - x0, Y: y1 - y0, Z: 1}))
	return scene.Object{
		Name: name, Pose: spatial.Translation(spatial.Vec3{X: (x0 + x1) / 2, Y: (y0 + y1) / 2}), Parts: []geometry.Part{{Shape: shape}},
	}
}

// maze has size × size cells of 1 m, with walls 0.2 m thick between some of them.
type maze struct {
	size  int
	right []bool // wall between a cell and its right neighbour
	above []bool
}

// newMaze builds each wall with a probability.
func newMaze(r *rand.Rand, size int, walls float64) *maze {
	m := &maze{size, make([]bool, size*size), make([]bool, size*size)}
	for i := range m.right {
		m.right[i], m.above[i] = r.Float64() < walls, r.Float64() < walls
	}
	return m
}

// scene returns the maze with a ball.
func (m *maze) scene(radius float64) *scene.Scene {
	var boxes []scene.Object
	for i := range m.right {
		x, y := float64(i%m.size), float64(i/m.size)
		if m.right[i] && i%m.size < m.size-1 {
			boxes = append(boxes, box(fmt.Sprintf("right of %d", i), x+0.9, y-0.1, x+1.1, y+1.1))
		}
		if m.above[i] && i/m.size < m.size-1 {
			boxes = append(boxes, box(fmt.Sprintf("above %d", i), x-0.1, y+0.9, x+1.1, y+1.1))
		}
	}
	return slider(radius, float64(m.size), boxes...)
}

// steps returns how many cells the goal is from the start by an exhaustive search, -1 if there is no way.
func (m *maze) steps(start, goal int) int {
	steps := make([]int, m.size*m.size)
	for i := range steps {
		steps[i] = -1
	}
	steps[start] = 0
	for queue := []int{start}; len(queue) > 0; queue = queue[1:] {
		i := queue[0]
		visit := func(to int) {
			if steps[to] < 0 {
				steps[to] = steps[i] + 1
				queue = append(queue, to)
			}
		}
		if x := i % m.size; x > 0 && !m.right[i-1] {
			visit(i - 1)
		}
		if x := i % m.size; x < m.size-1 && !m.right[i] {
			visit(i + 1)
		}
		if y := i / m.size; y > 0 && !m.above[i-m.size] {
			visit(i - m.size)
		}
		if y := i / m.size; y < m.size-1 && !m.above[i] {
			visit(i + m.size)
		}
	}
	return steps[goal]
}

// center returns the middle of a cell.
func (m *maze) center(i int) []float64 {
	return []float64{float64(i%m.size) + 0.5, float64(i/m.size) + 0.5}
}

// joints returns the space of all joints of a scene.
func joints(s *scene.Scene) *space.Joints { return must(space.NewJoints(s, nil, nil)) }
