package planning_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/planning"
	"github.com/sinew-robotics/sinew/robot/planning/space"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/scene/exact"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// TestTunnelIsFreeAndConnected looks at the spheres that lead a ball through mazes: by the engine for a ball of their size none touches a wall, each begins
// where the one before reaches, and the first and the last one hold start and goal.
func TestTunnelIsFreeAndConnected(t *testing.T) {
	r := testkit.Rand(t)
	for tunnels := 0; tunnels < 5; {
		m := newMaze(r, 5, 0.35)
		start, goal := r.IntN(25), r.IntN(25)
		steps := m.steps(start, goal)
		s := m.scene(disc)
		p := must(planning.NewEET(exact.New(s), joints(s), resolution, 0))
		p.Seed, p.Iterations = r.Uint64(), 1 // the tunnel is there before the first sample
		_, err := p.Plan(m.center(start), m.center(goal))
		tunnel := p.Tunnel()
		if err == nil && p.Samples == 0 {
			if len(tunnel) > 0 {
				t.Errorf("a plan without samples has a tunnel of %d spheres", len(tunnel))
			}
			continue
		}
		if found := len(tunnel) > 0; found != (steps >= 0) {
			t.Errorf("from %d to %d in %d steps: a tunnel of %d spheres", start, goal, steps, len(tunnel))
		}
		if len(tunnel) == 0 {
			continue
		}
		tunnels++
		for i, b := range tunnel {
			ball := m.scene(b.Radius * 0.999)
			if pair, hit, err := exact.New(ball).Collide([]float64{b.Center.X, b.Center.Y}); hit || err != nil || math.Abs(b.Center.Z) > 1e-9 {
				t.Errorf("sphere %d of %d, %v: %v, %v", i, len(tunnel), b, pair, err)
			}
			if i == 0 {
				continue
			}
			if gap := b.Center.Sub(tunnel[i-1].Center).Norm() - tunnel[i-1].Radius; gap > 1e-9 {
				t.Errorf("sphere %d is %g m from the one before", i, gap)
			}
		}
		at := func(cell int) spatial.Vec3 { return spatial.Vec3{X: m.center(cell)[0], Y: m.center(cell)[1]} }
		if first, last := tunnel[0], tunnel[len(tunnel)-1]; first.Center.Sub(at(start)).Norm() > 1e-9 || last.Center.Sub(at(goal)).Norm() > last.Radius {
			t.Errorf("the tunnel leads from %v to %v, not from %v to %v", first, last, at(start), at(goal))
		}
	}
}

// elbow returns an arm of three joints in the plane, with a frame before its finger, left of a wall with a door.
func elbow() *scene.Scene {
	limits := &multibody.Limits{Lower: -3, Upper: 3}
	joint := func(name, parent, child string, x float64) multibody.Joint {
		return multibody.Joint{
			Name: name, Type: multibody.Revolute, Parent: parent, Child: child, Axis: spatial.Vec3{Z: 1}, Placement: spatial.Translation(spatial.Vec3{X: x}), Limits: limits,
		}
	}
	fixed := func(name, parent, child string, x float64) multibody.Joint {
		return multibody.Joint{Name: name, Type: multibody.Fixed, Parent: parent, Child: child, Placement: spatial.Translation(spatial.Vec3{X: x})}
	}
	m := must(multibody.NewModel(multibody.Tree{
		Name:  "elbow",
		Links: []multibody.Link{{Name: "base"}, {Name: "upper"}, {Name: "lower"}, {Name: "palm"}, {Name: "finger"}, {Name: "tip"}},
		Joints: []multibody.Joint{
			joint("shoulder", "base", "upper", 0), joint("elbow", "upper", "lower", 1), joint("wrist", "lower", "palm", 1),
			fixed("knuckle", "palm", "finger", 0.2), fixed("end", "finger", "tip", 0.3),
		},
	}))
	bar := func(length float64) []geometry.Part {
		return []geometry.Part{{Shape: must(geometry.NewBox(spatial.Vec3{X: length, Y: 0.06, Z: 0.06})), Pose: spatial.Translation(spatial.Vec3{X: length / 2})}}
	}
	s := must(scene.New(scene.Model{
		Prefix: "left/", Model: m, Shapes: map[string][]geometry.Part{"upper": bar(0.9), "lower": bar(0.9), "finger": bar(0.2)},
		Allowed: []scene.Pair{{A: "upper", B: "lower"}, {A: "lower", B: "finger"}},
	}))
	return must(s.Add(box("left of the door", 1.2, 0.3, 1.4, 3), box("right of the door", 1.2, -3, 1.4, -0.3)))
}

// TestTunnelLeadsAnArmThroughADoor plans from one side of a wall to the other.
func TestTunnelLeadsAnArmThroughADoor(t *testing.T) {
	s := elbow()
	start, goal := []float64{2, -2.2, 0}, []float64{0.9, -1.8, 0.9}
	v := must(planning.NewVerifier(exact.New(s), joints(s), resolution))
	for seed := range uint64(5) {
		p := must(planning.NewEET(exact.New(s), joints(s), resolution, 0))
		p.Seed = seed
		path, err := p.Plan(start, goal)
		if err != nil {
			t.Fatal(err)
		}
		if tunnel := p.Tunnel(); len(tunnel) < 2 || !v.Path(path) || !slices.Equal(path.At(path.Len()-1), goal) {
			t.Errorf("seed %d: a tunnel of %d spheres, a path of %d points", seed, len(tunnel), path.Len())
		}
	}
}

func TestHandIsTheLastLinkWithShapesUnlessItIsChosen(t *testing.T) {
	s := elbow()
	p := must(planning.NewEET(exact.New(s), joints(s), resolution, 100))
	start := []float64{2, -2.2, 0}
	data := multibody.NewData(s.Models()[0].Model)
	multibody.FK(data, start)
	for _, link := range []string{"", "left/finger", "left/tip", "left/lower"} {
		if err := p.Lead(link); err != nil {
			t.Fatal(err)
		}
		p.Iterations = 1
		if _, err := p.Plan(start, []float64{0.9, -1.8, 0.9}); err != nil && !errors.Is(err, planning.ErrNoPath) {
			t.Fatal(err)
		}
		name := strings.TrimPrefix(link, "left/")
		if link == "" {
			name = "finger"
		}
		want := data.Pose(must(s.Models()[0].Model.Link(name))).P
		if tunnel := p.Tunnel(); len(tunnel) == 0 || tunnel[0].Center.Sub(want).Norm() > 1e-12 {
			t.Errorf("%q: the tunnel %v begins not at %v", link, tunnel, want)
		}
	}
	for link, want := range map[string]string{
		"left/fingre": `no robot of the scene has it; did you mean "left/finger"`,
		"left/base":   "no joint of the space moves it",
	} {
		if err := p.Lead(link); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", link, err)
		}
	}
}

func TestTunnelNeedsARobot(t *testing.T) {
	s := must(must(scene.New()).Add(box("alone", 0, 0, 1, 1)))
	plane := must(space.NewAxes(space.Axis{Name: "x", Upper: 1}))
	if _, err := planning.NewEET(exact.New(s), still{plane}, resolution, 100); err == nil || !strings.Contains(err.Error(), "needs a robot") {
		t.Errorf("a tree without a hand: %v", err)
	}
}

// still is a space that moves no robot.
type still struct{ *space.Axes }

func (still) NQ() int                      { return 0 }
func (still) Configuration(p, q []float64) {}
