package multibody

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

var movingTypes = []JointType{
	Revolute, Continuous, Prismatic, Helical, Cylindrical, Planar, Universal, Spherical, Floating,
}

// randomTree returns a tree of joints of the given types, each hung on a random link before it.
func randomTree(r *rand.Rand, types ...JointType) Tree {
	t := Tree{Name: "random", Links: []Link{{Name: "link0", Inertia: randomInertia(r)}}}
	for i, kind := range types {
		j := Joint{
			Name: fmt.Sprintf("joint%d", r.IntN(1000)*100+i), Type: kind,
			Parent: fmt.Sprintf("link%d", max(0, i-r.IntN(3))), Child: fmt.Sprintf("link%d", i+1),
			Placement: spatial.Pose{R: randomPlacement(r), P: randomVec(r)},
			Axis:      randomAxis(r), Axis2: randomVec(r), Pitch: r.NormFloat64() * 0.2,
		}
		if kind != Spherical && kind != Floating && kind != Fixed && r.IntN(2) == 0 {
			j.Armature = r.Float64()
		}
		t.Joints = append(t.Joints, j)
		t.Links = append(t.Links, Link{Name: j.Child, Inertia: randomInertia(r)})
	}
	return t
}

// randomModels calls f with many models: one joint of each type, then mixtures.
func randomModels(t *testing.T, r *rand.Rand, f func(t *testing.T, m *Model)) {
	for _, kind := range movingTypes {
		t.Run(kind.String(), func(t *testing.T) {
			f(t, mustModel(t, randomTree(r, kind, Revolute, kind)))
		})
	}
	for i := range 6 {
		types := []JointType{Fixed}
		for range 6 + r.IntN(5) {
			types = append(types, movingTypes[r.IntN(len(movingTypes))], Fixed)
		}
		t.Run(fmt.Sprintf("mixture%d", i), func(t *testing.T) {
			var options []Option
			if i%2 == 0 {
				options = append(options, FloatingBase())
			}
			f(t, mustModel(t, randomTree(r, types...), options...))
		})
	}
	t.Run("mimic", func(t *testing.T) {
		f(t, mustModel(t, mimicTree(r)))
	})
}

// mimicTree returns a tree with joints that follow others, one of them indirectly.
func mimicTree(r *rand.Rand) Tree {
	tree := randomTree(r, Revolute, Prismatic, Spherical, Revolute, Continuous, Helical)
	j := tree.Joints
	j[1].Mimic = &Mimic{Joint: j[0].Name, Multiplier: -0.5, Offset: 0.3}
	j[3].Mimic = &Mimic{Joint: j[1].Name, Multiplier: 2, Offset: -0.1}
	j[5].Mimic = &Mimic{Joint: j[4].Name, Multiplier: 1}
	return tree
}

func mustModel(t testing.TB, tree Tree, options ...Option) *Model {
	t.Helper()
	m, err := NewModel(tree, options...)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func randomVec(r *rand.Rand) spatial.Vec3 {
	return spatial.Vec3{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}.Scale(0.4)
}

// randomAxis returns an axis, often along a coordinate axis, in either direction.
func randomAxis(r *rand.Rand) spatial.Vec3 {
	k := float64(2*r.IntN(2) - 1)
	switch r.IntN(6) {
	case 0:
		return spatial.Vec3{X: k}
	case 1:
		return spatial.Vec3{Y: k}
	case 2:
		return spatial.Vec3{Z: k}
	}
	return randomVec(r)
}

// randomPlacement returns a pose, often the identity or a quarter turn.
func randomPlacement(r *rand.Rand) spatial.Mat3 {
	switch r.IntN(5) {
	case 0:
		return spatial.Identity()
	case 1:
		return spatial.RotX(1.5707963267948966)
	case 2:
		return spatial.RotY(-1.57079632679) // with few digits, as in many files
	case 3:
		return spatial.RotZ(3.141592653589793)
	}
	return randomRotation(r).Mat3()
}

func randomInertia(r *rand.Rand) spatial.Inertia {
	var sum spatial.Inertia
	for range 5 {
		sum = sum.Add(spatial.Inertia{Mass: 0.1 + r.Float64(), COM: randomVec(r).Scale(0.5)})
	}
	return sum
}

func randomSlice(r *rand.Rand, n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = r.NormFloat64()
	}
	return v
}

// state returns a random configuration and three random vectors.
func state(r *rand.Rand, m *Model) (q, v, a, tau []float64) {
	q = make([]float64, m.NQ())
	m.Random(r, q)
	return q, randomSlice(r, m.NV()), randomSlice(r, m.NV()), randomSlice(r, m.NV())
}

func times(M []float64, x []float64) []float64 {
	n := len(x)
	y := make([]float64, len(M)/n)
	for i := range y {
		for j := range x {
			y[i] += M[i*n+j] * x[j]
		}
	}
	return y
}
