package nmea

import (
	"bytes"
	"math"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/device"
	"github.com/sinew-robotics/sinew/device/wire"
)

// pynmea2 runs the judge.
func pynmea2(t *testing.T, verb string, in []byte) string {
	t.Helper()
	const python = "/usr/bin/python3"
	if err := exec.Command(python, "-c", "import pynmea2").Run(); err != nil {
		t.Skip("SKIPPED: pynmea2 is missing (Debian: python3-nmea2)")
	}
	cmd := exec.Command(python, "testdata/judge.py", verb)
	cmd.Stdin = bytes.NewReader(in)
	var problems bytes.Buffer
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, &problems)
	}
	return string(out)
}

func TestPynmea2ReadsTheEmulator(t *testing.T) {
	near, far := wire.Pipe("memory://receiver")
	_, _ = near.Open(), far.Open()
	e := emulator(far, time.Second)
	_ = e.Step(0)
	e.Fix, e.Talker = noFix(), "GP"
	_ = e.Step(time.Second)
	b := make([]byte, 4096)
	n, _ := near.Read(b)
	f := lisbon()
	speed, course := math.Hypot(f.North, f.East)*3600/1852, 180-math.Atan2(f.East, -f.North)*180/math.Pi
	want := [][]any{
		{"GSA", "3"}, {"GST", 0.01, 0.02, 0.03}, {"RMC", "A", speed, course},
		{"GGA", "GN", 38.7223, -9.1393, 95.5, "5", "14", "00:00:00"},
		{"GSA", "1"}, {"GST", "None", "None", "None"}, {"RMC", "V", "None", "None"},
		{"GGA", "GP", "-", "-", "None", "0", "0", "00:00:01"},
	}
	want[3][5] = strconv.Itoa(int(device.FixedRTK))
	lines := strings.Split(strings.TrimSpace(pynmea2(t, "parse", b[:n])), "\n")
	if len(lines) != len(want) {
		t.Fatalf("pynmea2 reads %q", lines)
	}
	for i, line := range lines {
		got := strings.Fields(line)
		for k, x := range want[i] {
			switch x := x.(type) {
			case string:
				if k >= len(got) || !strings.HasPrefix(got[k], x) {
					t.Errorf("pynmea2 reads %s, expected %v", line, want[i])
				}
			case float64:
				tolerance := 1e-4
				if got[0] == "GGA" {
					tolerance = 2e-9
				}
				if v, err := strconv.ParseFloat(got[k], 64); err != nil || math.Abs(v-x) > tolerance {
					t.Errorf("pynmea2 reads %s, expected %v", line, want[i])
				}
			}
		}
	}
}

func TestDriverReadsPynmea2(t *testing.T) {
	r, far := bench(t)
	_, _ = far.Write([]byte(pynmea2(t, "render", nil)))
	if err := r.Step(time.Millisecond); err != nil {
		t.Fatal(err)
	}
	f := r.Fix()
	if !same(f.Latitude, -degrees(19+29.045/60), 1e-14) || !same(f.Longitude, degrees(24+10.506/60), 1e-14) || f.Height != 100 || f.Quality != device.FixedRTK || f.Satellites != 4 ||
		f.Time != 18*time.Hour+43*time.Minute+53070*time.Millisecond || !same(f.North, 0, 1e-12) || !same(f.East, -10*1852.0/3600, 1e-12) || f.Deviation != [3]float64{1.7, 1.3, 2.2} {
		t.Errorf("%+v", f)
	}
}
