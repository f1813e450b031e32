package servo

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/block"
)

const g0 = 9.81

// janusTorques is the model of models/janus/janus.urdf written out: two links in a vertical plane, angles from upright.
func janusTorques(q, v, a []float64) [2]float64 {
	const l, m1, c1, i1, m2, c2, i2 = 0.25, 1.2, 0.12, 0.00661, 0.9, 0.12, 0.00156
	cos, sin := math.Cos(q[1]), math.Sin(q[1])
	d12 := i2 + m2*c2*c2 + m2*l*c2*cos
	d11 := i1 + m1*c1*c1 + m2*l*l + m2*l*c2*cos + d12
	d22 := i2 + m2*c2*c2
	h := m2 * l * c2 * sin
	gravity2 := -m2 * g0 * c2 * math.Sin(q[0]+q[1])
	return [2]float64{
		d11*a[0] + d12*a[1] - h*(2*v[0]*v[1]+v[1]*v[1]) - (m1*c1+m2*l)*g0*math.Sin(q[0]) + gravity2,
		d12*a[0] + d22*a[1] + h*v[0]*v[0] + gravity2,
	}
}

func TestInverseDynamicsMatchTheModelOfJanus(t *testing.T) {
	random := testkit.Rand(t)
	m := &InverseDynamics{URDF: block.NewConst("janus.urdf")}
	r := newRig(t)
	r.add("model", m)
	reference := make([]float64, 6)
	r.run(50, func(int) {
		for i := range reference {
			reference[i] = 3 * random.NormFloat64()
		}
		m.Reference.Feed(reference)
	}, func(int) {
		want := janusTorques(reference[:2], reference[2:4], reference[4:])
		testkit.AllNear(t, "tau", m.Tau.Value(), want[:], 1e-12)
	})
}

// Janus lies level and is held by what the model calculates: the gravity that models/janus/README.md names, in volts.
func TestMotorInverseHoldsJanusAtRest(t *testing.T) {
	m := &MotorInverse{Drives: block.NewConst("drives.yaml"), Joints: block.NewConst([]string{"joint1", "joint2"})}
	r := newRig(t)
	r.add("motors", m)
	r.run(1, func(int) {
		m.Reference.Feed(make([]float64, 6))
		m.Tau.Feed([]float64{4.7, -1.1})
	}, func(int) {
		testkit.Near(t, "voltage of joint 1", m.Voltage.Value()[0], 4.7*2.32/(100*0.0235), 1e-12)
		testkit.Near(t, "voltage of joint 2", m.Voltage.Value()[1], -1.1*2.32/(100*0.0235), 1e-12)
	})
	testkit.AllNear(t, "safe voltage", m.Voltage.Value(), []float64{0, 0}, 0)
}

// The law term by term, on random motions of a motor that is mounted mirrored.
func TestMotorInverseFollowsItsLaw(t *testing.T) {
	random := testkit.Rand(t)
	const R, k, n, J, eta, fv, fc, vs = 2.32, 0.0235, 100.0, 1.08e-6, 0.68, 0.04, 0.18, 0.02
	for range 10 {
		share := random.Float64()
		m := &MotorInverse{
			Drives: block.NewConst("drives.yaml"), Joints: block.NewConst([]string{"joint2"}), Friction: block.NewParam(share),
		}
		r := newRig(t)
		r.add("motors", m)
		var tau, v, a float64
		r.run(20, func(int) {
			tau, v, a = random.NormFloat64(), random.NormFloat64(), 5*random.NormFloat64()
			m.Reference.Feed([]float64{0, v, a})
			m.Tau.Feed([]float64{tau})
		}, func(int) {
			load := tau + n*n*J*a + share*(fv*v+fc*math.Tanh(v/vs))
			gain := eta
			if load*v < 0 {
				gain = 2 - eta
			}
			testkit.Near(t, "voltage", m.Voltage.Value()[0], R/(k*n)*load/gain+k*n*v, 1e-12)
		})
	}
}

func TestModelsRejectWrongFilesAndJoints(t *testing.T) {
	const floating = `<robot name="r"><link name="a"/><link name="b"/><joint name="j" type="floating"><parent link="a"/><child link="b"/></joint></robot>`
	files := fstest.MapFS{"broken.urdf": {Data: []byte("<robot")}, "floating.urdf": {Data: []byte(floating)}}
	for _, c := range []struct {
		want string
		b    block.Block
	}{
		{"joints is empty", &MotorInverse{Drives: block.NewConst("drives.yaml")}},
		{`joints: drives.yaml has no drive of "joint9"`, &MotorInverse{Drives: block.NewConst("drives.yaml"), Joints: block.NewConst([]string{"joint9"})}},
		{"lost.yaml", &MotorInverse{Drives: block.NewConst("lost.yaml"), Joints: block.NewConst([]string{"joint1"})}},
		{"lost.urdf", &InverseDynamics{URDF: block.NewConst("lost.urdf")}},
		{"broken.urdf:1:", &InverseDynamics{URDF: block.NewConst("broken.urdf")}},
		{"more than one coordinate", &InverseDynamics{URDF: block.NewConst("floating.urdf")}},
		{"lost.urdf", &SimRobot{URDF: block.NewConst("lost.urdf"), Drives: block.NewConst("drives.yaml")}},
	} {
		r := newRig(t)
		if strings.HasPrefix(c.want, "broken") || strings.HasPrefix(c.want, "more") {
			r.files = files
		}
		r.add("b", c.b)
		if _, err := r.d.Build(); err == nil || !strings.Contains(fmt.Sprint(err), c.want) {
			t.Errorf("%T: got %v, expected %q", c.b, err, c.want)
		}
	}
}
