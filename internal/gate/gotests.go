package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

// packageTime is how long the tests of a package may take. The longest take seven minutes alone, and more than 30 beside a second gate; go test then
// ends what hangs and shows where.
const packageTime = time.Hour

// goStage runs the Go tests of packages by gotestsum, and those that failed up to again times more.
func goStage(s *shell, accept packages, again int, flags ...string) ([]test, error) {
	list, err := selected(accept)
	if err != nil {
		return nil, err
	}
	events := s.files + ".json"
	words := []string{"go", "tool", "gotestsum", "--format", "pkgname-and-test-fails", "--format-hide-empty-pkg", "--hide-summary", "skipped", "--jsonfile", events}
	if again > 0 {
		words = append(words, "--rerun-fails="+strconv.Itoa(again), "--rerun-fails-max-failures", "20", "--rerun-fails-abort-on-data-race",
			"--rerun-fails-run-root-test", // its subtests may build on one another
			"--packages", strings.Join(list, " "), "--")
	} else {
		words = append(append(words, "--"), list...)
	}
	words = append(append(words, "-count=1", "-vet=off", "-timeout", packageTime.String()), flags...)
	err = s.run("", words...)
	file, openError := os.Open(events)
	if openError != nil {
		return nil, errors.Join(err, openError)
	}
	defer file.Close()
	tests, readError := readEvents(file)
	return tests, errors.Join(err, readError)
}

// event is a line of `go test -json`.
type event struct {
	Action, Package, Test, Output, ImportPath, FailedBuild string
}

func (e event) key() string { return e.Package + " " + e.Test }

// readEvents returns the tests that failed at least once, or report that they are skipped. A test that has not ended when its package does
// has failed: it hung, or its program panicked. A package that fails without a failed test is one, too: it does not build, or its
// TestMain failed.
func readEvents(from io.Reader) ([]test, error) {
	r := eventReader{output: map[string][]string{}, failures: map[string]int{}}
	lines := bufio.NewReader(from)
	for {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF {
			r.abandon("", "it had not ended when the stage did\n")
			return r.all.leaves(), nil
		}
		if err != nil {
			return nil, fmt.Errorf("read the events of go test: %w", err)
		}
		var e event
		if err := json.Unmarshal(line, &e); err != nil {
			return nil, fmt.Errorf("read the events of go test: %q: %w", line, err)
		}
		r.read(e)
	}
}

// eventReader is what is known after some of the events.
type eventReader struct {
	all      ledger
	begun    []event             // tests that have not ended, oldest first
	output   map[string][]string // by test, or package
	failures map[string]int      // tests of a package that failed in its present run
}

func (r *eventReader) read(e event) {
	key := e.key()
	switch e.Action {
	case "start":
		r.failures[e.Package] = 0
	case "run":
		r.begun = append(r.begun, e)
		delete(r.output, key)
	case "pause": // it waits for its turn to run in parallel
		r.ends(e)
	case "cont":
		r.begun = append(r.begun, e)
	case "build-output":
		r.output["build "+e.ImportPath] = append(r.output["build "+e.ImportPath], e.Output)
	case "output":
		r.output[key] = append(r.output[key], e.Output)
	case "skip":
		r.ends(e)
		if reason := loud.FindString(strings.Join(r.output[key], "")); reason != "" {
			r.all.skipped(key, test{name: e.Test, place: e.Package, output: reason})
		}
		delete(r.output, key)
	case "pass":
		r.ends(e)
		r.all.passed(key)
		delete(r.output, key)
	case "fail":
		r.ends(e)
		if e.Test != "" {
			r.fails(e, "")
			break
		}
		r.abandon(e.Package, "")
		if r.failures[e.Package] == 0 {
			e.Test = "(the package)"
			r.all.failed(key, goTest(e, append(r.output["build "+e.FailedBuild], r.output[key]...)))
		}
		delete(r.output, key)
	}
}

func (r *eventReader) ends(e event) {
	r.begun = slices.DeleteFunc(r.begun, func(b event) bool { return b.key() == e.key() })
}

// fails notes a failed test, with a reason if its output has none.
func (r *eventReader) fails(e event, reason string) {
	key := e.key()
	r.failures[e.Package]++
	r.all.failed(key, goTest(e, append(r.output[key], reason)))
	delete(r.output, key)
}

// abandon notes the tests of a package that have not ended, or of all packages.
func (r *eventReader) abandon(from, reason string) {
	for _, b := range r.begun {
		if from == "" || b.Package == from {
			r.fails(b, reason)
		}
	}
	r.begun = slices.DeleteFunc(r.begun, func(b event) bool { return from == "" || b.Package == from })
}

// loud is in the output of a test that cannot run here.
var loud = regexp.MustCompile(`SKIPPED.*`)

var position = regexp.MustCompile(`(?m)^\s*(\w+_test\.go:\d+):`)

func goTest(e event, output []string) test {
	text := strings.Join(output, "")
	at := e.Package
	if found := position.FindStringSubmatch(text); found != nil {
		at += "/" + found[1]
	}
	kept := ""
	if _, dump, hangs := strings.Cut(text, timedOut); hangs {
		return test{name: e.Test, place: at, output: timedOut + inTests(dump)}
	}
	for line := range strings.Lines(text) {
		if word := strings.TrimSpace(line); !strings.HasPrefix(word, "===") && !strings.HasPrefix(word, "--- FAIL") {
			kept += line
		}
	}
	return test{name: e.Test, place: at, output: kept, final: strings.Contains(text, testkit.Final) || strings.Contains(text, "WARNING: DATA RACE")}
}

const timedOut = "panic: test timed out"

// inTests returns the beginning of a dump of all goroutines, which names the tests that ran, and the places within tests.
func inTests(dump string) string {
	head, stacks, _ := strings.Cut(dump, "\n\n")
	kept := head + "\n"
	for line := range strings.Lines(stacks) {
		if strings.Contains(line, "_test.go:") {
			kept += line
		}
	}
	return kept
}
