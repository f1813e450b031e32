package scip

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/device"
	"github.com/sinew-robotics/sinew/device/wire"
)

// channels are the addresses of driver and emulator.
func channels(t *testing.T) map[string][2]string {
	path, port := filepath.Join(t.TempDir(), "laser"), 41000+rand.IntN(20000)
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
				for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) {
					if plugged {
						if err := e.Step(time.Millisecond); err != nil {
							t.Fatal(err)
						}
					}
					if err = s.Step(time.Millisecond); s.State() == state {
						return err
					}
				}
				t.Fatalf("the scanner is %v, expected %v: %v", s.State(), state, err)
				return nil
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
	for end := time.Now().Add(30 * time.Second); (first.State() != device.Running || second.State() != device.Faulty) && time.Now().Before(end); time.Sleep(time.Millisecond) {
		_ = e.Step(time.Millisecond)
		_ = first.Step(time.Millisecond)
		last = second.Step(time.Millisecond)
	}
	if want := "SCIP scanner at serial://" + path + ": in use by another program"; first.State() != device.Running || last == nil || last.Error() != want {
		t.Errorf("the first is %v; %v, expected %s", first.State(), last, want)
	}
	_ = first.Close()
	for end := time.Now().Add(30 * time.Second); second.State() != device.Running && time.Now().Before(end); time.Sleep(time.Millisecond) {
		_ = e.Step(time.Millisecond)
		last = second.Step(time.Millisecond)
	}
	if second.State() != device.Running {
		t.Errorf("the second does not take over when the first has closed: %v", last)
	}
}
