package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

func events(t *testing.T, file string) []test {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	tests, err := readEvents(f)
	if err != nil {
		t.Fatal(err)
	}
	return tests
}

// The files in testdata were written by gotestsum 1.13.0, go test and vitest 4.1.12 for tests made for this purpose.
func TestEventsOfGoTestsAreRead(t *testing.T) {
	var found []string
	for _, one := range events(t, "testdata/gotestsum_rerun.jsonl") {
		found = append(found, fmt.Sprintf("%s passed=%v final=%v %s %s", one.name, one.passed, one.final, one.place, strings.Join(textLines(one.output), "|")))
	}
	want := []string{
		"(the package) passed=false final=false example.org/ex/b testing: warning: no tests to run|PASS|leak: found unexpected goroutines|FAIL\texample.org/ex/b\t0.003s",
		"TestBroken/sub passed=false final=false example.org/ex/a_test.go:3     a_test.go:3: got 1, expected 2",
		"TestLate passed=true final=false example.org/ex/a_test.go:4     a_test.go:4: not within 60 s",
		"TestAllocates passed=true final=true example.org/ex/a_test.go:5     a_test.go:5: 10 steps allocated 3 objects, expected none (no second chance)",
	}
	if strings.Join(found, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(found, "\n"), strings.Join(want, "\n"))
	}
}

func TestTestThatHangsIsNamed(t *testing.T) {
	tests, err := readEvents(strings.NewReader(`{"Action":"start","Package":"p"}
{"Action":"run","Package":"p","Test":"TestA"}
{"Action":"run","Package":"p","Test":"TestA/kept"}
{"Action":"output","Package":"p","Test":"TestA/kept","Output":"    a_test.go:3: waiting\n"}
{"Action":"run","Package":"p","Test":"TestB"}
{"Action":"pass","Package":"p","Test":"TestB"}
{"Action":"outp`))
	if err != nil || len(tests) != 1 || tests[0].name != "TestA/kept" || !strings.Contains(tests[0].output, "waiting\nit had not ended") {
		t.Errorf("got %+v, %v", tests, err)
	}
}

func TestTestThatExceedsItsTimeIsNamedWithItsPlace(t *testing.T) {
	tests := events(t, "testdata/gotest_timeout.jsonl")
	if len(tests) != 1 || tests[0].name != "TestHangs/sub" || !strings.Contains(tests[0].output, "TestHangs/sub (1s)") || !strings.Contains(tests[0].output, "/a_test.go:4 ") {
		t.Errorf("got %+v", tests)
	}
	if lines := textLines(tests[0].output); len(lines) > 10 {
		t.Errorf("%d lines:\n%s", len(lines), tests[0].output)
	}
}

func TestTerminatedGateReportsWhatRan(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	hangs := stage{"hangs", func(s *shell) ([]test, error) {
		go func() {
			for len(s.running()) == 0 {
				time.Sleep(time.Millisecond)
			}
			cancel(errors.New("terminated"))
		}()
		return nil, s.run("", "sleep", "1000")
	}}
	never := stage{"never", func(*shell) ([]test, error) { t.Error("a stage began after the end"); return nil, nil }}
	var out bytes.Buffer
	r := run(ctx, []lane{{hangs, never}}, t.TempDir(), io.Discard)
	r.write(&out)
	if text := out.String(); !r.failed() || !strings.Contains(text, "FAILED: stage hangs: sleep 1000: terminated") {
		t.Errorf("report:\n%s", text)
	}
}

func TestLanesRunSideBySideAndTheirLinesCarryTheStage(t *testing.T) {
	meet := make(chan struct{})
	first := stage{"first", func(s *shell) ([]test, error) {
		s.print("one")
		meet <- struct{}{}
		return nil, s.run("", "printf", "half")
	}}
	second := stage{"second", func(s *shell) ([]test, error) { <-meet; s.print("two"); return nil, errors.New("broken") }}
	third := stage{"third", func(s *shell) ([]test, error) { return nil, s.run("", "sh", "-c", "printf ha; printf 'lf\\n'") }}
	var out bytes.Buffer
	r := run(t.Context(), []lane{{first}, {second, third}}, t.TempDir(), &out)
	for _, line := range []string{"first   | one", "second  | two", "third   | half", "first   | half"} {
		if !slices.Contains(textLines(out.String()), line) {
			t.Errorf("%q is not in\n%s", line, &out)
		}
	}
	if len(r.outcomes) != 3 || !r.failed() || r.outcomes[0].failed() || r.outcomes[2].failed() {
		t.Errorf("got %+v", r)
	}
}

func TestPackageThatDoesNotBuildIsAFailure(t *testing.T) {
	tests := events(t, "testdata/gotestsum_build.jsonl")
	if len(tests) != 1 || tests[0].place != "example.org/ex/c" || !strings.Contains(tests[0].output, "undefined: undefined") {
		t.Errorf("got %+v", tests)
	}
}

func TestReportsOfVitestAreRead(t *testing.T) {
	var all ledger
	for attempt, want := range []string{"[test/hook.test.ts test/one.test.ts]", "[test/one.test.ts]"} {
		text, err := os.ReadFile(fmt.Sprintf("testdata/vitest-%d.json", attempt))
		if err != nil {
			t.Fatal(err)
		}
		files, err := readPageTests(text, &all)
		if err != nil || fmt.Sprint(files) != want {
			t.Errorf("run %d: %v, %v; want %s", attempt, files, err, want)
		}
	}
	var found []string
	for _, one := range all.leaves() {
		found = append(found, fmt.Sprintf("%s passed=%v %s %s", one.name, one.passed, one.place, textLines(one.output)[0]))
	}
	want := []string{
		"(the file) passed=true console/ui/test/hook.test.ts no system",
		"always broken passed=false console/ui/test/one.test.ts AssertionError: expected 1 to be 2 // Object.is equality",
		"broken once passed=true console/ui/test/one.test.ts AssertionError: expected 'first' to be 'second' // Object.is equality",
	}
	if strings.Join(found, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(found, "\n"), strings.Join(want, "\n"))
	}
}

func TestTestThatPassesInASecondRunIsListedAndCounts(t *testing.T) {
	late := outcome{stage: "systems", tests: []test{{name: "TestLate", place: "ex/a_test.go:4", passed: true}}, load: load{average: 3}}
	final := outcome{stage: "systems", tests: []test{{name: "TestAllocates", place: "ex/a_test.go:5", passed: true, final: true}}}
	if (report{outcomes: []outcome{late}}).failed() {
		t.Error("a test that passes in its second run fails the gate")
	}
	if !(report{outcomes: []outcome{late, final}}).failed() {
		t.Error("a failure that does not depend on the machine has a second chance")
	}
	var out bytes.Buffer
	report{outcomes: []outcome{late}}.write(&out)
	if text := out.String(); !strings.Contains(text, "Passed only in a second run") || !strings.Contains(text, "systems: TestLate, ex/a_test.go:4") || strings.Contains(text, "FAILED") {
		t.Errorf("report:\n%s", text)
	}
}

func TestTestsThatCannotRunAreListed(t *testing.T) {
	tests, err := readEvents(strings.NewReader(`{"Action":"run","Package":"p","Test":"TestA"}
{"Action":"output","Package":"p","Test":"TestA","Output":"    a_test.go:3: SKIPPED: no Octave\n"}
{"Action":"skip","Package":"p","Test":"TestA"}
{"Action":"skip","Package":"p","Test":"TestQuiet"}
`))
	if err != nil || len(tests) != 1 {
		t.Fatal(tests, err)
	}
	o := outcome{stage: "systems", tests: tests}
	var out bytes.Buffer
	report{outcomes: []outcome{o}}.write(&out)
	if text := out.String(); o.failed() || !strings.Contains(text, "Cannot run here:\n  systems: TestA, p: SKIPPED: no Octave\n") {
		t.Errorf("failed %v; report:\n%s", o.failed(), text)
	}
}

func TestFailuresAreNamedInTheLast60Lines(t *testing.T) {
	for _, count := range []int{1, 3, 12} {
		o := outcome{stage: "console", err: fmt.Errorf("exit status 1"), duration: time.Minute, load: load{7.5, []string{"90 % chromium"}}}
		for i := range count {
			o.tests = append(o.tests, test{name: fmt.Sprintf("TestNumber%d", i), place: "p/x_test.go:1", output: strings.Repeat("before\n", 100) + fmt.Sprintf("reason %d\n", i)})
		}
		broken := outcome{stage: "check", err: fmt.Errorf("exit status 2"), tail: []string{"not formatted"}}
		var out bytes.Buffer
		report{outcomes: []outcome{o, broken, {stage: "race"}}}.write(&out)
		lines := textLines(out.String())
		end := strings.Join(lines[max(0, len(lines)-reportLines):], "\n")
		for i := range count {
			if !strings.Contains(end, fmt.Sprintf("--- TestNumber%d: p/x_test.go:1", i)) || !strings.Contains(end, fmt.Sprintf("reason %d\n", i)) {
				t.Errorf("of %d failed tests number %d is not in the last %d lines:\n%s", count, i, reportLines, end)
			}
		}
		for _, words := range []string{"FAILED: stage console", "load was up to 7.5", "90 % chromium", "FAILED: stage check", "not formatted"} {
			if !strings.Contains(end, words) {
				t.Errorf("%q is not in the last %d lines", words, reportLines)
			}
		}
	}
}

func TestTestsWaitLongerOnABusyMachineUnlessTheEnvironmentSetsTheTime(t *testing.T) {
	if busy(2, 2) != "" || busy(2.1, 2) != "the load average was 2.1 on 2 processors when the gate began" {
		t.Errorf("at a load of 2 on 2 processors %q, at 2.1 %q", busy(2, 2), busy(2.1, 2))
	}
	const printPatience = "echo patience=$" + testkit.PatienceVariable
	for _, one := range []struct{ environment, first, then string }{{"", "patience=", "busy: tests wait 3 times as long\npatience=3"}, {"2", "patience=2", "patience=2"}} {
		t.Setenv(testkit.PatienceVariable, one.environment)
		var out bytes.Buffer
		s := newShell(t.Context(), t.TempDir(), &out)
		show := func() {
			if err := s.run("", "sh", "-c", printPatience); err != nil {
				t.Fatal(err)
			}
		}
		show()
		s.bePatient("busy")
		show()
		s.bePatient("busy") // is printed once
		if want := one.first + "\n" + one.then + "\n"; out.String() != want {
			t.Errorf("with %q in the environment: got %q, want %q", one.environment, &out, want)
		}
	}
}

func TestProcessesThatAStageLeavesAreEnded(t *testing.T) {
	s := newShell(t.Context(), t.TempDir(), io.Discard)
	if err := s.run("", "sh", "-c", "sleep 1000 >/dev/null 2>&1 &"); err != nil {
		t.Fatal(err)
	}
	left := s.endLeftovers()
	if len(left) != 1 || !strings.Contains(left[0], "sleep 1000") {
		t.Errorf("ended %q", left)
	}
	if left := s.endLeftovers(); len(left) != 0 {
		t.Errorf("still there: %q", left)
	}
}

// A run of tests whose caller is killed ends with all that it has started, also what has left its session: then the last end of a pipe closes.
func TestKilledRunLeavesNoProcess(t *testing.T) {
	if exec.Command("unshare", "--mount", "--pid", "--ipc", "--fork", "true").Run() != nil {
		t.Skip("SKIPPED: private namespaces want Linux and root")
	}
	caller := exec.Command("sh", "-c", "../../.ci/private sh -c 'setsid sleep 1000 & echo started; sleep 1000'; true")
	out, err := caller.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := caller.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "started\n" {
		t.Fatalf("%q, %v", line, err)
	}
	if err := caller.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = io.Copy(io.Discard, out)
	}()
	select {
	case <-ended:
	case <-time.After(testkit.Patience()):
		t.Error("the run goes on without its caller")
	}
	_ = caller.Wait()
}

// TestProcessOneReapsOrphans runs this test again as a command in private namespaces, where it leaves an orphan that ends.
func TestProcessOneReapsOrphans(t *testing.T) {
	const inside = "SINEW_TEST_ORPHAN"
	if os.Getenv(inside) != "" {
		out, err := exec.Command("sh", "-c", "sleep 0 >/dev/null 2>&1 & echo $!").Output()
		if err != nil {
			t.Fatal(err)
		}
		testkit.Await(t, "the orphan leaves the table of processes", func() bool {
			_, err := os.Stat("/proc/" + strings.TrimSpace(string(out)))
			return err != nil
		})
		return
	}
	if exec.Command("unshare", "--mount", "--pid", "--ipc", "--fork", "true").Run() != nil {
		t.Skip("SKIPPED: private namespaces want Linux and root")
	}
	self, err := os.Open("/proc/self/exe") // its folder is empty within
	if err != nil {
		t.Fatal(err)
	}
	defer self.Close()
	again := exec.Command("../../.ci/private", "/proc/self/fd/3", "-test.run", "^TestProcessOneReapsOrphans$")
	again.Env = append(os.Environ(), inside+"=yes")
	again.ExtraFiles = []*os.File{self}
	if out, err := again.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

func TestUnknownStagesAreRefused(t *testing.T) {
	if _, err := choose([]string{"libary"}); err == nil || !strings.Contains(err.Error(), `did you mean "library"?`) {
		t.Errorf("got %v", err)
	}
	chosen, err := choose([]string{"race", "console", "check"})
	if err != nil || len(chosen) != 2 || len(chosen[0]) != 2 || chosen[0][0].name != "check" || chosen[0][1].name != "race" || chosen[1][0].name != "console" {
		t.Errorf("got %v, %v", chosen, err)
	}
}

func TestEachPackageIsTestedInAStage(t *testing.T) {
	for path, want := range map[string]string{
		"robot/ik": "library", "internal/tape/amd64": "library", "cli/fleet": "systems", "net/thread": "race", "net/link/shm": "systems race", "internal/docs": "systems",
		"device/modbus": "systems", "device/background": "race", "internal/arch": "", "examples/torso": "systems", "internal/gate": "systems",
	} {
		var in []string
		for _, one := range []struct {
			name   string
			accept packages
		}{{"library", library}, {"systems", systems}, {"race", race}} {
			if one.accept(path) {
				in = append(in, one.name)
			}
		}
		if strings.Join(in, " ") != want {
			t.Errorf("%s is tested in %v, want %s", path, in, want)
		}
	}
}
