package pb9

import (
	"errors"
	"math"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/device"
	"github.com/sinew-robotics/sinew/device/devicetest"
	"github.com/sinew-robotics/sinew/device/driver"
	"github.com/sinew-robotics/sinew/device/wire"
)

// spiral is a view in which each sector and each scan has another distance; some are invalid and some beyond the reach.
func spiral(angle float64, at time.Duration) float64 { return 2 + 2.5*math.Sin(angle+at.Seconds()) }

func TestDriverConforms(t *testing.T) {
	devicetest.RunDriver(t, devicetest.Rig{
		Driver:   func(w wire.Wire) devicetest.Driver { return On(w) },
		Emulator: func(w wire.Wire) driver.Emulator { return NewEmulator(w, spiral) },
		Period:   5 * time.Millisecond,
		Greeting: []byte("PB login: "),
	})
}

// bench returns a running scanner with its emulator, and what steps both.
func bench(t *testing.T) (s *Scanner, e *Emulator, far wire.Wire, run func(steps int) error) {
	t.Helper()
	near, far := wire.Pipe("memory://scanner")
	_ = far.Open()
	s, e = On(near), NewEmulator(far, spiral)
	run = func(steps int) (err error) {
		for range steps {
			_ = e.Step(time.Millisecond)
			err = s.Step(time.Millisecond)
		}
		return err
	}
	if err := errors.Join(s.Open(), s.Start(), run(5)); err != nil {
		t.Fatal(err)
	}
	return s, e, far, run
}

func TestScansAreWhatTheEmulatorSees(t *testing.T) {
	s, e, _, run := bench(t)
	seen, last := 0, s.Scan().Sequence
	for range 1000 {
		if err := run(1); err != nil {
			t.Fatal(err)
		}
		got := s.Scan()
		if got.Sequence == last {
			continue
		}
		seen, last = seen+1, got.Sequence
		if len(got.Ranges) != Sectors || math.Abs(got.First+1.4137167) > 1e-7 || math.Abs(got.First+90*got.Step-1.4137167) > 1e-7 {
			t.Fatalf("%d sectors from %v by %v", len(got.Ranges), got.First, got.Step)
		}
		for i, x := range got.Ranges {
			want := spiral(got.First+float64(i)*got.Step, e.now)
			if !(math.Abs(x-want) <= 0.0005 || x > 1e9 && want > Reach-0.001 || x != x && want < 0.001) {
				t.Fatalf("scan %d, sector %d: %v, expected %v", got.Sequence, i, x, want)
			}
		}
	}
	if seen != 10 || s.Damaged() != 0 {
		t.Errorf("%d scans in a second, expected 10; %d pieces were damaged", seen, s.Damaged())
	}
}

func TestErrorOfTheScannerIsReportedAndPasses(t *testing.T) {
	s, e, _, run := bench(t)
	e.Status = 3
	var err error
	for k := 0; s.State() == device.Running && k < 200; k++ {
		err = run(1)
	}
	if err == nil || err.Error() != "PB9-11 scanner at memory://scanner: the scanner reports status 3 (the window is dirty)" {
		t.Error(err)
	}
	if s.Scan().Sequence != 0 {
		t.Error("a faulty scanner has a scan")
	}
	e.Status = 0
	if err := run(1000); err != nil || s.State() != device.Running {
		t.Error(err)
	}
}

// TestWrongAnswersAreExplained sends a driver what a scanner must not send.
func TestWrongAnswersAreExplained(t *testing.T) {
	frame := func(kind byte, data ...byte) string {
		return string(end(append(begin(nil, kind, len(data)), data...), 0))
	}
	answer := frame(started, 91, 0x06, 0x54, 0x0f, 0xa0)
	beyond := make([]byte, scanBytes)
	beyond[3], beyond[4] = 0x0f, 0xa1
	for _, c := range []struct {
		name, sent, then string // then: a step later
		why              string // it is faulty within a second; "": it runs
	}{
		{"a scan", answer, frame(scan, make([]byte, scanBytes)...), ""},
		{"noise before and after", "PBPP" + answer + "PBP", frame(scan, make([]byte, scanBytes)...) + "P", ""},
		{"another scanner", frame(started, 121, 0x08, 0x70, 0x0f, 0xa0), "", ErrScanner.Error()},
		{"a wrong CRC", answer[:10] + "\x00", "", "no valid answer for 500ms: wrong CRC"},
		{"another device", "hello", "", "no valid answer for 500ms: not a frame of pb9"},
		{"a distance of 4001 mm", answer, frame(scan, beyond...), "no valid answer for 500ms: a distance is beyond the reach of 4 m"},
		{"a scan of an earlier start", frame(scan, make([]byte, scanBytes)...), "", "no answer for 500ms"},
		{"a scan that is too short", answer, frame(scan, make([]byte, scanBytes-1)...), "no answer for 500ms"},
		{"a truncated scan", answer, frame(scan, make([]byte, scanBytes)...)[:scanBytes], "no answer for 500ms"},
	} {
		near, far := wire.Pipe("memory://scanner")
		_ = far.Open()
		s := On(near)
		_ = errors.Join(s.Open(), s.Start())
		_, _ = far.Write([]byte(c.sent))
		err := s.Step(time.Millisecond)
		if c.then != "" {
			_, _ = far.Write([]byte(c.then))
			err = s.Step(time.Millisecond)
		}
		if c.why == "" {
			if err != nil || s.Scan().Sequence != 1 {
				t.Errorf("%s: %v, scan %d", c.name, err, s.Scan().Sequence)
			}
			continue
		}
		if s.State() != device.Faulty {
			err = s.Step(time.Second)
		}
		if want := "PB9-11 scanner at memory://scanner: " + c.why; s.Scan().Sequence != 0 || err == nil || err.Error() != want {
			t.Errorf("%s: %v, scan %d, expected %s", c.name, err, s.Scan().Sequence, want)
		}
	}
}

func FuzzScanner(f *testing.F) {
	f.Add([]byte("PB\x81\x05\x5b\x06\x54\x0f\xa0"))
	f.Add(end(append(begin(nil, scan, scanBytes), make([]byte, scanBytes)...), 0))
	f.Add(end(begin(nil, start, 0), 0))
	f.Fuzz(func(t *testing.T, b []byte) {
		for rest := b; ; {
			_, data, used, err := next(rest)
			if used == 0 {
				break
			}
			if used > len(rest) || err == nil && used != len(data)+overhead {
				t.Fatalf("%d bytes of %d are used for %d of data: %v", used, len(rest), len(data), err)
			}
			rest = rest[used:]
		}
		s, e, far, _ := bench(t)
		if b = b[:min(len(b), 2000)]; len(b) == 0 {
			return
		}
		_, _ = far.Write(b)
		err := s.Step(time.Millisecond)
		if got := s.Scan(); (err == nil) != (got.Sequence > 0) || err == nil && len(got.Ranges) != Sectors {
			t.Errorf("%v, %+v", err, got)
		}
		_, _ = s.wire.Write(b)
		_ = e.Step(time.Millisecond)
	})
}
