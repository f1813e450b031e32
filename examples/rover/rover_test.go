package rover

import (
	"context"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/system"
	"github.com/sinew-robotics/sinew/net/thread"
	"github.com/sinew-robotics/sinew/parts/flow"
	"github.com/sinew-robotics/sinew/parts/mobile"
)

// TestEstimatesStayWithinTheirUncertainty runs the system in virtual time, for 10 s at rest and 20 s of driving.
func TestEstimatesStayWithinTheirUncertainty(t *testing.T) {
	s, err := system.Load("rover.yaml", system.Options{Registry: block.NewRegistry(flow.Blocks(), mobile.Blocks())})
	if err != nil {
		t.Fatal(err)
	}
	core := thread.New(s.Net, thread.Options{})
	local := admin.NewLocal(core.Front(), s)
	core.Front().Go(func(p *thread.Participant) {
		defer core.Front().Stop()
		watch(t, p, local.As(p))
	})
	if err := core.RunVirtual(context.Background()); err != nil {
		t.Fatal(err)
	}
	for _, fault := range core.Front().Faults() {
		t.Error(fault)
	}
}

func watch(t *testing.T, p *thread.Participant, local *admin.Local) {
	read := func(port string) any {
		r, err := local.Read(context.Background(), port)
		if err != nil {
			panic(err) // a goroutine of its own: not t.Fatal
		}
		return r.Value
	}
	list := func(port string) (x []float64) {
		for _, v := range read(port).([]any) {
			x = append(x, v.(float64))
		}
		return x
	}
	at := func(seconds float64) {
		if err := p.Wait(clock.At(time.Duration(seconds*float64(time.Second))), nil); err != nil {
			panic(err)
		}
	}
	at(9.9)
	if bias := read("fused.bias").(float64); bias < 0.004 || bias > 0.006 {
		t.Errorf("after 10 s at rest the bias of the gyroscope is estimated to be %.4f rad/s; it is 0.005 rad/s", bias)
	}
	for now := 11.0; now <= 30; now++ {
		at(now)
		for _, estimate := range []string{"wheels", "fused"} {
			for i, x := range list(estimate + "_error.sigmas") {
				if x > 4 {
					t.Errorf("at %v s, %s is %.1f sigma off in element %d", now, estimate, x, i)
				}
			}
		}
	}
	distance := func(estimate string) float64 { return read(estimate + "_error.distance").(float64) }
	plain, wheels, fused := distance("plain"), distance("wheels"), distance("fused")
	t.Logf("after 6 m: %.0f mm off by the distance of the wheels, %.0f mm by the centres of rotation, %.0f mm with the gyroscope", 1000*plain, 1000*wheels, 1000*fused)
	driveByHand(t, local, at, list)
	if fused > 0.05 || wheels < fused || plain < 0.5 {
		t.Errorf("plain %.3f m, wheels %.3f m, fused %.3f m off", plain, wheels, fused)
	}
}

// driveByHand does what the stick of panels/drive.yaml does: it feeds the command.
func driveByHand(t *testing.T, local *admin.Local, at func(float64), list func(string) []float64) {
	feed := func(port string, value float64) {
		if err := local.Feed(context.Background(), port, value); err != nil {
			t.Error(err)
		}
	}
	feed("command.in1", 0)
	feed("command.in2", -1)
	at(31)
	if v := list("wheels.velocity"); v[0] > 0.05 || v[0] < -0.05 || v[2] > -0.9 {
		t.Errorf("turned to the right by hand, it moves with %v", v)
	}
}
