package main

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/sinew-robotics/sinew/robot/generate"
	"github.com/sinew-robotics/sinew/robot/multibody/batch"
)

const (
	batchStates = 64 // states in a call of robot/multibody/batch
	batchCalls  = 500
)

// generatePackage writes the package of a subject into a folder of this module.
func generatePackage(s subject) (dir string, err error) {
	m, err := compile(s)
	if err != nil {
		return "", err
	}
	source, err := os.ReadFile(filepath.Join("bench/robots", s.file))
	if err != nil {
		return "", err
	}
	files, err := generate.Package(m, generate.Options{Name: "robot", Tool: s.tool, Source: source, Floating: s.floating, Batch: true})
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll("out", 0o755); err != nil {
		return "", err
	}
	if dir, err = os.MkdirTemp("out", "generated-"); err != nil {
		return "", err
	}
	for name, text := range files {
		err = errors.Join(err, os.WriteFile(filepath.Join(dir, name), text, 0o600))
	}
	return dir, err
}

// benchLine matches the output of the benchmarks of a generated package.
var benchLine = regexp.MustCompile(`^Benchmark(Robot|Batch|Derivatives)/(\w+)(?:/(here|general))?\S*\s+\d+\s+([\d.]+) ns/op(?:\s+([\d.]+) ns/state)?`)

// timeGenerated runs the benchmarks of a generated package.
func timeGenerated(dir string) (times, error) {
	command := exec.Command("go", "test", "-run", "^$", "-bench", "Robot/.*/here|Batch|Derivatives/.*/here", "-benchtime", "20000x", "./"+dir)
	out, err := command.CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("%v: %w\n%s", command, err, out)
	}
	t := times{}
	for line := range bytes.Lines(out) {
		m := benchLine.FindStringSubmatch(string(line))
		if m == nil || m[3] == "general" {
			continue
		}
		name, number := strings.ToLower(m[2]), m[4]
		switch m[1] {
		case "Batch":
			name, number = "batch_"+name, m[5]
		case "Derivatives":
			name += "_derivatives"
		}
		if t[name], err = strconv.ParseFloat(number, 64); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// timeBatch measures robot/multibody/batch, for each state.
func timeBatch(s subject) (times, error) {
	m, err := compile(s)
	if err != nil {
		return nil, err
	}
	b := batch.New(m)
	random := rand.New(rand.NewPCG(7, 0))
	q, one := make([]float64, m.NQ()*batchStates), make([]float64, m.NQ())
	for state := range batchStates {
		m.Random(random, one)
		for k, x := range one {
			q[k*batchStates+state] = x
		}
	}
	x := make([][]float64, 3)
	for i := range x {
		for range m.NV() * batchStates {
			x[i] = append(x[i], random.NormFloat64())
		}
	}
	var links []int
	for _, j := range m.Joints() {
		link, err := m.Link(j.Child)
		if err != nil {
			return nil, err
		}
		links = append(links, link)
	}
	poses := make([]float64, 12*len(links)*batchStates)
	t := times{}
	for name, call := range map[string]func(){
		"fk":   func() { b.FK(q, links, poses) },
		"rnea": func() { b.RNEA(q, x[0], x[1], x[2]) },
		"aba":  func() { b.ABA(q, x[0], x[1], x[2]) },
	} {
		least, _ := best(dynamicsBatches, func() (time.Duration, error) {
			begin := time.Now()
			for range batchCalls {
				call()
			}
			return time.Since(begin), nil
		})
		t[name] = float64(least.Nanoseconds()) / batchCalls / batchStates
	}
	return t, nil
}
