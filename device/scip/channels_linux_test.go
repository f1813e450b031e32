package scip

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/device"
	"github.com/sinew-robotics/sinew/device/wire"
	"github.com/sinew-robotics/sinew/internal/testkit"
)

// channels are the addresses of driver and emulator.
func channels(t *testing.T) map[string][2]string {
	path, port := filepath.Join(t.TempDir(), "laser"), testkit.FreePort(t, 1)
	return map[string][2]string{
		"serial line": {"serial://" + path, "pty://" + path},
		"TCP":         {fmt.Sprintf("tcp://127.0.0.1:%d", port), fmt.Sprintf("tcp+listen://127.0.0.1:%d", port)},
	}
}

// TestScannerIsFoundAgainOnRealChannels runs driver and emulator over a pseudo-terminal and over TCP, ends the emulator, and starts it again.
func TestScannerIsFoundAgainOnRealChannels(t *testing.T) {
	for name, at := range channels(t) {
		t.Run(name, func(t *testing.T) {
			s, err := New(at[0])
			if err != nil {
				t.Fatal(err)
			}
			far, err := wire.New(at[1], wire.Bytes)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _, _ = s.Close(), far.Close() })
			e := NewEmulator(far, URG04LX(), spiral)
			plugged := false
			until := func(state device.State) (err error) {
				t.Helper()
				defer func() {
					if s.State() != state {
						t.Logf("the scanner is %v: %v", s.State(), err)
					}
				}()
				testkit.AwaitEvery(t, time.Millisecond, fmt.Sprintf("the scanner is %v", state), func() bool {
					if plugged {
						if err := e.Step(time.Millisecond); err != nil {
							t.Fatal(err)
						}
					}
					err = s.Step(time.Millisecond)
					return s.State() == state
				})
				return err
			}
			if err := errors.Join(s.Open(), s.Start()); err != nil {
				t.Fatal(err)
			}
			for range 3 {
				if err := until(device.Faulty); !strings.HasPrefix(err.Error(), "SCIP scanner at "+at[0]+": lost") {
					t.Error(err)
				}
				if err := far.Open(); err != nil {
					t.Fatal(err)
				}
				plugged = true
				until(device.Running)
				if n := len(s.Scan().Ranges); n != 682 {
					t.Errorf("%d beams", n)
				}
				plugged = false
				if err := far.Close(); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func TestSecondDriverOnALineReportsThatItIsInUse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "laser")
	far, err := wire.New("pty://"+path, wire.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	if err := far.Open(); err != nil {
		t.Fatal(err)
	}
	defer far.Close()
	e := NewEmulator(far, URG04LX(), spiral)
	var scanners [2]*Scanner
	for i := range scanners {
		if scanners[i], err = New("serial://" + path); err != nil {
			t.Fatal(err)
		}
		defer scanners[i].Close()
		if err := errors.Join(scanners[i].Open(), scanners[i].Start()); err != nil {
			t.Fatal(err)
		}
	}
	first, second := scanners[0], scanners[1]
	var last error
	testkit.AwaitEvery(t, time.Millisecond, "the first scanner runs and the second reports a fault", func() bool {
		_ = e.Step(time.Millisecond)
		_ = first.Step(time.Millisecond)
		last = second.Step(time.Millisecond)
		return first.State() == device.Running && second.State() == device.Faulty
	})
	if want := "SCIP scanner at serial://" + path + ": in use by another program"; first.State() != device.Running || last == nil || last.Error() != want {
		t.Errorf("the first is %v; %v, expected %s", first.State(), last, want)
	}
	_ = first.Close()
	testkit.AwaitEvery(t, time.Millisecond, "the second takes over when the first has closed", func() bool {
		_ = e.Step(time.Millisecond)
		_ = second.Step(time.Millisecond)
		return second.State() == device.Running
	})
}
