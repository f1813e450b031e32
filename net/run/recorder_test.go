package run

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/record"
	"github.com/sinew-robotics/sinew/net/system"
	"github.com/sinew-robotics/sinew/net/thread"
)

// wave writes a sine of 1 Hz, gain scales.
type wave struct {
	Amplitude block.Param[float64] `unit:"rad" default:"1"`
	Out       block.Out[float64]   `unit:"rad" watch:"yes"`
}

func (w *wave) Step(t clock.Tick) error {
	w.Out.Write(w.Amplitude.Value() * math.Sin(2*math.Pi*t.Time.Seconds()))
	return nil
}

type gain struct {
	Gain block.Param[float64] `default:"1"`
	In   block.In[float64]
	Out  block.Out[float64]
}

func (g *gain) Step(clock.Tick) error {
	v, _ := g.In.Read()
	g.Out.Write(g.Gain.Value() * v)
	return nil
}

// The crane is a system of two files.
const (
	craneFile = `system: crane
threads: {servo: {period: 10ms}}
blocks:
  wave: {type: run.wave, params: {amplitude: 2}}
  first: {type: run.gain, params: {gain: 3}}
groups:
  left: {include: arm.yaml}
links: [wave.out -> first.in, first.out -> left.in]
record: {file: crane.mcap, ports: [wave.out, first.out]}
`
	armFile = "blocks: {lift: {type: run.gain}}\nports: {in: lift.in, out: lift.out}\n"
)

// loadCrane reads the crane from a folder of the test.
func loadCrane(t *testing.T) *system.System {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"crane.yaml": craneFile, "arm.yaml": armFile} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	registry := block.NewRegistry([]block.Entry{block.Of[wave](""), block.Of[gain]("")})
	sys, err := system.Load(filepath.Join(dir, "crane.yaml"), system.Options{Registry: registry})
	if err != nil {
		t.Fatal(err)
	}
	return sys
}

// A log holds when a value was acquired, as the time of its publication.
func TestLogHoldsTheTimeOfAcquisition(t *testing.T) {
	d := diagram.New("test")
	d.Thread(diagram.Thread{Name: "a", Period: 10 * time.Millisecond})
	d.Add("lidar", &lidar{}, diagram.Place{Thread: "a"})
	net, err := d.Build()
	if err != nil {
		t.Fatal(err)
	}
	core, path := thread.New(net, thread.Options{Until: clock.At(time.Second)}), filepath.Join(t.TempDir(), "lidar.mcap")
	r, err := StartRecording(&system.System{Name: "test", Net: net}, core.Front(), path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(core.RunVirtual(context.Background()), r.Close(true)); err != nil {
		t.Fatal(err)
	}
	log, err := record.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	n := 0
	for s, err := range log.Samples(record.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		if want := max(s.LogTime-int64(scanTime), 0); s.PublishTime != want {
			t.Fatalf("the sample at %d ns was published at %d ns, want %d", s.LogTime, s.PublishTime, want)
		}
		n++
	}
	if n != 101 {
		t.Errorf("%d samples, want 101", n)
	}
}

// recorded runs the crane for a second and returns the log's path and the recorder.
func recorded(t *testing.T, name string) (string, *Recorder) {
	t.Helper()
	s := loadCrane(t)
	core := thread.New(s.Net, thread.Options{Until: clock.At(time.Second)})
	path := filepath.Join(t.TempDir(), name)
	r, err := StartRecording(s, core.Front(), path)
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

// A sine of amplitude 2 over a whole period has an RMS of √2, and so has its log.
func TestRecorderSumsUpWhatItWrites(t *testing.T) {
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

func TestCSVHasAColumnForEachSignal(t *testing.T) {
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

// A log that cannot be written gives one error.
func TestLogThatCannotBeWrittenIsOneError(t *testing.T) {
	start := func(path string) error {
		s := loadCrane(t)
		core := thread.New(s.Net, thread.Options{Until: clock.At(10 * time.Second)})
		r, err := StartRecording(s, core.Front(), path)
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
	t.Run("device", func(t *testing.T) { one(t, os.DevNull, "is a device") })
	t.Run("folder", func(t *testing.T) { one(t, t.TempDir(), "is a folder") })
}

// TestRestartKeepsTheLogOfTheCrash records twice at one path without ending the first log, as after a crash.
func TestRestartKeepsTheLogOfTheCrash(t *testing.T) {
	path := filepath.Join(t.TempDir(), "crane.mcap")
	run := func(end bool) *Recorder {
		s := loadCrane(t)
		core := thread.New(s.Net, thread.Options{Until: clock.At(time.Second)})
		r, err := StartRecording(s, core.Front(), path)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = r.Close(true) })
		if err := core.RunVirtual(context.Background()); err != nil {
			t.Fatal(err)
		}
		if end {
			if err := r.Close(true); err != nil {
				t.Fatal(err)
			}
		}
		return r
	}
	run(false)
	second := run(true)
	want := strings.TrimSuffix(path, ".mcap") + "-1.mcap"
	if second.Earlier() != want {
		t.Errorf("the earlier log is %q, want %q", second.Earlier(), want)
	}
	for _, file := range []string{path, want} {
		log, err := record.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		log.Close()
	}
}
