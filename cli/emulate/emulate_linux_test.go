package emulate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/device"
	"github.com/sinew-robotics/sinew/device/driver"
	"github.com/sinew-robotics/sinew/device/nmea"
	"github.com/sinew-robotics/sinew/device/pb9"
	"github.com/sinew-robotics/sinew/device/robotiq"
	"github.com/sinew-robotics/sinew/device/scip"
	"github.com/sinew-robotics/sinew/internal/testkit"
)

func TestDriversFindTheEmulatorsUntilTheyEnd(t *testing.T) {
	path := filepath.Join(t.TempDir(), "device")
	scanner, err := scip.New("serial://" + path)
	if err != nil {
		t.Fatal(err)
	}
	model, err := robotiq.ModelOf("hand-e")
	if err != nil {
		t.Fatal(err)
	}
	gripper, err := robotiq.New("serial://"+path, model)
	if err != nil {
		t.Fatal(err)
	}
	sectors, err := pb9.New("serial://" + path)
	if err != nil {
		t.Fatal(err)
	}
	receiver, err := nmea.New("serial://" + path)
	if err != nil {
		t.Fatal(err)
	}
	for words, session := range map[string]*driver.Session{"scip": &scanner.Session, "nmea --rate 20": &receiver.Session, "pb9": &sectors.Session, "robotiq --model hand-e": &gripper.Session} {
		t.Run(words, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			cmd := Command()
			var out bytes.Buffer
			cmd.SetArgs(append(strings.Fields(words), "--pty", path))
			cmd.SetOut(&out)
			done := make(chan error, 1)
			go func() { done <- cmd.ExecuteContext(ctx) }()
			if session.Open() != nil || session.Start() != nil {
				t.Fatal("the device does not start")
			}
			until := func(state device.State) {
				t.Helper()
				var err error
				defer func() {
					if session.State() != state {
						t.Logf("the device is %v: %v", session.State(), err)
					}
				}()
				testkit.AwaitEvery(t, time.Millisecond, fmt.Sprintf("the device is %v", state), func() bool {
					err = session.Step(time.Millisecond)
					return session.State() == state
				})
			}
			until(device.Running)
			cancel()
			if err := <-done; err != nil {
				t.Error(err)
			}
			until(device.Faulty)
			_ = session.Close()
			if !strings.HasSuffix(out.String(), " at serial://"+path+"; Ctrl-C ends it\n") {
				t.Errorf("%q", &out)
			}
		})
	}
}

func TestWrongFlagsAreExplained(t *testing.T) {
	for words, want := range map[string]string{
		"canopen": `"can" not set`, "canopen --can can://can0 --robot x": "[drives]", "canopen --can can://can0 --robot x --nodes 3 --drives y": "none of the others can be",
		"canopen --can can://can0 --robot nothing.urdf --drives nothing.yaml": "nothing.urdf: cannot open the file: no such file", "canopen --can can://can0 --nodes 1,1": "--nodes: node 1: expected a number", "canopen --can tcp://a:1": `address "tcp://a:1": expected one of can://can0`,
		"rdt": `"listen" not set`, "rdt --listen 127.0.0.1:0 --load 1": "--load [1]: expected force and torque",
		"scip": "at least one of the flags", "scip --pty x --listen :1": "none of the others can be",
		"scip --pty x --room 3": "--room [3]: expected length and width", "scip --pty x --pillar 1,0.5,0": "--pillar [1 0.5 0]: expected its radius",
		"scip --listen nonsense":     `address "tcp+listen://nonsense": `,
		"robotiq --pty x --model 3f": `--model: gripper "3f": expected 2f-85`, "robotiq --pty x --object 1": "--object 1: expected a width",
		"vectornav --pty x --motion 1": "--motion [1]: expected angular velocity",
		"nmea":                         "at least one of the flags", "nmea --pty x --at 91,0,0": "--at [91 0 0]: expected latitude", "nmea --pty x --quality 9": "--quality 9: expected",
		"nmea --pty x --rate 0": "--rate 0: expected", "nmea --pty x --velocity 1": "--velocity [1]: expected", "nmea --pty x --send y": "none of the others can be",
		"feetech --pty x --servos 1,254": "--servos: servo 254: expected a number from 0 to 253",
		"scip --pty /there/is/none":      "no such file or directory",
	} {
		cmd := Command()
		cmd.SetArgs(strings.Fields(words))
		cmd.SilenceErrors, cmd.SilenceUsage = true, true
		if err := cmd.ExecuteContext(context.Background()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v\nexpected %s", words, err, want)
		}
	}
}

func TestReceiverSendsDatagramsWithoutBeingAsked(t *testing.T) {
	at := fmt.Sprintf("127.0.0.1:%d", testkit.FreePort(t, 1))
	receiver, err := nmea.New("udp+listen://" + at)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cmd := Command()
	var out bytes.Buffer
	cmd.SetArgs([]string{"nmea", "--send", at, "--at", "-10,20,30"})
	cmd.SetOut(&out)
	done := make(chan error, 1)
	go func() { done <- cmd.ExecuteContext(ctx) }()
	time.Sleep(20 * time.Millisecond) // nothing listens at first
	if err := errors.Join(receiver.Open(), receiver.Start()); err != nil {
		t.Fatal(err)
	}
	testkit.AwaitEvery(t, time.Millisecond, "the receiver runs", func() bool {
		_ = receiver.Step(time.Millisecond)
		return receiver.State() == device.Running
	})
	if f := receiver.Fix(); math.Abs(f.Latitude*180/math.Pi+10) > 1e-8 || math.Abs(f.Longitude*180/math.Pi-20) > 1e-8 || f.Height != 30 {
		t.Errorf("%+v", f)
	}
	_ = receiver.Close()
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if want := "emulates a satellite receiver at udp+listen://" + at + "; Ctrl-C ends it\n"; out.String() != want {
		t.Errorf("%q, expected %q", &out, want)
	}
}
