package janus

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/device/canopen"
	"github.com/sinew-robotics/sinew/device/sim"
	"github.com/sinew-robotics/sinew/device/wire"
	"github.com/sinew-robotics/sinew/internal/testkit"
)

// Feature O10: with its actuator cards as nodes on a CAN bus, by one line of an overlay, Janus reaches all targets.
func TestJanusRunsOnCANopenCards(t *testing.T) {
	robot, err := sim.Load(os.DirFS("../../models/janus"), "janus.urdf", "drives.yaml")
	if err != nil {
		t.Fatal(err)
	}
	const port = ":43113"
	own := fmt.Sprintf(":%d", testkit.FreePort(t, 1)) // other tests may use this bus at the same time
	w, err := wire.New("can+udp://239.74.163.2"+own+"?interface=lo", wire.Frames)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Open(); err != nil {
		t.Skip("SKIPPED: there is no multicast: ", err)
	}
	defer w.Close()
	text, err := os.ReadFile("canopen.yaml")
	if err != nil || strings.Count(string(text), port+"?interface=lo\", nodes") != 1 {
		t.Fatalf("%v; the overlay has not one address of a bus", err)
	}
	overlay := filepath.Join(t.TempDir(), "canopen.yaml")
	if err := os.WriteFile(overlay, []byte(strings.ReplaceAll(string(text), port, own)), 0o600); err != nil {
		t.Fatal(err)
	}
	e := canopen.NewCardEmulator(w, robot)
	r := beside(t, func() error { return e.Step(time.Millisecond) }, overlay)
	if len(r.reached) != len(table2) {
		t.Fatalf("%d of %d moves", len(r.reached), len(table2))
	}
	for i, m := range table2 {
		testkit.AllNear(t, "reached", r.reached[i], []float64{m.joint1, m.joint2}, 2e-3)
	}
	for i := range robot.Axes() {
		testkit.AllNear(t, "the simulated robot is at", []float64{robot.Axis(i).JointPosition()}, []float64{0}, 3e-3)
	}
	for _, signal := range []string{"scope.error1", "scope.error2"} {
		s := r.signals[signal]
		t.Logf("%s: rms %.2f mrad, max %.2f mrad", signal, 1e3*s.RMS, 1e3*s.MaxAbs)
	}
}
