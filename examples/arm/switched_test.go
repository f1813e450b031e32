package arm

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// While the impedance holds the arm that something pushes, a PID that went on beside it would wind up against the push; as a group that is
// disabled meanwhile and begins again, it takes over without a jump in torque, and so does the impedance.
func TestControllersSwitchWithoutAJumpInTorque(t *testing.T) {
	jump := switchedUnder(t, "switched", func(r *trial, before []float64) (worst float64) {
		steps := func(law string) uint64 {
			reading, err := r.local.Read(context.Background(), "controller."+law+".law.torque")
			if err != nil {
				panic(err) // a goroutine of its own: not t.Fatal
			}
			return reading.Count
		}
		pid, impedance := steps("pid"), steps("impedance")
		r.until(9.0105) // the first torques of the other
		if pid, impedance = steps("pid")-pid, steps("impedance")-impedance; pid < 8 || impedance > 2 {
			t.Errorf("in 10 ms after the switch the PID has run %d times and the impedance %d times, want about 10 and 0", pid, impedance)
		}
		for i, now := range r.read("controller.torque.out") {
			worst = max(worst, math.Abs(now-before[i]))
		}
		return worst
	})
	wound := switchedUnder(t, withoutEnable(t), func(r *trial, _ []float64) (worst float64) {
		pid, impedance := r.read("controller.pid.law.torque"), r.read("controller.impedance.law.torque")
		for i := range pid {
			worst = max(worst, math.Abs(pid[i]-impedance[i]))
		}
		return worst
	})
	t.Logf("the torque jumps by %.4f N m; without the groups' enable by %.1f N m", jump, wound)
	if jump > 0.2 || wound < 5 {
		t.Errorf("the torque jumps by %.4f N m, want at most 0.2; without the groups' enable by %.4f N m, want at least 5", jump, wound)
	}
}

// switchedUnder runs the arm at rest under a controller: the impedance takes over after 1 s, something pushes from there to 7 s, and at 9 s the PID
// takes over. It returns what measure finds then, which is given the torques before.
func switchedUnder(t *testing.T, controller string, measure func(r *trial, before []float64) float64) (jump float64) {
	try(t, nil, []string{"controller=" + controller, "motion.running=false"}, func(r *trial) {
		ctx := context.Background()
		must := func(err error) {
			if err != nil {
				panic(err) // a goroutine of its own: not t.Fatal
			}
		}
		r.until(1.0005)
		must(r.local.SetParams(ctx, "controller.compliant", map[string]any{"value": []any{1.0}}))
		must(r.local.Feed(ctx, "robot.push", []any{20.0, 0.0, -20.0}))
		r.until(7.0005)
		must(r.local.Feed(ctx, "robot.push", []any{0.0, 0.0, 0.0}))
		r.until(9.0005)
		before := r.read("controller.torque.out")
		must(r.local.SetParams(ctx, "controller.compliant", map[string]any{"value": []any{0.0}}))
		jump = measure(r, before)
	})
	return jump
}

// withoutEnable writes the controller with both groups always enabled, and the torque of the impedance, and returns its name.
func withoutEnable(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("switched.yaml")
	if err != nil {
		t.Fatal(err)
	}
	here, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.NewReplacer(
		"  - choose.out -> impedance.enable\n", "", "  - stiff.out -> pid.enable\n", "", "  - pid.torque -> torque.in2\n", "  - impedance.torque -> torque.in2\n",
		"include: ", "include: "+here+"/",
	).Replace(string(text))
	name := filepath.Join(t.TempDir(), "always")
	if err := os.WriteFile(name+".yaml", []byte(changed), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}
