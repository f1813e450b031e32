package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// ui is the folder of the console's pages.
const ui = "console/ui"

// pageTests runs the tests of a project of the pages, without the machine's network, and each file with a failed test up to again times more: in a new process, with a
// new browser and new systems, and with longer waits.
func pageTests(s *shell, project string, again int) ([]test, error) {
	var all ledger
	var files []string
	for attempt := 0; ; attempt++ {
		out := fmt.Sprintf("%s-%d.json", s.files, attempt)
		words := []string{"../../.ci/offline", "npx", "vitest", "run", "--project", project, "--reporter", "default", "--reporter", "json", "--outputFile.json", out}
		err := s.run(ui, append(words, files...)...)
		if err == nil && attempt == 0 {
			return nil, nil
		}
		text, readError := os.ReadFile(out)
		if errors.Is(readError, fs.ErrNotExist) {
			return all.leaves(), errors.Join(err, readError) // vitest itself has failed
		}
		files, readError = readPageTests(text, &all)
		if err != nil && readError == nil && len(files) == 0 {
			readError = errors.New("vitest has failed, but no test: see the end of its output")
		}
		if err == nil || readError != nil || attempt == again {
			return all.leaves(), errors.Join(err, readError)
		}
		s.print("run again: %s", strings.Join(files, " "))
		s.bePatient("in a second try")
	}
}

// pageReport is what vitest writes.
type pageReport struct {
	TestResults []struct {
		Name, Status, Message string
		AssertionResults      []struct {
			FullName, Status string
			FailureMessages  []string
		}
	}
}

var colour = regexp.MustCompile("\x1b\\[[0-9;]*m")

// readPageTests adds a report of vitest to a ledger, and returns the files in which a test failed.
func readPageTests(text []byte, all *ledger) (files []string, err error) {
	var read pageReport
	if err := json.Unmarshal(text, &read); err != nil {
		return nil, fmt.Errorf("read the report of vitest: %w", err)
	}
	for _, file := range read.TestResults {
		_, name, _ := strings.Cut(filepath.ToSlash(file.Name), ui+"/")
		place := ui + "/" + name
		failed := false
		for _, one := range file.AssertionResults {
			key := place + " " + one.FullName
			switch one.Status {
			case "failed":
				failed = true
				all.failed(key, test{name: one.FullName, place: place, output: colour.ReplaceAllString(strings.Join(one.FailureMessages, "\n"), "")})
			case "passed":
				all.passed(key)
			}
		}
		switch {
		case file.Status == "failed" && !failed: // a hook, or the file does not load
			all.failed(place, test{name: "(the file)", place: place, output: colour.ReplaceAllString(file.Message, "")})
			failed = true
		case file.Status == "passed":
			all.passed(place)
		}
		if failed {
			files = append(files, name)
		}
	}
	return files, nil
}
