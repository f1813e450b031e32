package scip

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/device"
	"github.com/sinew-robotics/sinew/device/devicetest"
	"github.com/sinew-robotics/sinew/device/driver"
	"github.com/sinew-robotics/sinew/device/wire"
)

// TestEncodingIsThatOfTheSpecification holds the examples of C-42-03320B, sections 6.1 to 6.3.
func TestEncodingIsThatOfTheSpecification(t *testing.T) {
	for text, want := range map[string]int{"CB": 1234, "1Dh": 5432, "m2@0": 16_000_000} {
		if got, ok := decode([]byte(text)); !ok || got != want {
			t.Errorf("%s is %d (%v), expected %d", text, got, ok, want)
		}
		if got := appendEncoded(nil, want, len(text)); string(got) != text {
			t.Errorf("%d is %s, expected %s", want, got, text)
		}
	}
	for _, bad := range []string{"C/", "\x7f00", "p00"} {
		if got, ok := decode([]byte(bad)); ok {
			t.Errorf("%q is read as %d", bad, got)
		}
	}
}

// TestChecksumsAreThoseThatArePrinted holds the lines of the example of PP in C-42-03320B, section 8.12 (except MODL and ARES, which are misprinted there),
// of the answers of VV, PP and II in the wiki of Hokuyo's URG Network (scip_status_en), and the statuses.
func TestChecksumsAreThoseThatArePrinted(t *testing.T) {
	for _, line := range []string{
		"DMIN:20;4", "DMAX:5600;_", "AMIN:44;7", "AMAX:725;o", "AFRT:384;6", "SCAN:600;e",
		"VEND:Hokuyo Automatic Co.,Ltd.;[", "PROD:SOKUIKI Sensor URG-04LX;[", "FIRM:3.1.00(18/Jan./2007);`", "PROT:SCIP 2.0;N", "SERI:H0614967;V", "LASR:OFF;7", "SCSP:Initial(600[rpm])<-Default setting by user;A", "MESM:IDLE;:",
		"STAT:Sensor works well.;8",
		"MODL:URG-04LX(Hokuyo Automatic Co.,Ltd.);N", `ARES:1024;\`, "00P", "99b", "0Ee",
	} {
		text, sum := line[:len(line)-1], line[len(line)-1]
		if got := checksum([]byte(strings.TrimSuffix(text, ";"))); got != sum {
			t.Errorf("%s: checksum %c", line, got)
		}
	}
}

// TestDriverReadsThePrintedAnswer gives the driver the answer to PP of the wiki, and a scan that was made by hand from the encodings above.
func TestDriverReadsThePrintedAnswer(t *testing.T) {
	near, far := wire.Pipe("memory://printed")
	_ = far.Open()
	s := On(near)
	if err := errors.Join(s.Open(), s.Start()); err != nil {
		t.Fatal(err)
	}
	answers := map[string]string{
		"QT\n": "QT\n00P\n\n",
		"PP\n": "PP\n00P\nMODL:URG-04LX(Hokuyo Automatic Co.,Ltd.);N\nDMIN:20;4\nDMAX:5600;_\nARES:1024;\\\nAMIN:44;7\nAMAX:725;o\nAFRT:384;6\nSCAN:600;e\n\n",
	}
	var b [64]byte
	for range 10 {
		_ = s.Step(time.Millisecond)
		if n, _ := far.Read(b[:]); n > 0 {
			_, _ = far.Write([]byte(answers[string(b[:n])]))
			if text := string(b[:n]); answers[text] == "" && text != "MD0044072501000\n" {
				t.Errorf("the driver asks %q", text)
			}
		}
	}
	if p, ok := s.Parameters(); !ok || p != URG04LX() {
		t.Errorf("%+v, %v", p, ok)
	}
	scan := "MD0044072501000\n00P\n\nMD0044072501000\n99b\nm2@0" + string(checksum([]byte("m2@0"))) + "\n"
	data := strings.Repeat("1Dh", 682)
	for len(data) > 0 {
		n := min(64, len(data))
		scan += data[:n] + string(checksum([]byte(data[:n]))) + "\n"
		data = data[n:]
	}
	_, _ = far.Write([]byte(scan + "\n"))
	if err := s.Step(time.Millisecond); err != nil {
		t.Fatal(err)
	}
	got := s.Scan()
	if len(got.Ranges) != 682 || got.Ranges[0] != 5.432 || got.Ranges[681] != 5.432 || got.Sequence != 1 {
		t.Errorf("%d beams, %v…, number %d", len(got.Ranges), got.Ranges[0], got.Sequence)
	}
	if first, step := -340*2*math.Pi/1024, 2*math.Pi/1024; got.First != first || got.Step != step {
		t.Errorf("from %v by %v, expected %v by %v", got.First, got.Step, first, step)
	}
}

// spiral is a view in which every beam and every scan has another distance; some are too near and some too far.
func spiral(angle float64, at time.Duration) float64 {
	return 2.8 + 3*math.Sin(angle+at.Seconds())
}

// bench returns a scanner and its emulator on a channel in memory, stepped until the scanner runs.
func bench(t *testing.T) (s *Scanner, e *Emulator, step func() error) {
	t.Helper()
	near, far := wire.Pipe("memory://bench")
	_ = far.Open()
	s, e = On(near), NewEmulator(far, URG04LX(), spiral)
	step = func() error {
		if err := e.Step(time.Millisecond); err != nil {
			t.Fatal(err)
		}
		return s.Step(time.Millisecond)
	}
	if err := errors.Join(s.Open(), s.Start()); err != nil {
		t.Fatal(err)
	}
	for n := 0; step() != nil; n++ {
		if n > 1000 {
			t.Fatal("the scanner does not run: ", step())
		}
	}
	return s, e, step
}

func TestDriverConforms(t *testing.T) {
	devicetest.RunDriver(t, devicetest.Rig{
		Driver:   func(w wire.Wire) devicetest.Driver { return On(w) },
		Emulator: func(w wire.Wire) driver.Emulator { return NewEmulator(w, URG04LX(), spiral) },
		Period:   5 * time.Millisecond,
		Greeting: []byte("QT\nlogin: \n\n"),
	})
}

func TestScansAreWhatTheEmulatorSees(t *testing.T) {
	s, e, step := bench(t)
	seen, last := 0, s.Scan().Sequence
	for range 1000 {
		if err := step(); err != nil {
			t.Fatal(err)
		}
		scan := s.Scan()
		if scan.Sequence == last {
			continue
		}
		seen, last = seen+1, scan.Sequence
		if len(scan.Ranges) != 682 {
			t.Fatalf("%d beams", len(scan.Ranges))
		}
		near, far, exact := 0, 0, 0
		for i, x := range scan.Ranges {
			angle := scan.First + float64(i)*scan.Step
			switch {
			case math.IsNaN(x):
				near++
			case math.IsInf(x, 1):
				far++
			case math.Abs(x-spiral(angle, e.now)) <= 0.0005:
				exact++
			}
		}
		if near+far+exact != 682 || exact < 300 {
			t.Fatalf("scan %d: %d exact, %d too near, %d too far", scan.Sequence, exact, near, far)
		}
	}
	if seen != 10 {
		t.Errorf("%d scans in a second, expected 10", seen)
	}
	if s.Damaged() != 0 {
		t.Errorf("%d answers were damaged", s.Damaged())
	}
}

// answersTo sends commands to an emulator, and returns what it answers within a time.
func answersTo(t *testing.T, commands string, within time.Duration) string {
	t.Helper()
	near, far := wire.Pipe("memory://emulator")
	if err := errors.Join(near.Open(), far.Open()); err != nil {
		t.Fatal(err)
	}
	e := NewEmulator(far, URG04LX(), spiral)
	if _, err := near.Write([]byte(commands)); err != nil {
		t.Fatal(err)
	}
	var all []byte
	buffer := make([]byte, 1<<16)
	for range int(within / time.Millisecond) {
		if err := e.Step(time.Millisecond); err != nil {
			t.Fatal(err)
		}
		n, _ := near.Read(buffer)
		all = append(all, buffer[:n]...)
	}
	return string(all)
}

func TestEmulatorAnswersCommands(t *testing.T) {
	for _, c := range []struct{ commands, want string }{
		{"QT\n", "QT\n00P\n\n"},
		{"QT\r\n", "QT\n00P\n\n"},
		{"QT;hello\n", "QT;hello\n00P\n\n"},
		{"XY\n", "XY\n0Ee\n\n"},
		{"X\n", "X\n0Ee\n\n"},
		{"II\n", "II\n00P\nMODL:URG-04LX(Hokuyo Automatic Co.,Ltd.);N\nLASR:OFF;7\nSCSP:Initial(600[rpm])<-Default setting by user;A\nMESM:IDLE;:\nSBPS:115200[bps]<-Default setting by user;n\nTIME:000001;:\nSTAT:Sensor works well.;8\n\n"},
		{"BM\nBM\n", "BM\n00P\n\nBM\n02R\n\n"},
		{"GD0044004601\n", "GD0044004601\n10Q\n\n"}, // the laser is off
		{"GDx044004601\n", "GDx044004601\n01Q\n\n"},
		{"GD0044072601\n", "GD0044072601\n04T\n\n"},
		{"GD0046004401\n", "GD0046004401\n05U\n\n"},
		{"MD004400460100\n", "MD004400460100\n0Cc\n\n"},
		{"MD0044004601000;a\nQT\n", "MD0044004601000;a\n00P\n\nQT\n00P\n\n"},
		{"TM0\nQT\nTM1\nTM2\nTM2\n", "TM0\n00P\n\nQT\n0Ee\n\nTM1\n00P\n00011\n\nTM2\n00P\n\nTM2\n03S\n\n"},
	} {
		if got := answersTo(t, c.commands, 50*time.Millisecond); got != c.want {
			t.Errorf("%q is answered %q, expected %q", c.commands, got, c.want)
		}
	}
	got := answersTo(t, "MS0044004901103\n", time.Second) // every second turn, three times
	parts := strings.Split(strings.TrimSuffix(got, "\n\n"), "\n\n")
	if len(parts) != 4 || parts[0] != "MS0044004901103\n00P" {
		t.Fatalf("%q", got)
	}
	for i, begin := range []string{"MS0044004901102\n99b\n", "MS0044004901101\n99b\n", "MS0044004901100\n99b\n"} {
		if !strings.HasPrefix(parts[i+1], begin) || len(parts[i+1]) != len(begin)+5+1+12+1 {
			t.Errorf("answer %d is %q", i+1, parts[i+1])
		}
	}
}

// scripted answers each command of a driver from a list; what is not in it is not answered.
func scripted(t *testing.T, answers map[string][]string, steps int) (*Scanner, error) {
	t.Helper()
	near, far := wire.Pipe("memory://scripted")
	_ = far.Open()
	s := On(near)
	if err := errors.Join(s.Open(), s.Start()); err != nil {
		t.Fatal(err)
	}
	var b [64]byte
	var err error
	for range steps {
		if n, _ := far.Read(b[:]); n > 0 {
			if list := answers[string(b[:n])]; len(list) > 0 {
				answers[string(b[:n])] = list[1:]
				_, _ = far.Write([]byte(list[0]))
			}
		}
		if err = s.Step(time.Millisecond); s.State() == device.Faulty {
			break
		}
	}
	return s, err
}

const printedPP = "PP\n00P\nMODL:URG-04LX(Hokuyo Automatic Co.,Ltd.);N\nDMIN:20;4\nDMAX:5600;_\nARES:1024;\\\nAMIN:44;7\nAMAX:725;o\nAFRT:384;6\nSCAN:600;e\n\n"

func TestOlderModesAreLeft(t *testing.T) {
	for name, first := range map[string]map[string][]string{
		"SCIP 1.1":            {"QT\n": {"QT\nE\n\n", "QT\n00P\n\n"}, "SCIP2.0\n": {"SCIP2.0\n0\n\n"}},
		"adjusting its time":  {"QT\n": {"QT\n0Ee\n\n", "QT\n00P\n\n"}, "TM2\n": {"TM2\n00P\n\n"}},
		"still measuring":     {"QT\n": {"MD0044072501000\n99b\n0000@\n\nQT\n00P\n\n"}},
		"in the middle of it": {"QT\n": {"0aB0aB0aB\n0aB0aB@\n\nQT\n00P\n\n"}},
	} {
		first["PP\n"] = []string{printedPP}
		if s, err := scripted(t, first, 20); !s.known {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestFaultsAreExplained(t *testing.T) {
	stop, begin := []string{"QT\n00P\n\n", "QT\n00P\n\n"}, "MD0044072501000\n00P\n\n"
	for _, c := range []struct {
		want     string
		is       error
		pp, scan string
	}{
		{"no valid answer for 300ms: wrong checksum", ErrChecksum, strings.Replace(printedPP, "DMIN:20;4", "DMIN:21;4", 1), ""},
		{"the answer to PP does not describe a scanner", ErrParameters, strings.Replace(printedPP, "ARES:1024;\\\n", "", 1), ""},
		{"status 50 (hardware trouble: laser or motor)", nil, printedPP, begin + "MD0044072501000\n50U\n\n"},
		{"the scanner answers MD with status 0E (command refused)", nil, printedPP, "MD0044072501000\n0Ee\n\n"},
		{"another number of distances", ErrLength, printedPP, begin + "MD0044072501000\n99b\nm2@0" + string(checksum([]byte("m2@0"))) + "\n1Dh1Dh1Dh" + string(checksum([]byte("1Dh1Dh1Dh"))) + "\n\n"},
	} {
		s, err := scripted(t, map[string][]string{"QT\n": stop, "PP\n": {c.pp}, "MD0044072501000\n": {c.scan}}, 5000)
		if err == nil || !strings.HasPrefix(err.Error(), "SCIP scanner at memory://scripted: ") || !strings.Contains(err.Error(), c.want) || c.is != nil && !errors.Is(err, c.is) {
			t.Errorf("%v; expected %s", err, c.want)
		}
		if s.Scan().Sequence != 0 {
			t.Errorf("%s: there is a scan", c.want)
		}
	}
}

// FuzzScanner gives the driver what a device may send at each stage: it must not panic, and a scan must have as many beams as the scanner
// has announced.
func FuzzScanner(f *testing.F) {
	f.Add([]byte("QT\n00P\n\n" + printedPP))
	f.Add([]byte("QT\nE\n\nSCIP2.0\n0\n\nQT\n00P\n\n"))
	f.Add([]byte("QT\n00P\n\n" + strings.NewReplacer("44;7", "383;5", "725;o", "384;6").Replace(printedPP) + "MD0383038401000\n00P\n\nMD0383038401000\n99b\nm2@0?\n1Dh1DhJ\n\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		near, far := wire.Pipe("memory://fuzz")
		_ = far.Open()
		s := On(near)
		_, _ = s.Open(), s.Start()
		for i, part := range bytes.SplitAfter(text, []byte("\n\n")) {
			_ = s.Step(0)
			_, _ = far.Write(part)
			err := s.Step(time.Millisecond)
			if scan := s.Scan(); scan.Sequence > 0 && len(scan.Ranges) != s.parameters.Beams() || err == nil && scan.Sequence == 0 {
				t.Fatalf("part %d: scan %d has %d beams, %v", i, scan.Sequence, len(scan.Ranges), err)
			}
		}
	})
}

// FuzzEmulator gives the emulator any commands.
func FuzzEmulator(f *testing.F) {
	f.Add([]byte("VV\nPP\nII\nBM\nGD0044072501\nMS0044072503201;abc\nTM1\nRS\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if got := answersTo(t, string(text[:min(len(text), 1000)]), 300*time.Millisecond); got != "" && !strings.HasSuffix(got, "\n\n") {
			t.Errorf("%q ends in the middle of an answer: %q", text, got[max(0, len(got)-50):])
		}
	})
}
