package sim_test

import (
	"math"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/sim"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// The motions of testdata/mujoco, where MuJoCo 2.2.2 takes bodies with steps of 0.1 ms: positions (m) as bench/peers/contacts.cpp prints them,
// quaternions as (w, x, y, z). MuJoCo takes the greater of two coefficients of friction.
func TestMotionsAgreeWithMuJoCo(t *testing.T) {
	// a box that slides and spins
	b := box(t, "box", 1, spatial.Vec3{X: 0.2, Y: 0.3, Z: 0.1}, spatial.Vec3{Z: 0.05}, sim.Hard(0.4))
	b.Velocity = spatial.Motion{Linear: spatial.Vec3{X: 1.2, Y: 0.5}, Angular: spatial.Vec3{Z: 6}}
	w := world(t, nil, level(sim.Hard(0.4)), b)
	w.Step(300 * time.Millisecond)
	poseNear(t, "slide after 0.3 s", w.Pose(1), 0.220201144, 0.086460963, 0.906045725, 0, 0, 0.423179801)
	w.Step(2700 * time.Millisecond)
	poseNear(t, "slide at rest", w.Pose(1), 0.227708258, 0.089241526, 0.902116758, 0, 0, 0.431492010)

	// a box on a sled that sets out without it
	sled := box(t, "sled", 2, spatial.Vec3{X: 0.6, Y: 0.4, Z: 0.1}, spatial.Vec3{Z: 0.05}, sim.Hard(0.2))
	sled.Velocity.Linear.X = 1
	load := box(t, "load", 1, spatial.Vec3{X: 0.2, Y: 0.2, Z: 0.1}, spatial.Vec3{Z: 0.15}, sim.Hard(0.6)) // 0.3 on the sled
	w = world(t, nil, level(sim.Hard(0.2/3)), sled, load)                                                 // 0.1 under it
	w.Step(300 * time.Millisecond)
	poseNear(t, "sled after 0.3 s", w.Pose(1), 0.183868169, 0, 1, 0, 0, 0)
	poseNear(t, "load after 0.3 s", w.Pose(2), 0.099784334, 0, 1, 0, 0, 0)
	w.Step(2700 * time.Millisecond)
	poseNear(t, "sled at rest", w.Pose(1), 0.254127124, 0, 1, 0, 0, 0)
	poseNear(t, "load at rest", w.Pose(2), 0.171231287, 0, 1, 0, 0, 0)

	// a box that topples over its lower edge
	b = box(t, "box", 1, spatial.Vec3{X: 0.1, Y: 0.2, Z: 0.3}, spatial.Vec3{Z: 0.15}, sim.Hard(0.8))
	b.Velocity = spatial.Motion{Linear: spatial.Vec3{X: 0.6}, Angular: spatial.Vec3{Y: 4}}
	w = world(t, nil, level(sim.Hard(0.8)), b)
	w.Step(300 * time.Millisecond)
	poseNear(t, "topple after 0.3 s", w.Pose(1), 0.163290588, 0, 0.848386117, 0, 0.529377934, 0)
	w.Step(2700 * time.Millisecond)
	poseNear(t, "topple at rest", w.Pose(1), 0.205517473, 0, math.Sqrt2/2, 0, math.Sqrt2/2, 0)
}

// poseNear compares position in the plane and orientation: 2.5 mm and 0.005 rad, what the softness of contacts and the order of steps make.
func poseNear(t *testing.T, what string, p spatial.Pose, x, y, qw, qx, qy, qz float64) {
	t.Helper()
	testkit.Near(t, what+": x", p.P.X, x, 2.5e-3)
	testkit.Near(t, what+": y", p.P.Y, y, 2.5e-3)
	if a := (spatial.Quat{X: qx, Y: qy, Z: qz, W: qw}).Mat3().T().Mul(p.R).Log().Norm(); a > 0.005 {
		t.Errorf("%s: turned by %g rad from MuJoCo's", what, a)
	}
}
