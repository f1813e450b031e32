package system_test

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/record"
	"github.com/sinew-robotics/sinew/net/system"
	"github.com/sinew-robotics/sinew/net/thread"
)

// recorded runs the crane for a second and returns the log's path and the recorder.
func recorded(t *testing.T, name string) (string, *system.Recorder) {
	t.Helper()
	s := load(t, "testdata/crane.yaml", system.Options{})
	core := thread.New(s.Net, thread.Options{Until: clock.At(time.Second)})
	path := filepath.Join(t.TempDir(), name)
	r, err := s.StartRecording(core.Front(), path)
	if err != nil {
		t.Fatal(err)
	}
	if err := core.RunVirtual(context.Background()); err != nil {
		t.Fatal(err)
	}
	if err := r.Close(true); err != nil {
		t.Fatal(err)
	}
	if n := r.Lost(); n != 0 {
		t.Errorf("%d samples lost", n)
	}
	return path, r
}

// A sine of amplitude 2 over a whole period has an RMS of √2, and its log says the same.
func TestRecorder(t *testing.T) {
	path, r := recorded(t, "crane.mcap")
	signals := r.Signals()
	if len(signals) != 1 {
		t.Errorf("signals %v, want wave.out", signals)
	}
	wave := signals["wave.out"]
	if math.Abs(wave.RMS-math.Sqrt2) > 0.02 || math.Abs(wave.MaxAbs-2) > 1e-9 {
		t.Errorf("%+v, want an RMS of √2 and a greatest value of 2", wave)
	}
	log, err := record.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	var names []string
	for _, c := range log.Channels() {
		names = append(names, c.Name)
	}
	if got := strings.Join(names, " "); got != "wave.out first.out" {
		t.Errorf("channels %q", got)
	}
	_, values, err := log.Series("wave.out")
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for _, v := range values {
		sum += v * v
	}
	if rms := math.Sqrt(sum / float64(len(values))); rms != wave.RMS {
		t.Errorf("RMS of the log %v, of the recorder %v", rms, wave.RMS)
	}
	for _, name := range []string{record.StatisticsName, "crane.yaml", "arm.yaml"} {
		if text, err := log.Attachment(name); err != nil || len(text) == 0 {
			t.Errorf("attachment %s: %d bytes, %v", name, len(text), err)
		}
	}
}

func TestRecorderCSV(t *testing.T) {
	path, _ := recorded(t, "crane.csv")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if lines[0] != "time,wave.out,first.out,lost" || len(lines) < 100 {
		t.Errorf("%d lines, the first: %s", len(lines), lines[0])
	}
}

// Where the log cannot be written, one error says so.
func TestRecorderFailures(t *testing.T) {
	start := func(path string) error {
		s := load(t, "testdata/crane.yaml", system.Options{})
		core := thread.New(s.Net, thread.Options{Until: clock.At(10 * time.Second)})
		r, err := s.StartRecording(core.Front(), path)
		if err != nil {
			return err
		}
		if err := core.RunVirtual(context.Background()); err != nil {
			t.Fatal(err)
		}
		return r.Close(true)
	}
	one := func(t *testing.T, path, want string) {
		err := start(path)
		if err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("got %v, want one error with %q and %q", err, path, want)
		}
	}
	t.Run("missing folder", func(t *testing.T) {
		one(t, filepath.Join(t.TempDir(), "none", "log.mcap"), "")
		one(t, filepath.Join(t.TempDir(), "none", "log.csv"), "")
	})
	t.Run("read-only folder", func(t *testing.T) {
		dir := t.TempDir()
		if err := os.Chmod(dir, 0o555); err != nil {
			t.Fatal(err)
		}
		probe := filepath.Join(dir, "probe")
		if os.WriteFile(probe, nil, 0o666) == nil {
			t.Skip("SKIPPED: this user may write into read-only folders")
		}
		one(t, filepath.Join(dir, "log.mcap"), "denied")
	})
	t.Run("full disk", func(t *testing.T) {
		if _, err := os.Stat("/dev/full"); err != nil {
			t.Skip("SKIPPED: no /dev/full, the disk that is always full")
		}
		one(t, "/dev/full", "no space left")
	})
}
