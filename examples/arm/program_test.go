package arm

import (
	"context"
	"math"
	"testing"
)

// The arms execute their programs under computed torque: close to the motion, without torques that are cut; paused, back and at other speeds as well.
func TestArmsExecuteAProgram(t *testing.T) {
	t.Run("panda", func(t *testing.T) { execute(t, nil) })
	t.Run("ur5", func(t *testing.T) { execute(t, []string{"ur5-program.yaml"}) })
	t.Run("ur5e", func(t *testing.T) { execute(t, []string{"ur5e-program.yaml"}) })
}

func execute(t *testing.T, overlays []string) {
	tryFile(t, "program.yaml", overlays, nil, func(r *trial) {
		call := func(operation string, args ...any) {
			if _, err := r.local.Call(context.Background(), "program."+operation, args, nil); err != nil {
				t.Error(err)
			}
		}
		number := func(port string) float64 {
			reading, err := r.local.Read(context.Background(), port)
			if err != nil {
				panic(err) // a goroutine of its own: not t.Fatal
			}
			switch x := reading.Value.(type) {
			case int64:
				return float64(x)
			case float64:
				return x
			}
			panic(port)
		}
		worst, cut, pen := 0.0, 0.0, 0.0
		last := 0
		for k := range 600 { // one cycle every 50 ms
			r.until(0.0505 + 0.05*float64(k))
			q, want, off := r.read("robot.position"), r.read("program.position"), r.read("robot.cut")
			for i := range q {
				worst, cut = max(worst, math.Abs(q[i]-want[i])), max(cut, math.Abs(off[i]))
			}
			pen = max(pen, r.read("program.outputs")[0])
			switch k {
			case 60:
				call("pause")
			case 80:
				call("back")
			case 140:
				call("override", 0.5)
				call("resume")
			case 180:
				call("override", 1.0)
			}
			if number("program.state") == 5 {
				last = k
				break
			}
		}
		t.Logf("error up to %.2f mrad, ended after %.1f s", 1e3*worst, 0.05*float64(last))
		if last == 0 || worst > 0.005 || cut > 0 || pen != 1 || r.read("program.outputs")[0] != 0 {
			t.Errorf("ended in step %d, error %.4f rad, cut %.3f N m, pen up to %v and now %v", last, worst, cut, pen, r.read("program.outputs"))
		}
	})
}

// The Panda goes to the state of its SRDF file that home.yaml names, from elsewhere.
func TestPandaGoesHome(t *testing.T) {
	tryFile(t, "program.yaml", nil, []string{"programs=[home.yaml]", "initial=[1, 0, 0, -1.5, 0, 1.5708, 0]"}, func(r *trial) {
		r.until(4.0005)
		for i, want := range []float64{0, -0.7854, 0, -2.3562, 0, 1.5708, 0.7854} {
			if q := r.read("robot.position")[i]; math.Abs(q-want) > 1e-3 {
				t.Errorf("joint %d is at %v, wants %v", i+1, q, want)
			}
		}
	})
}
