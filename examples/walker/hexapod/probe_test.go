package hexapod

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/thread"
	"github.com/sinew-robotics/sinew/parts/hierarchy"
)

func TestTry(t *testing.T) {
	h := hierarchy.New("walker")
	m := &Machine{}
	m.Write(h, os.DirFS("../../.."), "models/walker/walker.urdf.xacro")
	net, err := h.Build()
	if err != nil {
		t.Fatal(err)
	}
	core := thread.New(net, thread.Options{Until: clock.At(30 * time.Second)})
	core.Front().Go(func(p *thread.Participant) {
		show := func(sec int) {
			for i := range sec {
				if i%2 == 0 {
					fmt.Printf("%6v p %.3f  roll %.3f pitch %.3f state %d height %.3f tilt %.3f down %v load %.1f\n", core.Front().Now(), m.Robot.Position.Value(), m.Robot.Roll.Value(), m.Robot.Pitch.Value(), m.Drive.State.Value(), m.Posture.Height.Value(), m.Drive.Tilt.Value(), m.Posture.FeetDown.Value(), m.Robot.sim.contacts[0].force)
				}
				p.Wait(core.Front().Now().Add(time.Second), nil)
			}
		}
		show(3)
		m.Drive.state = Rising
		show(5)
		m.Drive.wanted = Velocity{VX: 0.1}
		show(8)
		m.Drive.wanted = Velocity{YawRate: 0.3}
		show(6)
		m.Drive.wanted = Velocity{}
		show(4)
		m.Drive.state = Lowering
		show(5)
	})
	begin := time.Now()
	if err := core.RunVirtual(context.Background()); err != nil {
		t.Fatal(err)
	}
	fmt.Println("took", time.Since(begin))
}
