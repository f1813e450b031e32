package system

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// Vector is a block with a vector of three elements.
type Vector struct {
	Out block.Out[[]float64] `unit:"rad"`
}

func (v *Vector) Step(clock.Tick) error { return nil }

// Setup fixes the length of the vector.
func (v *Vector) Setup(s *block.Setup) error {
	s.Len(3, &v.Out)
	return nil
}

func loadWatching(t *testing.T, watch string) (*System, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s.yaml")
	text := "system: s\nwatch: " + watch + "\nthreads: {main: {period: 1ms}}\nblocks: {arm: {type: system.Vector}}\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return Load(path, Options{Registry: block.NewRegistry([]block.Entry{block.Of[Vector]("a vector")})})
}

func TestWatchSelectsElementsOfVectors(t *testing.T) {
	sys, err := loadWatching(t, `["arm.out[0:2]"]`)
	if err != nil {
		t.Fatal(err)
	}
	if _, names := sys.Watched(sys.Net.Blocks[0].Ports[0]); strings.Join(names, " ") != "arm.out[0] arm.out[1]" {
		t.Errorf("watched are %v", names)
	}
}

func TestWatchRejectsWhatSelectsNothing(t *testing.T) {
	for watch, want := range map[string]string{
		`[arm.outt]`:       `s.yaml:2:9: watch: no port has a signal "arm.outt"; did you mean "arm.out"`,
		`["arm.out[3:5]"]`: `s.yaml:2:9: watch: no port has a signal "arm.out[3:5]"`,
		`["arm.out[0"]`:    `s.yaml:2:9: watch: pattern "arm.out[0": the bracket does not close`,
		`arm.out`:          `s.yaml:2:8: watch wants a list of signals`,
	} {
		if _, err := loadWatching(t, watch); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", watch, err, want)
		}
	}
}
