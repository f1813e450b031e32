package hexapod

import (
	"math"
	"os"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/multibody"
)

func leg(i int) Leg {
	return Leg{mounts[i].x, mounts[i].y, mounts[i].yaw, 0.06, 0.12, 0.18}
}

// The closed form agrees with the model of the URDF in geometry and limits.
func TestLegsMatchTheModel(t *testing.T) {
	robot, err := description.Read(os.DirFS("../../.."), urdf, description.Options{})
	if err != nil {
		t.Fatal(err)
	}
	model, err := robot.Model()
	if err != nil {
		t.Fatal(err)
	}
	lower, upper := make([]float64, model.NV()), make([]float64, model.NV())
	model.PositionLimits(lower, upper)
	for i := range lower {
		if lower[i] != jointLower[i%3] || upper[i] != jointUpper[i%3] {
			t.Errorf("limits of joint %d are %v and %v in the model", i, lower[i], upper[i])
		}
	}
	r, data, q := testkit.Rand(t), multibody.NewData(model), model.Neutral()
	for range 1000 {
		model.Random(r, q)
		multibody.FK(data, q)
		for i, name := range Legs {
			foot, err := model.Link(name + "_foot")
			if err != nil {
				t.Fatal(err)
			}
			want := data.Pose(foot).P
			x, y, z := leg(i).Foot(q[3*i], q[3*i+1], q[3*i+2])
			testkit.AllNear(t, name, []float64{x, y, z}, []float64{want.X, want.Y, want.Z}, 1e-14)
		}
	}
}

// Angles inverts Foot within the joints' range, if the foot is in front of the leg's axis.
func TestAnglesInvertFoot(t *testing.T) {
	r, n := testkit.Rand(t), 0
	for range 20000 {
		i := r.IntN(len(Legs))
		var want, got [3]float64
		for k := range want {
			want[k] = jointLower[k] + r.Float64()*(jointUpper[k]-jointLower[k])
		}
		l := leg(i)
		if l.Coxa+l.Femur*math.Cos(want[1])+l.Tibia*math.Cos(want[1]+want[2]) < 0.01 {
			continue
		}
		n++
		var miss float64
		got[0], got[1], got[2], miss = l.Angles(l.Foot(want[0], want[1], want[2]))
		if miss > 1e-12 {
			t.Errorf("angles %v: misses by %v", want, miss)
		}
		x, y, z := l.Foot(got[0], got[1], got[2])
		u, v, w := l.Foot(want[0], want[1], want[2])
		testkit.AllNear(t, "foot", []float64{x, y, z}, []float64{u, v, w}, 1e-9)
		testkit.Near(t, "tibia", got[2], want[2], 1e-6)
	}
	if n < 10000 {
		t.Errorf("only %d samples", n)
	}
}

// The foot stretches towards a target that is out of reach.
func TestFootStretchesTowardsUnreachableTargets(t *testing.T) {
	l := leg(1)
	for _, c := range []struct{ x, y, z, miss float64 }{
		{0, 0.11 + 0.06 + 0.4, 0, 0.1},
		{0, 0.11 + 0.06, -0.5, 0.2},
		{0, 0.11 + 0.06, -0.01, 0.05},
		{0, 0.11 + 0.06, 0, 0.06},
	} {
		a, b, d, miss := l.Angles(c.x, c.y, c.z)
		testkit.Near(t, "miss", miss, c.miss, 1e-12)
		x, y, z := l.Foot(a, b, d)
		testkit.Near(t, "distance", math.Sqrt((x-c.x)*(x-c.x)+(y-c.y)*(y-c.y)+(z-c.z)*(z-c.z)), c.miss, 1e-7)
	}
}

// Servos keep range and speed, and start at the measured angles.
func TestServosLimitRangeAndSpeed(t *testing.T) {
	s := &Servos{Speed: block.NewParam(2.0)}
	tick := clock.Tick{Dt: 10_000_000}
	s.CoxaTarget.Feed(3)
	s.FemurTarget.Feed(-3)
	s.TibiaTarget.Feed(-1)
	if _ = s.Control(tick); s.CoxaCommand.Value() != 0 {
		t.Error("commands before the angles are known")
	}
	s.CoxaReading.Feed(0.5)
	s.FemurReading.Feed(0.1)
	s.TibiaReading.Feed(-1)
	s.CoxaZero.Set(0.2)
	for k := range 500 {
		_ = s.Sense(tick)
		_ = s.Control(tick)
		limit := min(0.3+0.02*float64(k+1), 0.9) + 0.2
		testkit.Near(t, "coxa", s.CoxaCommand.Value(), limit, 1e-12)
		testkit.Near(t, "femur", s.FemurCommand.Value(), max(0.1-0.02*float64(k+1), -1.2), 1e-12)
		testkit.Near(t, "tibia", s.TibiaCommand.Value(), -1, 1e-12)
	}
}
