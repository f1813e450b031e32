package main

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
)

// stage is one part of `make test`.
type stage struct {
	name string
	run  func(*shell) ([]test, error)
}

// second is how often a failed test may run again.
const second = 2

// lane is a list of stages that run one after the other.
type lane []stage

// lanes run side by side: systems mostly wait, for one another and for their own time, while Chromium computes its pictures.
var lanes = []lane{
	{
		{"check", func(s *shell) ([]test, error) { return nil, s.run("", "make", "check") }},
		{"library", func(s *shell) ([]test, error) { return goStage(s, library, 0) }},
		{"systems", func(s *shell) ([]test, error) { return goStage(s, systems, second, "-p", "2") }},
		{"race", func(s *shell) ([]test, error) { return goStage(s, race, second, "-p", "2", "-race") }},
	}, {
		{"unit", func(s *shell) ([]test, error) { return pageTests(s, "unit", 0) }},
		{"pages", func(s *shell) ([]test, error) { return pageTests(s, "browser", second) }},
		{"console", func(s *shell) ([]test, error) { return pageTests(s, "real", second) }},
	},
}

// packages selects packages by their path within the module.
type packages func(path string) bool

var (
	// The stage check tests internal/arch.
	checked = regexp.MustCompile(`^internal/arch$`)

	// Pure calculation: their tests depend on nothing but their input.
	pure = regexp.MustCompile(`^(robot(/.*)?|internal/(nearest|panics|tape.*|yamlfault)|net/schema)$`)

	// Packages with goroutines or real-time threads: their tests run under the race detector. Tests of the documentation run commands
	// that are built without the detector.
	concurrent = regexp.MustCompile(`^((internal|net|parts)/.*|device/background)$`)
	sequential = regexp.MustCompile(`^(internal/(arch|docs|gate|nearest|panics|tape.*)|net/schema)$`)

	// Packages of which some tests cannot run under the race detector: they are tested with and without.
	both = regexp.MustCompile(`^(internal/rt|net/link/shm)$`)
)

func library(path string) bool { return pure.MatchString(path) }

func systems(path string) bool {
	return !pure.MatchString(path) && !checked.MatchString(path) && (!race(path) || both.MatchString(path))
}

func race(path string) bool { return concurrent.MatchString(path) && !sequential.MatchString(path) }

// selected lists the packages of the module that a selection accepts.
func selected(accept packages) ([]string, error) {
	list := exec.Command("go", "list", "-f", "{{.Module.Path}} {{.ImportPath}}", "./...")
	list.Stderr = os.Stderr
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("list the module's packages: %w", err)
	}
	var chosen []string
	for line := range strings.Lines(string(out)) {
		module, path, _ := strings.Cut(strings.TrimSpace(line), " ")
		if within := strings.TrimPrefix(strings.TrimPrefix(path, module), "/"); accept(within) {
			chosen = append(chosen, path)
		}
	}
	return chosen, nil
}
