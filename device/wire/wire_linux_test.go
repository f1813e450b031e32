package wire

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

func TestAddressesAreExplained(t *testing.T) {
	for _, c := range []struct{ address, want string }{
		{"/dev/ttyUSB0", `address "/dev/ttyUSB0": expected one of serial:///dev/ttyUSB0?baud=115200, pty:///tmp/laser, tcp://`},
		{"udp://1.2.3.4:5", `which carry bytes`},
		{"serial://ttyUSB0", "expected the form serial:///dev/ttyUSB0?baud=115200"},
		{"serial:///dev/ttyUSB0?bauds=9600", `option "bauds": expected baud, parity, stop, each once`},
		{"serial:///dev/ttyUSB0?baud=fast", "baud=fast: expected a number from 1 to 20000000"},
		{"serial:///dev/ttyUSB0?parity=some", "parity=some: expected none, even or odd"},
		{"serial:///dev/ttyUSB0?stop=3", "stop=3: expected a number from 1 to 2"},
		{"serial:///dev/ttyUSB0?baud=1&baud=2", "each once"},
		{"tcp://1.2.3.4", "missing port"},
		{"tcp://1.2.3.4:5/path", "expected the form tcp://192.168.0.10:10940"},
		{"tcp://1.2.3.4:5?x=1", `option "x": expected no option`},
		{"tcp://:%zz", "invalid"},
	} {
		if _, err := New(c.address, Bytes); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v\nexpected %s", c.address, err, c.want)
		}
	}
	for _, c := range []struct{ address, want string }{
		{"slcan:///dev/ttyACM0", "bitrate=0: expected one of [10000 20000"},
		{"can+udp://10.0.0.1:43113", "expected the address of a multicast group"},
		{"can+udp://239.74.163.2:43113?interface=none0", "interface=none0: "},
		{"can://an-interface-with-a-long-name", "too long"},
	} {
		if _, err := NewBus(c.address); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v\nexpected %s", c.address, err, c.want)
		}
	}
}

func TestSerialLineHasOneUser(t *testing.T) {
	path := filepath.Join(t.TempDir(), "line")
	device := create(t, "pty://"+path, Bytes)
	open(t, device)
	first, second := create(t, "serial://"+path, Bytes), create(t, "serial://"+path, Bytes)
	open(t, first)
	if err := second.Open(); !errors.Is(err, ErrInUse) || !errors.Is(err, ErrLost) || err.Error() != "serial://"+path+": in use by another program" {
		t.Errorf("the second driver: %v", err)
	}
	_ = first.Close()
	open(t, second)
}

func TestPTYReplacesNoFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := create(t, "pty://"+path, Bytes).Open(); err == nil || !strings.Contains(err.Error(), "there is a file of that name") {
		t.Error(err)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "mine" {
		t.Errorf("%q, %v", text, err)
	}
}

// TestSerialLineAsSttySeesIt compares what is set with what coreutils report.
func TestSerialLineAsSttySeesIt(t *testing.T) {
	stty, err := exec.LookPath("stty")
	if err != nil {
		t.Skip("SKIPPED: no stty")
	}
	path := filepath.Join(t.TempDir(), "line")
	open(t, create(t, "pty://"+path, Bytes))
	for options, want := range map[string][]string{ // a pseudo-terminal ignores parity
		"":                  {"speed 115200 baud", "cs8", "-parenb", "-cstopb", "-icanon", "-echo", "-opost", "-crtscts", "-ixon"},
		"?baud=57600":       {"speed 57600 baud"},
		"?baud=1000000":     {"speed 1000000 baud"},
		"?baud=9600&stop=2": {"speed 9600 baud", "cstopb"},
	} {
		w := create(t, "serial://"+path+options, Bytes)
		open(t, w)
		text, err := exec.Command(stty, "-a", "-F", path).CombinedOutput()
		if err != nil && bytes.Contains(text, []byte("busy")) {
			t.Skip("SKIPPED: stty may not open a line in use (not root)")
		}
		words := " " + strings.NewReplacer(";", " ", "\n", " ").Replace(string(text)) + " "
		for _, x := range want {
			if !strings.Contains(words, " "+x+" ") {
				t.Errorf("%q: no %q in\n%s", options, x, text)
			}
		}
		_ = w.Close()
	}
}

func TestConnectionIsRefused(t *testing.T) {
	w := create(t, "tcp://127.0.0.1:1", Bytes)
	_ = w.Open()
	var err error
	testkit.Await(t, "the refusal", func() bool {
		_, err = w.Read(make([]byte, 1))
		return errors.Is(err, ErrLost)
	})
	if want := "tcp://127.0.0.1:1: lost: connection refused"; err == nil || err.Error() != want {
		t.Errorf("%v, expected %s", err, want)
	}
	if err := create(t, "serial:///dev/there-is-none", Bytes).Open(); err == nil || err.Error() != "serial:///dev/there-is-none: lost: no such file or directory" {
		t.Error(err)
	}
}

func TestRecordingIsPlayed(t *testing.T) {
	driver, device := Pipe("line")
	recorder := NewRecorder(driver, 1<<10)
	open(t, device)
	open(t, recorder)
	talk := func(w Wire) (answers string) {
		t.Helper()
		var b [16]byte
		for _, question := range []string{"one?", "two?"} {
			if _, err := w.Write([]byte(question)); err != nil {
				t.Fatal(err)
			}
			if n, _ := device.Read(b[:]); n > 0 {
				_, _ = device.Write([]byte("<" + string(b[:n]) + ">"))
			}
			n, err := w.Read(b[:])
			if err != nil {
				t.Fatal(err)
			}
			answers += string(b[:n])
		}
		return answers
	}
	want := talk(recorder)
	list, missed := recorder.Recording()
	if len(list) != 4 || missed != 0 {
		t.Fatalf("recorded %v, missed %d", list, missed)
	}
	var file bytes.Buffer
	if _, err := list.WriteTo(&file); err != nil {
		t.Fatal(err)
	}
	read, err := ReadRecording(&file)
	if err != nil {
		t.Fatal(err)
	}
	player := NewPlayer("played", read, Bytes)
	for range 2 {
		open(t, player)
		if n, err := player.Read(make([]byte, 16)); n != 0 || err != nil {
			t.Errorf("an answer before the question: %d, %v", n, err)
		}
		if got := talk(player); got != want {
			t.Errorf("played %q, recorded %q", got, want)
		}
		refuses(t, player, ErrLost)
	}
	open(t, player)
	if _, err := player.Write([]byte("onk?")); !errors.Is(err, ErrLost) || player.Difference() != "byte 2 that was sent: 6b 3f, recorded: 65 3f" {
		t.Errorf("something else: %v, %q", err, player.Difference())
	}
}

func TestRecorderStopsAtItsLimit(t *testing.T) {
	driver, device := Pipe("line")
	open(t, device)
	recorder := NewRecorder(driver, 8)
	open(t, recorder)
	for range 3 {
		_, _ = recorder.Write([]byte("abc"))
	}
	if list, missed := recorder.Recording(); len(list) != 2 || missed != 1 {
		t.Errorf("%v, missed %d", list, missed)
	}
}

func TestInjectorLosesAndChanges(t *testing.T) {
	driver, device := Pipe("line")
	open(t, device)
	const bytesSent = 100_000
	count := func(f Faults) (lost, changed float64) {
		t.Helper()
		i := NewInjector(driver, Bytes, f)
		open(t, i)
		var b [1000]byte
		received, different := 0, 0
		for range bytesSent / len(b) {
			if _, err := device.Write(make([]byte, len(b))); err != nil {
				t.Fatal(err)
			}
			n, err := i.Read(b[:])
			if err != nil {
				t.Fatal(err)
			}
			for _, x := range b[:n] {
				if received++; x != 0 {
					different++
				}
			}
		}
		return 1 - float64(received)/bytesSent, float64(different) / float64(received)
	}
	if lost, changed := count(Faults{Lose: 0.1, Seed: 1}); lost < 0.09 || lost > 0.11 || changed != 0 {
		t.Errorf("a tenth should be lost: %.3f lost, %.3f changed", lost, changed)
	}
	if lost, changed := count(Faults{Change: 0.1, Seed: 2}); lost != 0 || changed < 0.09 || changed > 0.11 {
		t.Errorf("a tenth should be changed: %.3f lost, %.3f changed", lost, changed)
	}
}

func TestInjectorUnplugs(t *testing.T) {
	driver, device := Pipe("line")
	open(t, device)
	i := NewInjector(driver, Bytes, Faults{})
	open(t, i)
	i.Unplug()
	refuses(t, i, ErrLost)
	if err := i.Open(); !errors.Is(err, ErrLost) {
		t.Errorf("opened while unplugged: %v", err)
	}
	i.Plug()
	open(t, i)
	if _, err := i.Write([]byte("x")); err != nil {
		t.Error(err)
	}
}

// TestLawicelLines compares with the examples of the CAN232 manual (Lawicel AB, version 3, 2003) for t, T and r.
func TestLawicelLines(t *testing.T) {
	for line, want := range map[string]string{
		"t10021133":             "100#1133",
		"T0000010021133":        "00000100#1133",
		"r1002":                 "100#R2",
		"t10021133ABCD":         "100#1133", // with a time stamp
		"t7FF80102030405060708": "7FF#0102030405060708",
	} {
		if f, ok := parseSlcan([]byte(line)); !ok || f.String() != want {
			t.Errorf("%s: %v (%v), expected %s", line, f, ok, want)
		}
	}
	for _, line := range []string{"", "z", "t", "t1", "t1009", "t100211", "t10021133A", "tXYZ0", "t8000", "T200000000", "V1013"} {
		if f, ok := parseSlcan([]byte(line)); ok {
			t.Errorf("%q is read as %v", line, f)
		}
	}
}

func FuzzSlcan(f *testing.F) {
	f.Add([]byte("t10021133"))
	f.Add([]byte("R123456780"))
	f.Fuzz(func(t *testing.T, line []byte) {
		frame, ok := parseSlcan(line)
		if !ok {
			return
		}
		again, ok := parseSlcan(bytes.TrimSuffix(appendSlcan(nil, frame), []byte("\r")))
		if !ok || again != frame {
			t.Errorf("%q is %v, written and read again %v", line, frame, again)
		}
	})
}

func FuzzPythonCAN(f *testing.F) {
	f.Add(appendPythonCAN(nil, NewFrame(0x123, 1, 2, 3)))
	f.Fuzz(func(t *testing.T, b []byte) {
		frame, ok := parsePythonCAN(b)
		if ok && !frame.valid() {
			t.Errorf("% x is read as %v", b, frame)
		}
	})
}

func FuzzRecording(f *testing.F) {
	f.Add([]byte("0.5 > 00 ff\n1 < 0a\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		list, err := ReadRecording(bytes.NewReader(text))
		if err != nil {
			return
		}
		var out bytes.Buffer
		if _, err := list.WriteTo(&out); err != nil {
			t.Fatal(err)
		}
		if again, err := ReadRecording(&out); err != nil || len(again) != len(list) {
			t.Errorf("%q read again: %d of %d exchanges, %v", text, len(again), len(list), err)
		}
	})
}
