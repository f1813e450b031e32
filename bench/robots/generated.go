package robots

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/sinew-robotics/sinew/robot/generate"
)

// Generate writes the generated package of the robot into a new folder of this module and returns the folder.
func (r Robot) Generate() (dir string, err error) {
	m, err := r.Model()
	if err != nil {
		return "", err
	}
	source, err := os.ReadFile(r.Path())
	if err != nil {
		return "", err
	}
	files, err := generate.Package(m, generate.Options{Name: "robot", Tool: r.Tool, Source: source, Floating: r.Floating, Batch: true})
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

// TimeGenerated runs the benchmarks of a generated package and returns the ns of each algorithm, and as "batch_ALGORITHM" those for each
// of eight states.
func TimeGenerated(dir string) (map[string]float64, error) {
	command := exec.Command("go", "test", "-run", "^$", "-bench", "Robot/.*/here|Batch|Derivatives/.*/here", "-benchtime", "20000x", "./"+dir)
	out, err := command.CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("%v: %w\n%s", command, err, out)
	}
	t := map[string]float64{}
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
