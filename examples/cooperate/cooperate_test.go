package cooperate

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/system"
	"github.com/sinew-robotics/sinew/net/thread"
	"github.com/sinew-robotics/sinew/parts/flow"
	"github.com/sinew-robotics/sinew/parts/motion"
	"github.com/sinew-robotics/sinew/parts/torque"
	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/scene/exact"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// beside is a place of the ball that the elbow occupies in the posture at first; away is the one at first.
var (
	beside = spatial.Vec3{X: 0.02, Y: -0.1, Z: 0.65}
	away   = spatial.Vec3{Y: -1, Z: 0.65}
)

// judge measures the simulated robot, by a model of its own.
type judge struct {
	model *multibody.Model
	data  *multibody.Data
	hand  int
	scene *scene.Scene
}

func newJudge(t *testing.T) *judge {
	t.Helper()
	files := os.DirFS(filepath.Join(testkit.Root(t), "models/panda"))
	robot, err := description.Read(files, "panda.urdf", description.Options{})
	if err != nil {
		t.Fatal(err)
	}
	robot, _ = robot.Solid()
	j := &judge{}
	if j.model, err = robot.Model(); err != nil {
		t.Fatal(err)
	}
	shapes, err := robot.Shapes()
	if err != nil {
		t.Fatal(err)
	}
	var own []scene.Pair
	links := j.model.Links()
	for i := range links {
		for k := range i {
			own = append(own, scene.Pair{A: links[i], B: links[k]})
		}
	}
	if j.scene, err = scene.New(scene.Model{Model: j.model, Shapes: shapes, Allowed: own}); err != nil {
		t.Fatal(err)
	}
	j.data = multibody.NewData(j.model)
	if j.hand, err = j.model.Link("panda_hand_tcp"); err != nil {
		t.Fatal(err)
	}
	return j
}

// measure returns the pose of the hand and the distance of the robot from the ball.
func (j *judge) measure(q []float64, ball spatial.Vec3) (hand spatial.Pose, distance float64) {
	sphere, err := geometry.NewSphere(0.06)
	if err != nil {
		panic(err)
	}
	s, err := j.scene.Add(scene.Object{Name: "ball", Pose: spatial.Translation(ball), Parts: []geometry.Part{{Shape: sphere}}})
	if err != nil {
		panic(err)
	}
	c, err := exact.New(s).Distance(q)
	if err != nil {
		panic(err)
	}
	multibody.FK(j.data, q)
	return j.data.Pose(j.hand), c.Distance
}

// TestElbowYieldsWhileTheHandStays runs the system in virtual time: the ball comes to the elbow and leaves again.
func TestElbowYieldsWhileTheHandStays(t *testing.T) {
	s, err := system.Load("cooperate.yaml", system.Options{Registry: block.NewRegistry(flow.Blocks(), motion.Blocks(), torque.Blocks())})
	if err != nil {
		t.Fatal(err)
	}
	j := newJudge(t)
	core := thread.New(s.Net, thread.Options{})
	local := admin.NewLocal(core.Front(), s)
	core.Front().Go(func(p *thread.Participant) {
		defer core.Front().Stop()
		watch(t, p, local.As(p), j)
	})
	if err := core.RunVirtual(context.Background()); err != nil {
		t.Fatal(err)
	}
	for _, fault := range core.Front().Faults() {
		t.Error(fault)
	}
}

func watch(t *testing.T, p *thread.Participant, local *admin.Local, j *judge) {
	ctx := context.Background()
	read := func(port string) []float64 {
		r, err := local.Read(ctx, port)
		if err != nil {
			panic(err) // a goroutine of its own: not t.Fatal
		}
		var list []float64
		for _, x := range r.Value.([]any) {
			list = append(list, x.(float64))
		}
		return list
	}
	now := 0.1
	sample := func() (q []float64, ball spatial.Vec3) {
		if err := p.Wait(clock.At(time.Duration(now*float64(time.Second))), nil); err != nil {
			panic(err)
		}
		now += 0.02
		q = read("robot.position")
		b := read("tracker.out")
		return q, spatial.Vec3{X: b[0], Y: b[1], Z: b[2]}
	}
	put := func(at spatial.Vec3) {
		if err := local.SetParams(ctx, "ball", map[string]any{"value": []any{at.X, at.Y, at.Z}}); err != nil {
			t.Error(err)
		}
	}
	start, ball := sample()
	first, _ := j.measure(start, ball)
	_, still := j.measure(start, beside)
	off, turn, least := 0.0, 0.0, math.Inf(1)
	run := func(seconds float64) (q []float64) {
		for end := now + seconds; now < end; {
			var ball spatial.Vec3
			q, ball = sample()
			hand, d := j.measure(q, ball)
			off = max(off, hand.P.Sub(first.P).Norm())
			turn = max(turn, hand.R.Mul(first.R.T()).Log().Norm())
			least = min(least, d)
		}
		return q
	}
	put(beside)
	run(6)
	put(away)
	end := run(8)
	back := 0.0
	for i, q := range end {
		back = max(back, math.Abs(q-start[i]))
	}
	t.Logf("at least %.0f mm from the ball, %.0f mm without avoiding; the hand is up to %.2f mm and %.2g rad off, the joints at last %.2g rad", 1000*least, 1000*still, 1000*off, turn, back)
	if least < 0.1 || still > 0 || off > 0.002 || turn > 0.01 || back > 0.02 {
		t.Errorf("at least %g m from the ball, %g m without avoiding; the hand is up to %g m and %g rad off, the joints at last %g rad", least, still, off, turn, back)
	}
}
