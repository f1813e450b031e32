package nmea

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/device"
	"github.com/sinew-robotics/sinew/device/devicetest"
	"github.com/sinew-robotics/sinew/device/driver"
	"github.com/sinew-robotics/sinew/device/wire"
)

func degrees(x float64) float64 { return x * math.Pi / 180 }

// lisbon is a fix to the north and west, with everything measured.
func lisbon() device.Fix {
	return device.Fix{Latitude: degrees(38.7223), Longitude: degrees(-9.1393), Height: 95.5, North: -1, East: 2, Deviation: [3]float64{0.01, 0.02, 0.03},
		Quality: device.FixedRTK, Satellites: 14}
}

func emulator(w wire.Wire, period time.Duration) *Emulator {
	e := NewEmulator(w, period)
	e.Fix = lisbon()
	return e
}

func TestDriverConforms(t *testing.T) {
	for _, kind := range []wire.Kind{wire.Bytes, wire.Datagrams} {
		t.Run(string(kind), func(t *testing.T) {
			devicetest.RunDriver(t, devicetest.Rig{
				Kind:     kind,
				Driver:   func(w wire.Wire) devicetest.Driver { return On(w) },
				Emulator: func(w wire.Wire) driver.Emulator { return emulator(w, 100*time.Millisecond) },
				Period:   10 * time.Millisecond,
				Greeting: []byte("$GPlogin: \r\n"),
			})
		})
	}
}

// bench returns a started receiver and the other end of its channel.
func bench(t *testing.T) (*Receiver, wire.Wire) {
	t.Helper()
	near, far := wire.Pipe("memory://receiver")
	_ = far.Open()
	r := On(near)
	if err := errors.Join(r.Open(), r.Start()); err != nil {
		t.Fatal(err)
	}
	return r, far
}

// same reports whether two numbers are equal, or both NaN.
func same(a, b, tolerance float64) bool { return a != a && b != b || math.Abs(a-b) <= tolerance }

func TestFixIsThatOfTheEmulator(t *testing.T) {
	r, far := bench(t)
	e := emulator(far, 100*time.Millisecond)
	nan := math.NaN()
	south := device.Fix{Latitude: degrees(-90), Longitude: degrees(180), Height: -3, North: 0, East: 0, Deviation: [3]float64{nan, nan, nan}, Quality: device.Autonomous}
	flat := lisbon()
	flat.Height = nan
	for k, want := range []device.Fix{lisbon(), south, flat, noFix(), lisbon()} {
		e.Fix = want
		for range 10 {
			_ = e.Step(10 * time.Millisecond)
			if err := r.Step(10 * time.Millisecond); err != nil && r.State() != device.Connecting {
				t.Fatal(err)
			}
		}
		got := r.Fix()
		if !same(got.Latitude, want.Latitude, 1e-11) || !same(got.Longitude, want.Longitude, 1e-11) || !same(got.Height, want.Height, 1e-3) ||
			!same(got.North, want.North, 1e-4) || !same(got.East, want.East, 1e-4) || !same(got.Deviation[2], want.Deviation[2], 1e-9) ||
			got.Quality != want.Quality || got.Satellites != want.Satellites || got.Sequence != uint64(k+2) || r.State() != device.Running {
			t.Errorf("solution %d: %+v, expected %+v", k, got, want)
		}
	}
	if r.Damaged() != 0 {
		t.Errorf("%d sentences were damaged", r.Damaged())
	}
}

// printed are sentences with their checksums: the first three of gpsinformation.org/dale/nmea.htm, the others of Trimble's help for receivers (NMEA-0183 messages).
var printed = []string{
	"$GPGSA,A,3,04,05,,09,12,,,24,,,,,2.5,1.3,2.1*39",
	"$GPRMC,123519,A,4807.038,N,01131.000,E,022.4,084.4,230394,003.1,W*6A",
	"$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47",
	"$GPGST,172814.0,0.006,0.023,0.020,273.6,0.023,0.020,0.031*6A",
	"$GPGGA,172814.0,3723.46587704,N,12202.26957864,W,2,6,1.2,18.893,M,-25.669,M,2.0,0031*4F",
}

func TestDriverReadsPrintedSentences(t *testing.T) {
	r, far := bench(t)
	send := func(lines ...string) {
		_, _ = far.Write([]byte(strings.Join(lines, "\r\n") + "\r\n"))
		if err := r.Step(10 * time.Millisecond); err != nil {
			t.Fatal(err)
		}
	}
	send(printed[:3]...)
	f := r.Fix()
	if !same(f.Latitude, degrees(48+7.038/60), 1e-15) || !same(f.Longitude, degrees(11+31.0/60), 1e-15) || f.Height != 545.4 || f.Quality != device.Autonomous || f.Satellites != 8 ||
		f.Time != 12*time.Hour+35*time.Minute+19*time.Second || !same(f.North, 22.4*knot*math.Cos(degrees(84.4)), 1e-12) || !same(f.East, 22.4*knot*math.Sin(degrees(84.4)), 1e-12) {
		t.Errorf("%+v", f)
	}
	send(printed[3:]...)
	f = r.Fix()
	if !same(f.Latitude, degrees(37+23.46587704/60), 1e-15) || !same(f.Longitude, -degrees(122+2.26957864/60), 1e-15) || f.Height != 18.893 || f.Quality != device.Differential ||
		f.Deviation != [3]float64{0.023, 0.020, 0.031} {
		t.Errorf("%+v", f)
	}
}

// sentenceOf returns a sentence with its checksum and the end of its line.
func sentenceOf(body string) string { return fmt.Sprintf("$%s*%02X\r\n", body, checksum([]byte(body))) }

func TestDamageIsExplained(t *testing.T) {
	gga := sentenceOf("GNGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,")
	for _, c := range []struct{ name, sent, want string }{
		{"a wrong checksum", "$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.5,M,46.9,M,,*47\r\n", "no valid answer for 2.5s: wrong checksum"},
		{"a truncated sentence", gga[:40] + "\r\n", "no valid answer for 2.5s: not a sentence of NMEA 0183"},
		{"one cut off by the next", gga[:40] + "$", "no valid answer for 2.5s: not a sentence of NMEA 0183"},
		{"no checksum", "$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,\r\n", "no valid answer for 2.5s: not a sentence of NMEA 0183"},
		{"a sentence without end", "$" + strings.Repeat("G", 500) + "\r\n", "no valid answer for 2.5s: not a sentence of NMEA 0183"},
		{"95 degrees", sentenceOf("GPGGA,123519,9507.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,"), "no valid answer for 2.5s: field 2 of a GGA sentence cannot be read"},
		{"75 minutes", sentenceOf("GPGGA,123519,4507.038,N,01175.000,E,1,08,0.9,545.4,M,46.9,M,,"), "no valid answer for 2.5s: field 4 of a GGA sentence cannot be read"},
		{"no direction", sentenceOf("GPGGA,123519,4507.038,,01145.000,E,1,08,0.9,545.4,M,46.9,M,,"), "no valid answer for 2.5s: field 3 of a GGA sentence cannot be read"},
		{"quality without position", sentenceOf("GPGGA,123519,,,,,1,08,0.9,545.4,M,46.9,M,,"), "no valid answer for 2.5s: field 2 of a GGA sentence cannot be read"},
		{"25 hours", sentenceOf("GPGGA,253519,4507.038,N,01145.000,E,1,08,0.9,545.4,M,46.9,M,,"), "no valid answer for 2.5s: field 1 of a GGA sentence cannot be read"},
		{"silence", "", "no answer for 2.5s"},
	} {
		r, far := bench(t)
		_, _ = far.Write([]byte(c.sent))
		_ = r.Step(time.Millisecond)
		if r.State() != device.Connecting || r.Fix().Sequence != 0 {
			t.Errorf("%s: the receiver is %v, %+v", c.name, r.State(), r.Fix())
		}
		err := r.Step(3 * time.Second)
		if want := "NMEA receiver at memory://receiver: " + c.want; err == nil || err.Error() != want {
			t.Errorf("%s: %v, expected %s", c.name, err, want)
		}
	}
}

func TestReceiverWithoutAFixHasNoPosition(t *testing.T) {
	r, far := bench(t)
	for _, sent := range []string{printed[2] + "\r\n", sentenceOf("GPGGA,123520,4807.038,N,01131.000,E,0,00,,545.4,M,46.9,M,,"), sentenceOf("GPGGA,,,,,,0,00,99.99,,,,,,")} {
		_, _ = far.Write([]byte(sent))
		if err := r.Step(time.Millisecond); err != nil || r.State() != device.Running {
			t.Fatal(err)
		}
	}
	if f := r.Fix(); f.Sequence != 3 || f.Quality != device.NoFix || f.Latitude == f.Latitude || f.Longitude == f.Longitude || f.Height == f.Height {
		t.Errorf("%+v", f)
	}
}

func TestReceiverWithoutGGAIsExplained(t *testing.T) {
	r, far := bench(t)
	var err error
	for k := 0; r.State() != device.Faulty && k < 500; k++ {
		_, _ = far.Write([]byte(printed[1] + "\r\n"))
		err = r.Step(10 * time.Millisecond)
	}
	if !errors.Is(err, ErrNoGGA) {
		t.Error(err)
	}
}

// TestOldSentencesAreForgotten stops RMC and GST: their values must not stay with new positions.
func TestOldSentencesAreForgotten(t *testing.T) {
	r, far := bench(t)
	for _, line := range append(printed[:4:4], printed[2], printed[2], printed[2]) {
		_, _ = far.Write([]byte(line + "\r\n"))
	}
	_ = r.Step(time.Millisecond)
	if f := r.Fix(); f.Sequence != 4 || f.North == f.North || f.Deviation[0] == f.Deviation[0] || f.Latitude != f.Latitude {
		t.Errorf("%+v", f)
	}
}

func FuzzReceiver(f *testing.F) {
	for _, line := range printed {
		f.Add(line)
	}
	f.Add("GNGGA,,,,,,0,,,,,,,,")
	f.Fuzz(func(t *testing.T, text string) {
		text = text[:min(len(text), 500)]
		r, far := bench(t)
		_, _ = far.Write([]byte(text + "\r\n" + sentenceOf(strings.Map(func(c rune) rune {
			if c < ' ' || c > '~' || c == '$' || c == '*' || c == '!' {
				return -1
			}
			return c
		}, text))))
		err := r.Step(time.Millisecond)
		fix := r.Fix()
		if (err == nil) != (fix.Sequence > 0) {
			t.Fatalf("%v, %+v", err, fix)
		}
		if has := fix.Quality != device.NoFix; has != (math.Abs(fix.Latitude) <= math.Pi/2) || has != (math.Abs(fix.Longitude) <= math.Pi) {
			t.Fatalf("%+v", fix)
		}
	})
}
