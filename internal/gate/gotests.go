package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

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
			"--packages", strings.Join(list, " "), "--")
	} else {
		words = append(append(words, "--"), list...)
	}
	words = append(append(words, "-count=1", "-vet=off", "-timeout", "45m"), flags...)
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

// readEvents returns the tests that failed at least once, or say that they are skipped. A package that fails without a failed test is
// one, too: it does not build, its TestMain failed, or it has panicked.
func readEvents(from io.Reader) ([]test, error) {
	var all ledger
	output := map[string][]string{} // by test, or package
	failures := map[string]int{}    // tests of a package that failed in its present run
	lines := bufio.NewReader(from)
	for {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF {
			return all.leaves(), nil
		}
		if err != nil {
			return nil, fmt.Errorf("read the events of go test: %w", err)
		}
		var e event
		if err := json.Unmarshal(line, &e); err != nil {
			return nil, fmt.Errorf("read the events of go test: %q: %w", line, err)
		}
		key := e.Package + " " + e.Test
		switch e.Action {
		case "start":
			failures[e.Package] = 0
		case "run":
			delete(output, key)
		case "build-output":
			output["build "+e.ImportPath] = append(output["build "+e.ImportPath], e.Output)
		case "output":
			output[key] = append(output[key], e.Output)
		case "skip":
			if reason := loud.FindString(strings.Join(output[key], "")); reason != "" {
				all.skipped(key, test{name: e.Test, place: e.Package, output: reason})
			}
			delete(output, key)
		case "pass":
			all.passed(key)
			delete(output, key)
		case "fail":
			switch {
			case e.Test != "":
				failures[e.Package]++
				all.failed(key, goTest(e, output[key]))
			case failures[e.Package] == 0:
				e.Test = "(the package)"
				all.failed(key, goTest(e, append(output["build "+e.FailedBuild], output[key]...)))
			}
			delete(output, key)
		}
	}
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
	for line := range strings.Lines(text) {
		if word := strings.TrimSpace(line); !strings.HasPrefix(word, "===") && !strings.HasPrefix(word, "--- FAIL") {
			kept += line
		}
	}
	return test{name: e.Test, place: at, output: kept, final: strings.Contains(text, testkit.Final) || strings.Contains(text, "WARNING: DATA RACE")}
}
