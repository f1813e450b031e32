package main

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/cores"
	"github.com/sinew-robotics/sinew/net/run"
)

// TestMain runs the example in a child of the test, and in the child of that, the core.
func TestMain(m *testing.M) {
	if run.IsCore() || os.Getenv("PENDULUM") != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// TestRunsAsCoreAndFront runs the program: while it lasts it is two processes, and afterwards nothing is left.
func TestRunsAsCoreAndFront(t *testing.T) {
	testkit.UserFolder(t)
	program := exec.Command(os.Args[0])
	program.Env = append(os.Environ(), "PENDULUM=swings")
	var out, problems strings.Builder
	program.Stdout, program.Stderr = &out, &problems
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- program.Wait() }()
	var err error
	two := false
	for running := true; running; {
		select {
		case err = <-ended:
			running = false
		case <-time.After(10 * time.Millisecond):
			core, front := cores.Find("pendulum").Processes()
			two = two || core != nil && front != nil && core.PID != front.PID && front.PID == program.Process.Pid
		}
	}
	if err != nil {
		t.Fatalf("%v: %s", err, &problems)
	}
	if !regexp.MustCompile(`^\d+ steps, at most 1\.00 rad\n$`).MatchString(out.String()) {
		t.Errorf("it prints %q", out.String())
	}
	if rt.SharedFolder() == "" {
		return
	}
	if !two {
		t.Error("it was not two processes")
	}
	if c := cores.List("pendulum"); len(c) > 0 {
		t.Errorf("left are %+v", c)
	}
}
