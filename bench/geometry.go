package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

const (
	geometryRounds  = 5  // FCL and sinew alternate this many times
	geometryBatches = 40 // batches in a round; the best one counts
	geometryPoses   = 256
	geometryMeshes  = 12 // poses of meshes
)

// geometryCase is one kind of query about one pair of shapes. The names are those of bench/peers/fcl.cpp.
type geometryCase struct {
	name   string
	a, b   *geometry.Shape
	query  byte // h: hit, d: distance
	near   bool // each pose is a small step from the last one
	spread float64
	target float64
}

func geometryCases() []geometryCase {
	sphere, _ := geometry.NewSphere(0.5)
	capsule, _ := geometry.NewCapsule(0.3, 1)
	box, _ := geometry.NewBox(spatial.Vec3{X: 1, Y: 0.8, Z: 0.6})
	points, _ := geometryBall(11, 15, 0)
	hull, _ := geometry.NewHull(points)
	waves, err := geometry.NewMesh(geometryBall(50, 50, 0.1))
	if err != nil {
		panic(err)
	}
	return []geometryCase{
		{"sphere_sphere", sphere, sphere, 'd', false, 1.5, 0.3},
		{"sphere_box", sphere, box, 'd', false, 1.5, 0.3},
		{"capsule_capsule", capsule, capsule, 'd', false, 1.5, 0.3},
		{"sphere_capsule", sphere, capsule, 'd', false, 1.5, 0.3},
		{"box_hit", box, box, 'h', false, 0.8, 0.15},
		{"box_distance", box, box, 'd', false, 2, 0.6},
		{"convex_distance", hull, hull, 'd', false, 4, 0.22},
		{"convex_near", hull, hull, 'd', true, 4, 0.08},
		{"convex_depth", hull, hull, 'd', false, 0.6, 0.08},
		{"mesh_hit", waves, waves, 'h', false, 1.6, 0.5},
		{"mesh_distance", waves, waves, 'd', false, 5, 0.25},
	}
}

// geometryBall returns the points of a sphere with waves of this height and the triangles between them, as the peer does.
func geometryBall(rings, sectors int, waves float64) (points []spatial.Vec3, triangles [][3]int) {
	at := func(i, j int) int {
		switch i {
		case 0:
			return 0
		case rings:
			return 1
		}
		return 2 + (i-1)*sectors + j%sectors
	}
	points = []spatial.Vec3{{Z: 1}, {Z: -1}}
	for i := 1; i < rings; i++ {
		for j := range sectors {
			u, v := math.Pi*float64(i)/float64(rings), 2*math.Pi*float64(j)/float64(sectors)
			r := 1 + waves*math.Sin(5*u)*math.Sin(7*v)
			points = append(points, spatial.Vec3{X: math.Sin(u) * math.Cos(v), Y: math.Sin(u) * math.Sin(v), Z: math.Cos(u)}.Scale(r))
		}
	}
	for i := range rings {
		for j := range sectors {
			if i < rings-1 {
				triangles = append(triangles, [3]int{at(i, j), at(i+1, j), at(i+1, j+1)})
			}
			if i > 0 {
				triangles = append(triangles, [3]int{at(i, j), at(i+1, j+1), at(i, j+1)})
			}
		}
	}
	return points, triangles
}

// pairs compares the times of queries of pairs of shapes with those of FCL. The tests of robot/geometry compare the answers.
func pairs() error {
	dir, err := os.MkdirTemp("", "sinew-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	fcl := &peer{name: "fcl", source: "fcl.cpp", flags: []string{"-I/usr/include/eigen3", "-lfcl", "-lccd", "-loctomap", "-loctomath"}}
	_ = fcl.build(dir) // an empty column shows it
	random := rand.New(rand.NewPCG(9, 0))
	cases := geometryCases()
	poses := make([][][2]spatial.Pose, len(cases))
	var file bytes.Buffer
	for i, c := range cases {
		poses[i] = geometryPosePairs(random, c)
		number(&file, float64(len(poses[i])))
		for _, p := range poses[i] {
			writePose(&file, &p[0])
			writePose(&file, &p[1])
		}
	}
	path := filepath.Join(dir, "poses")
	if err := os.WriteFile(path, file.Bytes(), 0o600); err != nil {
		return err
	}
	ours, theirs := times{}, times{}
	for range geometryRounds {
		t, err := fcl.run("time", path, strconv.Itoa(geometryBatches))
		if err != nil {
			return err
		}
		theirs.keep(t)
		ours.keep(timePairs(cases, poses))
	}
	fmt.Println("| pair | FCL 0.7 | sinew | of FCL | target |")
	fmt.Println("|---|---|---|---|---|")
	for _, c := range cases {
		fmt.Printf("| %s | %s | %s | %s | %.2f |\n", c.name, nanos(theirs[c.name]), nanos(ours[c.name]), ratio(ours[c.name], theirs[c.name]), c.target)
	}
	return nil
}

// geometryPosePairs returns poses of a case; near ones drift by millimetres and milliradians.
func geometryPosePairs(random *rand.Rand, c geometryCase) [][2]spatial.Pose {
	n := geometryPoses
	if c.a != nil && c.a.Kind() == geometry.Mesh {
		n = geometryMeshes
	}
	all := make([][2]spatial.Pose, n)
	for i := range all {
		if c.near && i > 0 {
			last := &all[i-1]
			all[i][0] = last[0]
			all[i][1] = spatial.Pose{R: last[1].R.Mul(spatial.Exp(geometryVector(random).Scale(1e-3))), P: last[1].P.Add(geometryVector(random).Scale(1e-3))}
			continue
		}
		all[i][0], all[i][1] = geometryPosePair(random, c.spread)
	}
	return all
}

// geometryPosePair returns two poses with origins about spread (m) apart.
func geometryPosePair(random *rand.Rand, spread float64) (a, b spatial.Pose) {
	a = spatial.Pose{R: spatial.Exp(geometryVector(random).Scale(2)), P: geometryVector(random)}
	b = spatial.Pose{R: spatial.Exp(geometryVector(random).Scale(2)), P: a.P.Add(geometryVector(random).Unit().Scale(spread * (0.5 + 0.7*random.Float64())))}
	return a, b
}

func geometryVector(random *rand.Rand) spatial.Vec3 {
	return spatial.Vec3{X: random.NormFloat64(), Y: random.NormFloat64(), Z: random.NormFloat64()}
}

// timePairs measures the queries of robot/geometry.
func timePairs(cases []geometryCase, poses [][][2]spatial.Pose) times {
	t, q := times{}, new(geometry.Query)
	for i, c := range cases {
		least, _ := best(geometryBatches, func() (time.Duration, error) {
			warm := (*geometry.WarmStart)(nil)
			if c.near {
				warm = new(geometry.WarmStart)
			}
			begin := time.Now()
			for k := range poses[i] {
				p := &poses[i][k]
				if c.query == 'h' {
					_, _, _ = q.Hit(c.a, &p[0], c.b, &p[1], 0, warm)
				} else {
					_, _ = q.Distance(c.a, &p[0], c.b, &p[1], warm)
				}
			}
			return time.Since(begin), nil
		})
		t[c.name] = float64(least.Nanoseconds()) / float64(len(poses[i]))
	}
	return t
}

func writePose(file *bytes.Buffer, x *spatial.Pose) {
	for i := range 3 {
		for j := range 3 {
			number(file, x.R[i][j])
		}
	}
	for _, v := range []float64{x.P.X, x.P.Y, x.P.Z} {
		number(file, v)
	}
}

func number(file *bytes.Buffer, x float64) {
	_ = binary.Write(file, binary.NativeEndian, x)
}
