//go:build mrpt

package scip

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/device/wire"
)

// TestDriverOfMRPTReadsTheEmulator lets CHokuyoURG of the Mobile Robot Programming Toolkit read scans, over a pseudo-terminal and over TCP. It
// ignores checksums: those are judged by printed examples.
func TestDriverOfMRPTReadsTheEmulator(t *testing.T) {
	program := filepath.Join(t.TempDir(), "mrpt")
	includes, err := filepath.Glob("/usr/include/mrpt/*/include")
	if err != nil || len(includes) == 0 {
		t.Fatal("MRPT is missing: make judge-scip installs it")
	}
	arguments := []string{"-std=c++17", "-I/usr/include/eigen3", "-o", program, "testdata/mrpt.cpp"}
	for _, dir := range includes {
		arguments = append(arguments, "-I"+dir)
	}
	for _, name := range []string{"hwdrivers", "obs", "poses", "math", "serialization", "rtti", "system", "core"} {
		arguments = append(arguments, "-lmrpt-"+name)
	}
	if text, err := exec.Command("g++", arguments...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	view := func(angle float64, _ time.Duration) float64 { return 2.5 + angle }
	want := "682 4.1847"
	for i := 0; i < 682; i += 100 {
		x := 2.5 + float64(i-340)*0.00613592
		want += fmt.Sprintf(" %.3f", x)
	}
	for name, at := range channels(t) {
		t.Run(name, func(t *testing.T) {
			far, err := wire.New(at[1], wire.Bytes)
			if err != nil {
				t.Fatal(err)
			}
			if err := far.Open(); err != nil {
				t.Fatal(err)
			}
			defer far.Close()
			e := NewEmulator(far, URG04LX(), view)
			var out strings.Builder
			_, address, _ := strings.Cut(at[0], "://")
			judge := exec.Command(program, append([]string{strings.Fields(name)[0]}, strings.Split(address, ":")...)...)
			judge.Stdout, judge.Stderr = &out, os.Stderr
			if err := judge.Start(); err != nil {
				t.Fatal(err)
			}
			done := make(chan error, 1)
			go func() { done <- judge.Wait() }()
			for last := time.Now(); ; time.Sleep(time.Millisecond) {
				select {
				case err := <-done:
					if text := out.String(); err != nil || text != strings.Repeat(want+"\n", 3) {
						t.Errorf("%v, MRPT reads\n%sexpected thrice\n%s", err, text, want)
					}
					return
				default:
				}
				now := time.Now()
				if err := e.Step(now.Sub(last)); err != nil {
					t.Fatal(err)
				}
				last = now
			}
		})
	}
}
