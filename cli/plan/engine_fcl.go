//go:build fcl

package plan

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/scene/exact"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// otherEngines returns the names of engines that are not sinew's.
func otherEngines() []string { return []string{"fcl"} }

// otherEngine returns the engine of a name that is not sinew's, nil for others.
func otherEngine(name string, s *scene.Scene) (scene.Engine, error) {
	if name != "fcl" {
		return nil, nil
	}
	return newFCL(s)
}

// fclEngine asks FCL whether bodies collide, in a process of its own that ends with its input, bench/peers/fcl.cpp. Distances and contacts are those of the exact engine.
type fclEngine struct {
	exact  *exact.Engine
	placer *scene.Placer
	pairs  []scene.Pair
	in     io.Writer
	out    io.Reader
}

// newFCL compiles and starts the program for a scene. It fails outside of sinew's own checkout, without a compiler or FCL, and for shapes that FCL does not have.
func newFCL(s *scene.Scene) (*fclEngine, error) {
	source, err := fclSource()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "sinew-fcl")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir) // the process keeps its program
	program, file := filepath.Join(dir, "fcl"), filepath.Join(dir, "scene")
	if text, err := exec.Command("c++", "-O3", "-DNDEBUG", "-o", program, source, "-I/usr/include/eigen3", "-lfcl", "-lccd", "-loctomap", "-loctomath").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("compile FCL's side; on Debian make bench-peers installs libfcl-dev: %w\n%s", err, text)
	}
	e := &fclEngine{exact: exact.New(s), placer: scene.NewPlacer(s)}
	numbers, err := e.describe()
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := binary.Write(&b, binary.NativeEndian, numbers); err != nil {
		return nil, err
	}
	if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
		return nil, err
	}
	cmd := exec.Command(program, "serve", file)
	if e.in, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if e.out, err = cmd.StdoutPipe(); err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start FCL's side: %w", err)
	}
	_, err = e.ask(0, make([]float64, s.NQ()), 1) // it has read the file
	return e, err
}

// fclSource finds FCL's side above the working directory.
func fclSource() (string, error) {
	dir, err := os.Getwd()
	for err == nil {
		source := filepath.Join(dir, "bench", "peers", "fcl.cpp")
		if _, statErr := os.Stat(source); statErr == nil {
			return source, nil
		}
		if filepath.Dir(dir) == dir {
			err = errors.New("find bench/peers/fcl.cpp: it is in no folder above this one; run sinew in its checkout")
		}
		dir = filepath.Dir(dir)
	}
	return "", err
}

// describe returns the shapes, bodies and pairs of the scene as fcl.cpp reads them.
func (e *fclEngine) describe() ([]float64, error) {
	bodies := e.Scene().Bodies()
	var shapes, of []float64
	n := 0
	for _, b := range bodies {
		compound := []float64{9, 0, float64(len(b.Parts))}
		for _, part := range b.Parts {
			x, err := fclShape(part.Shape)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", b.Name, err)
			}
			shapes = append(shapes, x...)
			compound = append(append(compound, float64(n)), fclPose(part.Pose)...)
			n++
		}
		shapes = append(shapes, compound...)
		of = append(of, float64(n))
		n++
	}
	var pairs []float64
	for i := range bodies {
		for j := range i {
			if e.Scene().Checked(i, j) {
				pairs = append(pairs, float64(j), float64(i))
				e.pairs = append(e.pairs, scene.Pair{A: bodies[j].Name, B: bodies[i].Name})
			}
		}
	}
	list := append([]float64{float64(n)}, shapes...)
	list = append(append(list, float64(len(bodies))), of...)
	return append(append(list, float64(len(e.pairs))), pairs...), nil
}

// fclShape returns a shape as fcl.cpp reads it.
func fclShape(s *geometry.Shape) ([]float64, error) {
	at := spatial.IdentityPose()
	b := s.Bounds(&at)
	size := b.Max.Sub(b.Min)
	switch r := s.Radius(); {
	case s.Kind() == geometry.Sphere:
		return []float64{0, 0, r, 0, 0}, nil
	case s.Kind() == geometry.Capsule:
		return []float64{1, 0, r, size.Z - 2*r, 0}, nil
	case r > 0:
	case s.Kind() == geometry.Box:
		return []float64{2, 0, size.X, size.Y, size.Z}, nil
	case s.Kind() == geometry.Cylinder:
		return []float64{3, 0, size.X / 2, size.Z, 0}, nil
	case s.Kind() == geometry.Hull || s.Kind() == geometry.Mesh:
		kind := 6.0
		if s.Kind() == geometry.Mesh {
			kind = 7
		}
		points, triangles := s.Surface()
		list := []float64{kind, 0, float64(len(points))}
		for _, p := range points {
			list = append(list, p.X, p.Y, p.Z)
		}
		list = append(list, float64(len(triangles)))
		for _, t := range triangles {
			list = append(list, float64(t[0]), float64(t[1]), float64(t[2]))
		}
		return list, nil
	}
	return nil, fmt.Errorf("a %v of radius %g m is not given to FCL", s.Kind(), s.Radius())
}

// fclPose returns the rows of the rotation and the position.
func fclPose(x spatial.Pose) []float64 {
	r := x.R
	return []float64{r[0][0], r[0][1], r[0][2], r[1][0], r[1][1], r[1][2], r[2][0], r[2][1], r[2][2], x.P.X, x.P.Y, x.P.Z}
}

// ask sends the poses at q, and returns n numbers.
func (e *fclEngine) ask(question float64, q []float64, n int) ([]float64, error) {
	if err := e.placer.Place(q); err != nil {
		return nil, err
	}
	list := []float64{question}
	for _, x := range e.placer.Poses {
		list = append(list, fclPose(x)...)
	}
	if err := binary.Write(e.in, binary.NativeEndian, list); err != nil {
		return nil, fmt.Errorf("ask FCL: %w", err)
	}
	answers := make([]float64, n)
	if err := binary.Read(e.out, binary.NativeEndian, answers); err != nil {
		return nil, fmt.Errorf("read FCL's answer: %w", err)
	}
	return answers, nil
}

// Name implements [scene.Engine].
func (e *fclEngine) Name() string { return "fcl" }

// Scene implements [scene.Engine].
func (e *fclEngine) Scene() *scene.Scene { return e.exact.Scene() }

// Contacts implements [scene.Engine].
func (e *fclEngine) Contacts(q []float64, list []scene.Contact) ([]scene.Contact, error) {
	return e.exact.Contacts(q, list)
}

// Distance implements [scene.Engine].
func (e *fclEngine) Distance(q []float64) (scene.Contact, error) { return e.exact.Distance(q) }

// Collide implements [scene.Engine].
func (e *fclEngine) Collide(q []float64) (pair scene.Pair, hit bool, err error) {
	x, err := e.ask(0, q, 1)
	if err != nil || x[0] < 0 {
		return pair, false, err
	}
	return e.pairs[int(x[0])], true, nil
}

// Touching implements [scene.Engine].
func (e *fclEngine) Touching(q []float64, list []scene.Pair) ([]scene.Pair, error) {
	x, err := e.ask(1, q, len(e.pairs))
	for i := range x {
		if x[i] != 0 {
			list = append(list, e.pairs[i])
		}
	}
	return list, err
}
