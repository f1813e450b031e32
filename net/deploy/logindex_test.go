package deploy

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// privateFolder returns a folder that other users cannot write to.
func privateFolder(t *testing.T) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "up")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	return folder
}

func TestLinesHaveTheTimeAtWhichTheirOutputGrew(t *testing.T) {
	c := Client{Folder: privateFolder(t)}
	path := c.Log("p")
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.WriteFile(path, []byte("before\n"), 0o600))
	var x logIndex
	file, err := x.open(path)
	must(err)
	defer file.Close()
	begin := time.Now()
	print := func(text string) {
		t.Helper()
		_, err := file.WriteString(text)
		must(err)
	}
	print("one\ntwo\nthr")
	x.look()
	middle := time.Now()
	time.Sleep(time.Millisecond)
	print("ee\r\n")
	x.look()
	x.close()
	print("after\nlast")
	tail := c.Tail("p")
	lines := tail.Read(false)
	var text []string
	for _, l := range lines {
		text = append(text, l.Text)
	}
	if got := strings.Join(text, ","); got != "before,one,two,three,after" {
		t.Fatalf("the lines are %q", got)
	}
	for i, want := range []struct {
		known    bool
		from, to time.Time
	}{{}, {true, begin, middle}, {true, begin, middle}, {true, begin, middle}, {}} {
		if at := lines[i].Time; at.IsZero() == want.known || want.known && (at.Before(want.from) || at.After(want.to)) {
			t.Errorf("line %q has the time %v, want between %v and %v", text[i], at, want.from, want.to)
		}
	}
	if more := tail.Read(true); len(more) != 1 || more[0].Text != "last" {
		t.Errorf("the rest is %v", more)
	}
}

func TestSupervisorLogsWhatItDoes(t *testing.T) {
	c := supervise(t, PlannedProcess{Name: "p", Command: []string{"echo no motor; exit 3"}, Restart: "on_failure"})
	await(t, c, "p", Restarting, func(s Status) bool { return s.Restarts >= 2 })
	var text []string
	for _, l := range c.Tail(SupervisorLog).Read(true) {
		if l.Time.IsZero() {
			t.Errorf("no time: %q", l.Text)
		}
		text = append(text, l.Text)
	}
	all := strings.Join(text, "\n")
	for _, want := range []string{"p: started as process ", "p: ended with exit status 3\np: restarts in 100ms\n", "p: restarts in 200ms"} {
		if !strings.Contains(all, want) {
			t.Errorf("it does not log %q:\n%s", want, all)
		}
	}
	lines := c.Tail("p").Read(true)
	supervised := c.Tail(SupervisorLog).Read(true)
	if len(lines) == 0 || lines[0].Text != "no motor" || !lines[0].Time.Before(supervised[3].Time) {
		t.Errorf("the last words of a process are not before its end: %v, %v", lines, supervised)
	}
}

func TestLastLineOfAnOutputIsReadOnlyWhenItHasGrown(t *testing.T) {
	path := filepath.Join(privateFolder(t), "p.log")
	var x logIndex
	if got := x.lastLine(path); got != "" {
		t.Fatalf("an output that was not opened has the last line %q", got)
	}
	file, err := x.open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	defer x.close()
	grow := func(text, want string) {
		t.Helper()
		if _, err := file.WriteString(text); err != nil {
			t.Fatal(err)
		}
		if got := x.lastLine(path); got != want {
			t.Fatalf("the last line is %q, want %q", got, want)
		}
	}
	grow("", "")
	grow("one\ntwo\n", "two")
	grow("three", "three")
	grow(strings.Repeat("x", 5000)+"\nfour\n", "four")
	grow(strings.Repeat("y", 5000)+"\n", strings.Repeat("y", 4095)) // of a longer line, its end
	grow("five\n", "five")
	if err := os.WriteFile(path, []byte(strings.Repeat("z", len("one\ntwo\nthree\nfour\nfive\n")+10000)+"\n"), 0o600); err != nil { // as long as before
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Size() != x.logs[path].until {
		t.Fatalf("the output has %v bytes, %v: the test is wrong", info, err)
	}
	if got := x.lastLine(path); got != "five" {
		t.Errorf("the output was read although it had not grown: the last line is %q", got)
	}
}
