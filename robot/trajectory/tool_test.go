package trajectory

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

func at(x, y, z float64) spatial.Pose {
	return spatial.Pose{R: spatial.Identity(), P: spatial.Vec3{X: x, Y: y, Z: z}}
}

func ExampleFollowTool() {
	path := NewToolPath(at(0.3, 0, 0.2)).Blend(0.05)
	path.LineTo(at(0.5, 0, 0.2)).LineTo(at(0.5, 0.3, 0.2))
	if err := path.ArcTo(spatial.Vec3{X: 0.4, Y: 0.4, Z: 0.2}, at(0.3, 0.3, 0.2)); err != nil {
		fmt.Println(err)
		return
	}
	motion, err := FollowTool(path, ToolLimits{Speed: 0.5, Acceleration: 2}, PathOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	s, _, _ := motion.Law(motion.Duration() / 2)
	p := path.Pose(s).P
	fmt.Printf("%.2f s, half way at %.2f %.2f\n", motion.Duration(), p.X, p.Y)
	// Output: 2.07 s, half way at 0.50 0.20
}

// turning returns a path with lines, arcs and turns of the tool.
func turning(t *testing.T, blend float64) *ToolPath {
	t.Helper()
	p := NewToolPath(at(0.3, -0.2, 0.2)).Blend(blend)
	p.LineTo(spatial.Pose{R: spatial.RotZ(0.5), P: spatial.Vec3{X: 0.5, Y: -0.1, Z: 0.1}})
	if err := p.ArcTo(spatial.Vec3{X: 0.5, Y: 0.1, Z: 0.2}, at(0.3, 0.2, 0.2)); err != nil {
		t.Fatal(err)
	}
	return p.LineTo(at(0.3, 0, 0.3)).LineTo(at(0.3, 0, 0.2))
}

// The derivatives of a path are those of its poses, and with blends they are continuous.
func TestDerivativesOfToolPathsAreThoseOfTheirPoses(t *testing.T) {
	p := turning(t, 0.04)
	if len(p.Corners()) != 0 {
		t.Errorf("corners at %v in spite of blends", p.Corners())
	}
	_, length := p.Domain()
	const h = 1e-5
	for k := range 2000 {
		s := length * (float64(k) + 0.5) / 2000
		a, b := p.Pose(s-h), p.Pose(s+h)
		if s < h || s > length-h {
			continue
		}
		d := p.Derivative(s, 1)
		testkit.Near(t, "velocity", b.P.Sub(a.P).Scale(0.5/h).Sub(d.Linear).Norm(), 0, 1e-5)
		testkit.Near(t, "angular velocity", b.R.Mul(a.R.T()).Log().Scale(0.5/h).Sub(d.Angular).Norm(), 0, 1e-5)
		x, y, dd := p.Derivative(s-h, 1), p.Derivative(s+h, 1), p.Derivative(s, 2)
		testkit.Near(t, "acceleration", y.Linear.Sub(x.Linear).Scale(0.5/h).Sub(dd.Linear).Norm(), 0, 2e-2)
		testkit.Near(t, "angular acceleration", y.Angular.Sub(x.Angular).Scale(0.5/h).Sub(dd.Angular).Norm(), 0, 2e-2)
		jump := p.Derivative(s+h, 2).Sub(p.Derivative(s-h, 2))
		testkit.Near(t, "jump of the acceleration", jump.Linear.Norm()+jump.Angular.Norm(), 0, 0.2)
	}
}

// A blend between two lines stays in the triangle of its corner.
func TestToolPathBlendStaysInCorner(t *testing.T) {
	p := NewToolPath(at(0, 0, 0)).Blend(0.3)
	p.LineTo(at(1, 0, 0)).LineTo(at(1, 1, 0))
	_, length := p.Domain()
	for k := range 1001 {
		x := p.Pose(length * float64(k) / 1000).P
		if x.X > 1+1e-12 || x.Y < -1e-12 || x.X > 0.7 && x.Y < 0.3 && x.X-x.Y < 0.7-1e-12 {
			t.Fatalf("outside the corner at %v", x)
		}
	}
}

// scara is an arm of two links of 0.4 m in a plane, with a lift and a turning tool.
func scara(q []float64) spatial.Pose {
	x := 0.4 * (math.Cos(q[0]) + math.Cos(q[0]+q[1]))
	y := 0.4 * (math.Sin(q[0]) + math.Sin(q[0]+q[1]))
	return spatial.Pose{R: spatial.RotZ(q[0] + q[1] + q[3]), P: spatial.Vec3{X: x, Y: y, Z: q[2]}}
}

func scaraInverse(q []float64, tool spatial.Pose) error {
	r2 := tool.P.X*tool.P.X + tool.P.Y*tool.P.Y
	c := r2/0.32 - 1
	if c > 1 || c < -1 {
		return errors.New("out of reach")
	}
	elbow := math.Copysign(math.Acos(c), q[1])
	q[1] = elbow
	q[0] = math.Atan2(tool.P.Y, tool.P.X) - elbow/2
	_, _, yaw := tool.R.RPY()
	q[3] = math.Remainder(yaw-q[0]-q[1], 2*math.Pi)
	q[2] = tool.P.Z
	return nil
}

// A tool that is led through the joints keeps to its path, and all limits hold.
func TestJointPathKeepsTheToolOnItsPath(t *testing.T) {
	for _, blend := range []float64{0, 0.05} {
		tool := turning(t, blend)
		joints, err := JointPath(tool, scaraInverse, JointPathOptions{Start: []float64{0, 1, 0, 0}, Lower: []float64{-3, -3, 0, -3}, Upper: []float64{3, 3, 1, 3}})
		if err != nil {
			t.Fatal(err)
		}
		axis := Limits{Velocity: 2, Acceleration: 8}
		limits := PathLimits{Axes: []Limits{axis, axis, axis, axis}, Tool: &ToolLimits{Path: tool, Speed: 0.6, Acceleration: 3, AngularSpeed: 2}}
		motion, err := FollowPath(joints, limits, PathOptions{Intervals: 2000, Stops: tool.Corners()})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("blend %v: %.3f s, %d stops", blend, motion.Duration(), len(tool.Corners()))
		states, q := make([]State, 4), make([]float64, 4)
		for k := range 1000 {
			time := motion.Duration() * float64(k) / 1000
			motion.At(time, states)
			for i := range q {
				q[i] = states[i].Position
				if math.Abs(states[i].Velocity) > 2.001 || math.Abs(states[i].Acceleration) > 8*1.02 {
					t.Fatalf("joint %d at %v s: %+v", i, time, states[i])
				}
			}
			s, _, _ := motion.Law(time)
			off := tool.Pose(s).InvMul(scara(q)).Log()
			testkit.Near(t, "distance from the path", off.Linear.Norm()+off.Angular.Norm(), 0, 1e-4)
		}
		if err := CheckTool(motion, scara, *limits.Tool, 0.001); err != nil && blend > 0 {
			t.Error(err)
		}
		var broken *ToolError
		if err := CheckTool(motion, scara, ToolLimits{Speed: 0.1}, 0.001); !errors.As(err, &broken) || broken.Most != 0.1 {
			t.Errorf("got %v, want a broken limit", err)
		}
	}
}

func TestJointPathReportsPlaceAndReason(t *testing.T) {
	start := []float64{0, 1, 0, 0}
	for name, c := range map[string]struct {
		to      spatial.Pose
		options JointPathOptions
	}{
		"out of reach": {at(2, 0, 0.2), JointPathOptions{Start: start}},
		"limit":        {at(0.3, 0.3, 0.2), JointPathOptions{Start: start, Upper: []float64{9, 9, 0.1, 9}}},
		"jump":         {at(0.3, 0.3, 0.2), JointPathOptions{Start: start, Jump: 1e-4}},
	} {
		tool := NewToolPath(at(0.3, -0.2, 0.2)).LineTo(c.to)
		_, err := JointPath(tool, scaraInverse, c.options)
		var where *PathError
		if !errors.As(err, &where) {
			t.Errorf("%s: got %v, want a PathError", name, err)
		}
	}
}
